#!/usr/bin/env bash
# Proves properties of queues, lines and schedulers with yosys and z3, on small parameters; docs/hardware.md says which.
#
#   hdl/formal/prove.sh [quick]
#
# quick: those that take seconds. Each block is also broken on purpose, and then its proof has to fail.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../rtl"

for tool in yosys yosys-smtbmc z3; do
    command -v "$tool" >/dev/null || {
        echo "hdl/formal/prove.sh: $tool is missing; tools/setup.sh installs it" >&2
        exit 1
    }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Of these, delay_line is a ring in simulation.
lines=(common/{delay,tag}_line.sv)
sources=("${lines[@]}" common/{fifo,spill_fifo}.sv schedule/{delayed,pairing,window_batch}_scheduler.sv
    schedule/hazard_window.sv)

# The proof of harness $1 in $2 (`unbounded`, by induction over so many cycles, or `bounded` to so many), $3 cycles, with
# the harness' parameters in $4...; sources are below $root.
proves() {
    local harness=$1 mode=$2 cycles=$3 parameters=() set defines=-DSYNTHESIS files=("${sources[@]}")
    shift 3
    for set in "$@"; do parameters+=("-set ${set%=*} ${set#*=}"); done
    [[ -z ${SIMULATION:-} ]] || defines='' files=("${lines[@]}")
    [[ $mode != bounded ]] || defines+=" -DBOUNDED"
    yosys -q -p "read_verilog -formal -sv $defines -I../formal $(printf "$root/%s " "${files[@]}") ../formal/$harness.sv
        ${parameters[*]:+chparam ${parameters[*]} $harness;}
        prep -top $harness -nordff; write_smt2 -wires $work/model.smt2" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    # Unrolled: z3 is up to hundreds of times as fast on plain expressions as on functions of a state.
    yosys-smtbmc -s z3 --unroll --presat -t "$cycles" "$work/model.smt2" >"$work/log" 2>&1 || return 1
    [[ $mode == bounded ]] || yosys-smtbmc -s z3 --unroll -i -t "$cycles" "$work/model.smt2" >"$work/log" 2>&1
}

# A proof that has to hold.
holds() {
    local begin=$SECONDS
    root=.
    proves "$@" || {
        cat "$work/log" >&2
        echo "hdl/formal/prove.sh: $* does not hold" >&2
        exit 1
    }
    printf '%-20s %s, %d cycles%s: holds (%d s)\n' "${1#formal_}" "$2" "$3" "${4:+, ${*:4}}" $((SECONDS - begin))
}

# The same with file $1 changed by sed's $2: it has to fail.
breaks() {
    local file=$1 change=$2
    shift 2
    root=$work/broken
    rm -rf "$root"
    cp -r . "$root"
    sed -i "$change" "$root/$file"
    ! cmp -s "$file" "$root/$file" || {
        echo "hdl/formal/prove.sh: $change changes nothing in $file" >&2
        exit 1
    }
    if proves "$@"; then
        echo "hdl/formal/prove.sh: $* holds even if $file is broken by $change" >&2
        exit 1
    fi
    printf '%-20s %s, %d cycles: fails with %s\n' "${1#formal_}" "$2" "$3" "$change"
}

holds formal_fifo unbounded 3 DEPTH=5
holds formal_fifo unbounded 3 DEPTH=4 HEADROOM=0
breaks common/fifo.sv 's/ready_o = count_o != COUNT.(DEPTH)/ready_o = 1/' formal_fifo bounded 8
breaks common/fifo.sv "s/at == POINTER'(DEPTH - 1)/at == POINTER'(DEPTH - 2)/" formal_fifo bounded 8
holds formal_lines unbounded 8
SIMULATION=1 holds formal_lines unbounded 12
breaks common/tag_line.sv "s/rst_i ? '0 : //" formal_lines bounded 8
holds formal_hazard unbounded 8
breaks schedule/hazard_window.sv 's/used\[WINDOW-2:0\], issue_i/used[WINDOW-2:1], issue_i, 1'"'b0"'/' formal_hazard bounded 8
holds formal_delayed unbounded 8
breaks schedule/delayed_scheduler.sv 's/HEADROOM(1)/HEADROOM(0)/' formal_delayed bounded 16
breaks schedule/delayed_scheduler.sv "s/DRAIN'(WINDOW - 1)/DRAIN'(WINDOW - 2)/" formal_delayed bounded 16
holds formal_pairing unbounded 2
breaks schedule/pairing_scheduler.sv 's/occupied.bucket_i. <= !visit_meets/occupied[bucket_i] <= 1/' formal_pairing bounded 8
breaks schedule/pairing_scheduler.sv 's/ && !retry_pairs;$/;/' formal_pairing bounded 10
breaks schedule/pairing_scheduler.sv 's/HEADROOM(2)/HEADROOM(0)/' formal_pairing bounded 12
holds formal_delayed bounded 14
holds formal_delayed bounded 12 SPILL=1 QUEUE=2
holds formal_window_batch bounded 12
[[ ${1:-} != quick ]] || exit 0
holds formal_spill bounded 12
