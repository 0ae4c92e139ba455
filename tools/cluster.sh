#!/usr/bin/env bash
# Tests sums and proofs over many machines (docs/cluster.md) on a cluster of three nodes, all of them this machine, whose ports
# nobody else reaches where a user may make a network of his own. Says so and does nothing where Python or Ray cannot be had.
#
#   tools/cluster.sh [long | speed [OPTION...]]
#
# long: instead, hundreds of sums whose workers are killed all the time, and sums over 2^24 and 2^26 points whose node is.
# speed: instead, processor time beside one process, crates/python/examples/cluster.py with these options; then the machine should
# do nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run=(-m pytest -q crates/python/tests_cluster)
case ${1:-} in
    "") ;;
    long)
        export BUCKETWHEEL_SOAK=${BUCKETWHEEL_SOAK:-200}
        run+=(-s -k test_long)
        ;;
    speed) run=(crates/python/examples/cluster.py "${@:2}") ;;
    *)
        echo "tools/cluster.sh: unknown argument $1; expected long, speed or none" >&2
        exit 1
        ;;
esac

tools/python.sh
built=$(realpath "${CARGO_TARGET_DIR:-target}")
wheel=$(compgen -G "$built/wheels/bucketwheel-*.whl") || exit 0
[[ -x $built/cluster/bin/pip ]] || python3 -m venv "$built/cluster"
if ! "$built/cluster/bin/pip" install --quiet --disable-pip-version-check ray numpy fsspec mypy pytest py_ecc pyyaml; then
    echo "skipped: the tests of clusters need Ray (pip install ray), which could not be had"
    exit 0
fi
"$built/cluster/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"

run=("$built/cluster/bin/python" "${run[@]}")
if unshare --map-root-user --net true 2>/dev/null; then
    # shellcheck disable=SC2016 # The inner shell's arguments.
    exec unshare --map-root-user --net sh -c 'ip link set lo up && exec "$@"' sh "${run[@]}"
fi
echo "no network of their own here: the cluster's ports are this machine's while the tests run; it asks for a token"
exec "${run[@]}"
