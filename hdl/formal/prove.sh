#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Proves properties of queues, lines and schedulers with yosys and z3, on small parameters; docs/hardware.md says which.
#
#   hdl/formal/prove.sh [quick]             # all proofs, or only the proofs that take seconds
#   hdl/formal/prove.sh NAME [TASK...]      # the proofs of NAME.sby, or these tasks of it
#
# The .sby files state the properties, the method and the depth of each proof. SymbiYosys can read them too, but is not needed. A
# counterexample is kept as a VCD file in target/proofs, whose path is printed. RTL is the folder of the sources, hdl/rtl
# if it is not set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

for tool in yosys yosys-smtbmc z3; do
    command -v "$tool" >/dev/null || {
        echo "hdl/formal/prove.sh: $tool is missing; tools/setup.sh installs it" >&2
        exit 1
    }
done

rtl=${RTL:-$PWD/../rtl}
kept=$(cd ../.. && pwd)/target/proofs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the lines of section $2 of $1.sby for task $3: the lines of all tasks, of this task, or of one of its tags.
section() {
    awk -v wanted="[$2]" -v task="$3" '
        /^\[/ { in_tasks = $1 == "[tasks]"; here = $1 == wanted; next }
        /^#/ || !NF { next }
        in_tasks { for (i = 1; i <= NF; i++) { known[$i] = 1; if ($1 == task) active[$i] = 1 } }
        !here { next }
        { tag = $1; sub(/:$/, "", tag) }
        $1 ~ /:$/ && tag in known { if (!(tag in active)) next; sub(/^[^:]*: */, "") }
        { print }' "$1.sby"
}

# Succeeds if task $2 of $1.sby has the tag $3.
has_tag() { section "$1" tasks "" | awk -v task="$2" -v tag="$3" '$1 == task { for (i = 2; i <= NF; i++) if ($i == tag) found = 1 } END { exit !found }'; }

proves() {
    local name=$1 task=$2 file mode depth flags solver trace begin=$SECONDS
    rm -rf "$work/source"
    mkdir "$work/source"
    while read -r file; do
        cp "${file/#..\/rtl/$rtl}" "$work/source"
    done < <(section "$name" files "$task")
    section "$name" script "$task" >"$work/script"
    echo "write_smt2 -wires $work/model.smt2" >>"$work/script"
    (cd "$work/source" && yosys -q -s "$work/script") >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        echo "hdl/formal/prove.sh: yosys cannot read $name" >&2
        exit 2
    }
    mode=$(section "$name" options "$task" | awk '$1 == "mode" { print $2 }')
    depth=$(section "$name" options "$task" | awk '$1 == "depth" { print $2 }')
    # Unrolls functions of a state to plain expressions, because z3 is up to hundreds of times as fast on them.
    read -ra flags < <(section "$name" engines "$task")
    solver=${flags[-1]} trace=$kept/$name-$task.vcd
    flags=("${flags[@]:1:${#flags[@]}-2}")
    mkdir -p "$kept"
    rm -f "$trace"
    local check=(yosys-smtbmc -s "$solver" "${flags[@]}" -t "$depth" --dump-vcd "$trace")
    if ! "${check[@]}" "$work/model.smt2" >"$work/log" 2>&1 ||
        { [[ $mode != bmc ]] && ! "${check[@]}" -i "$work/model.smt2" >"$work/log" 2>&1; }; then
        cat "$work/log" >&2
        [[ ! -e $trace ]] || echo "hdl/formal/prove.sh: a counterexample is in $trace" >&2
        echo "hdl/formal/prove.sh: $name $task does not hold" >&2
        exit 1
    fi
    printf '%-15s %-10s %s, %d cycles: holds (%d s)\n' "$name" "$task" "$mode" "$depth" $((SECONDS - begin))
}

case ${1:-} in
    "" | quick) names=(*.sby) ;;
    *)
        [[ -e $1.sby ]] || {
            echo "hdl/formal/prove.sh: there is no $1.sby, only $(echo *.sby)" >&2
            exit 1
        }
        names=("$1.sby")
        ;;
esac
for name in "${names[@]%.sby}"; do
    mapfile -t tasks < <(section "$name" tasks "" | awk '{ print $1 }')
    [[ $# -lt 2 ]] || tasks=("${@:2}")
    for task in "${tasks[@]}"; do
        if [[ ${1:-} == quick ]] && has_tag "$name" "$task" long; then continue; fi
        proves "$name" "$task"
    done
done
