#!/usr/bin/env bash
# Builds the modules of the npm package for browsers (crates/wasm/js): for each curve, a module for engines with relaxed
# SIMD and a module for all others.
#
#   tools/wasm.sh [kernels]
#
# kernels: builds the two modules of bench/browser/kernels.mjs in target/wasm-kernels instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "" | kernels) ;;
    *)
        echo "tools/wasm.sh: unknown argument $1; expected kernels or none" >&2
        exit 1
        ;;
esac

target=wasm32-unknown-unknown
package=crates/wasm/js

[[ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]] || {
    echo "tools/wasm.sh: no standard library for $target; run rustup target add $target" >&2
    exit 1
}

# These variables would override the flags below.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
folder=${CARGO_TARGET_DIR:-target}

declare -A features=([relaxed]=+simd128,+relaxed-simd,+bulk-memory [plain]=+simd128,+bulk-memory)

# Runs cargo build for engines with these features.
build() {
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Ctarget-feature=$1 -Cstrip=symbols -Clink-arg=--compress-relocations" \
        cargo build --quiet --profile wasm --package bucketwheel-wasm --target "$target" "${@:2}"
}

if [[ ${1:-} == kernels ]]; then
    mkdir -p "$folder/wasm-kernels"
    for name in relaxed plain; do
        build "${features[$name]}" --example kernels
        cp "$folder/$target/wasm/examples/kernels.wasm" "$folder/wasm-kernels/$name.wasm"
    done
    exit
fi

# The Node package has the same witness calculator.
[[ ! -e crates/node/js/witness.mjs ]] || cp crates/node/js/witness.mjs "$package/witness.mjs"
for curve in bn254 bls12-381; do
    for name in relaxed plain; do
        module=$package/$curve.$name.wasm
        build "${features[$name]}" --no-default-features --features "$curve"
        cp "$folder/$target/wasm/bucketwheel_wasm.wasm" "$module"
        printf '%s: %d bytes, %d gzipped\n' "${module##*/}" "$(stat -c %s "$module")" "$(gzip -9 -c "$module" | wc -c)"
    done
done
