"""One proof over many nodes."""

import dataclasses
import json
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from chain import make_key

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import shard as cluster_shard

CRATES = Path(__file__).parents[2]
MEMBERS = CRATES / "cli/data/members"
"""A circuit of 2661 signals; a ceremony of snarkjs made its key."""
POWER = {curve: CRATES / "snarkjs/tests/data" / curve for curve in ("bn254", "bls12-381")}


@pytest.fixture
def worker(monkeypatch, by_value):
    """Makes clusters work with another class."""
    by_value(sys.modules[__name__])
    return lambda kind: monkeypatch.setattr("bucketwheel.cluster.crew.Worker", kind)


@pytest.mark.parametrize("curve", list(POWER))
@pytest.mark.parametrize("hold", [True, False])
def test_proofs_hold(three_nodes, curve, hold):
    files = POWER[curve]
    with cluster.Prover(files / "power.zkey", hold=hold, shards=3, num_cpus=1) as prover:
        for wtns in (files / "power.wtns", (files / "power.wtns").read_bytes()):
            found = prover.prove(wtns)
            assert bw.groth16.verify(files / "verification_key.json", found.public, found.proof)
            assert found.public == json.loads((files / "public.json").read_text())
        other = POWER["bls12-381" if curve == "bn254" else "bn254"]
        with pytest.raises(bw.FormatError):
            prover.prove(other / "power.wtns")
        # The prover still works after an error.
        assert prover.prove(files / "power.wtns").proof != found.proof
    with pytest.raises(bw.ArgumentError, match="a path that every node has"):
        cluster.Prover((files / "power.zkey").read_bytes())
    with pytest.raises(bw.FormatError):
        cluster.Prover(files / "power.wtns")


class Bounded(cluster_shard.Worker):
    """Refuses to hold more than some bytes of points."""

    def sum(self, shard, scalars, keep):
        found = super().sum(shard, scalars, keep)
        held = sum(one.bytes for one, _ in self._held.values())
        if held > MOST:
            raise MemoryError(f"{held} bytes")
        return found


MOST = 0


@pytest.mark.parametrize("hold", [True, False])
def test_no_worker_holds_the_key(three_nodes, worker, tmp_path, monkeypatch, hold):
    """2^12 rows, whose key has 1.9 MB: a worker holds a third of its points, or a shard."""
    make_key(12, tmp_path)
    key = tmp_path / "circuit.zkey"
    shards = 16
    most = key.stat().st_size // 3 if hold else (192 << 12) // shards
    for bound in (most, most // 2):
        monkeypatch.setattr(sys.modules[__name__], "MOST", bound)
        worker(Bounded)
        with cluster.Prover(key, hold=hold, shards=shards, num_cpus=1) as prover:
            if bound < most:
                # The bound is close.
                with pytest.raises(MemoryError, match="bytes"):
                    prover.prove(tmp_path / "witness.wtns")
            else:
                found = prover.prove(tmp_path / "witness.wtns")
                assert bw.groth16.verify(tmp_path / "verification_key.json", found.public, found.proof)


class Slow(cluster_shard.Worker):
    """Takes long enough to be killed meanwhile."""

    def sum(self, shard, scalars, keep):
        threading.Event().wait(0.3)
        return super().sum(shard, scalars, keep)


def test_a_worker_is_killed(three_nodes, worker):
    worker(Slow)
    with cluster.Prover(MEMBERS / "circuit.zkey", num_cpus=1) as prover:
        timer = threading.Timer(0.5, os.kill, (prover._crew.pid[1], signal.SIGKILL))
        timer.start()
        found = prover.prove(MEMBERS / "witness.wtns")
        timer.join()
        assert found.report.restarts == 1 or found.report.duplicates > 0
        assert bw.groth16.verify(MEMBERS / "verification_key.json", found.public, found.proof)


class Liar(cluster_shard.Worker):
    """Returns infinity for a shard of A."""

    def sum(self, shard, scalars, keep):
        answer = super().sum(shard, scalars, keep)
        if shard.index != 1:
            return answer
        return dataclasses.replace(answer, sums=tuple((part, bytes(len(data))) for part, data in answer.sums))


def test_a_wrong_sum_makes_no_proof(three_nodes, worker):
    worker(Liar)
    with cluster.Prover(MEMBERS / "circuit.zkey", num_cpus=1) as prover:
        with pytest.raises(bw.Error, match="does not satisfy"):
            prover.prove(MEMBERS / "witness.wtns")
