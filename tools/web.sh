#!/usr/bin/env bash
# Gathers the demo page (web/), the npm package for browsers and circuits with keys in target/web: any static file server serves it.
#
#   tools/web.sh [test [long] | picture]
#
# test: tests the package in Node, and in the Node package in place of its native part; opens the page in headless
# Chromium, and makes a proof. Skipped if there is no Chromium. long: tests all modules. Otherwise the modules of proofs
# without relaxed SIMD are left out (tools/wasm.sh tested), so run tools/web.sh again before you publish page or package.
# picture: opens the page in the same way, and keeps its picture as docs/demo.png.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case $* in
    "" | test | "test long" | picture) ;;
    *)
        echo "tools/web.sh: unknown arguments $*; expected test, test long, picture or none" >&2
        exit 1
        ;;
esac

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -n ${1:-} && -z $chromium ]]; then
    echo "skipped: the browser package and the demo page; apt-get install chromium adds the browser"
    [[ $1 == test ]]
    exit
fi

circuits=target/circuits
# Semaphore's circuit comes with its production key.
[[ -f $circuits/semaphore/circuit.zkey ]] || tools/circuits.sh "$circuits" semaphore >/dev/null
# Engines on x86-64 without fused multiply-adds run the modules without relaxed SIMD.
tested=
if [[ $* == test ]] && { [[ $(uname -m) != x86_64 ]] || grep -qw fma /proc/cpuinfo; }; then
    tested=tested
fi
tools/wasm.sh ${tested:+tested}

web=target/web
rm -rf "$web"
mkdir -p "$web/bucketwheel" "$web/circuits"
cp web/*.html web/*.css web/demo.mjs "$web"
cp crates/wasm/js/*.mjs crates/wasm/js/*.wasm "$web/bucketwheel"
cp "$circuits/npm/node_modules/snarkjs/build/snarkjs.min.js" "$web"
for name in semaphore members merkle sha256; do
    [[ -f $circuits/$name/circuit.zkey ]] || continue
    mkdir "$web/circuits/$name"
    cp "$circuits/$name"/{circuit.zkey,circuit.wasm,input.json} "$web/circuits/$name"
done
node web/list.mjs "$web/circuits"
echo "the page is in $web"

[[ -n ${1:-} ]] || exit 0
if [[ $1 == test ]]; then
    [[ -f $circuits/members/circuit.wasm ]] || tools/circuits.sh "$circuits" members >/dev/null
    node=$(tools/node.sh)
    "$node" crates/node/install.mjs javascript
    BUCKETWHEEL_MODULES=$tested "$node" --test crates/wasm/js/test/*.test.mjs crates/node/test/portable.test.mjs
fi
tests=target/web-test
mkdir -p "$tests"
[[ -f $tests/package.json ]] || echo '{ "private": true }' >"$tests/package.json"
[[ -d $tests/node_modules/playwright-core ]] ||
    npm install --silent --no-audit --no-fund --prefix "$tests" playwright-core@1
picture=()
[[ $1 != picture ]] || picture=(--picture docs/demo.png)
node web/test.mjs "$web" "$tests" "$chromium" "${picture[@]}"
