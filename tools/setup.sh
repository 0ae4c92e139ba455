#!/usr/bin/env bash
# Installs requirements beyond cargo: Debian packages, components of Rust, and the standard libraries of other
# targets. If everything is installed, the script prints nothing and does nothing.
#
#   tools/setup.sh [demo | packages]
#
# demo: only the requirements of building and running the programs. packages: the requirements of `make packages` and its
# test. By default, the requirements of the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

arm=aarch64-unknown-linux-gnu
# Targets without which some tests are left out.
optional=(wasm32-unknown-unknown wasm32-wasip1 wasm32-wasip1-threads aarch64-linux-android)

fail() {
    echo "tools/setup.sh: $1" >&2
    exit 1
}

has_command() { command -v "$1" >/dev/null; }

# Succeeds if the compiler ($2, or the default one) has the standard library of a target.
has_target() { [[ -d "$("${2:-rustc}" --print sysroot)/lib/rustlib/$1/lib" ]]; }

# The missing packages, and the reason for each.
packages=() reasons=()
need() {
    local reason=$1
    shift
    packages+=("$@")
    reasons+=("$* ($reason)")
}

need_for_programs() {
    has_command make || need "runs the commands" make
    { has_command cc && has_command c++; } || need "links programs, compiles the libraries we compare with" g++
}

need_for_tests() {
    { has_command as && has_command ld && has_command objcopy; } || need "makes the emulator's disk" binutils
    { has_command node && has_command npm; } ||
        need "runs circom and snarkjs, which proofs are compared with, and tests as WebAssembly" nodejs npm
    python3 -c 'import ensurepip, venv' 2>/dev/null || need "runs the tests of the Python package" python3-venv
    has_command cmake || need "builds a library we compare with" cmake
    [[ -e /usr/include/gmp.h || -e /usr/include/$(uname -m)-linux-gnu/gmp.h ]] ||
        need "is linked by go-rapidsnark, which our library is tested with" libgmp-dev
    has_command go || need "builds programs over go-rapidsnark" golang-go
    has_command valgrind || need "sees which memory programs in C touch" valgrind
    { [[ -e /usr/share/bochs/VGABIOS-lgpl-latest ]] && has_command bochs; } ||
        need "emulates AVX-512 IFMA" bochs bochsbios vgabios
    { has_command qemu-x86_64 && has_command qemu-aarch64; } || need "emulates ADX, AVX2 and 64-bit Arm" qemu-user
    { has_command aarch64-linux-gnu-gcc && [[ -e /usr/aarch64-linux-gnu/lib/crt1.o ]]; } ||
        need "links for 64-bit Arm" gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    has_command verilator || need "simulates the hardware of hdl/" verilator
    { has_command yosys-smtbmc && has_command z3; } ||
        need "counts what the hardware takes, and proves properties of it" yosys z3
}

need_for_packages() {
    python3 -c 'import ensurepip, venv' 2>/dev/null || need "has the tools that build packages" python3-venv
    has_command debootstrap || need "makes the clean root that packages are tested in" debootstrap
    has_command qemu-x86_64-static || need "emulates a CPU without AVX" qemu-user-static
}

check_rust() {
    { has_command cargo && has_command rustc; } ||
        fail "cargo is missing; install Rust first, https://rustup.rs has it"
    local wanted found
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    found=$(rustc --version | cut -d ' ' -f 2)
    [[ $(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1) == "$wanted" ]] ||
        fail "Rust $found is too old; $wanted or newer is needed, https://rustup.rs has it"
}

add_rust_for_tests() {
    local component target
    for component in fmt:rustfmt clippy:clippy; do
        cargo "${component%:*}" --version >/dev/null 2>&1 && continue
        has_command rustup || fail "cargo ${component%:*} is missing; install it as you installed cargo"
        echo "Adding Rust's ${component#*:}, to check the sources"
        rustup --quiet component add "${component#*:}" || fail "rustup cannot add ${component#*:}"
    done
    # Rust's own installer adds targets to its compilers.
    if has_command rustup; then
        for target in "$arm" "${optional[@]}"; do
            has_target "$target" && continue
            echo "Adding Rust's standard library for $target, to test what is built for it"
            rustup --quiet target add "$target" || echo "rustup cannot add $target"
        done
    fi
    # Otherwise Debian has a second compiler with the library for Arm; tools/cross.sh finds it. (Debian has no library
    # for the other targets, which tools/cross.sh leaves out.)
    if ! has_target "$arm" && ! { [[ -x /usr/bin/rustc ]] && has_target "$arm" /usr/bin/rustc; }; then
        [[ $(dpkg --print-foreign-architectures 2>/dev/null) == *arm64* ]] ||
            foreign="dpkg --add-architecture arm64 && "
        need "Rust for 64-bit Arm" rustc-web libstd-rust-web-dev libstd-rust-web-dev:arm64
    fi
}

# Debian's Go may be too old, and no package has a newer one.
tell_of_go() {
    (cd go && GOTOOLCHAIN=local go list -m) >/dev/null 2>&1 ||
        echo "The tests of go/ need Go $(sed -n 's/^go //p' go/go.mod) or newer, https://go.dev/dl has it; they are skipped without it"
}

foreign=
check_rust
need_for_programs
case ${1:-} in
    demo) ;;
    packages) need_for_packages ;;
    "")
        need_for_tests
        add_rust_for_tests
        tell_of_go
        ;;
    *) fail "unknown argument $1; expected demo, packages or none" ;;
esac

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
# The log matters only if something fails.
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
