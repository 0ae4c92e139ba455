#!/usr/bin/env bash
# Tests the lanes where this machine's CPU does not lead: ADX and AVX2 in an emulator, 64-bit Arm in an emulator,
# and the build for WebAssembly.
#
#   tools/cross.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# They would take the place of the flags below.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS

arm=aarch64-unknown-linux-gnu
wasm=wasm32-unknown-unknown

has_target() { [[ -d "$("${2:-rustc}" --print sysroot)/lib/rustlib/$1/lib" ]]; }

for tool in qemu-x86_64 qemu-aarch64 aarch64-linux-gnu-gcc; do
    if ! command -v "$tool" >/dev/null; then
        echo "tools/cross.sh: $tool is missing; run tools/setup.sh" >&2
        exit 1
    fi
done

if [[ $(uname -m) == x86_64 ]]; then
    echo "== ADX and AVX2 (QEMU)"
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="qemu-x86_64 -cpu max" \
        cargo test --quiet --package bucketwheel-lanes --test arithmetic --test lazy -- adx avx2
fi

echo "== $arm (QEMU)"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
# Linked statically: Debian may have two C libraries for Arm (one to link with, one to run), and a program that
# gets its loader from one and its library from the other hangs.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS=-Ctarget-feature=+crt-static
export RUSTDOCFLAGS=-Ctarget-feature=+crt-static
# Where rustup could not add the target, Debian's compiler may have it; each compiler has its own builds.
compiler=()
if ! has_target "$arm"; then
    if ! { [[ -x /usr/bin/rustc ]] && has_target "$arm" /usr/bin/rustc; }; then
        echo "tools/cross.sh: Rust's standard library for $arm is missing; run tools/setup.sh" >&2
        exit 1
    fi
    compiler=(env RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/debian")
fi
"${compiler[@]}" cargo test --quiet --package bucketwheel-lanes --target "$arm"

echo "== $wasm (build)"
if has_target "$wasm"; then
    cargo build --quiet --package bucketwheel-lanes --target "$wasm"
    cargo build --quiet --package bucketwheel-lanes --target "$wasm" --no-default-features
else
    echo "skipped: no standard library for $wasm; rustup target add $wasm adds it"
fi
