#!/usr/bin/env bash
# Runs the AVX-512 IFMA backend in Bochs, an emulator whose CPU has these instructions, on any machine (see
# src/main.rs). Fails unless every check ran and passed.
#
# tools/cross.sh runs AVX2 and ADX in QEMU instead: QEMU has no AVX-512, and Bochs 2.7 has a fault in `adox`, which
# never sets its flag.
#
#   tools/bochs/run.sh
#
# Environment: CARGO_TARGET_DIR (default: target/ at the root), BOCHS_SECONDS (limit of the emulation, 900).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target=$(mkdir -p "${CARGO_TARGET_DIR:-$here/../../target}" && cd "${CARGO_TARGET_DIR:-$here/../../target}" && pwd)/bochs
seconds=${BOCHS_SECONDS:-900}

for tool in bochs as ld objcopy; do
    if ! command -v "$tool" >/dev/null; then
        echo "tools/bochs/run.sh: $tool is missing; run tools/setup.sh" >&2
        exit 1
    fi
done

# The flags of .cargo/config.toml, which has effect only in its folder and yields to these variables.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET
(cd "$here" && CARGO_TARGET_DIR=$target cargo build --release --quiet)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
elf=$target/x86_64-unknown-linux-gnu/release/bucketwheel-bochs
objcopy -O binary "$elf" image.bin
sectors=$((($(stat -c %s image.bin) + 511) / 512))
as --32 --defsym SECTORS=$sectors -o boot.o "$here/boot.S"
ld -m elf_i386 -Ttext=0x7c00 --oformat=binary -o boot.bin boot.o

# The disk has the size of bochsrc: cylinders * heads * sectors.
disk_sectors=$((40 * 16 * 63))
if ((sectors >= disk_sectors)); then
    echo "tools/bochs/run.sh: the image has $sectors sectors, the disk $disk_sectors" >&2
    exit 1
fi
cat boot.bin image.bin >disk.img
truncate -s $((512 * disk_sectors)) disk.img

# Bochs starts in its debugger, which must be told to continue. Its exit status is useless, because it treats shutting
# down as an error.
echo c | timeout -k 5 "$seconds" bochs -q -f "$here/bochsrc" >output 2>&1 || true

grep -aE 'checks=|^differs|^panicked' output || true
if ! grep -aqE '^total: checks=[1-9][0-9]* bad=0' output; then
    echo "tools/bochs/run.sh: the checks failed or did not end within $seconds s; the end of the output:" >&2
    tail -n 20 output >&2
    exit 1
fi
