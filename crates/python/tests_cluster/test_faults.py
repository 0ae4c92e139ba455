"""Dead workers and nodes, late workers, and wrong answers: each fault is repaired, or caught and named."""

import dataclasses
import os
import re
import signal
import sys
import threading
import time

import pytest
from conftest import STORE, points_of, remove, scalars_of, where

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import engine
from bucketwheel.cluster import shard as cluster_shard

CURVE = "bls12-377"
COUNT = 3000
MODULUS = 258664426012969094010652733694893533536393512754914660539884262666720468348340822774968888139573360124440321458177


@pytest.fixture(scope="module")
def inputs():
    points, scalars = points_of(COUNT, CURVE), scalars_of(COUNT)
    return points, scalars, bw.Bases(points, curve=CURVE).msm(scalars)


@pytest.fixture
def worker(monkeypatch, by_value):
    """Makes clusters work with another class."""
    by_value(sys.modules[__name__])
    return lambda kind: monkeypatch.setattr("bucketwheel.cluster.crew.Worker", kind)


class Slow(cluster_shard.Worker):
    """Takes long enough to be killed meanwhile."""

    def sum(self, shard, scalars, keep):
        time.sleep(1)
        return super().sum(shard, scalars, keep)


def kill(process, seconds):
    timer = threading.Timer(seconds, os.kill, (process, signal.SIGKILL))
    timer.start()
    return timer


def test_a_worker_is_killed(three_nodes, worker):
    """The time of a sum over 2^18 points."""
    worker(Slow)
    count = 1 << 18
    points, scalars = points_of(count), scalars_of(count)
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    with cluster.Bases.put(points, curve="bn254", shards=6, num_cpus=1) as bases:
        timer = kill(bases._crew.pid[1], 0.5)
        result = bases.msm(scalars)
        timer.join()
        assert result.point == expected
        assert result.report.restarts == 1 or result.report.duplicates > 0
        # The new process reads its shards again, and no other worker does.
        loads = [run for run in result.report.shards if run.load_seconds > 0]
        print(f"a worker's death: {result.report.seconds:.1f} s, {len(loads)} shards read again")
        assert 1 <= len(loads) <= 2
        assert bases.msm(scalars).point == expected


def test_a_node_is_killed(three_nodes, inputs, worker):
    worker(Slow)
    points, scalars, expected = inputs
    node = three_nodes.add_node(num_cpus=1, object_store_memory=STORE)
    raylet = node.all_processes["raylet"][0].process.pid
    with cluster.Bases.put(points, curve=CURVE, shards=8, num_cpus=1, workers=4) as bases:
        assert len(set(bases._crew.node)) == 4
        assert bases.msm(scalars, verify="full").point == expected
        timer = kill(raylet, 0.5)
        started = time.monotonic()
        result = bases.msm(scalars, verify="full")
        took = time.monotonic() - started
        timer.join()
        print(f"a raylet's death: {took:.1f} s")
        assert result.point == expected
        assert result.report.duplicates > 0
        assert took < 60
        # The three remaining workers share its shards, and no worker waits for it.
        again = bases.msm(scalars, verify="full", timeout=60)
        assert again.point == expected
    remove(three_nodes, node)


def test_a_straggler(three_nodes, inputs, worker, tmp_path):
    points, scalars, expected = inputs
    flag = str(tmp_path / "late")

    class Late(cluster_shard.Worker):
        def sum(self, shard, scalars, keep):
            if os.path.exists(flag) and shard.index == 1:
                os.unlink(flag)
                deadline = time.monotonic() + 60
                while time.monotonic() < deadline and not engine.is_cancelled():
                    time.sleep(0.05)
            return super().sum(shard, scalars, keep)

    worker(Late)
    with cluster.Bases.put(points, curve=CURVE, shards=3, num_cpus=1) as bases:
        assert bases.msm(scalars).report.duplicates == 0
        open(flag, "w").close()
        result = bases.msm(scalars)
        assert result.point == expected
        assert result.report.duplicates == 1
        assert result.report.seconds < 20
        assert bases.msm(scalars).point == expected


def torsion_added(data):
    """Returns the point, and the point plus a point of order 3."""
    point = bw.Point.from_bytes(data, CURVE, "g1")
    slope = (point.y - 1) * pow(point.x, -1, MODULUS) % MODULUS
    x = (slope * slope - point.x) % MODULUS
    return bytes(bw.Point(CURVE, "g1", x, (slope * (point.x - x) - point.y) % MODULUS))


def off_the_curve(data):
    return bytes(bw.Point(CURVE, "g1", 1, 1))


def not_canonical(data):
    point = bw.Point.from_bytes(data, CURVE, "g1")
    return bytes(bw.Point(CURVE, "g1", point.x + MODULUS, point.y))


def negative(data):
    point = bw.Point.from_bytes(data, CURVE, "g1")
    return bytes(bw.Point(CURVE, "g1", point.x, MODULUS - point.y))


LIES = {
    "negative sum": ("a", negative, ".*do not match"),
    "negative second sum": ("b", negative, ".*do not match"),
    "torsion": ("a", torsion_added, "the sum: .*subgroup"),
    "second torsion": ("b", torsion_added, "the second sum: .*subgroup"),
    "off the curve": ("a", off_the_curve, "the sum: .*not on the curve"),
    "not canonical": ("a", not_canonical, "the sum: .*not below the field's modulus"),
    "an old answer": (None, None, ".*do not match"),
    "memory": (None, None, ".*do not match"),
}


