#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs the targets of bucketwheel.core: the lint of each design and the simulation of each machine, or only the named targets. FuseSoC
# comes from PyPI into an environment of its own, target/fusesoc/venv.
#
#   hdl/fusesoc.sh [TARGET...]     # lint_cyclone, sim_cyclone, ...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$PWD/target/fusesoc
if [[ ! -x $folder/venv/bin/fusesoc ]]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --requirement hdl/fusesoc.txt
fi
targets=("$@")
(($#)) || mapfile -t targets < <(sed -n 's/^  \(\(lint\|sim\)_[a-z_]*\):$/\1/p' hdl/bucketwheel.core)
for target in "${targets[@]}"; do
    status=0
    # Edalize calls make, which must not take the jobs of an outer make.
    MAKEFLAGS='' PATH="$folder/venv/bin:$PATH" fusesoc --cores-root hdl run --build-root "$folder" --target "$target" \
        bucketwheel:msm:accelerators >"$folder/log" 2>&1 || status=$?
    if ((status)) || grep -i 'deprecated' "$folder/log"; then
        cat "$folder/log" >&2
        echo "hdl/fusesoc.sh: $target fails, or uses what FuseSoC will not have much longer" >&2
        exit 1
    fi
    echo "$target: passed"
done
