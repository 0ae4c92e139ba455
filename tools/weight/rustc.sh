#!/usr/bin/env bash
# Runs the compiler and logs its processor time: a line with the crate's name and seconds in $WEIGHT_LOG.
"$@"
code=$?
crate=build
for ((i = 1; i < $#; i++)); do
    if [[ ${!i} == --crate-name ]]; then
        next=$((i + 1))
        crate=${!next}
    fi
done
times=$(mktemp)
times >"$times"
# The second line has the times of the children: minutes and seconds, user and system.
awk -v crate="$crate" 'NR == 2 { split($1 "m" $2, t, /[ms]+/); print crate, 60 * t[1] + t[2] + 60 * t[3] + t[4] }' \
    "$times" >>"$WEIGHT_LOG"
rm "$times"
exit $code
