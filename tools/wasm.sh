#!/usr/bin/env bash
# Builds the modules of the npm package for browsers (crates/wasm/js), for engines with relaxed SIMD and for all others.
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
    local name=$1 features=$2
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=$features -Cstrip=symbols" \
        cargo build --quiet --profile wasm --package bucketwheel-wasm --target "$target"
    cp "$folder/$target/wasm/bucketwheel_wasm.wasm" "$package/$name.wasm"
    printf '%s: %d bytes, %d gzipped\n' "$name.wasm" "$(stat -c %s "$package/$name.wasm")" \
        "$(gzip -9 -c "$package/$name.wasm" | wc -c)"
}

# The Node package has the same witness calculator.
[[ ! -e crates/node/js/witness.mjs ]] || cp crates/node/js/witness.mjs "$package/witness.mjs"
build relaxed +simd128,+relaxed-simd,+bulk-memory
build plain +simd128,+bulk-memory
