"""A coordinator dies, and another coordinator continues; secrets stay in the process."""

import json
import logging
import pickle
import signal
import stat
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import points_of, scalars_of

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import checkpoint
from bucketwheel.cluster.report import Report
from bucketwheel.cluster.source import Range, Shard, write
from bucketwheel.cluster.verify import Guard, Secrets

COUNT = 4000

COORDINATOR = """
import os, signal, sys
import numpy as np, ray
import bucketwheel.cluster as cluster

address, folder, verify = sys.argv[1:]
ray.init(address=address, log_to_driver=False)
options = {"store": f"{folder}/store", "checkpoint": f"{folder}/state"}
bases = cluster.Bases.put(f"{folder}/points", curve="bn254", shards=6, num_cpus=1, **options)

def die(done, total):
    if done >= total // 2:
        os.kill(os.getpid(), signal.SIGKILL)

bases.msm(np.load(f"{folder}/scalars.npy"), verify=verify, progress=die)
"""


@pytest.mark.parametrize("verify", ["none", "full"])
def test_another_coordinator_goes_on(three_nodes, tmp_path, verify):
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    (tmp_path / "points").write_bytes(points)
    np.save(tmp_path / "scalars.npy", scalars)
    command = [sys.executable, "-c", COORDINATOR, three_nodes.address, str(tmp_path), verify]
    assert subprocess.run(command, timeout=120).returncode == -signal.SIGKILL
    state = tmp_path / "state"
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    done = len(state_of(state)["sum"])
    assert 2 <= done < 6
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "store").glob("*")}
    assert len(before) == (6 if verify == "full" else 0)
    options = {"curve": "bn254", "num_cpus": 1, "store": tmp_path / "store", "checkpoint": state}
    kept = state.read_bytes()

    with pytest.raises(cluster.CheckpointError, match="of other points"):
        cluster.Bases.put(points[:64] + points[:-64], shards=6, **options)
    with pytest.raises(cluster.CheckpointError, match="other shards"):
        cluster.Bases.put(tmp_path / "points", shards=5, **options)
    with cluster.Bases.put(tmp_path / "points", shards=6, **options) as bases:
        with pytest.raises(cluster.CheckpointError, match="summed with other scalars"):
            bases.msm(scalars[::-1].copy(), verify=verify)
    assert state.read_bytes() == kept

    with cluster.Bases.put(tmp_path / "points", shards=6, **options) as bases:
        result = bases.msm(scalars, verify=verify)
        assert result.point == expected
        assert result.report.resumed == done
        assert len(result.report.shards) == 6 - done
        # The second points have not changed.
        assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "store").glob("*")} == before
        # The sum is done: the checkpoint keeps nothing of it, and the next sum may be another sum.
        assert state_of(state)["sum"] == {}
        assert bases.msm(scalars[::-1].copy(), verify=verify).report.resumed == 0


def test_sums_that_were_not_checked_do_not_count_where_they_have_to_be(three_nodes, tmp_path):
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    options = {"curve": "bn254", "num_cpus": 1, "shards": 3, "checkpoint": tmp_path / "state"}

    def stop(done, total):
        raise KeyError("enough")

    with cluster.Bases.put(points, **options) as bases:
        with pytest.raises(KeyError):
            bases.msm(scalars, progress=stop)
        assert state_of(tmp_path / "state")["sum"]
        result = bases.msm(scalars, verify="full")
        assert result.report.resumed == 0
        assert result.point == bw.Bases(points, curve="bn254").msm(scalars)


