#!/usr/bin/env bash
# Builds the wheel of the Python package (crates/python, docs/faces.md) and leaves it in target/wheels. Says so and does
# nothing where python3, 3.11 or later, or its pip is missing.
#
#   tools/python.sh [environment | test]
#
# environment: only makes an environment, target/python, with what the package is compared with; nothing where there is one. The
# tests of the workspace take it, and the package as cargo builds it for them.
# test: installs the wheel in that environment, and runs its tests and those of its types.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(maturin) compared=(pytest numpy py_ecc py_arkworks_bls12381 ckzg)
case ${1:-} in
    "") ;;
    environment) packages=("${compared[@]}") ;;
    test) packages+=(mypy "${compared[@]}") ;;
    *)
        echo "tools/python.sh: unknown argument $1; expected environment, test or none" >&2
        exit 1
        ;;
esac
if ! python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: the Python package needs python3, 3.11 or later, with venv and pip"
    exit 0
fi

built=${CARGO_TARGET_DIR:-target}
[[ -x $built/python/bin/pip ]] || python3 -m venv "$built/python"
if ! "$built/python/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; then
    echo "skipped: the tests of the Python package need ${packages[*]}, which could not be had"
    rm -rf "$built/python"
    exit 0
fi
[[ ${1:-} != environment ]] || exit 0
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
