#!/usr/bin/env bash
# Builds the modules of the npm package for browsers (crates/wasm/js): for each curve, a module of sums and a module of proofs,
# and a module of both for a shared memory; each for engines with relaxed SIMD and for all others. Fails if a module is larger
# than a page may download.
#
#   tools/wasm.sh [tested | kernels]
#
# tested: leaves out proofs without relaxed SIMD, and modules for a shared memory except the one over BN254 with relaxed SIMD.
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
# Its standard library and its linker's options are made for a shared memory.
threads=wasm32-wasip1-threads
package=crates/wasm/js

libraries=$(rustc --print sysroot)/lib/rustlib
[[ -d $libraries/$target/lib ]] || {
    echo "tools/wasm.sh: no standard library for $target; run rustup target add $target" >&2
    exit 1
}

# These variables would override the flags below.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
folder=${CARGO_TARGET_DIR:-target}

declare -A features=([relaxed]=+simd128,+relaxed-simd,+bulk-memory [plain]=+simd128,+bulk-memory)

# Runs cargo build for a target and for engines with these features.
build() {
    local flags="-Ctarget-feature=$2 -Cstrip=symbols -Clink-arg=--compress-relocations"
    if [[ $1 == "$threads" ]]; then
        # A library with `_initialize`, which the first instance calls once. A memory may have all that 32 bits address.
        flags+=" -Clink-arg=$libraries/$threads/lib/self-contained/crt1-reactor.o -Clink-arg=--export=_initialize"
        flags+=" -Clink-arg=--max-memory=4294967296"
    fi
    env "CARGO_TARGET_$(tr a-z- A-Z_ <<<"$1")_RUSTFLAGS=$flags" \
        cargo build --quiet --profile wasm --package bucketwheel-wasm --target "$1" "${@:3}"
}

if [[ ${1:-} == kernels ]]; then
    mkdir -p "$folder/wasm-kernels"
    for name in relaxed plain; do
        build "$target" "${features[$name]}" --example kernels
        cp "$folder/$target/wasm/examples/kernels.wasm" "$folder/wasm-kernels/$name.wasm"
    done
    exit
fi

# The Node package has the same witness calculator.
[[ ! -e crates/node/js/witness.mjs ]] || cp crates/node/js/witness.mjs "$package/witness.mjs"
rm -f "$package"/*.wasm
too_large=0

# Copies the built module of a target to its place. Complains if it has more bytes than this, or more gzipped.
keep() {
    local module=$package/$2 bytes gzipped
    cp "$folder/$1/wasm/bucketwheel_wasm.wasm" "$module"
    bytes=$(stat -c %s "$module") gzipped=$(gzip -9 -c "$module" | wc -c)
    printf '%s: %d bytes, %d gzipped\n' "$2" "$bytes" "$gzipped"
    if ((bytes > $3 || gzipped > $4)); then
        echo "tools/wasm.sh: $2 is too large: expected at most $3 bytes, $4 gzipped" >&2
        too_large=1
    fi
}

# The engine is compiled once for both curves. A module keeps the code of its own curve.
curves=bucketwheel/bn254,bucketwheel/bls12-381
for curve in bn254 bls12-381; do
    for part in sums proofs; do
        for name in relaxed plain; do
            [[ ${1:-} != tested || $part.$name != proofs.plain ]] || continue
            build "$target" "${features[$name]}" --no-default-features --features "$curve,$part,$curves"
            keep "$target" "$curve.$part.$name.wasm" 600000 220000
        done
    done
done
if [[ ! -d $libraries/$threads/lib ]]; then
    echo "skipped: the modules for a shared memory; rustup target add $threads adds what they need"
    exit "$too_large"
fi
for curve in bn254 bls12-381; do
    for name in relaxed plain; do
        [[ ${1:-} != tested || $curve.$name == bn254.relaxed ]] || continue
        [[ ${1:-} != tested ]] || curves=bucketwheel/bn254
        build "$threads" "${features[$name]}" --no-default-features --features "$curve,threads,$curves"
        # Both parts of a curve.
        keep "$threads" "$curve.shared.$name.wasm" 1200000 440000
    done
done
exit "$too_large"
