"""Scalars that workers read themselves: sums, the bytes that pass through the coordinator, and files that change."""

import os
import shutil
import sys
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from conftest import points_of, scalars_of
from instruments import Traffic
from test_sums import scalars_file

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import engine
from bucketwheel.cluster import shard as cluster_shard

COUNT = 5000
OPTIONS = {"curve": "bn254", "shards": 7, "num_cpus": 1}


@pytest.fixture(scope="module")
def inputs():
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    return points, scalars, bw.Bases(points, curve="bn254").msm(scalars)


@pytest.fixture
def file(tmp_path, inputs):
    path = tmp_path / "s.bin"
    path.write_bytes(scalars_file("bn254", inputs[1]))
    return path


def change(path, index):
    """Changes one scalar of a file."""
    with open(path, "r+b") as file:
        file.seek(64 + 32 * index)
        byte = file.read(1)[0]
        file.seek(64 + 32 * index)
        file.write(bytes([byte ^ 1]))


def test_sums_over_named_scalars(three_nodes, inputs, file):
    points, _, expected = inputs
    with cluster.Bases.put(points, **OPTIONS) as bases:
        for place in (file, f"file://{file}"):
            for verify, read in (("none", 0), ("sample", 0), ("full", 32 * COUNT)):
                named = cluster.NamedScalars(place)
                # The second sum expects the digests of the first.
                for _ in range(2):
                    result = bases.msm(named, verify=verify)
                    assert result.point == expected
                    assert (result.report.bytes, result.report.faults) == (read, [])
        for distribution in ("uniform", "small"):
            _, scalars = bw.generate(COUNT, curve="bn254", seed=7, distribution=distribution)
            seeded = cluster.NamedScalars(seed=7, distribution=distribution)
            for verify in ("none", "full"):
                assert bases.msm(seeded, verify=verify).point == bw.Bases(points, curve="bn254").msm(scalars)


def test_named_scalars_of_pairs_and_cards(three_nodes, monkeypatch):
    monkeypatch.setattr("bucketwheel.cluster.round.LATE_SECONDS", 1e6)
    first, second = points_of(500), points_of(500, group="g2")
    _, scalars = bw.generate(500, curve="bn254", seed=3)
    expected = bw.Bases((first, second), curve="bn254", group="pair").msm_pair(scalars)
    named = cluster.NamedScalars(seed=3)
    with cluster.Bases.put((first, second), group="pair", **OPTIONS) as bases:
        assert tuple(sum.point for sum in bases.msm_pair(named, verify="full")) == expected
    with cluster.Bases.put(first, device=["cpu", "msmac"], **OPTIONS) as bases:
        assert bases.msm(named).point == expected[0]


@pytest.mark.parametrize("log_shards", [4, 8])
def test_bytes_through_the_coordinator(three_nodes, tmp_path, monkeypatch, log_shards):
    """2^20 scalars, over 2^14 distinct points that repeat."""
    number = 1 << 20
    (tmp_path / "p").write_bytes(points_of(1 << 14) * (number >> 14))
    scalars = scalars_of(number)
    (tmp_path / "s.bin").write_bytes(scalars_file("bn254", scalars))
    with cluster.Bases.put(tmp_path / "p", curve="bn254", shards=1 << log_shards, num_cpus=1) as bases:
        traffic = Traffic(monkeypatch.setattr)
        sent = bases.msm(scalars)
        before = traffic.take()
        named = bases.msm(cluster.NamedScalars(tmp_path / "s.bin"))
        after = traffic.take()
        sampled = bases.msm(cluster.NamedScalars(tmp_path / "s.bin"), verify="sample", sample=1.0)
        twice = traffic.take()
    assert named.point == sent.point == sampled.point
    assert (sent.report.bytes, named.report.bytes, sampled.report.bytes) == (32 * number, 0, 0)
    print(f"2^20 scalars in {1 << log_shards} shards: {before} bytes sent, {after} named, {twice} named and all sampled")
    assert before > 32 * number
    assert 0 < after < twice < 1_000_000


def test_files_that_do_not_fit(three_nodes, inputs, file, tmp_path):
    points, scalars, _ = inputs
    with cluster.Bases.put(points, **OPTIONS) as bases:
        for number in (COUNT - 1, COUNT + 1):
            (tmp_path / "other.bin").write_bytes(scalars_file("bn254", np.resize(scalars, (number, 4))))
            with pytest.raises(bw.LengthError, match=f"other.bin: {number} scalars for {COUNT} points"):
                bases.msm(cluster.NamedScalars(tmp_path / "other.bin"))
        (tmp_path / "short.bin").write_bytes(file.read_bytes()[:-1])
        with pytest.raises(bw.FormatError, match="short.bin: .* for 5000 scalars"):
            bases.msm(cluster.NamedScalars(tmp_path / "short.bin"))
        (tmp_path / "curve.bin").write_bytes(scalars_file("bls12-381", scalars))
        with pytest.raises(bw.FormatError, match="curve.bin: scalars of bls12-381; expected bn254"):
            bases.msm(cluster.NamedScalars(tmp_path / "curve.bin"))
        with pytest.raises(FileNotFoundError, match="missing"):
            bases.msm(cluster.NamedScalars(tmp_path / "missing"))
        high = scalars.copy()
        high[4000] = 2**64 - 1
        (tmp_path / "high.bin").write_bytes(scalars_file("bn254", high))
        with pytest.raises(bw.ScalarError) as error:
            bases.msm(cluster.NamedScalars(tmp_path / "high.bin"))
        assert error.value.index == 4000
        with pytest.raises(bw.ArgumentError, match="distribution"):
            bases.msm(cluster.NamedScalars(seed=1, distribution="odd"))
    for wrong in ({}, {"place": "x", "seed": 1}, {"seed": -1}):
        with pytest.raises(bw.ArgumentError):
            cluster.NamedScalars(**wrong)