def test_large_checkpoints_are_not_written_for_each_shard(tmp_path, monkeypatch):
    shards = [Shard(index, 0, 1, "bn254", "g1", (Range("p", 0, 64, "0" * 64),)) for index in range(100)]
    writes = []
    write = checkpoint._native.write_file

    def slow(*arguments):
        writes.append(arguments)
        time.sleep(0.01)
        return write(*arguments)

    monkeypatch.setattr(checkpoint._native, "write_file", slow)

    def fill(path):
        kept = checkpoint.Checkpoint(path)
        writes.clear()
        for shard in shards:
            kept.add(shard, "1" * 64, (("g1", bytes(64)),), False)
        during = len(writes)
        kept.write()
        kept.write()
        assert len(state_of(path)["sum"]) == 100
        return during, len(writes)

    assert fill(tmp_path / "small") == (100, 100)
    monkeypatch.setattr(checkpoint, "LARGE_BYTES", 0)
    during, after = fill(tmp_path / "large")
    assert during < 20 and after == during + 1


def test_checkpoints_that_are_refused(three_nodes, tmp_path):
    path = tmp_path / "state"
    whole = ["", "[1", "[]", "null", "3", '{"version": 2}', '{"version": 1, "points": null, "secrets": null, "second": null, "sum": {}}']
    whole = [checkpoint._digest(text.encode()).decode() + "\n" + text for text in whole]
    for text in ("", "{}", "\n{}", "[" * 100000, '{"version": 1}', *whole):
        path.write_text(text)
        path.chmod(0o600)
        with pytest.raises(cluster.CheckpointError, match="damaged"):
            cluster.Bases.put(points_of(3), curve="bn254", checkpoint=path)
    path.chmod(0o644)
    with pytest.raises(cluster.CheckpointError, match="other users may read"):
        cluster.Bases.put(points_of(3), curve="bn254", checkpoint=path)
    with pytest.raises(cluster.CheckpointError, match="not a regular file"):
        cluster.Bases.put(points_of(3), curve="bn254", checkpoint="/dev/zero")


def test_files_are_written_by_the_one_writer(tmp_path):
    """Links stay links, permissions other than the private ones stay, and the remains of a killed writer disappear."""

    def keep(path):
        checkpoint.Checkpoint(path).bind([])

    def put(path):
        write(str(path), b"points")

    for number, writer in enumerate((keep, put, Report(0, "none", 0.0).plot)):
        folder = tmp_path / str(number)
        folder.mkdir()
        file, link = folder / "file", folder / "link"
        link.symlink_to("file")
        writer(link)
        assert link.is_symlink() and file.stat().st_size > 0
        assert stat.S_IMODE(file.stat().st_mode) & (0o077 if writer is keep else 0) == 0
        (folder / ".bucketwheel-a1b2c3.tmp").write_bytes(b"half")
        if writer is not keep:
            file.chmod(0o640)
        writer(link)
        assert sorted(path.name for path in folder.iterdir()) == ["file", "link"]
        assert stat.S_IMODE(file.stat().st_mode) == (0o600 if writer is keep else 0o640)
        with pytest.raises(OSError, match="directory"):
            writer(folder / "no" / "file")


def state_of(path):
    """Returns the content of a checkpoint."""
    return json.loads(path.read_text().partition("\n")[2])


def rewritten(path, change):
    """Writes a checkpoint with other content, and with the digest of this content."""
    state = state_of(path)
    change(state)
    text = json.dumps(state).encode()
    path.write_bytes(checkpoint._digest(text) + b"\n" + text)


