#!/usr/bin/env bash
# Builds the modules of the npm package for browsers (crates/wasm/js): for each curve, a module of sums and a module of proofs,
# both for engines with relaxed SIMD and for all others. Fails if a module is larger than a page may download.
#
#   tools/wasm.sh [tested | kernels]
#
# tested: builds all modules except proofs without relaxed SIMD, and saves a quarter of the time.
# kernels: builds the two modules of bench/browser/kernels.mjs in target/wasm-kernels instead.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "" | tested | kernels) ;;
    *)
        echo "tools/wasm.sh: unknown argument $1; expected tested, kernels or none" >&2
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
rm -f "$package"/*.wasm
too_large=0
for curve in bn254 bls12-381; do
    for part in sums proofs; do
        for name in relaxed plain; do
            [[ ${1:-} != tested || $part.$name != proofs.plain ]] || continue
            module=$package/$curve.$part.$name.wasm
            # The engine is compiled once for both curves. A module keeps the code of its own curve.
            build "${features[$name]}" --no-default-features \
                --features "$curve,$part,bucketwheel/bn254,bucketwheel/bls12-381"
            cp "$folder/$target/wasm/bucketwheel_wasm.wasm" "$module"
            bytes=$(stat -c %s "$module") gzipped=$(gzip -9 -c "$module" | wc -c)
            printf '%s: %d bytes, %d gzipped\n' "${module##*/}" "$bytes" "$gzipped"
            if ((bytes > 600000 || gzipped > 220000)); then
                echo "tools/wasm.sh: ${module##*/} is too large: expected at most 600000 bytes, 220000 gzipped" >&2
                too_large=1
            fi
        done
    done
done
exit "$too_large"
