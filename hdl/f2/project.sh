#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes the folder of a card's custom logic as the scripts of AWS's kit expect it: our sources, our synthesis, links to the kit's scripts, and
# the constraints of the kit's template.
#
#   source hdk_setup.sh                         # in AWS's kit: aws-fpga, branch f2
#   hdl/f2/project.sh cyclone_card FOLDER       # makes FOLDER/cl_cyclone_card
#
# docs/hardware.md, AWS F2, has the commands of a build.
set -euo pipefail

fail() {
    echo "hdl/f2/project.sh: $1" >&2
    exit 2
}

(($# == 2)) || fail "expected CARD FOLDER"
hdl=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
card=$1 project=$2/cl_$1
[[ -f $hdl/f2/cl_$card.sv ]] || fail "there is no card $card: expected a name of hdl/cards.txt"
[[ -n ${HDK_DIR:-} && -n ${HDK_SHELL_DIR:-} ]] || fail "HDK_DIR and HDK_SHELL_DIR are not set: expected the environment of the kit's hdk_setup.sh"
template=$HDK_DIR/cl/examples/CL_TEMPLATE
[[ -d $template && -d $HDK_SHELL_DIR/build/scripts ]] || fail "the kit at $HDK_DIR has no cl/examples/CL_TEMPLATE, or no build scripts of a shell"
[[ ! -e $project ]] || fail "$project is there already"

mkdir -p "$project"/{design,build/{scripts,constraints,checkpoints,reports,src_post_encryption}}
# Sources in the order in which they are compiled.
sources=()
while read -r line; do
    case $line in
        +incdir+*) cp "$hdl/${line#+incdir+}"/*.svh "$project/design" ;;
        *.sv) sources+=("$hdl/$line") ;;
    esac
done <"$hdl/$card.f"
sources+=("$hdl/f2/f2_pkg.sv" "$hdl/f2/f2_reset.sv" "$hdl/f2/f2_port.sv" "$hdl/f2/f2_hbm.sv" "$hdl/f2/cl_$card.sv")
cp "${sources[@]}" "$hdl/f2/f2_shell.svh" "$hdl/f2/cl_id_defines.vh" "$project/design"
printf '%s\n' "${sources[@]##*/}" >"$project/design/sources.txt"

for script in aws_build_dcp_from_cl.py build_all.tcl build_level_1_cl.tcl encrypt.tcl; do
    ln -s "$HDK_SHELL_DIR/build/scripts/$script" "$project/build/scripts/$script"
done
cp "$hdl/f2/synth.tcl" "$project/build/scripts/synth_cl_$card.tcl"
cp "$template"/build/constraints/*.xdc "$hdl/constraints/crossing.xdc" "$project/build/constraints"
echo "$project: made"
