"""Points that workers read for each sum: from files, from an object store, or by a seed."""

import os
import shutil
import signal
import sys
import time
from dataclasses import replace

import pytest
from conftest import STORE, points_of, remove, scalars_of
from instruments import Traffic, kill_node, sum_of_repeated
from test_sums import points_file, scalars_file

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import engine
from bucketwheel.cluster import shard as cluster_shard
from bucketwheel.cluster.answers import Memory, decode

COUNT = 5000
OPTIONS = {"curve": "bn254", "shards": 7, "num_cpus": 1}


@pytest.fixture(scope="module")
def inputs():
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    return points, scalars, bw.Bases(points, curve="bn254").msm(scalars)


@pytest.fixture
def file(tmp_path, inputs):
    path = tmp_path / "p.bin"
    path.write_bytes(points_file("bn254", 1, [inputs[0]], COUNT))
    return path


class Small(cluster_shard.Worker):
    """Reads some hundred points at a time, so that a shard has several blocks."""

    def __init__(self, *arguments):
        cluster_shard.BLOCK_BYTES = 1 << 14
        super().__init__(*arguments)


@pytest.fixture
def small_blocks(monkeypatch, by_value):
    by_value(sys.modules[__name__])
    monkeypatch.setattr("bucketwheel.cluster.crew.Worker", Small)


def test_sums_over_named_points(three_nodes, bucket, inputs, file, tmp_path):
    points, scalars, expected = inputs
    (tmp_path / "plain").write_bytes(points)
    (tmp_path / "s.bin").write_bytes(scalars_file("bn254", scalars))
    url, named = bucket("p.bin", file.read_bytes()), bucket("s.bin", (tmp_path / "s.bin").read_bytes())
    for place in (file, tmp_path / "plain", f"file://{file}", url):
        with cluster.Bases.put(cluster.NamedPoints(place), **OPTIONS) as bases:
            assert (len(bases), bases.shards, bases.curve) == (COUNT, 7, "bn254")
            for verify in ("none", "sample"):
                # The second sum expects the digests of the first.
                for given in (scalars, cluster.NamedScalars(tmp_path / "s.bin"), cluster.NamedScalars(named)):
                    result = bases.msm(given, verify=verify)
                    assert (result.point, result.report.faults) == (expected, [])
                    # No worker holds points, so no worker has prepared any.
                    assert {run.load_seconds for run in result.report.shards} == {0.0}
            with pytest.raises(bw.ArgumentError, match="expected store="):
                bases.msm(scalars, verify="full")
    # Held points come from the object store, too.
    with cluster.Bases.put(url, **OPTIONS) as bases:
        assert bases.msm(cluster.NamedScalars(named), verify="full").point == expected


@pytest.mark.parametrize("curve, group", [("bn254", "g1"), ("bn254", "pair"), ("bls12-381", "g2"), ("bw6-761", "g1")])
@pytest.mark.parametrize("verify", ["none", "full"])
def test_sums_over_seeded_points(three_nodes, small_blocks, tmp_path, curve, group, verify):
    points, scalars = bw.generate(COUNT, curve=curve, group=group, seed=7)
    local = bw.Bases(points, curve=curve, group=group)
    named = cluster.NamedPoints(seed=7, count=COUNT)
    with cluster.Bases.put(named, curve=curve, group=group, shards=7, num_cpus=1, store=tmp_path / "store") as bases:
        if group == "pair":
            found = tuple(sum.point for sum in bases.msm_pair(cluster.NamedScalars(seed=7), verify=verify))
            assert found == local.msm_pair(scalars)
        else:
            assert bases.msm(cluster.NamedScalars(seed=7), verify=verify).point == local.msm(scalars)


