#!/usr/bin/env bash
# Builds the wheel of the Python package (crates/python, docs/python.md) and leaves it in target/wheels. Without
# python3, 3.11 or later, or its pip, the script says so and does nothing.
#
#   tools/python.sh [environment | test | speed FOLDER]
#
# environment: only makes an environment, target/python, with the packages for comparison, unless it exists. The tests
# of the workspace use it with the package that cargo builds for them.
# test: installs the wheel in that environment, and runs its tests and the tests of its types.
# speed: installs the wheel, measures it beside arkworks' package, and leaves python.md and python.svg in the folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(maturin) compared=(pytest numpy matplotlib py_ecc py_arkworks_bls12381 ckzg)
case ${1:-} in
    "") ;;
    environment) packages=("${compared[@]}") ;;
    test) packages+=(mypy "${compared[@]}") ;;
    speed)
        [[ $# == 2 ]] || { echo "tools/python.sh: speed needs a folder" >&2; exit 1; }
        packages+=("${compared[@]}")
        ;;
    *)
        echo "tools/python.sh: unknown argument $1; expected environment, test, speed or none" >&2
        exit 1
        ;;
esac
if ! python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: the Python package needs python3, 3.11 or later, with venv and pip"
    exit 0
fi

built=${CARGO_TARGET_DIR:-target}
[[ -x $built/python/bin/pip ]] || python3 -m venv "$built/python"
install=("$built/python/bin/pip" install --quiet --disable-pip-version-check)
if [[ ${1:-} == environment ]]; then
    "${install[@]}" "${packages[@]}" || {
        rm -rf "$built/python"
        echo "skipped: the tests of the Python package need ${packages[*]}, which cannot be had"
    }
    exit 0
fi
"${install[@]}" "${packages[@]}"
rm -f "$built"/wheels/bucketwheel-*.whl
"$built/python/bin/maturin" build --release --quiet --manifest-path crates/python/Cargo.toml --out "$built/wheels"
wheel=$(echo "$built"/wheels/bucketwheel-*.whl)
echo "$wheel: $(wc -c <"$wheel") bytes"
[[ -n ${1:-} ]] || exit 0
"${install[@]}" --force-reinstall --no-deps "$wheel"
if [[ $1 == test ]]; then
    # The tests run away from the sources, so that they test the wheel.
    "$built/python/bin/python" -m pytest -q crates/python/tests
    "$built/python/bin/mypy" --strict --config-file crates/python/pyproject.toml crates/python/python/bucketwheel
else
    mkdir -p "$2"
    "$built/python/bin/python" crates/python/examples/speed.py --plot "$2/python.svg" | tee "$2/python.md"
fi