@pytest.mark.parametrize("verify", ["none", "sample", "full"])
def test_files_that_change_between_sums(three_nodes, inputs, file, verify):
    points, _, expected = inputs
    named = cluster.NamedScalars(file)
    with cluster.Bases.put(points, **OPTIONS) as bases:
        assert bases.msm(named).point == expected
        change(file, 4000)
        with pytest.raises(cluster.SourceError, match=f"{file}: the source has changed"):
            bases.msm(named, verify=verify)
        assert bases.msm(cluster.NamedScalars(file), verify=verify).point != expected
        change(file, 4000)
        assert bases.msm(named, verify=verify).point == expected


@pytest.mark.parametrize("verify", ["none", "sample", "full"])
def test_files_that_change_during_a_sum(three_nodes, inputs, file, monkeypatch, verify):
    """The file changes after the coordinator has looked at it, and before a worker reads it."""
    points, _, expected = inputs
    call = engine.call
    with cluster.Bases.put(points, **OPTIONS) as bases:
        bases.msm(cluster.NamedScalars(file), verify=verify)
        size = file.stat().st_size

        def cut(worker, method, *arguments):
            os.truncate(file, size - 32)
            return call(worker, method, *arguments)

        whole = file.read_bytes()
        monkeypatch.setattr(engine, "call", cut)
        with pytest.raises(cluster.SourceError, match=f"of {file}: .* bytes are there"):
            bases.msm(cluster.NamedScalars(file), verify=verify)

        contents = count(1)

        def write(worker, method, *arguments):
            """Changes the first scalar before each task, to another value each time."""
            file.write_bytes(whole[:64] + bytes([whole[64] ^ next(contents)]) + whole[65:])
            task = call(worker, method, *arguments)
            engine.wait([task], None)
            return task

        file.write_bytes(whole)
        monkeypatch.setattr(engine, "call", write)
        if verify == "none":
            # No process has read the scalar before.
            assert bases.msm(cluster.NamedScalars(file)).point != expected
        else:
            named = "the source has changed" if verify == "full" else "read different scalars from"
            with pytest.raises(cluster.SourceError, match=named) as error:
                bases.msm(cluster.NamedScalars(file), verify=verify, sample=1.0)
            assert str(file) in str(error.value)


def test_another_coordinator_reads_finished_ranges(three_nodes, inputs, file, tmp_path):
    points, _, expected = inputs
    options = {**OPTIONS, "checkpoint": tmp_path / "state"}

    def stop(done, total):
        if done > total // 2:
            raise KeyError("enough")

    with cluster.Bases.put(points, **options) as bases:
        with pytest.raises(KeyError):
            bases.msm(cluster.NamedScalars(file), progress=stop)
    shutil.copy(tmp_path / "state", tmp_path / "copy")
    # Changes scalars of all shards.
    for index in range(0, COUNT, 100):
        change(file, index)
    with cluster.Bases.put(points, **{**options, "checkpoint": tmp_path / "copy"}) as bases:
        with pytest.raises(cluster.CheckpointError, match=f"summed with other scalars than bytes .* of {file}"):
            bases.msm(cluster.NamedScalars(file))
    for index in range(0, COUNT, 100):
        change(file, index)
    with cluster.Bases.put(points, **options) as bases:
        result = bases.msm(cluster.NamedScalars(file))
    assert result.point == expected
    assert 0 < result.report.resumed < 7
    # This process has read the scalars of the finished shards alone.
    finished = COUNT - sum(run.points for run in result.report.shards)
    assert result.report.bytes == 32 * finished


class Strays(cluster_shard.Worker):
    """Reports a wrong digest of the scalars, or none."""

    def sum(self, shard, scalars, keep):
        found = super().sum(shard, scalars, keep)
        if shard.index == 3 and not os.path.exists(LIED):
            open(LIED, "w").close()
            return replace(found, scalars=DIGEST)
        return found


LIED, DIGEST = "", None


@pytest.mark.parametrize("digest, is_named", [(None, True), ("11" * 32, True), ("11" * 32, False)])
def test_wrong_digests(three_nodes, inputs, file, tmp_path, monkeypatch, by_value, digest, is_named):
    points, scalars, expected = inputs
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "LIED", str(tmp_path / "lied"))
    monkeypatch.setattr(module, "DIGEST", digest)
    by_value(module)
    monkeypatch.setattr("bucketwheel.cluster.crew.Worker", Strays)
    with cluster.Bases.put(points, **OPTIONS) as bases:
        result = bases.msm(cluster.NamedScalars(file) if is_named else scalars, verify="full")
    assert result.point == expected
    assert len(result.report.faults) == 1 and "shard 3" in result.report.faults[0]
