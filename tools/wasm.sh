#!/usr/bin/env bash
# Builds the modules of the npm package for browsers (crates/wasm/js): for each curve, a module for engines with relaxed
# SIMD and a module for all others.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=wasm32-unknown-unknown
package=crates/wasm/js

[[ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]] || {
    echo "tools/wasm.sh: no standard library for $target; run rustup target add $target" >&2
    exit 1
}

# These variables would override the flags below.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
folder=${CARGO_TARGET_DIR:-target}

build() {
    local name=$1.$2 curve=$1 features=$3
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=$features -Cstrip=symbols" \
        cargo build --quiet --profile wasm --package bucketwheel-wasm --target "$target" --no-default-features --features "$curve"
    cp "$folder/$target/wasm/bucketwheel_wasm.wasm" "$package/$name.wasm"
    printf '%s: %d bytes, %d gzipped\n' "$name.wasm" "$(stat -c %s "$package/$name.wasm")" \
        "$(gzip -9 -c "$package/$name.wasm" | wc -c)"
}

# The Node package has the same witness calculator.
[[ ! -e crates/node/js/witness.mjs ]] || cp crates/node/js/witness.mjs "$package/witness.mjs"
for curve in bn254 bls12-381; do
    build "$curve" relaxed +simd128,+relaxed-simd,+bulk-memory
    build "$curve" plain +simd128,+bulk-memory
done
