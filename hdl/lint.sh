#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Lints the machines of designs.txt and the cards of cards.txt with Verilator and elaborates them with yosys, at the papers' parameters, which are
# larger than any simulation's. Lints the cards' wrappers for Vitis and for AWS F2 with multipliers that are models, because the cards are checked
# themselves. F2's shell and the modules of AWS's kit are ports alone (f2/lint).
#
#   hdl/lint.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

checked=()

# Machine $1, with its parameters NAME=VALUE in $2...
check() {
    local top=$1 verilator=() yosys=() set sources
    shift
    for set in "$@"; do
        verilator+=("-G$set")
        yosys+=("-chparam ${set%=*} ${set#*=}")
    done
    verilator --lint-only -Wall --assert --no-timing -F rtl.f "${verilator[@]}" --top-module "$top" rtl/*/"$top.sv"
    sources=$(sed -n 's|^rtl/\(.*_pkg.sv\)|rtl/\1|p' rtl.f; find rtl -name '*.sv' ! -name '*_pkg.sv' | sort)
    yosys -q -p "read_verilog -sv -Irtl/common ${sources//$'\n'/ }; hierarchy -check -top $top ${yosys[*]-}"
    checked+=("$top")
    echo "$top $*: lint-clean, elaborates"
}

for tool in verilator yosys; do
    command -v "$tool" >/dev/null || {
        echo "hdl/lint.sh: $tool is missing; tools/setup.sh installs it" >&2
        exit 1
    }
done
check cyclone_top BUCKET_WIDTH=15
check cyclone_top BUCKET_WIDTH=15 SEGMENT_WIDTH=5 OVERLAP=1
check cyclone_card BUCKET_WIDTH=15
check cyclone_card BUCKET_WIDTH=19 SEGMENT_WIDTH=5 OVERLAP=1 GREEDY=16
check msmac_pe WINDOW=13
check gypsophila_top WINDOW=16
check gypsophila_card WINDOW=16
check msmac_card WINDOW=13
check reclaimer_top ADDERS=3 WINDOW=17
check reclaimer_top CURVE=2 ADDERS=7 WINDOW=17
check reclaimer_card ADDERS=3 WINDOW=17
check reclaimer_card CURVE=2 ADDERS=7 WINDOW=17
check cyclone_f1
while read -r design top; do
    [[ $design == "#"* || " ${checked[*]} " == *" $top "* ]] || {
        echo "hdl/lint.sh: $top of $design is not checked: expected a line with its parameters here" >&2
        exit 1
    }
done < <(cat designs.txt cards.txt)
while read -r card _; do
    [[ $card == "#"* ]] && continue
    verilator --lint-only -Wall --no-timing +1364-2005ext+v -F rtl.f -GKIND=0 --top-module "vitis_$card" "vitis/$card/vitis_$card.v"
    echo "vitis_$card: lint-clean"
    verilator --lint-only -Wall --no-timing -F rtl.f -If2 -If2/lint -y f2 -y f2/lint -GKIND=0 --top-module "cl_$card" f2/f2_pkg.sv "f2/cl_$card.sv"
    echo "cl_$card: lint-clean"
done < cards.txt
