"""Processor time of sums over two nodes of one core each, all of Ray's processes included, beside one process with two threads.

    python cluster.py [--log-sizes 22 24] [--runs 5] [--full]

BN254 G1, points prepared. A round has all ways in turn, so that they share what the machine does besides; the first one warms up.
Prints medians of the others, and of the ratios within a round. `--full` has sums with `verify="full"` too, for which second points
are made once: some minutes for 2^22.
"""

import argparse
import os
import secrets
import statistics
import tempfile
import time
from pathlib import Path

# A cluster asks for a token wherever one is started.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.cluster_utils import Cluster

import bucketwheel as bw
import bucketwheel.cluster as cluster

TICK = os.sysconf("SC_CLK_TCK")


def processes():
    """This process and all that it has started, and they: their numbers, parents, and seconds of processor time so far."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # Behind the name, which may have blanks.
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
    """What `work` gives, and the seconds that it takes: of all processes, of the clock, of this process."""
    before, started = processes(), time.perf_counter()
    result = work()
    seconds = time.perf_counter() - started
    taken = {number: spent - before.get(number, 0.0) for number, spent in processes().items()}
    return result, sum(taken.values()), seconds, taken[os.getpid()]


def measure(log_size, runs, full):
    """Rounds of what :func:`timed` gives of each way."""
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
                # Apart, since a worker holds what the last sum took.
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
    # Room for all scalars in half of a node's store, which is what a sum takes of it, as on a machine of its own.
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
