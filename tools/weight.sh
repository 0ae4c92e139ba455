#!/usr/bin/env bash
# Measures the weight of the project: processor time to compile the engine and the command, by crate; the command's
# size; and the functions with many instances that take most of it. Fails if the size exceeds its limit, because the
# size does not depend on the machine.
#
#   tools/weight.sh [size]
#
# size: only the sizes of the command.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/weight

# Limits of the stripped command, without and with the WebAssembly compiler, in MB.
most=(12 20)

# Builds the arguments from nothing. times.sorted then has the time of each crate, the most expensive last.
build() {
    local log=$CARGO_TARGET_DIR/times
    rm -rf "$CARGO_TARGET_DIR"
    mkdir -p "$CARGO_TARGET_DIR"
    WEIGHT_LOG=$log RUSTC_WRAPPER=$PWD/tools/weight/rustc.sh cargo build --quiet --release "$@"
    awk '{ seconds[$1] += $2 } END { for (crate in seconds) print seconds[crate], crate }' "$log" | sort -n >"$log.sorted"
}

# Prints the seconds of the crates whose names match, or of the others.
seconds() { awk -v crates="^($1)\$" -v own="$2" '($2 ~ crates) == own { sum += $1 } END { printf "%.0f", sum }' \
    "$CARGO_TARGET_DIR/times.sorted"; }

engine='bucketwheel|bucketwheel_lanes'
workspace='bucketwheel.*'

size_of() {
    local file=$CARGO_TARGET_DIR/release/bucketwheel
    strip -o "$file.stripped" "$file"
    stat -c %s "$file.stripped"
}

check() {
    local bytes=$1 limit=$2 what=$3
    awk -v bytes="$bytes" -v limit="$limit" -v what="$what" 'BEGIN {
        printf "%-44s %6.1f MB, at most %d\n", what, bytes / 1e6, limit
        exit bytes > limit * 1e6
    }'
}

measure_engine() {
    local what=$1
    shift
    build --package bucketwheel "$@"
    printf '%-44s %6s s, dependencies %s s\n' "engine, $what" "$(seconds "$engine" 1)" "$(seconds "$engine" 0)"
}

measure_command() {
    local what=$1 limit=$2
    shift 2
    build --package bucketwheel-cli "$@"
    printf '%-44s %6s s, dependencies %s s\n' "$what" "$(seconds "$workspace" 1)" "$(seconds "$workspace" 0)"
    check "$(size_of)" "$limit" "$what, stripped"
}

if [[ ${1:-} != size ]]; then
    measure_engine "one curve" --no-default-features --features bn254
    measure_engine "default features"
fi
failed=0
measure_command "command without the WebAssembly compiler" "${most[0]}" --no-default-features || failed=1
measure_command "command" "${most[1]}" || failed=1
if [[ ${1:-} != size ]]; then
    echo "Crates, in seconds of processor time:"
    tail -n 12 "$CARGO_TARGET_DIR/times.sorted" | awk '{ printf "%8.1f %s\n", $1, $2 }'
    echo "Functions, in kB of code and instances:"
    nm --demangle --print-size --defined-only "$CARGO_TARGET_DIR/release/bucketwheel" | awk '$3 ~ /^[tTwW]$/' |
        tools/weight/functions.py | head -n 20
fi
exit $failed