@pytest.mark.parametrize("store", ["folder", "s3://sums/second"])
def test_second_points_of_names_that_repeat(three_nodes, small_blocks, inputs, file, tmp_path, store):
    points, _, _ = inputs
    store, scalars = str(tmp_path / store) if store == "folder" else store, scalars_of(3 * COUNT)
    expected = bw.Bases(points * 3, curve="bn254").msm(scalars)
    options = {**OPTIONS, "shards": 9, "store": store, "checkpoint": tmp_path / "state"}
    with cluster.Bases.put(cluster.NamedPoints(file, file, file), **options) as bases:
        counts = []
        bases.cover(lambda done, total: counts.append((done, total)))
        # Equal names share their second points.
        assert counts[-1] == (COUNT, COUNT) and len({shard.masked for shard in bases._covered}) == 3
        assert bases.msm(scalars, verify="full").point == bases.msm(scalars).point == expected
    # Another coordinator finds the second points, and refuses other points.
    with cluster.Bases.put(cluster.NamedPoints(file, file, file), **options) as bases:
        bases.cover(lambda done, total: pytest.fail("second points are made again"))
        assert bases.msm(scalars, verify="full").point == expected
        change_point(file, 4000)
        with pytest.raises(cluster.SourceError, match="the source has changed"):
            bases.msm(scalars, verify="full")


def test_changes_before_and_after_second_points_are_made(three_nodes, inputs, file, tmp_path):
    _, scalars, expected = inputs
    with cluster.Bases.put(cluster.NamedPoints(file), **OPTIONS, store=tmp_path / "store") as bases:
        assert bases.msm(scalars).point == expected
        change_point(file, 4000)
        with pytest.raises(cluster.SourceError, match="the source has changed"):
            bases.cover()
        change_point(file, 4000)
        bases.cover()
        (second, *_) = bases._covered[3].masked
        with open(second.place, "r+b") as changed:
            one, two = changed.read(64), changed.read(64)
            changed.seek(0)
            changed.write(two + one)
        with pytest.raises(cluster.SourceError, match=f"{second.place}: the source has changed"):
            bases.msm(scalars, verify="full")


class Liar(cluster_shard.Worker):
    """Returns another sum of a shard, once, and the right digests."""

    def sum(self, shard, scalars, keep):
        found = super().sum(shard, scalars, keep)
        if shard.index == 3 and not os.path.exists(LIED):
            open(LIED, "w").close()
            (_, first), (_, second) = found.sums
            return replace(found, sums=(("g1", second), ("g1", first)))
        return found


def test_a_wrong_sum_over_named_points_is_named(three_nodes, inputs, file, tmp_path, monkeypatch, by_value):
    _, scalars, expected = inputs
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "LIED", str(tmp_path / "lied"))
    by_value(module)
    monkeypatch.setattr("bucketwheel.cluster.crew.Worker", Liar)
    with cluster.Bases.put(cluster.NamedPoints(file), **OPTIONS, store=tmp_path / "store") as bases:
        result = bases.msm(scalars, verify="full")
    assert result.point == expected
    assert len(result.report.faults) == 1 and "shard 3" in result.report.faults[0]


def test_names_that_repeat(three_nodes, inputs, file, tmp_path):
    points, _, _ = inputs
    (tmp_path / "q.bin").write_bytes(points_file("bn254", 1, [points[:64]], 1))
    (tmp_path / "empty.bin").write_bytes(points_file("bn254", 1, [b""], 0))
    places = [file, tmp_path / "q.bin", tmp_path / "empty.bin", file]
    scalars = scalars_of(2 * COUNT + 1)
    expected = bw.Bases(points + points[:64] + points, curve="bn254").msm(scalars)
    with cluster.Bases.put(cluster.NamedPoints(*places), **OPTIONS) as bases:
        assert bases.msm(scalars).point == expected
    with cluster.Bases.put(cluster.NamedPoints(tmp_path / "empty.bin"), **OPTIONS) as bases:
        assert bases.msm([]).infinity


def test_points_that_do_not_fit(three_nodes, inputs, file, tmp_path):
    (tmp_path / "g2.bin").write_bytes(points_file("bn254", 2, [points_of(10, group="g2")], 10))
    (tmp_path / "short.bin").write_bytes(file.read_bytes()[:-1])
    for place, error, message in (
        ((file, tmp_path / "g2.bin"), bw.ArgumentError, "bn254 g1, bn254 g2: expected points of one group"),
        ((tmp_path / "short.bin",), bw.FormatError, "short.bin: "),
        ((tmp_path / "missing",), FileNotFoundError, "missing"),
        (("s3://sums/missing",), FileNotFoundError, "missing"),
    ):
        with pytest.raises(error, match=message):
            cluster.Bases.put(cluster.NamedPoints(*place), **OPTIONS)
    for wrong in ({}, {"seed": 1}, {"count": 1}, {"seed": -1, "count": 1}, {"seed": 1, "count": -1}):
        with pytest.raises(bw.ArgumentError):
            cluster.NamedPoints(**wrong)
    with pytest.raises(bw.ArgumentError):
        cluster.NamedPoints(file, seed=1, count=1)
    with pytest.raises(bw.ArgumentError, match="expected curve="):
        cluster.Bases.put(cluster.NamedPoints(seed=1, count=10), num_cpus=1)
    with pytest.raises(bw.ArgumentError, match="cards hold their points"):
        cluster.Bases.put(cluster.NamedPoints(file), device=["cpu", "msmac"], **OPTIONS)


