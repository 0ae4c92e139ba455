#!/usr/bin/env bash
# Counts the instructions of an operation on one element on 64-bit Arm, in an emulator: the hand-scheduled kernels
# beside the compiler's code.
#
#   tools/instructions.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=aarch64-unknown-linux-gnu
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS=-Ctarget-feature=+crt-static
cargo build --quiet --release --package bucketwheel-lanes --example operations --target "$target"
program=${CARGO_TARGET_DIR:-target}/$target/release/examples/operations

# Blocks of one instruction, each of which prints a line.
count() { qemu-aarch64 -singlestep -d exec,nochain -D /dev/stdout "$program" "$@" | grep -c '^Trace'; }

echo "| bits | operation | portable | aarch64 | ratio |"
echo "|---:|---|---:|---:|---:|"
for bits in 761 381 315 254; do
    for operation in mul square butterfly; do
        row=()
        for backend in portable aarch64; do
            few=$(count "$backend" "$bits" "$operation" 10)
            many=$(count "$backend" "$bits" "$operation" 110)
            # A hundred times four elements.
            row+=($(((many - few) / 400)))
        done
        ratio=$(awk "BEGIN { printf \"%.2f\", ${row[0]} / ${row[1]} }")
        echo "| $bits | $operation | ${row[0]} | ${row[1]} | $ratio |"
    done
done
