"""Measures the processor time of sums over two nodes of one core each, all of Ray's processes included, beside one
process with two threads.

    python cluster.py [--log-sizes 22 24] [--runs 5] [--full]

The sums are on BN254 G1, with prepared points. A round measures all ways in turn, so other load on the machine affects
all of them; the first round warms up. Prints the medians of the other rounds, and of the ratios within a round.
`--full` also measures sums with `verify="full"`, for which second points are made once: some minutes for 2^22.
"""

import argparse
import os
import secrets
import statistics
import tempfile
import time
from pathlib import Path

# A cluster asks for a token wherever it is started.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.cluster_utils import Cluster

import bucketwheel as bw
import bucketwheel.cluster as cluster

TICK = os.sysconf("SC_CLK_TCK")


def processes():
    """Returns this process and all processes that it has started: their numbers, parents, and seconds of processor time
    so far."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The fields are behind the name, which may contain spaces.
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(path.parent.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICK
    ours = {os.getpid()}
    while True:
        more = {number for number, (parent, _) in found.items() if parent in ours} - ours
        if not more:
            return {number: found[number][1] for number in ours}
        ours |= more


def timed(work):
    """Returns the result of `work`, and the seconds that it takes: of all processes, of the clock, of this process."""
    before, started = processes(), time.perf_counter()
    result = work()
    seconds = time.perf_counter() - started
    taken = {number: spent - before.get(number, 0.0) for number, spent in processes().items()}
    return result, sum(taken.values()), seconds, taken[os.getpid()]


def measure(log_size, runs, full):
    """Runs the ways in rounds, and returns the results of :func:`timed` for each way."""
    count = 1 << log_size
    points, scalars = bw.generate(count, curve="bn254")
    one = bw.Bases(points, curve="bn254")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "points"
        path.write_bytes(points)
        del points
        with cluster.Bases.put(path, curve="bn254", shards=2, num_cpus=1, store=folder) as bases:
            ways = {
                "one process, two threads": lambda: one.msm(scalars, threads=2),
                "two nodes": lambda: bases.msm(scalars).point,
            }
            if full:
                _, taken, seconds, _ = timed(bases.cover)
                print(f"2^{log_size}, second points: {taken:.0f} s of processor time, {seconds:.0f} s")
            rounds = [{} for _ in range(runs + 1)]
            for way in rounds:
                for name, work in ways.items():
                    way[name] = timed(work)
            if full:
                # Each way has its own loop, because a worker still holds the memory of its last sum.
                for way in rounds:
                    way['two nodes, `verify="full"`'] = timed(lambda: bases.msm(scalars, verify="full").point)
    for way in rounds:
        assert len({bytes(sum) for sum, *_ in way.values()}) == 1, "the sums differ"
    return rounds[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log-sizes", type=int, nargs="+", default=[22, 24])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    # A sum may use half of a node's store, so all scalars must fit there, as on a machine of its own.
    node = {"num_cpus": 1, "object_store_memory": max(256 << 20, 64 << max(options.log_sizes))}
    nodes = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    nodes.add_node(**node)
    ray.init(address=nodes.address, log_to_driver=False)
    print("| points | | processor time, s | over one process | of it, coordinator | the clock, s |")
    print("|:---|:---|---:|---:|---:|---:|")
    for log_size in options.log_sizes:
        rounds = measure(log_size, options.runs, options.full)
        for name in rounds[0]:
            taken, clock, own = ([way[name][column] for way in rounds] for column in (1, 2, 3))
            ratios = [way[name][1] / way["one process, two threads"][1] for way in rounds]
            print(
                f"| 2^{log_size} | {name} | {statistics.median(taken):.2f} ({min(taken):.2f} to {max(taken):.2f}) "
                f"| {statistics.median(ratios):.2f} | {statistics.median(own):.2f} | {statistics.median(clock):.2f} |",
                flush=True,
            )
    ray.shutdown()
    nodes.shutdown()


if __name__ == "__main__":
    main()
