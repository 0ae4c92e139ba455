#!/usr/bin/env bash
# Tests sums and proofs over many machines (docs/cluster.md) on a cluster of three nodes, all on this machine. If a
# user may make a network of his own, nobody else reaches their ports. Without Python or Ray, the script says so and
# does nothing.
#
#   tools/cluster.sh [wheel | long | large [OPTION...] | proof [OPTION...] | lies [OPTION...] | speed [OPTION...]]
#
# wheel: tests the package as its wheel contains it, which takes minutes to build, not the library that cargo builds
# for tests.
# long: instead, hundreds of sums whose workers are killed repeatedly, and sums over 2^24 and 2^26 points whose node
# is killed.
# large: instead, a sum over named points, one of whose nodes is killed, with these options of
# crates/python/tests_cluster/large.py.
# proof: instead, a proof whose key is larger than each node's memory, with these options of
# crates/python/tests_cluster/large_proof.py.
# lies: instead, lying workers, for a minute or with these options of crates/python/tests_cluster/lies.py.
# speed: instead, processor time beside one process, with these options of crates/python/examples/cluster.py; the
# machine should do nothing else then. `long`, `large`, `proof` and `speed` use the wheel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run=(-m pytest -q crates/python/tests_cluster)
case ${1:-} in
    "" | wheel) ;;
    long)
        export BUCKETWHEEL_SOAK=${BUCKETWHEEL_SOAK:-200}
        run+=(-s -k test_long)
        ;;
    large) run=(crates/python/tests_cluster/large.py "${@:2}") ;;
    proof) run=(crates/python/tests_cluster/large_proof.py "${@:2}") ;;
    lies) run=(crates/python/tests_cluster/lies.py "${@:2}") ;;
    speed) run=(crates/python/examples/cluster.py "${@:2}") ;;
    *)
        echo "tools/cluster.sh: unknown argument $1; expected wheel, long, large, proof, lies, speed or none" >&2
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
if ! "${install[@]}" ray numpy fsspec s3fs "moto[server]" mypy pytest py_ecc pyyaml; then
    echo "skipped: the tests of clusters need Ray (pip install ray), which could not be had"
    exit 0
fi
if [[ -z ${1:-} || $1 == lies ]]; then
    # Uses the features of the workspace's tests, so that no crate is built twice.
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
