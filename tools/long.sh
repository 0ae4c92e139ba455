#!/usr/bin/env bash
# Runs the long tests: a sum over more points than 32 bits number; all suites of lanes, engine and prover on 64-bit
# Arm in an emulator; whole MSMs on simulated hardware, and the host program of CycloneMSM's authors on it; the
# documentation's counted tables; proofs that take minutes; a thousand proofs over HTTP and the server's page in a
# browser; the circuits of six versions of circom; projects that switched from snarkjs to the Node package; all
# modules of the package for browsers; the suites of provers over arkworks on our types, and Nova's own programs
# with our engines; packages in a clean Debian; each cargo feature built alone. A nightly compiler then looks for
# undefined behaviour (Miri) in the portable lanes, memory errors (AddressSanitizer) in all tests and in some
# minutes of torture, races of threads (ThreadSanitizer, tools/tsan.sh), and bytes that a parser does not expect
# (libFuzzer, a minute each). Before that, an hour of torture, or BUCKETWHEEL_TORTURE_SECONDS. The script leaves out
# tests that the installed toolchains cannot run, and says so.
#
#   tools/long.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

echo "== Engine"
# Each case of all strategies on all curves, where `make test` tries one in three.
BUCKETWHEEL_TEST_MODEL=1 cargo test --package bucketwheel --all-features --test engine -- --include-ignored

echo "== Other targets"
tools/cross.sh long

echo "== Hardware"
if command -v verilator >/dev/null && command -v yosys >/dev/null; then
    RTL_LONG=1 cargo test --package bucketwheel-rtl --all-features -- --ignored
    hdl/formal/prove.sh
    hdl/wave.sh check
    hdl/mutants.sh
    hdl/cocotb/run.sh
    hdl/fusesoc.sh
    (cd hdl/host && cargo clippy --workspace -- --deny warnings && cargo run)
    hdl/levels.py
    hdl/frequency.py quick
else
    echo "skipped: Verilator or yosys is missing; tools/setup.sh installs them"
fi

echo "== Tables"
(cd bench && cargo test --release counted_tables -- --ignored)

echo "== Command"
cargo test --release --package bucketwheel-cli --test cli -- --ignored

echo "== Server"
cargo test --release --package bucketwheel-server -- --ignored

echo "== Foreign compilers"
tools/foreign.sh
BUCKETWHEEL_FOREIGN=$PWD/target/foreign cargo test --package bucketwheel-snarkjs --package bucketwheel-circuit --all-features --test witness \
    --test circuit foreign

echo "== Projects that switched from snarkjs"
tools/node-package.sh project
cargo test --package bucketwheel-node -- --ignored

echo "== Package for browsers"
tools/web.sh test long

echo "== Provers over arkworks"
tools/provers.py
(cd bench/arkworks && cargo clippy --release --all-targets -- --deny warnings && cargo test --release)

echo "== Nova"
tools/nova.sh

echo "== Packages"
make --no-print-directory packages
if ((EUID == 0)); then python3 tools/packages test; else echo "skipped: the test of the packages needs root"; fi

echo "== Features"
tools/features.sh build

echo "== Torture"
BUCKETWHEEL_TORTURE_SECONDS=${BUCKETWHEEL_TORTURE_SECONDS:-3600} make --no-print-directory torture

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "skipped: Miri, sanitizers and libFuzzer; there is no nightly toolchain"
    exit 0
fi

echo "== Miri"
if cargo +nightly miri --version >/dev/null 2>&1; then
    cargo +nightly miri test --package bucketwheel-lanes portable
else
    echo "skipped: rustup +nightly component add miri rust-src adds it"
fi

# The crates with unsafe code, and some minutes of torture through them. Doc tests would need the flags a second time
# and add nothing. The sanitizer's runtime is linked into every program, so the target must be named, to leave build
# scripts as they are. Assembly is not instrumented. Tests of C programs, which would have to be linked with the
# runtime too, have their own sanitizer; the Python package would need an interpreter that is linked with it.
echo "== AddressSanitizer"
host=$(rustc -vV | sed -n 's/^host: //p')
sanitized() {
    # Impossible allocations must fail, as they do without the sanitizer, because tests ask for them.
    ASAN_OPTIONS=allocator_may_return_null=1 RUSTFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/asan" \
        cargo +nightly "$1" --target "$host" "${@:2}"
}
# These tests measure memory, which would include the sanitizer's.
sanitized test --package bucketwheel-lanes --package bucketwheel --package bucketwheel-formats \
    --package bucketwheel-transform --package bucketwheel-snarkjs --package bucketwheel-groth16 \
    --features bucketwheel/all-curves,bucketwheel/model --lib --tests -- --skip memory_is_bounded
sanitized test --package bucketwheel-capi --test calls
sanitized build --package bucketwheel-cli --package bucketwheel-torture
sanitized run --package bucketwheel-torture -- all --seconds 300

echo "== ThreadSanitizer"
tools/tsan.sh

echo "== libFuzzer"
if cargo +nightly fuzz --version >/dev/null 2>&1; then
    tools/fuzz.sh
else
    echo "skipped: cargo install cargo-fuzz adds it"
fi
