"""A sum over more points than a worker's memory: `tools/cluster.sh large [--log-size N] [--nodes K] [--calm]`.

Prints the expected seconds and bytes first. Then workers of one core on local nodes read named points: a file of distinct
points whose name repeats. A seed determines the scalars. A node dies in the middle. The sum is checked: a point
that comes again takes the sum of its scalars.
"""

import argparse
import os
import secrets
import sys
import tempfile
import time
from dataclasses import replace
from math import log2
from pathlib import Path

os.environ["RAY_AUTH_MODE"] = "token"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_worker_niceness="0")

import ray
from ray.cluster_utils import Cluster
from instruments import Traffic, kill_node, scalars_of_seed, sum_of_repeated

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import engine, parts, plan
from bucketwheel.cluster.answers import Memory, decode

CURVE, SEED = "bn254", 7
SHARD = 1 << 20
"""Number of distinct points, and of points of a shard."""
STORE = 200 << 20
"""Bytes of a node's object store."""


def memory_of(pid):
    """Returns the peak of a process' memory in MiB; the memory that it shares counts, too."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) >> 10 for line in lines if line.startswith("VmHWM:"))


def others_of(nodes):
    """Returns the peaks of Ray's own processes on the nodes that are alive."""
    found = {}
    for node in nodes:
        for kind, processes in node.all_processes.items():
            alive = [one.process.pid for one in processes if one.process.poll() is None]
            found[kind] = [*found.get(kind, []), *map(memory_of, alive)]
    return ", ".join(f"{kind} {peaks}" for kind, peaks in found.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log-size", type=int, default=24, help="2^N points, at least 2^21")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--calm", action="store_true", help="kill no node")
    given = parser.parse_args()
    count = 1 << given.log_size

    node = {"num_cpus": 1, "object_store_memory": STORE}
    nodes = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    others = [nodes.add_node(**node) for _ in range(given.nodes - 1)]
    ray.init(address=nodes.address, log_to_driver=False)

    measured = parts.measure(CURVE, log_sizes=[20], repetitions=3)
    started = time.monotonic()
    scalars_of_seed(CURVE, SEED, 0, SHARD)
    generated = (time.monotonic() - started) / SHARD
    # The workers also generate the scalars, instead of reading them.
    measured = replace(measured, stream=measured.stream + generated)
    dead = 0.0 if given.calm else 0.5
    machines = plan.Machines(given.nodes, 1, 4 << 30, measured.transfer, dead=dead, shared=os.cpu_count())
    planned = plan.simulate(measured, machines, count, count // SHARD, scalars="file", place="file").seconds
    print(f"2^{given.log_size} points, {SHARD} of them distinct, on {given.nodes} nodes of this machine: ", end="")
    print(f"planned {planned:.0f} s, {64 * SHARD >> 20} MiB of disk; the check takes about {2 * count * generated:.0f} s more", flush=True)

    points, _ = bw.generate(SHARD, curve=CURVE)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "points"
        place.write_bytes(points)
        named = cluster.NamedPoints(*[place] * (count // SHARD))
        with cluster.Bases.put(named, curve=CURVE, shards=count // SHARD, num_cpus=1) as bases:
            killed = []

            def kill(done, total):
                if not given.calm and done >= total // 2 and not killed:
                    killed.append(done)
                    kill_node(others[-1])

            traffic = Traffic()
            result = bases.msm(cluster.NamedScalars(seed=SEED), progress=kill)
            through = traffic.take()
            tasks = {engine.call(worker, "memory"): worker for worker in bases._crew.workers}
            time.sleep(2)
            private = [decode(engine.answer(task), Memory).most >> 20 for task in engine.wait(tasks, 60)]
    report = result.report
    print(f"took {report.seconds:.1f} s, {planned / report.seconds - 1:+.1%} planned; ", end="")
    print(f"{f'a node ended after 2^{log2(killed[0]):.1f} points' if killed else 'no node ended'}, {report.duplicates} shards repeated, faults: {report.faults}")
    print(f"through the coordinator: {through} bytes, {through / (count / (1 << 20)):.0f} for each 2^20 scalars")
    print(f"peak of memory: the coordinator {memory_of(os.getpid())} MiB, workers {private} MiB (private)")
    print(f"peak of memory of Ray's processes in MiB: {others_of([nodes.head_node, *others])}", flush=True)
    started = time.monotonic()
    is_right = result.point == sum_of_repeated(points, SHARD, count, CURVE, SEED)
    print(f"the sum is {'right' if is_right else 'wrong'}; the check took {time.monotonic() - started:.0f} s")
    ray.shutdown()
    nodes.shutdown()
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
