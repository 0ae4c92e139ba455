#!/usr/bin/env bash
# Builds the wheel of the Python package (crates/python, docs/faces.md) and leaves it in target/wheels. Says so and does
# nothing where python3, 3.11 or later, or its pip is missing.
#
#   tools/python.sh [test]
#
# test: installs it, and what it is compared with, in an environment of its own, and runs its tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
    "") packages=(maturin) ;;
    test) packages=(maturin mypy pytest numpy py_ecc py_arkworks_bls12381) ;;
    *)
        echo "tools/python.sh: unknown argument $1; expected test or none" >&2
        exit 1
        ;;
esac
if ! python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: the Python package needs python3, 3.11 or later, with venv and pip"
    exit 0
fi

built=${CARGO_TARGET_DIR:-target}
[[ -x $built/python/bin/pip ]] || python3 -m venv "$built/python"
"$built/python/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
rm -f "$built"/wheels/bucketwheel-*.whl
"$built/python/bin/maturin" build --release --quiet --manifest-path crates/python/Cargo.toml --out "$built/wheels"
wheel=$(echo "$built"/wheels/bucketwheel-*.whl)
echo "$wheel: $(wc -c <"$wheel") bytes"
if [[ ${1:-} == test ]]; then
    "$built/python/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
    # Away from the sources, so that it is the wheel that is tested.
    "$built/python/bin/python" -m pytest -q crates/python/tests
    "$built/python/bin/mypy" --strict --config-file crates/python/pyproject.toml crates/python/python/bucketwheel
fi
