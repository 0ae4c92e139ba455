"""Sums of a cluster against sums of one process, with points and scalars in all accepted forms."""

import json
import os
import stat
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from typing import get_args

import numpy as np
import py_ecc.bn128 as ecc
import pytest
from conftest import points_of, scalars_of

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import crew as cluster_crew
from bucketwheel.cluster import engine
from bucketwheel.cluster import shard as cluster_shard
from bucketwheel.cluster import source
from bucketwheel.cluster.answers import Done
from bucketwheel.names import CurveName

COUNT = 5000
CODES = {name: code for code, name in enumerate(get_args(CurveName), 1)}
"""The codes of curves in files. A test of crates/python compares the names and their order with the catalogue."""


def points_file(curve, groups, parts, count):
    header = b"BWPOINTS" + (1).to_bytes(4, "little") + bytes([CODES[curve], groups, 1, 0])
    header += count.to_bytes(8, "little") + bytes(40)
    return header + (bytes(-len(parts[0]) % 64)).join(parts)


def scalars_file(curve, scalars):
    header = b"BWSCALAR" + (1).to_bytes(4, "little") + bytes([CODES[curve], 0, 1, 0])
    return header + len(scalars).to_bytes(8, "little") + bytes(40) + scalars.tobytes()


@pytest.fixture(scope="module")
def inputs():
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    return points, scalars, bw.Bases(points, curve="bn254").msm(scalars)


def test_sums_are_those_of_py_ecc(three_nodes):
    points = [ecc.multiply(ecc.G1, k) for k in (1, 2, 3, 12345)]
    scalars = [0, 1, 2**200 + 7, ecc.curve_order - 1]
    expected = None
    for point, scalar in zip(points, scalars):
        expected = ecc.add(expected, ecc.multiply(point, scalar))
    integers = [tuple(coordinate.n for coordinate in point) for point in points] + [None]
    with cluster.Bases.put(integers, curve="bn254", shards=3, num_cpus=1) as bases:
        for verify in ("none", "sample", "full"):
            result = bases.msm([*scalars, 5], verify=verify)
            assert (result.x, result.y) == tuple(coordinate.n for coordinate in expected)
        assert bases.msm([0] * 5, verify="full").infinity
        # More shards than points.
    with cluster.Bases.put(integers, curve="bn254", shards=7, num_cpus=1) as bases:
        assert bases.msm([*scalars, 5], verify="full").point == result.point


