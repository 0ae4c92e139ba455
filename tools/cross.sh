#!/usr/bin/env bash
# Tests lanes and engine on CPUs that differ from this machine's: the lanes on ADX and AVX2 in an emulator, lanes and
# engine on 64-bit Arm in an emulator and as WebAssembly in Node.
#
#   tools/cross.sh [long]
#
# Lanes have fewer rounds in emulators, and the engine tries only a share of its cases, on some curves. long: tries all
# cases, and the prover's, on 64-bit Arm; checks the command for it, and engine and prover for Android; tries more of the
# engine as WebAssembly.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "") long= ;;
    long) long=1 ;;
    *)
        echo "tools/cross.sh: unknown argument $1; expected long or none" >&2
        exit 1
        ;;
esac

# These variables would override the flags below.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

arm=aarch64-unknown-linux-gnu
android=aarch64-linux-android
wasm=wasm32-unknown-unknown
wasi=wasm32-wasip1

has_target() { [[ -d "$("${2:-rustc}" --print sysroot)/lib/rustlib/$1/lib" ]]; }
skip() { echo "skipped: no standard library for $1; rustup target add $1 adds it"; }

for tool in qemu-x86_64 qemu-aarch64 aarch64-linux-gnu-gcc node; do
    if ! command -v "$tool" >/dev/null; then
        echo "tools/cross.sh: $tool is missing; run tools/setup.sh" >&2
        exit 1
    fi
done

# Little optimisation, because this code takes longer to compile than to run.
quick=()
for package in bucketwheel bucketwheel-{transform,snarkjs,groth16}; do
    quick+=(--config "profile.dev.package.$package.opt-level=1")
done

if [[ -z $long && $(uname -m) == x86_64 ]]; then
    echo "== ADX and AVX2 (QEMU)"
    # Compiled like the tests of the workspace.
    BUCKETWHEEL_TEST_ONE_ROUND_IN=10 CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="qemu-x86_64 -cpu max" \
        cargo test --quiet --workspace --all-features --test arithmetic --test lazy -- adx avx2
fi

echo "== $arm (QEMU)"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
# Linked statically, because Debian may have two C libraries for Arm (one to link with, one to run). A program that
# gets its loader from one and its library from the other hangs.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS=-Ctarget-feature=+crt-static
export RUSTDOCFLAGS=-Ctarget-feature=+crt-static
# If rustup could not add the target, Debian's compiler may have it. Each compiler has its own builds.
compiler=()
if ! has_target "$arm"; then
    if ! { [[ -x /usr/bin/rustc ]] && has_target "$arm" /usr/bin/rustc; }; then
        echo "tools/cross.sh: Rust's standard library for $arm is missing; run tools/setup.sh" >&2
        exit 1
    fi
    compiler=(env RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/debian")
fi
# Runs cargo for 64-bit Arm: its command and packages, then the rest.
on_arm() { "${compiler[@]}" cargo "$1" --quiet "${quick[@]}" --target "$arm" "${@:2}"; }
if [[ -z $long ]]; then
    BUCKETWHEEL_TEST_ONE_ROUND_IN=10 on_arm test --package bucketwheel-lanes
    # Fields of four words and of six, their extensions, every scheduler and adder, tables, threads.
    BUCKETWHEEL_TEST_ONE_IN=20 on_arm test --package bucketwheel --test engine -- \
        differential::bn254 differential::bls12_377 raw::bn254 tables::bn254 threads:: --skip g1_and_g2
else
    on_arm test --package bucketwheel-lanes --all-features
    on_arm test --package bucketwheel --all-features --lib --test engine --test environment
    on_arm test --package bucketwheel-transform --package bucketwheel-snarkjs --test ntt --test files
    on_arm test --package bucketwheel-groth16 --features arkworks --lib --test proofs
    on_arm check --package bucketwheel-cli
fi

if [[ -n $long ]]; then
    echo "== $android (check)"
    if has_target "$android"; then
        cargo check --quiet --target "$android" --package bucketwheel --package bucketwheel-groth16
    else
        skip "$android"
    fi
fi

echo "== $wasm (build)"
if has_target "$wasm"; then
    cargo build --quiet --package bucketwheel-lanes --target "$wasm"
    cargo build --quiet --package bucketwheel-lanes --target "$wasm" --no-default-features
else
    skip "$wasm"
fi

echo "== $wasi (Node)"
if has_target "$wasi"; then
    export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/tools/wasi.mjs"
    in_node() { cargo test --quiet "${quick[@]}" --target "$wasi" "$@"; }
    in_node --package bucketwheel-lanes --test arithmetic --test lazy -- portable
    CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS=-Ctarget-feature=+simd128 \
        in_node --package bucketwheel-lanes --test arithmetic --test lazy -- wasm --skip wasm_model
    if fast=$(tools/node.sh); then
        CARGO_TARGET_WASM32_WASIP1_RUNNER="$fast --no-warnings $PWD/tools/wasi.mjs" \
            CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS=-Ctarget-feature=+simd128,+relaxed-simd \
            in_node --package bucketwheel-lanes --test arithmetic --test lazy -- wasm --skip wasm_model
    else
        echo "skipped: the lanes in relaxed SIMD"
    fi
    if [[ -z $long ]]; then
        BUCKETWHEEL_TEST_ONE_IN=40 in_node --package bucketwheel --test engine -- \
            differential::bn254 raw::bn254 tables::bn254 threads:: --skip g1_and_g2 --skip g2_windows
    else
        # The largest windows over G2 need more memory than 32 bits address.
        in_node --package bucketwheel --test engine -- \
            differential::bn254 differential::bls12_377 raw tables::bn254 threads:: --skip g2_windows
    fi
else
    skip "$wasi"
fi
