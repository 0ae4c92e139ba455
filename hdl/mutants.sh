#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Breaks the RTL in the ways of mutants.txt, one at a time, in a copy, and checks that the named check fails.
#
#   hdl/mutants.sh              # all of them: minutes
#   hdl/mutants.sh quick        # one for each proof
#   hdl/mutants.sh WORD         # the mutants whose line has this word
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/hdl

# Succeeds if check $1 fails on the copy for another reason than a failed compilation.
fails() {
    local words status=0
    read -ra words <<<"$1"
    case ${words[0]} in
        prove) "$copy/formal/prove.sh" "${words[@]:1}" >"$work/log" 2>&1 || status=$? ;;
        play) "$copy/wave.sh" check "${words[1]}" >"$work/log" 2>&1 || status=$? ;;
        lint)
            verilator --lint-only -Wall --assert --no-timing -F "$copy/rtl.f" -y "$copy/tb" "${words[@]:2}" \
                --top-module "${words[1]}" "$copy/tb/${words[1]}.sv" >"$work/log" 2>&1 || status=$?
            ;;
        *)
            echo "hdl/mutants.sh: mutants.txt names a check ${words[0]}" >&2
            exit 2
            ;;
    esac
    # The last line of the scripts' output if a tool cannot read the sources.
    ((status != 2)) || {
        cat "$work/log" >&2
        echo "hdl/mutants.sh: this mutant does not compile" >&2
        exit 2
    }
    ((status != 0))
}

mapfile -t lines < <(grep -v '^#' mutants.txt)
number=0 missed=0 seen=" " passed=
for line in "${lines[@]}"; do
    IFS='|' read -r check file change <<<"${line//||/$'\x01'}"
    check=${check% } file=${file# } file=${file% } change=${change# } change=${change//$'\x01'/||}
    case ${1:-} in
        "") ;;
        quick)
            read -r kind name _ <<<"$check"
            [[ $kind == prove && $seen != *" $name "* ]] || continue
            seen+="$name "
            ;;
        *) [[ " ${line//[\/.]/ } " == *" $1 "* ]] || continue ;;
    esac
    rm -rf "$copy"
    mkdir "$copy"
    cp -r designs.txt rtl rtl.f tb formal vectors wave.sh "$copy"
    # Without a change, the check must pass; prove.sh quick has already run the quick checks.
    if [[ ${1:-} != quick && $passed != *"|$check|"* ]]; then
        ! fails "$check" || {
            echo "hdl/mutants.sh: $check fails without a mutant" >&2
            exit 2
        }
        passed+="|$check|"
    fi
    sed -i "$change" "$copy/rtl/$file"
    ! cmp -s "rtl/$file" "$copy/rtl/$file" || {
        echo "hdl/mutants.sh: $change changes nothing in $file" >&2
        exit 2
    }
    ((number += 1))
    if fails "$check"; then
        printf '%-26s notices  %s: %s\n' "$check" "$file" "$change"
    else
        printf '%-26s MISSES   %s: %s\n' "$check" "$file" "$change"
        ((missed += 1))
    fi
done
echo "$number mutants, $missed of them not noticed"
((number > 0 && missed == 0))
