#!/usr/bin/env bash
# Reports which lines of hdl/rtl the tests of crates/rtl run: a table by file, and the sources with counts.
#
#   hdl/coverage.sh
#
# The sources with counts, and those lines that were never run marked, are in target/coverage/annotated.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$PWD/target/coverage
rm -rf "$folder/data" "$folder/annotated"
mkdir -p "$folder/data"
# This compiles the benches again, as does the next run without.
RTL_COVERAGE=$folder/data cargo test --package bucketwheel-rtl --all-features -- --quiet

verilator_coverage --annotate "$folder/annotated" --annotate-all --write-info "$folder/lines.info" "$folder"/data/*.dat \
    >/dev/null
awk -F '[:,]' '
    $1 == "SF" { n = split($2, parts, "/"); file = parts[n - 1] "/" parts[n] }
    $1 == "DA" && file !~ /^tb\// { all[file]++; if ($3 > 0) run[file]++ }
    END {
        print "| file | lines run | of |\n|---|---:|---:|"
        for (file in all) {
            print "| " file " | " run[file] + 0 " | " all[file] " |" | "sort"
            lines += all[file]; hits += run[file]
        }
        close("sort")
        printf "| all | %d | %d |\n", hits, lines
    }' "$folder/lines.info"
