"""Many proofs, with some inputs that have no proof."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest
from conftest import STORE, remove

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import farm as cluster_farm

FILES = Path(__file__).parents[3] / "crates" / "snarkjs" / "tests" / "data" / "bn254"
MEMBERS = Path(__file__).parents[3] / "target" / "circuits" / "members"


def holds(result, key=None):
    return bw.groth16.verify(key or FILES / "verification_key.json", result.public, result.proof)


@pytest.mark.parametrize("ordered", [True, False])
def test_proofs_and_what_is_set_aside(three_nodes, ordered):
    witness = (FILES / "power.wtns").read_bytes()
    public = json.loads((FILES / "public.json").read_text())
    poison = witness[:-1] + bytes([witness[-1] ^ 1])
    inputs = [FILES / "power.wtns", witness, b"no witness", witness, poison, *[witness] * 7]
    with cluster.Farm(FILES / "power.zkey") as farm:
        results = list(farm.map(iter(inputs), ordered=ordered))
    assert sorted(result.index for result in results) == list(range(len(inputs)))
    if ordered:
        assert [result.index for result in results] == list(range(len(inputs)))
    for result in results:
        if result.index in (2, 4):
            assert result.proof is None and result.public is None
            assert ("FormatError" if result.index == 2 else "WitnessError") in result.error
        else:
            assert result.error is None and result.public == public and holds(result)


def test_inputs_are_asked_for_as_there_is_room(three_nodes):
    witness, asked = (FILES / "power.wtns").read_bytes(), []

    def inputs():
        for number in range(1000):
            asked.append(number)
            yield witness

    with cluster.Farm((FILES / "power.zkey").read_bytes(), concurrency=1) as farm:
        results = farm.map(inputs())
        assert all(holds(next(results)) for _ in range(5))
        # Two inputs for each of the three workers.
        assert len(asked) <= 5 + 6
        results.close()
        assert holds(next(farm.map([witness])))


class Fragile(cluster_farm.Prover):
    """Ends its process if an input says so: always, or once."""

    def prove(self, index, value):
        if value == b"end":
            os._exit(1)
        if isinstance(value, dict):
            if os.path.exists(value["flag"]):
                os.unlink(value["flag"])
                os._exit(1)
            value = value["witness"]
        return super().prove(index, value)


def test_workers_that_die(three_nodes, monkeypatch, by_value, tmp_path):
    by_value(sys.modules[__name__])
    monkeypatch.setattr(cluster_farm, "Prover", Fragile)
    witness, flag = (FILES / "power.wtns").read_bytes(), tmp_path / "flag"
    flag.touch()
    with cluster.Farm(FILES / "power.zkey", concurrency=1) as farm:
        results = list(farm.map([witness, {"flag": str(flag), "witness": witness}, b"end", witness]))
    assert [result.error is None for result in results] == [True, True, False, True]
    assert "ended each of 4 times" in results[2].error


class Slow(cluster_farm.Prover):
    """Takes long enough for its node to be killed meanwhile."""

    def prove(self, index, value):
        time.sleep(0.5)
        return super().prove(index, value)


def test_a_node_is_killed(three_nodes, monkeypatch, by_value):
    by_value(sys.modules[__name__])
    monkeypatch.setattr(cluster_farm, "Prover", Slow)
    witness = (FILES / "power.wtns").read_bytes()
    node = three_nodes.add_node(num_cpus=1, object_store_memory=STORE)
    with cluster.Farm(FILES / "power.zkey", concurrency=1) as farm:
        results = farm.map([witness] * 16)
        first = next(results)
        os.kill(node.all_processes["raylet"][0].process.pid, signal.SIGKILL)
        assert all(holds(result) for result in [first, *results])
    remove(three_nodes, node)


@pytest.mark.skipif(not (MEMBERS / "circuit.wasm").exists(), reason="tools/circuits.sh makes the circuit")
def test_witnesses_are_calculated(three_nodes, tmp_path):
    inputs, key = (
        json.loads((MEMBERS / "input.json").read_text()),
        bw.groth16.setup(MEMBERS / "circuit.r1cs", tmp_path / "zkey"),
    )
    with cluster.Farm(tmp_path / "zkey", wasm=MEMBERS / "circuit.wasm") as farm:
        results = list(farm.map([inputs, {**inputs, "nobody": 1}, MEMBERS / "input.json"]))
    assert [result.error is None for result in results] == [True, False, True]
    assert "WitnessError" in results[1].error
    assert holds(results[0], key) and holds(results[2], key)