def liar(path):
    """A worker that answers wrongly for shard 1: once if a file says so, or always without a file."""

    class Liar(cluster_shard.Worker):
        def sum(self, shard, scalars, keep):
            answer = super().sum(shard, scalars, keep)
            if shard.index != 1 or (path is not None and not os.path.exists(path)):
                return answer
            lie = "negative sum"
            if path is not None:
                lie = open(path).read()
                os.unlink(path)
            if lie == "an old answer":
                # The answer for other scalars.
                sums = super().sum(shard, scalars[::-1].copy(), keep).sums
            elif lie == "memory":
                # Flips a bit of the points that the worker holds, the sign of one.
                held, (bases,) = self._held[1]
                first, second = (bytes(part.read()[0]) for part in (*held.parts, *held.masked))
                size = len(first) // held.count
                flipped = [negative(first[:size]) + first[size:], second]
                self._held[1] = held, [type(bases)(flipped, CURVE, "g1", "integers", cluster_shard.OPTIONS, None)]
                sums = super().sum(shard, scalars, keep).sums
            else:
                which, change, _ = LIES[lie]
                (_, a), (_, b) = answer.sums
                sums = [("g1", change(a) if which == "a" else a), ("g1", change(b) if which == "b" else b)]
            return dataclasses.replace(answer, sums=tuple(sums))

    return Liar


def test_wrong_answers_are_caught_and_named(three_nodes, inputs, worker, tmp_path):
    points, scalars, expected = inputs
    path = tmp_path / "lie"
    worker(liar(str(path)))
    with cluster.Bases.put(points, curve=CURVE, shards=3, num_cpus=1) as bases:
        bases.cover()
        for lie, (_, _, what) in LIES.items():
            bases._crew.balance(3)
            worker = bases._crew.home(1)
            process = where(bases, worker).pid
            path.write_text(lie)
            result = bases.msm(scalars, verify="full")
            assert result.point == expected
            assert len(result.report.faults) == 1
            assert re.search(f"shard 1, worker {worker}, process {process} on node .*: g1: {what}", result.report.faults[0]), lie
        assert bases.msm(scalars, verify="full").report.faults == []


def test_workers_that_are_always_wrong(three_nodes, inputs, worker):
    points, scalars, _ = inputs
    worker(liar(None))
    with cluster.Bases.put(points, curve=CURVE, shards=3, num_cpus=1) as bases:
        with pytest.raises(cluster.IntegrityError, match="shard 1.*3 answers were wrong") as error:
            bases.msm(scalars, verify="full")
        assert error.value.shard == 1


def test_a_sample_compares(three_nodes, inputs, worker, tmp_path):
    points, scalars, expected = inputs

    class Wrong(cluster_shard.Worker):
        def sum(self, shard, scalars, keep):
            answer = super().sum(shard, scalars, keep)
            pair = tuple(("g1", negative(data)) for _, data in answer.sums)
            return dataclasses.replace(answer, sums=pair) if self._held.keys() == {1} and shard.index == 1 else answer

    worker(Wrong)
    with cluster.Bases.put(points, curve=CURVE, shards=3, num_cpus=1) as bases:
        # Unchecked answers pass; answers of two workers that tell the same lie would pass, too.
        assert bases.msm(scalars).point != expected
        with pytest.raises(cluster.IntegrityError, match="shard 1: process .* and process .* have different sums"):
            bases.msm(scalars, verify="sample", sample=1)
    with cluster.Bases.put(points, curve=CURVE, shards=3, num_cpus=1, workers=1) as bases:
        with pytest.raises(bw.ArgumentError, match="at least two"):
            bases.msm(scalars, verify="sample")


def test_a_source_that_has_changed(three_nodes, inputs, tmp_path):
    points, scalars, expected = inputs
    path, store = tmp_path / "points", tmp_path / "store"
    path.write_bytes(points)
    with cluster.Bases.put(path, curve=CURVE, shards=3, num_cpus=1, store=store) as bases:
        assert bases.msm(scalars, verify="full").point == expected
        path.write_bytes(points[-96:] + points[96:])
        # Points in memory are unchanged; points that are read again have changed.
        assert bases.msm(scalars, verify="full").point == expected
        bases._crew.restart(bases._crew.home(0))
        with pytest.raises(cluster.SourceError, match="shard 0.*the source has changed"):
            bases.msm(scalars, verify="full")
        path.write_bytes(points)
        assert bases.msm(scalars, verify="full").point == expected
        second = sorted(store.iterdir())
        assert len(second) == 3
        second[0].write_bytes(bytes(second[0].stat().st_size))
        for worker in range(3):
            bases._crew.restart(worker)
        with pytest.raises(cluster.SourceError, match="store/second-.*the source has changed"):
            bases.msm(scalars, verify="full")
    with cluster.Bases.put(path, curve=CURVE, shards=3, num_cpus=1) as bases:
        path.write_bytes(points[-96:] + points[96:])
        # No second points are made from changed points.
        with pytest.raises(cluster.SourceError, match="the source has changed"):
            bases.cover()