def test_scalars_out_of_range_have_their_index(three_nodes, small_blocks, inputs, file):
    high = inputs[1].copy()
    high[4000] = 2**64 - 1
    with cluster.Bases.put(cluster.NamedPoints(file), **OPTIONS) as bases:
        with pytest.raises(bw.ScalarError) as error:
            bases.msm(high)
    assert error.value.index == 4000


def change_point(path, index):
    """Exchanges a point of a file with its successor."""
    data = bytearray(path.read_bytes())
    at = 64 + 64 * index
    data[at : at + 128] = data[at + 64 : at + 128] + data[at : at + 64]
    path.write_bytes(data)


@pytest.mark.parametrize("verify", ["none", "sample"])
@pytest.mark.parametrize("store", ["file", "s3"])
def test_points_that_change_between_sums(three_nodes, bucket, inputs, file, verify, store):
    _, scalars, expected = inputs

    def put():
        return file if store == "file" else bucket("changes.bin", file.read_bytes())

    place = put()
    with cluster.Bases.put(cluster.NamedPoints(place), **OPTIONS) as bases:
        assert bases.msm(scalars).point == expected
        change_point(file, 4000)
        put()
        with pytest.raises(cluster.SourceError, match=f"{place}: the source has changed"):
            bases.msm(scalars, verify=verify)
        change_point(file, 4000)
        put()
        assert bases.msm(scalars, verify=verify).point == expected


def test_files_that_vanish(three_nodes, bucket, inputs, file):
    _, scalars, _ = inputs
    url = bucket("vanishes.bin", file.read_bytes())
    for place in (str(file), url):
        with cluster.Bases.put(cluster.NamedPoints(place), **OPTIONS) as bases:
            if place == url:
                import fsspec

                fsspec.filesystem("s3").rm_file("sums/vanishes.bin")
            else:
                os.unlink(file)
            with pytest.raises(cluster.SourceError, match=place):
                bases.msm(scalars)


def test_another_coordinator_reads_finished_points(three_nodes, inputs, file, tmp_path):
    _, scalars, expected = inputs
    (tmp_path / "s.bin").write_bytes(scalars_file("bn254", scalars))
    named, options = cluster.NamedPoints(file), {**OPTIONS, "checkpoint": tmp_path / "state"}

    def stop(done, total):
        if done > total // 2:
            raise KeyError("enough")

    with cluster.Bases.put(named, **options) as bases:
        with pytest.raises(KeyError):
            bases.msm(cluster.NamedScalars(tmp_path / "s.bin"), progress=stop)
    shutil.copy(tmp_path / "state", tmp_path / "copy")
    whole = file.read_bytes()
    for index in range(0, COUNT - 1, 100):
        change_point(file, index)
    with cluster.Bases.put(named, **{**options, "checkpoint": tmp_path / "copy"}) as bases:
        with pytest.raises(cluster.CheckpointError, match=f"summed with other points than bytes .* of {file}"):
            bases.msm(cluster.NamedScalars(tmp_path / "s.bin"))
    shutil.copy(file, tmp_path / "other.bin")
    with pytest.raises(cluster.CheckpointError, match="a checkpoint of other points"):
        cluster.Bases.put(cluster.NamedPoints(tmp_path / "other.bin"), **options)
    file.write_bytes(whole)
    with cluster.Bases.put(named, **options) as bases:
        result = bases.msm(cluster.NamedScalars(tmp_path / "s.bin"))
    assert result.point == expected
    assert 0 < result.report.resumed < 7
    # This process has read the points and scalars of the finished shards alone.
    finished = COUNT - sum(run.points for run in result.report.shards)
    assert result.report.bytes == (64 + 32) * finished


