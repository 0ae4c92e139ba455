#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs the benches that are written in Python, with cocotb in an environment of its own, target/cocotb/venv.
#
#   hdl/cocotb/run.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

venv=../../target/cocotb/venv
if ! cmp -s requirements.txt "$venv/requirements.txt"; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt
    cp requirements.txt "$venv"
fi
PYTHONPATH=.:.. PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" run.py
