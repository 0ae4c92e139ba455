#!/usr/bin/env bash
# Builds the Node package (crates/node, docs/javascript.md) in its folder, optimised, for other projects to install.
#
#   tools/node-package.sh [environment | project | speed FOLDER]
#
# environment: only makes what the package's tests need besides the native part, which cargo builds for them.
# project: also makes target/node-project, a project that switched from snarkjs, for the long tests.
# speed: builds the package, measures it beside snarkjs, and leaves node.md in the folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    echo "tools/node-package.sh: $1" >&2
    exit 1
}

is_new() { command -v node >/dev/null && node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)'; }
if ! is_new; then
    # Debian's Node may be older; the tests then leave the package out.
    [[ ${1:-} == environment ]] || fail "Node 20 or newer is missing; https://nodejs.org has it"
    echo "skipped: the tests of the Node package; they need Node 20 or newer"
    exit 0
fi

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
environment() {
    [[ -f $target/circuits/members/circuit.wasm && -f $target/circuits/semaphore/witness.wtns ]] ||
        tools/circuits.sh "$target/circuits" members semaphore >/dev/null
    node crates/node/install.mjs javascript
}

case ${1:-} in
    "") node crates/node/install.mjs ;;
    environment) environment ;;
    project)
        environment
        # npm links the package. Its install script would build the native part, so no script runs.
        mkdir -p "$target/node-project"
        sed "s|file:../..|file:$PWD/crates/node|" crates/node/test/project/package.json >"$target/node-project/package.json"
        (cd "$target/node-project" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error) >/dev/null ||
            fail "npm cannot install the packages of crates/node/test/project/package.json; see its message above"
        ;;
    speed)
        [[ $# == 2 ]] || fail "speed needs a folder"
        tools/circuits.sh --keys "$target/circuits" members merkle sha256 semaphore
        node crates/node/install.mjs
        mkdir -p "$2"
        BUCKETWHEEL_CIRCUITS=$target/circuits node bench/node/proofs.mjs members merkle sha256 semaphore | tee "$2/node.md"
        ;;
    *) fail "unknown argument $1; expected environment, project, speed or none" ;;
esac
