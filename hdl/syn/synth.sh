#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Counts with yosys what the blocks take of an UltraScale+ FPGA, and prints it as the table of docs/hardware.md.
#
#   hdl/syn/synth.sh [NAME...]      # all blocks, or those whose names are given
#
# Multipliers are the leaves of the RTL (mul_leaf), by the width of their operands; the rest is what synth_xilinx maps
# them and everything else to. It infers DSPs of 27 x 18 and does not share a DSP between products, so a leaf may take
# more of them than by hand. Nothing is placed, so nothing is said of clock frequencies.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../rtl"

command -v yosys >/dev/null || {
    echo "hdl/syn/synth.sh: yosys is missing; tools/setup.sh installs it" >&2
    exit 1
}

sources="$(sed -n 's|^rtl/\(.*_pkg.sv\)|\1|p' ../rtl.f | tr '\n' ' ')$(find . -name '*.sv' ! -name '*_pkg.sv' | sort | tr '\n' ' ')"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A row: a name, and yosys' words that choose the module and its parameters.
row() {
    local name=$1 module=$2 parameters=() set
    shift 2
    ((${#only[@]})) && [[ " ${only[*]} " != *" $name "* ]] && return
    for set in "$@"; do parameters+=("-chparam ${set%=*} ${set#*=}"); done
    local read="read_verilog -sv $sources; hierarchy -top $module ${parameters[*]-}"
    if ! {
        yosys -q -p "$read; proc; flatten; opt_clean; tee -q -o $work/leaves stat -width" &&
            yosys -q -p "$read; synth_xilinx -family xcup -noiopad; tee -q -o $work/cells stat"
    } 2>"$work/log"; then
        cat "$work/log" >&2
        exit 1
    fi
    local leaves
    # A product's cell has the width of the result in its name; those of addresses or by a small constant are no leaves.
    leaves=$(awk '$1 ~ /^.mul_[0-9]+$/ { sub(/^.mul_/, "", $1); if ($1 + 0 > 32 && $1 + 0 <= 128) print $1 / 2, $2 }' "$work/leaves" | sort -n |
        awk '{ printf "%s%d of %d", n++ ? ", " : "", $2, $1 }')
    # The last section sums up the hierarchy, if there is one.
    tac "$work/cells" | sed '/^===/q' | awk -v name="$name" -v leaves="${leaves:-none}" '
        $1 ~ /^LUT[1-6]$/ { lut += $2 }
        $1 ~ /^FD/ { ff += $2 }
        $1 ~ /^DSP/ { dsp += $2 }
        $1 ~ /^SRL/ { srl += $2 }
        $1 ~ /^RAM[0-9]/ { ram += $2 }
        $1 ~ /^RAMB/ { bram += $2 }
        END { printf "| %s | %s | %d | %d | %d | %d | %d | %d |\n", name, leaves, dsp, lut, ff, srl, ram, bram }'
}

only=("$@")
echo "| block | multipliers | DSP48E2 | LUT | FF | SRL | LUTRAM | BRAM |"
echo "|---|---|---|---|---|---|---|---|"
row karatsuba-384-3 mul_karatsuba WIDTH=384 LAYERS=3
row karatsuba-384-4 mul_karatsuba WIDTH=384 LAYERS=4
row hybrid-256 mul_hybrid WIDTH=256 LAYERS=3
row hybrid-low-256 mul_hybrid_low WIDTH=256 LAYERS=3
row montgomery-377 montgomery_mul
row montgomery-254 montgomery_mul WIDTH=254 "PRIME=254'h30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47" WORD=256 KIND=2
row barrett-377 barrett_mul
row montgomery-377-shared montgomery_mul_shared
row te_madd te_madd
row te_two_cycle_add te_two_cycle_add
row te_add te_add
row rcb_add rcb_add
row msmac_pe-5 msmac_pe WINDOW=5
row apadd apadd
row cyclone_commands cyclone_commands
row cyclone_points cyclone_points
row cyclone_top-32-buckets cyclone_top BUCKET_WIDTH=5
row delayed_scheduler delayed_scheduler BUCKET_WIDTH=15 DATA_WIDTH=32 WINDOW=97 QUEUE=1024
row window_batch_scheduler window_batch_scheduler DATA_WIDTH=32 WINDOW_CYCLES=91
row pairing_scheduler pairing_scheduler BUCKET_WIDTH=8 DATA_WIDTH=32
row apadd_rcb apadd_rcb
row gypsophila_input gypsophila_input
row gypsophila_lane gypsophila_lane WINDOW=12
