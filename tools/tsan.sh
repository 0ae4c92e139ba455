#!/usr/bin/env bash
# Looks for races of threads with ThreadSanitizer, which needs a nightly toolchain: in the server under its clients'
# tests, in the Python package under its tests with threads, in random sums and their callbacks. The standard library is
# instrumented, too; assembly is not. The library for Python needs a runtime that an interpreter can load, which clang
# has. Leaves out checks that the machine cannot run, and says so. Part of tools/long.sh.
#
#   tools/tsan.sh [server | python | sums]...
#
# Without arguments: all of them. BUCKETWHEEL_TSAN_SECONDS: the time for sums and for callbacks, 150 each by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

(($#)) || set -- server python sums
if ! [[ -d $(rustc +nightly --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library ]]; then
    echo "skipped: ThreadSanitizer; rustup toolchain install nightly --component rust-src adds what it needs"
    exit 0
fi
host=$(rustc -vV | sed -n 's/^host: //p')
built=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$built/tsan
# ThreadSanitizer does not understand fences, so memory that rayon orders by fences is left out.
options="suppressions=$PWD/tools/tsan.txt"

# Runs cargo for instrumented programs. rustix calls libc, because ThreadSanitizer does not see mappings that system
# calls make. Crates without their own optimisation level compute nothing that matters here.
instrumented() {
    RUSTFLAGS="-Zsanitizer=thread --cfg rustix_use_libc" CARGO_PROFILE_DEV_OPT_LEVEL=0 \
        cargo +nightly "$1" -Zbuild-std --target "$host" "${@:2}"
}

# Leaves out tests whose deadlines are for programs at full speed.
check_server() {
    TSAN_OPTIONS=$options instrumented test --package bucketwheel-server --test server -- --test-threads 4 \
        --skip has_its_time --skip takes_too_long --skip browser --skip a_crowd_of_strangers
}

check_python() {
    local runtime package
    # The newest runtime.
    runtime=$(printf '%s\n' /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.tsan-"$(uname -m)".so | sort --version-sort | tail -n 1)
    if ! [[ -e $runtime && -x $built/python/bin/python ]]; then
        echo "skipped: races in the Python package; tools/python.sh environment and apt-get install libclang-rt-19-dev add what it needs"
        return
    fi
    instrumented build --package bucketwheel-python
    package=$CARGO_TARGET_DIR/package/bucketwheel
    rm -rf "$package"
    mkdir -p "$package"
    cp -r crates/python/python/bucketwheel/. "$package"
    cp "$CARGO_TARGET_DIR/$host/debug/lib_native.so" "$package/_native.abi3.so"
    # The interpreter is not instrumented, so its own accesses are ignored.
    LD_PRELOAD=$runtime TSAN_OPTIONS="$options ignore_noninstrumented_modules=1" PYTHONPATH=${package%/*} PYTHONDONTWRITEBYTECODE=1 \
        "$built/python/bin/python" -m pytest -q -p no:cacheprovider crates/python/tests \
        -k "test_work or threads or test_proofs_hold or test_many_proofs"
}

check_sums() {
    local runner
    for runner in sums callbacks; do
        TSAN_OPTIONS="$options halt_on_error=1" instrumented run --package bucketwheel-torture -- "$runner" \
            --seconds "${BUCKETWHEEL_TSAN_SECONDS:-150}"
    done
}

for part; do
    case $part in
        server | python | sums) ;;
        *)
            echo "tools/tsan.sh: unknown argument $part; expected server, python or sums" >&2
            exit 1
            ;;
    esac
    echo "-- $part"
    "check_$part"
done
