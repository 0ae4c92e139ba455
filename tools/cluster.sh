#!/usr/bin/env bash
# Tests sums and proofs over many machines (docs/cluster.md) on a cluster of three nodes, all of them this machine, whose ports
# nobody else reaches where a user may make a network of his own. Says so and does nothing where Python or Ray cannot be had.
#
#   tools/cluster.sh [wheel | long | lies [OPTION...] | speed [OPTION...]]
#
# wheel: with the package as its wheel has it, which takes minutes to build, not with the library as cargo builds it for tests.
# long: instead, hundreds of sums whose workers are killed all the time, and sums over 2^24 and 2^26 points whose node is.
# lies: instead, workers that lie, for a minute or as crates/python/tests_cluster/lies.py has it with these options.
# speed: instead, processor time beside one process, crates/python/examples/cluster.py with these options; then the machine should
# do nothing else. Both take the wheel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run=(-m pytest -q crates/python/tests_cluster)
case ${1:-} in
    "" | wheel) ;;
    long)
        export BUCKETWHEEL_SOAK=${BUCKETWHEEL_SOAK:-200}
        run+=(-s -k test_long)
        ;;
    lies) run=(crates/python/tests_cluster/lies.py "${@:2}") ;;
    speed) run=(crates/python/examples/cluster.py "${@:2}") ;;
    *)
        echo "tools/cluster.sh: unknown argument $1; expected wheel, long, lies, speed or none" >&2
        exit 1
        ;;
esac

if ! python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: the tests of clusters need python3, 3.11 or later, with venv and pip"
    exit 0
fi
built=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
install=("$built/cluster/bin/pip" install --quiet --disable-pip-version-check)
[[ -x $built/cluster/bin/pip ]] || python3 -m venv "$built/cluster"
if ! "${install[@]}" ray numpy fsspec mypy pytest py_ecc pyyaml; then
    echo "skipped: the tests of clusters need Ray (pip install ray), which could not be had"
    exit 0
fi
if [[ -z ${1:-} || $1 == lies ]]; then
    # With the features that the tests of the workspace have, so that nothing is built twice.
    cargo test --quiet --workspace --all-features --test package --no-run
    package=$built/cluster/package/bucketwheel
    rm -rf "$package"
    mkdir -p "$package"
    cp -r crates/python/python/bucketwheel/. "$package"
    cp "$built/debug/deps/lib_native.so" "$package/_native.abi3.so"
    export PYTHONPATH=${package%/*}
else
    tools/python.sh
    "${install[@]}" --force-reinstall --no-deps "$built"/wheels/bucketwheel-*.whl
fi

run=("$built/cluster/bin/python" "${run[@]}")
if unshare --map-root-user --net true 2>/dev/null; then
    # shellcheck disable=SC2016 # The inner shell's arguments.
    exec unshare --map-root-user --net sh -c 'ip link set lo up && exec "$@"' sh "${run[@]}"
fi
echo "no network of their own here: the cluster's ports are this machine's while the tests run; it asks for a token"
exec "${run[@]}"
