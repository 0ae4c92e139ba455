#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Reports which lines of hdl/rtl the tests of crates/rtl run: a table by file, one by folder, and the sources with counts.
#
#   hdl/coverage.sh
#
# target/coverage/annotated has the sources with counts, and marks the lines that never ran.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$PWD/target/coverage
rm -rf "$folder/data" "$folder/annotated"
mkdir -p "$folder/data"
# This compiles the benches again; the next run without coverage compiles them once more.
RTL_COVERAGE=$folder/data cargo test --package bucketwheel-rtl --all-features -- --quiet

verilator_coverage --annotate "$folder/annotated" --annotate-all --write-info "$folder/lines.info" "$folder"/data/*.dat \
    >/dev/null
awk -F '[:,]' '
    $1 == "SF" { n = split($2, parts, "/"); file = parts[n - 1] "/" parts[n] }
    $1 == "DA" && file !~ /^tb\// { all[file]++; if ($3 > 0) run[file]++ }
    function row(name, hits, lines) {
        return sprintf("| %s | %d | %d | %.1f %% |", name, hits, lines, 100 * hits / lines)
    }
    END {
        print "| file | lines run | of | |\n|---|---:|---:|---:|"
        for (file in all) {
            print row(file, run[file], all[file]) | "sort"
            folder = file
            sub("/.*", "", folder)
            lines[folder] += all[file]; hits[folder] += run[file]
            lines_all += all[file]; hits_all += run[file]
        }
        close("sort")
        print "\n| folder | lines run | of | |\n|---|---:|---:|---:|"
        for (folder in lines) print row(folder, hits[folder], lines[folder]) | "sort"
        close("sort")
        print row("all", hits_all, lines_all)
    }' "$folder/lines.info"
