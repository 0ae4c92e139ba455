#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Places blocks of at most 64 bits on an iCE40 HX8K with Debian's nextpnr-ice40, and prints the clock frequencies, as the table
# of docs/hardware.md. The iCE40 HX8K is a small FPGA of another make, with LUTs of four inputs: frequencies compare blocks with each
# other, and say nothing of UltraScale+, for which there is no free placer here.
#
#   hdl/syn/place.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in yosys nextpnr-ice40; do
    command -v "$tool" >/dev/null || {
        echo "hdl/syn/place.sh: $tool is missing: apt-get install yosys nextpnr-ice40" >&2
        exit 1
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Block $1 with parameters NAME=VALUE in $2...
row() {
    local block=$1 chosen="" set
    shift
    for set in "$@"; do chosen+=" -set ${set%=*} ${set#*=}"; done
    yosys -q -p "read_verilog -sv $(sed -n 's|^rtl/\(.*_pkg.sv\)|rtl/\1|p' rtl.f | tr '\n' ' ') rtl/common/unread.sv rtl/common/delay_line.sv \
        rtl/common/fifo.sv rtl/schedule/hazard_window.sv rtl/field/carry_save.sv rtl/field/wide_add.sv \
        rtl/field/mod_reduce.sv rtl/field/mod_add.sv syn/placed.sv; \
        chparam -set BLOCK \"$block\"$chosen placed; synth_ice40 -top placed -json $work/netlist.json"
    nextpnr-ice40 --hx8k --package ct256 --json "$work/netlist.json" --freq 200 --seed 1 --pcf-allow-unconstrained --timing-allow-fail \
        >"$work/log" 2>&1 || { grep ERROR "$work/log" >&2; exit 1; }
    awk -v block="$block" -v parameters="$*" '
        /Max frequency/ { for (i = 1; i <= NF; i++) if ($i == "MHz") mhz = $(i - 1) }
        /ICESTORM_LC:/ && !cells { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\/$/) cells = $i }
        END { printf "| `%s` | %s | %d | %.0f |\n", block, parameters, cells, mhz }' "$work/log"
}

echo "| block | parameters | logic cells, with the registers around | MHz |"
echo "|---|---|---|---|"
row wide_add LATENCY=1
row wide_add LATENCY=2 SEGMENT=32
row wide_add LATENCY=2 SEGMENT=16
row mod_add LATENCY=1
row mod_add LATENCY=3
row fifo
row hazard_window