class Strays(cluster_shard.Worker):
    """Reports another digest of the points, or none."""

    def sum(self, shard, scalars, keep):
        found = super().sum(shard, scalars, keep)
        if shard.index == 3 and not os.path.exists(LIED):
            open(LIED, "w").close()
            return replace(found, points=DIGESTS)
        return found


LIED, DIGESTS = "", ()


@pytest.mark.parametrize("digests, sums", [((), 1), (("11" * 32,) * 2, 1), (("11" * 32,), 2)])
def test_wrong_digests(three_nodes, inputs, file, tmp_path, monkeypatch, by_value, digests, sums):
    _, scalars, expected = inputs
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "LIED", str(tmp_path / "lied"))
    monkeypatch.setattr(module, "DIGESTS", digests)
    by_value(module)
    monkeypatch.setattr("bucketwheel.cluster.crew.Worker", Strays)
    with cluster.Bases.put(cluster.NamedPoints(file), **OPTIONS) as bases:
        if sums == 2:
            # A digest that differs from the digest of an earlier sum.
            open(tmp_path / "lied", "w").close()
            assert bases.msm(scalars).point == expected
            os.unlink(tmp_path / "lied")
        result = bases.msm(scalars)
    assert result.point == expected
    assert len(result.report.faults) == 1 and "shard 3" in result.report.faults[0]


def test_a_worker_needs_little_memory(three_nodes, tmp_path):
    """One shard of 2^23 points, whose points and scalars have 768 MiB; 2^14 points are distinct."""
    number, distinct = 1 << 23, 1 << 14
    points = points_of(distinct)
    with open(tmp_path / "p", "wb") as file:
        for _ in range(number // distinct):
            file.write(points)
    with cluster.Bases.put(cluster.NamedPoints(tmp_path / "p"), curve="bn254", shards=1, workers=1, num_cpus=1) as bases:
        assert bases.shards == 1
        result = bases.msm(cluster.NamedScalars(seed=3))
        (worker,) = bases._crew.workers
        task = engine.call(worker, "memory")
        assert engine.wait([task], 60)
        most = decode(engine.answer(task), Memory).most
    assert result.point == sum_of_repeated(points, distinct, number, "bn254", 3)
    print(f"2^23 points in a shard: {most >> 20} MiB at most")
    assert most < cluster_shard.NAMED_BYTES


@pytest.mark.parametrize("kind", ["worker", "node"])
def test_a_node_dies_in_the_middle(three_nodes, bucket, tmp_path, monkeypatch, kind):
    """2^20 points in the object store, 2^14 of which are distinct, on four nodes."""
    number = 1 << 20
    points, scalars = points_of(1 << 14), scalars_of(number)
    url = bucket("many.bin", points_file("bn254", 1, [points], 1 << 14))
    expected = bw.Bases(points * (number >> 14), curve="bn254").msm(scalars)
    (tmp_path / "s.bin").write_bytes(scalars_file("bn254", scalars))
    node = three_nodes.add_node(num_cpus=1, object_store_memory=STORE)
    with cluster.Bases.put(
        cluster.NamedPoints(*[url] * (number >> 14)), curve="bn254", shards=64, num_cpus=1, workers=4
    ) as bases:
        victim, killed = bases._crew.pid[1], []

        def kill(done, total):
            if done > total // 3 and not killed:
                killed.append(done)
                os.kill(victim, signal.SIGKILL) if kind == "worker" else kill_node(node)

        traffic = Traffic(monkeypatch.setattr)
        result = bases.msm(cluster.NamedScalars(tmp_path / "s.bin"), progress=kill)
        through = traffic.take()
        # The worker of the dead node has no place.
        tasks = [engine.call(worker, "memory") for worker in bases._crew.workers]
        end = time.monotonic() + 60
        while len(there := engine.wait(tasks, 1)) < 3:
            assert time.monotonic() < end
        most = [decode(engine.answer(task), Memory).most for task in there]
    remove(three_nodes, node)
    assert result.point == expected and killed and result.report.faults == []
    # The killed process had a shard, which another worker got, or Ray's new process.
    assert max(run.attempts for run in result.report.shards) > 1 or result.report.restarts == 1
    assert through < 1_000_000
    assert max(most) < cluster_shard.NAMED_BYTES