def test_forms_of_points(three_nodes, inputs, tmp_path):
    points, scalars, expected = inputs
    (tmp_path / "p.bin").write_bytes(points_file("bn254", 1, [points], COUNT))
    (tmp_path / "raw").write_bytes(points)
    half = COUNT // 2 * 64
    for name, part in (("a.bin", points[:half]), ("b.bin", points[half:])):
        (tmp_path / name).write_bytes(points_file("bn254", 1, [part], len(part) // 64))
    bw.Bases.open(tmp_path / "b.bin", copies=2).write_table(tmp_path / "b.table")
    raw = {"curve": "bn254"}
    forms = [
        (tmp_path / "p.bin", {}),
        (f"file://{tmp_path}/p.bin", {}),
        (tmp_path / "raw", raw),
        (points_file("bn254", 1, [points], COUNT), {}),
        (np.frombuffer(points, dtype=np.uint64).reshape(COUNT, 8), raw),
        ([tmp_path / "a.bin", tmp_path / "b.table"], {}),
    ]
    for form, options in forms:
        with cluster.Bases.put(form, shards=4, num_cpus=1, **options) as bases:
            assert (len(bases), bases.curve, bases.group) == (COUNT, "bn254", "g1")
            assert bases.msm(scalars).point == expected
    with pytest.raises(bw.FormatError, match="bucketwheel convert"):
        cluster.Bases.put(tmp_path / "raw", num_cpus=1)
    with pytest.raises(bw.FormatError, match="multiple of 96"):
        cluster.Bases.put(tmp_path / "raw", curve="bls12-381", num_cpus=1)
    with pytest.raises(bw.FormatError, match="expected bls12-381"):
        cluster.Bases.put(tmp_path / "p.bin", curve="bls12-381", num_cpus=1)
    with pytest.raises(FileNotFoundError):
        cluster.Bases.put(tmp_path / "missing", num_cpus=1)
    (tmp_path / "short.bin").write_bytes((tmp_path / "p.bin").read_bytes()[:-1])
    with pytest.raises(bw.FormatError, match="for 5000 points"):
        cluster.Bases.put(tmp_path / "short.bin", num_cpus=1)


def test_headers_of_all_curves():
    """The headers of this build's curves are read by the native module, which knows them all."""
    assert set(bw.CURVES) <= set(CODES)
    for name, curve in bw.CURVES.items():
        for code, group in enumerate(("g1", "g2", "pair"), 1):
            count, sizes = 3, {"g1": [2 * curve.degree], "g2": [4], "pair": [2, 4]}[group]
            parts = [bytes(count * size * curve.field_bytes) for size in sizes]
            file = points_file(name, code, parts, count)
            if group not in curve.groups:
                with pytest.raises(bw.FormatError, match="expected 1 .g1., the only group"):
                    source.shards_of(file, 2, 1, None, group)
                continue
            found = source._layout(file[:64], len(file), "points", None, "g1")
            assert found == (name, group, [64, 64 + len(file) - 64 - len(parts[-1])][: len(parts)], count)
        with pytest.raises(bw.FormatError, match="version 2"):
            source._layout(file[:8] + b"\2" + file[9:64], len(file), "points", None, "g1")


def test_forms_of_scalars(three_nodes, inputs, tmp_path):
    points, scalars, expected = inputs
    (tmp_path / "s.bin").write_bytes(scalars_file("bn254", scalars))
    with cluster.Bases.put(points, curve="bn254", shards=7, num_cpus=1) as bases:
        forms = [
            tmp_path / "s.bin",
            f"file://{tmp_path}/s.bin",
            scalars.tobytes(),
            [int.from_bytes(row.tobytes(), "little") for row in scalars],
            # A stream of parts that are none of the shards'.
            iter([scalars[:1], scalars[1:3000], scalars[3000:].tobytes()]),
        ]
        for form in forms:
            assert bases.msm(form).point == expected
        small = np.arange(COUNT, dtype=np.uint64)
        expected_small = bw.Bases(points, curve="bn254").msm(small)
        for verify in ("none", "full"):
            assert bases.msm(small, verify=verify).point == expected_small
        assert [sum.point for sum in bases.msm_many([scalars, small])] == [expected, expected_small]
        for wrong in (scalars[1:], np.vstack([scalars, scalars[:1]]), iter([scalars, scalars])):
            with pytest.raises(bw.LengthError, match="must be the same"):
                bases.msm(wrong)
        high = scalars.copy()
        high[4000] = 2**64 - 1
        with pytest.raises(bw.ScalarError, match="points from 3571 on") as error:
            bases.msm(high)
        assert error.value.index == 4000
        with pytest.raises(bw.ArgumentError, match="verify='some'"):
            bases.msm(scalars, verify="some")
        # After all these errors; and where the object store has room for one shard's scalars alone.
        bases._crew.room = 1
        result = bases.msm(scalars)
        assert result.point == expected
        runs = sorted(result.report.shards, key=lambda run: run.started)
        assert all(one.started + one.seconds <= two.started for one, two in pairwise(runs))


def test_pairs(three_nodes, tmp_path):
    count = 500
    first, second, scalars = points_of(count), points_of(count, group="g2"), scalars_of(count)
    expected = bw.Bases((first, second), curve="bn254", group="pair").msm_pair(scalars)
    (tmp_path / "pair.bin").write_bytes(points_file("bn254", 3, [first, second], count))
    for points, options in (((first, second), {"curve": "bn254", "group": "pair"}), (tmp_path / "pair.bin", {})):
        with cluster.Bases.put(points, shards=3, num_cpus=1, **options) as bases:
            for verify in ("none", "full", "sample"):
                sums = bases.msm_pair(scalars, verify=verify)
                assert tuple(sum.point for sum in sums) == expected
            with pytest.raises(bw.ArgumentError, match="msm_pair"):
                bases.msm(scalars)


def test_a_group_that_is_not_prime(three_nodes):
    """BLS12-377, whose second points are of a group with a cofactor; and points of no subgroup, which are refused."""
    count = 300
    points, scalars = points_of(count, "bls12-377"), scalars_of(count)
    expected = bw.Bases(points, curve="bls12-377").msm(scalars)
    with cluster.Bases.put(points, curve="bls12-377", shards=2, num_cpus=1) as bases:
        assert bases.msm(scalars, verify="full").point == expected
    order_three = bytes(bw.Point("bls12-377", "g1", 0, 1))
    with cluster.Bases.put(points + order_three, curve="bls12-377", shards=2, num_cpus=1) as bases:
        with pytest.raises(bw.PointError, match="point 300.*subgroup") as error:
            bases.msm(np.vstack([scalars, scalars[:1]]), verify="full")
        assert error.value.index == count


def test_cpu_and_simulated_cards_in_one_sum(three_nodes, monkeypatch):
    """A node computes, two have cards of MSMAC; without and with second points. Nobody takes over what models are slow at."""
    monkeypatch.setattr("bucketwheel.cluster.round.LATE_SECONDS", 1e6)
    count = 600
    points, scalars = points_of(count), scalars_of(count)
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    options = {"curve": "bn254", "shards": 3, "num_cpus": 1}
    with cluster.Bases.put(points, device=["cpu", "msmac", "msmac"], **options) as bases:
        cycles = []
        for verify in ("none", "full"):
            result = bases.msm(scalars, verify=verify)
            assert result.point == expected
            cycles.append([run.cycles for run in sorted(result.report.shards, key=lambda run: run.shard)])
        assert cycles[0][0] == cycles[1][0] == 0
        # Twice the sums.
        assert all(2 * one == two > 0 for one, two in zip(cycles[0][1:], cycles[1][1:]))
        high = scalars.copy()
        high[450] = 2**64 - 1
        with pytest.raises(bw.ScalarError) as error:
            bases.msm(high)
        assert error.value.index == 450
    with pytest.raises(bw.CurveError, match="bls12-377"):
        cluster.Bases.put(points, device="cyclone", **options)
    for device in ("gpu", ()):
        with pytest.raises(bw.ArgumentError, match="expected some of cpu, cyclone"):
            cluster.Bases.put(points, device=device, **options)


def test_the_report(three_nodes, inputs, tmp_path):
    points, scalars, _ = inputs
    with cluster.Bases.put(points, curve="bn254", shards=6, num_cpus=1) as bases:
        told = []
        report = bases.msm(scalars, verify="full", progress=lambda done, total: told.append((done, total))).report
    assert told == sorted(told) and told[-1] == (COUNT, COUNT)
    assert sorted(run.shard for run in report.shards) == list(range(6))
    assert sum(run.points for run in report.shards) == COUNT
    # Each node computed, and scalars travelled once.
    assert len({run.node for run in report.shards}) == 3
    assert report.bytes == 32 * COUNT
    assert (report.restarts, report.duplicates, report.faults) == (0, 0, [])
    assert json.loads(report.to_json())["points"] == COUNT
    report.plot(tmp_path / "plot.svg")
    picture = ElementTree.parse(tmp_path / "plot.svg").getroot()
    assert len(picture.findall(".//{*}rect")) == 1 + 2 * 6


class Slow(cluster_shard.Worker):
    """Takes a while, and looks whether anybody still waits."""

    def sum(self, shard, scalars, keep):
        for _ in range(100):
            time.sleep(0.1)
            if engine.is_cancelled():
                return Done()
        return super().sum(shard, scalars, keep)


def test_what_stops_a_sum(three_nodes, inputs, monkeypatch, by_value):
    points, scalars, expected = inputs
    by_value(sys.modules[__name__])
    with cluster.Bases.put(points, curve="bn254", shards=6, num_cpus=1) as bases:

        def stop(done, total):
            raise KeyError("enough")

        with pytest.raises(KeyError, match="enough"):
            bases.msm(scalars, progress=stop)
        assert bases.msm(scalars).point == expected
    monkeypatch.setattr("bucketwheel.cluster.crew.Worker", Slow)
    with cluster.Bases.put(points, curve="bn254", shards=3, num_cpus=1) as bases:
        timer = threading.Timer(0.5, os.kill, (os.getpid(), 2))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            bases.msm(scalars)
        timer.join()
        with pytest.raises(cluster.TimeoutError, match="shards 0, 1, 2"):
            bases.msm(scalars, timeout=0.5)


def test_placement(three_nodes, inputs, monkeypatch):
    points, _, _ = inputs
    monkeypatch.setattr("bucketwheel.cluster.crew.PLACE_SECONDS", 2.0)
    with pytest.raises(cluster.PlacementError, match="no node has 2 cores"):
        cluster.Bases.put(points, curve="bn254", num_cpus=2)
    with pytest.raises(cluster.PlacementError, match="4 workers"):
        cluster.Bases.put(points, curve="bn254", num_cpus=1, workers=4, shards=4)
    with pytest.raises(cluster.PlacementError, match="bytes each"):
        cluster.Bases.put(points, curve="bn254", num_cpus=1, memory=1 << 50)
    with cluster.Bases.put(points, curve="bn254") as bases:
        assert (bases.workers, bases.shards) == (3, 3)


def test_numa_nodes(tmp_path):
    for number, cpus in enumerate(["0-1,4\n", "2-3\n", "\n"]):
        (tmp_path / f"node{number}").mkdir()
        (tmp_path / f"node{number}" / "cpulist").write_text(cpus)
    assert cluster_shard.numa_nodes(tmp_path) == [{0, 1, 4}, {2, 3}]
    allowed = os.sched_getaffinity(0)
    try:
        # Two workers, each on a node of its own, and none for a third.
        nodes = [{cpu} for cpu in sorted(allowed)[:2]]
        if len(nodes) == 2:
            first = cluster_shard.pin(1, nodes, tmp_path)
            assert os.sched_getaffinity(0) == nodes[0]
            os.sched_setaffinity(0, allowed)
            second = cluster_shard.pin(1, nodes, tmp_path)
            assert os.sched_getaffinity(0) == nodes[1]
            os.sched_setaffinity(0, allowed)
            assert cluster_shard.pin(1, nodes, tmp_path) is None
            first.close()
            second.close()
    finally:
        os.sched_setaffinity(0, allowed)
    assert cluster_shard.pin(1, [allowed], tmp_path) is None


def test_locks_of_numa_nodes_are_in_a_private_folder(tmp_path):
    shared, victim = tmp_path / "shared", tmp_path / "victim"
    name = f"bucketwheel-{os.getuid()}"
    for path in (shared, victim):
        path.mkdir()
    (victim / "numa-0").write_text("precious")
    # Links that another user has planted.
    (shared / f"bucketwheel-numa-{os.getuid()}-0").symlink_to(victim / "numa-0")
    (shared / name).symlink_to(victim)
    nodes, allowed = [os.sched_getaffinity(0)] * 2, os.sched_getaffinity(0)
    try:
        assert cluster_shard.pin(1, nodes, shared) is None
        (shared / name).unlink()
        (shared / name).mkdir()
        (shared / name).chmod(0o770)
        assert cluster_shard.pin(1, nodes, shared) is None
        (shared / name).rmdir()
        with cluster_shard.pin(1, nodes, shared):
            state = (shared / name).lstat()
            assert (stat.S_IMODE(state.st_mode), os.listdir(shared / name)) == (0o700, ["numa-0"])
    finally:
        os.sched_setaffinity(0, allowed)
    assert (victim / "numa-0").read_text() == "precious" and os.listdir(victim) == ["numa-0"]


def test_the_default_is_a_worker_for_each_node(three_nodes):
    assert cluster_crew.default_cpus() == 1
    assert cluster_crew.default_workers(1) == 3
