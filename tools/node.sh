#!/usr/bin/env bash
# Builds the Node package (crates/node, docs/javascript.md) in release, so that other projects can install it from its folder.
#
#   tools/node.sh [environment | speed FOLDER]
#
# environment: only what the package's tests need besides: a project in target/node that has switched from snarkjs, and circuits. The
# tests of the workspace take it, and the native part as cargo builds it for them.
# speed: measures it beside the real snarkjs, and leaves node.md in the folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    echo "tools/node.sh: $1" >&2
    exit 1
}

for tool in node npm; do
    command -v "$tool" >/dev/null || fail "$tool is missing; on Debian, apt-get install nodejs npm adds it"
done
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20)' || fail "Node $(node --version) is too old; 20 or newer is needed"

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
case ${1:-} in
    "") node crates/node/install.mjs ;;
    environment)
        tools/circuits.sh "$target/circuits" members semaphore >/dev/null
        node crates/node/install.mjs javascript
        # The package is linked, and has its native part from elsewhere: no scripts.
        mkdir -p "$target/node"
        sed "s|file:../../crates/node|file:$PWD/crates/node|" crates/node/test/project/package.json >"$target/node/package.json"
        (cd "$target/node" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error) >/dev/null ||
            fail "npm cannot install the packages of crates/node/test/project/package.json; see its message above"
        ;;
    speed)
        [[ $# == 2 ]] || fail "speed needs a folder"
        tools/circuits.sh --keys "$target/circuits" members merkle sha256 semaphore
        node crates/node/install.mjs
        mkdir -p "$2"
        BUCKETWHEEL_CIRCUITS=$target/circuits node bench/node/proofs.mjs members merkle sha256 semaphore | tee "$2/node.md"
        ;;
    *) fail "unknown argument $1; expected environment, speed or none" ;;
esac
