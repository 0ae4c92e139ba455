"""Many sums whose workers are killed all the time, and large sums whose node is killed: `tools/cluster.sh long` runs
them.

BUCKETWHEEL_SOAK is the number of sums over 2^16 points, by default 200. BUCKETWHEEL_LARGE lists large sums, by default
"full:24 none:26": over 2^24 points with a check of each shard, and over 2^26.
"""

import os
import random
import signal
import statistics
import threading
import time
from pathlib import Path

import pytest
from conftest import STORE, points_of, remove, scalars_of

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import engine
from bucketwheel.cluster.answers import Memory, decode

pytestmark = pytest.mark.skipif("BUCKETWHEEL_SOAK" not in os.environ, reason="takes a quarter of an hour: `tools/cluster.sh long`")
LARGE = os.environ.get("BUCKETWHEEL_LARGE", "full:24 none:26").split()
SHARD = 1 << 20
"""Number of points of a shard, which bounds the memory of a worker."""
WORKING = 1 << 30
PEAK = 20 << 30


def test_sums_while_workers_are_killed(three_nodes):
    sums, count = int(os.environ["BUCKETWHEEL_SOAK"]), 1 << 16
    points, vectors = points_of(count), [scalars_of(count, seed) for seed in range(5)]
    one = bw.Bases(points, curve="bn254")
    expected = [one.msm(vector) for vector in vectors]
    done, kills, seconds = threading.Event(), 0, []

    with cluster.Bases.put(points, curve="bn254", shards=12, num_cpus=1) as bases:
        bases.cover()

        def kill():
            nonlocal kills
            while not done.wait(random.uniform(1, 4)):
                try:
                    os.kill(random.choice(bases._crew.pid), signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    # The coordinator does not know the replacement yet.
                    pass

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            for number in range(sums):
                result = bases.msm(vectors[number % 5], verify="none" if number % 4 == 0 else "full", timeout=120)
                assert result.point == expected[number % 5]
                assert result.report.faults == []
                seconds.append(result.report.seconds)
        finally:
            done.set()
            killer.join()
    print(f"{sums} sums, {kills} kills: {statistics.median(seconds):.2f} s, {max(seconds):.2f} s at most")
    assert kills > sum(seconds) / 20


def peak_of(stop):
    """Returns the peak of private memory of this process and its cluster together, in bytes."""
    most = 0
    while not stop.wait(0.2):
        total = 0
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            except OSError:
                continue
            total += sum(int(lines.get(name, "0 kB").split()[0]) << 10 for name in ("RssAnon", "RssShmem"))
        most = max(most, total)
    return most


@pytest.mark.parametrize("verify, log_size", [entry.split(":") for entry in LARGE])
def test_large_sums_whose_node_is_killed(three_nodes, verify, log_size, tmp_path):
    count = 1 << int(log_size)
    points, scalars = bw.generate(count, curve="bn254")
    path = tmp_path / "points"
    path.write_bytes(points)
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    del points
    node = three_nodes.add_node(num_cpus=1, object_store_memory=STORE)
    raylet = node.all_processes["raylet"][0].process.pid
    with cluster.Bases.put(path, curve="bn254", shards=max(8, count // SHARD), num_cpus=1, workers=4, store=tmp_path / "store") as bases:
        if verify == "full":
            started = time.monotonic()
            bases.cover()
            print(f"second points: {time.monotonic() - started:.0f} s")
        calm = bases.msm(scalars, verify=verify)
        assert calm.point == expected
        # The scalars go over the network once.
        assert calm.report.bytes == 32 * count
        stop, peak = threading.Event(), []
        watcher = threading.Thread(target=lambda: peak.append(peak_of(stop)))
        watcher.start()
        timer = threading.Timer(calm.report.seconds / 2, os.kill, (raylet, signal.SIGKILL))
        timer.start()
        try:
            result = bases.msm(scalars, verify=verify)
        finally:
            timer.join()
            stop.set()
            watcher.join()
        assert result.point == expected and result.report.duplicates > 0
        held = max(sum(run.points for run in result.report.shards if run.worker == worker) for worker in range(4))
        # The fourth worker has no node, whether Ray knows this yet or not.
        tasks = [engine.call(worker, "memory") for worker in bases._crew.workers]
        end = time.monotonic() + 60
        while len(there := engine.wait(tasks, 1)) < 3:
            assert time.monotonic() < end
        most = max(decode(engine.answer(task), Memory).most for task in there)
        working = most - 64 * held * (2 if verify == "full" else 1)
    remove(three_nodes, node)
    print(
        f"2^{log_size} points, {verify}: {calm.report.seconds:.1f} s, {result.report.seconds:.1f} s with a node killed; "
        f"all processes {peak[0] >> 20} MiB, a worker beside its points {working >> 20} MiB"
    )
    assert peak[0] <= PEAK and working <= WORKING
