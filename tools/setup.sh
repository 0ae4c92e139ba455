#!/usr/bin/env bash
# Installs what the tests need beyond cargo: Debian packages and the standard libraries of two more targets.
# Does nothing, and says nothing, where all of it is there.
#
#   tools/setup.sh
set -euo pipefail

arm=aarch64-unknown-linux-gnu
wasm=wasm32-unknown-unknown

fail() {
    echo "tools/setup.sh: $1" >&2
    exit 1
}

has_command() { command -v "$1" >/dev/null; }

# Whether the compiler ($2, or the usual one) has the standard library of a target.
has_target() { [[ -d "$("${2:-rustc}" --print sysroot)/lib/rustlib/$1/lib" ]]; }

# The packages that are missing, and why each is needed.
packages=() reasons=()
need() {
    local reason=$1
    shift
    packages+=("$@")
    reasons+=("$* ($reason)")
}

has_command cargo || fail "cargo is missing; install Rust first"
has_command make || need "runs the tests" make
{ has_command cc && has_command c++; } || need "links programs, compiles the libraries we compare with" g++
{ has_command as && has_command ld && has_command objcopy; } || need "makes the emulator's disk" binutils
has_command cmake || need "builds a library we compare with" cmake
{ [[ -e /usr/share/bochs/VGABIOS-lgpl-latest ]] && has_command bochs; } ||
    need "emulates AVX-512 IFMA" bochs bochsbios vgabios
{ has_command qemu-x86_64 && has_command qemu-aarch64; } || need "emulates ADX, AVX2 and 64-bit Arm" qemu-user
{ has_command aarch64-linux-gnu-gcc && [[ -e /usr/aarch64-linux-gnu/lib/crt1.o ]]; } ||
    need "links for 64-bit Arm" gcc-aarch64-linux-gnu libc6-dev-arm64-cross

# Rust's own installer adds targets to its compilers.
if has_command rustup; then
    for target in "$arm" "$wasm"; do
        has_target "$target" && continue
        echo "Adding Rust's standard library for $target, to test the build for it"
        rustup --quiet target add "$target" || echo "rustup cannot add $target"
    done
fi
# Otherwise Debian has a second compiler with the library for Arm; tools/cross.sh finds it. (Debian has none for
# WebAssembly: tools/cross.sh leaves that build out.)
foreign=
if ! has_target "$arm" && ! { [[ -x /usr/bin/rustc ]] && has_target "$arm" /usr/bin/rustc; }; then
    [[ $(dpkg --print-foreign-architectures 2>/dev/null) == *arm64* ]] || foreign="dpkg --add-architecture arm64 && "
    need "Rust for 64-bit Arm" rustc-web libstd-rust-web-dev libstd-rust-web-dev:arm64
fi

((${#packages[@]})) || exit 0

command="${foreign}apt-get update && apt-get install --no-install-recommends ${packages[*]}"
has_command apt-get || fail "missing, and this is no Debian: ${packages[*]}"
as_root=()
if ((EUID != 0)); then
    as_root=(sudo -n)
    sudo -n true 2>/dev/null || fail "no rights to install packages; run as root: $command"
fi
echo "Installing Debian packages:"
printf '  %s\n' "${reasons[@]}"
# The log matters only where something fails.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" </dev/null >"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        fail "cannot install packages; run as root: $command"
    }
}
[[ -z $foreign ]] || run dpkg --add-architecture arm64
run apt-get update
run apt-get install --yes --no-install-recommends "${packages[@]}"