def test_checkpoints_are_checked_again(three_nodes, tmp_path):
    """The digest reveals a changed byte; a sum with a right digest is checked all the same."""
    points, scalars, path = points_of(COUNT), scalars_of(COUNT), tmp_path / "state"
    expected = bw.Bases(points, curve="bn254").msm(scalars)

    def stop(done, total):
        raise KeyError("enough")

    with cluster.Bases.put(points, curve="bn254", num_cpus=1, shards=3, checkpoint=path) as bases:
        with pytest.raises(KeyError):
            bases.msm(scalars, verify="full", progress=stop)
        kept = path.read_bytes()
        (shard,) = state_of(path)["sum"]

        def resumed(verify, change=lambda state: None):
            """Returns the result of another coordinator with a changed checkpoint."""
            path.write_bytes(kept)
            rewritten(path, change)
            bases._checkpoint, bases._guard = checkpoint.Checkpoint(path), None
            bases._checkpoint.bind(bases._shards)
            return bases.msm(scalars, verify=verify)

        def sums(state):
            return state["sum"][shard]["sums"]

        def no_point(state):
            sums(state)[0][1] = bytes(63).hex() + "01"

        def other_point(state):
            sums(state)[0][1] = bytes(bw.Point("bn254", "g1", 1, 2)).hex()

        def no_sums(state):
            sums(state).clear()

        def unchecked(state):
            del sums(state)[1:]

        for alphas in ([], [0], [1, 2], ["1"], [True], "1", None):
            with pytest.raises(cluster.CheckpointError, match="damaged"):
                resumed("full", lambda state: state["secrets"].update(alphas=alphas))
        for change, verify in [(no_point, "none"), (no_sums, "none"), (no_point, "full"), (other_point, "full")]:
            with pytest.raises(cluster.CheckpointError, match=f"sum of shard {shard} is wrong"):
                resumed(verify, change)
        for change in (no_sums, unchecked):
            # A sum without a second sum is computed again.
            found = resumed("full", change)
            assert found.point == expected and found.report.resumed == 0
        for verify in ("none", "full"):
            found = resumed(verify)
            assert found.point == expected and found.report.resumed == 1
    # No digit of the file may change.
    path.write_bytes(kept)
    digits = sums(state_of(path))[0][1].encode()
    path.write_bytes(kept.replace(digits, digits[:-1] + (b"1" if digits[-1:] == b"0" else b"0")))
    with pytest.raises(cluster.CheckpointError, match="digest in its first line"):
        checkpoint.Checkpoint(path)


def test_secrets_stay(three_nodes, tmp_path, caplog):
    one, other = Secrets.new("pair"), Secrets.new("pair")
    assert one.key != other.key and one.alphas != other.alphas
    assert all(0 < alpha < 2**128 for alpha in one.alphas) and len(one.alphas) == 2
    for keep in (pickle.dumps, lambda value: __import__("ray").put(value)):
        with pytest.raises(TypeError, match="secrets stay"):
            keep(one)
        with pytest.raises(TypeError):
            keep(bw._native.Mask("bn254", "g1", 3))
    with pytest.raises(ValueError, match="2 groups: expected 1"):
        Guard("bn254", "g1", one)
    for wrong in (([], bytes(32)), ([True], bytes(32)), ([0], bytes(32)), ([1 << 128], bytes(32)), ([1], bytes(31))):
        with pytest.raises(ValueError):
            Secrets(*wrong)
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    with caplog.at_level(logging.DEBUG):
        with cluster.Bases.put(
            points, curve="bn254", shards=3, num_cpus=1, checkpoint=tmp_path / "state", store=tmp_path
        ) as bases:
            report = bases.msm(scalars, verify="full").report
            secrets = bases._guard.secrets
            told = caplog.text + report.to_json() + report.svg() + repr(bases) + repr(secrets) + repr(bases._guard)
            for alpha in secrets.alphas:
                assert str(alpha) not in told and f"{alpha:x}" not in told
            assert secrets.key.hex() not in told and repr(secrets.key) not in told
            # The warning before the work.
            assert "verify='full' makes second points" in caplog.text and f"{64 * COUNT} bytes" in caplog.text
            # The files that workers read do not contain the secrets.
            written = b"".join(path.read_bytes() for path in tmp_path.glob("second-*"))
            assert secrets.key not in written
            # Each key belongs to its points: not to other points, nor to the same points at another place.
            shards = bases._shards
            keys = {secrets.key_of(shard, 0) for shard in shards}
            assert len(keys) == 3 and secrets.key not in keys
    state = state_of(tmp_path / "state")
    assert state["secrets"]["alphas"] == secrets.alphas
