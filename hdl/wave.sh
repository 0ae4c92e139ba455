#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Simulates a block on its own, with words and results from hdl/vectors, and writes its waveforms. Takes Verilator, make
# and a C++ compiler, and about a minute at first; no Rust.
#
#   hdl/wave.sh BLOCK [+ARGUMENT...]     # a block that `hdl/wave.sh` lists; arguments are for the bench (hdl/README.md)
#   hdl/wave.sh check [BLOCK...]         # runs all blocks, or these blocks, without waveforms
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

arithmetic=(karatsuba_384 hybrid_256 hybrid_low_256 montgomery_377 montgomery_254 barrett_377 mod_add_377 mod_sub_377
    te_madd_377 te_add_377 rcb_add_254)
waiting=(fifo delayed_scheduler window_batch_scheduler pairing_scheduler)
mapfile -t machines < <(sed '/^#/d; s/ .*//' hdl/designs.txt)
blocks=("${arithmetic[@]}" "${waiting[@]}" "${machines[@]}")

is_one_of() { [[ " ${*:2} " == *" $1 "* ]]; }

# Verilates the bench of block $1 into $2, with Verilator's options in $3...; its program is $2/play.
compile() {
    local block=$1 folder=$2 top=play_$1 parameters=()
    shift 2
    ! is_one_of "$block" "${arithmetic[@]}" || { top=check_vectors parameters=("-GBLOCK=\"$block\"" -GKIND=0); }
    ! is_one_of "$block" "${waiting[@]}" || { top=play_block parameters=("-GBLOCK=\"$block\""); }
    mkdir -p "$folder"
    # Benches compute between edges, and read parts of words; wide operations are calls, which compile fast.
    verilator --binary --timing --assert -Wall -Wno-UNUSEDSIGNAL -Wno-BLKSEQ -j 2 "$@" --timescale 1ns/1ps \
        --expand-limit 0 --output-split-cfuncs 300 -MAKEFLAGS "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1" \
        -F hdl/rtl.f -y hdl/tb --top-module "$top" "${parameters[@]}" --Mdir "$folder" -o play "hdl/tb/$top.sv" \
        >"$folder/log" 2>&1 || {
        cat "$folder/log" >&2
        exit 2
    }
}

command -v verilator >/dev/null || {
    echo "hdl/wave.sh: verilator is missing; tools/setup.sh installs it" >&2
    exit 1
}
if [[ ${1:-} == check ]]; then
    shift
    (($#)) || set -- "${blocks[@]}"
    for block in "$@"; do
        is_one_of "$block" "${blocks[@]}" || { echo "hdl/wave.sh: there is no block $block" >&2; exit 1; }
        compile "$block" "target/wave/check/$block"
        "target/wave/check/$block/play"
    done
elif is_one_of "${1:-none}" "${blocks[@]}"; then
    block=$1
    shift
    # A machine's sum takes tens of thousands of cycles; the first cycles already fill a few screens.
    ! is_one_of "$block" "${machines[@]}" || [[ "$*" == *+cycles=* ]] || set -- "$@" +cycles=4000
    compile "$block" "target/wave/build/$block" --trace-fst --trace-structs
    "target/wave/build/$block/play" "+wave=target/wave/$block.fst" "$@"
    echo "gtkwave target/wave/$block.fst hdl/wave/$block.gtkw"
else
    echo "usage: hdl/wave.sh BLOCK, which is one of" >&2
    printf '    %s\n' "${blocks[*]}" >&2
    exit 2
fi
