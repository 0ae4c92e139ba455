"""Workers that send anything: no code of a lie runs in the coordinator, and each lie is named while another worker does
the work."""

import ast
import os
import pickle
import struct
import sys
import time
from pathlib import Path

import lies as lies_torture
import numpy as np
import pytest
import ray
from conftest import points_of, scalars_of

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import answers, crew, engine
from bucketwheel.cluster import farm as cluster_farm

COUNT = 600
PACKAGE = Path(cluster.__file__).parent
FILES = Path(__file__).parents[3] / "crates" / "snarkjs" / "tests" / "data" / "bn254"


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return open, (self.marker, "w")


class TrapError(Exception):
    """An exception that makes a file when it is unpickled."""

    def __init__(self, marker):
        super().__init__("nothing to see")
        self.marker = marker

    def __reduce__(self):
        return open, (self.marker, "w")


def throw(error):
    raise error


def failure(name):
    """Returns the answer of a task that failed with an error of some class."""
    return answers.encode(answers.Failed(name, "\x1b[2Jwhat a pity", 7))


def spoiled(honest, change):
    """Returns an honest answer with a field changed."""
    found = answers.decode(honest, answers.Answer)
    return answers.encode(answers.Answer(**{**vars(found), **change}))


LIES = {
    "an object that runs": lambda honest, marker: Trap(marker),
    "an exception that runs": lambda honest, marker: throw(TrapError(marker)),
    "an exception of one that runs": lambda honest, marker: throw(ValueError(Trap(marker))),
    "a pickle": lambda honest, marker: pickle.dumps(Trap(marker)),
    "a list of what runs": lambda honest, marker: [honest, Trap(marker)],
    "a reference": lambda honest, marker: ray.put(Trap(marker)),
    "a cancelled task": lambda honest, marker: throw(ray.exceptions.TaskCancelledError()),
    "a dead actor": lambda honest, marker: throw(ray.exceptions.RayActorError()),
    "nothing": lambda honest, marker: None,
    "a number": lambda honest, marker: 7,
    "a text": lambda honest, marker: "BWA1",
    "an array": lambda honest, marker: np.frombuffer(honest, dtype=np.uint8),
    "no bytes": lambda honest, marker: b"",
    "random bytes": lambda honest, marker: os.urandom(300),
    "less": lambda honest, marker: honest[:-1],
    "more": lambda honest, marker: honest + b"\0",
    "much": lambda honest, marker: bytes(99_000),
    "very much": lambda honest, marker: honest + bytes(30 << 20),
    "another kind": lambda honest, marker: answers.encode(answers.Done()),
    "a proof": lambda honest, marker: answers.encode(answers.Proved(1, error="no")),
    "no sums": lambda honest, marker: spoiled(honest, {"sums": ()}),
    "a sum of another group": lambda honest, marker: spoiled(honest, {"sums": (("g2", bytes(128)),)}),
    "a group of nobody": lambda honest, marker: spoiled(honest, {"sums": (("../../x", bytes(64)),)}),
    "a short sum": lambda honest, marker: spoiled(honest, {"sums": (("g1", bytes(63)),)}),
    "no point": lambda honest, marker: spoiled(honest, {"sums": (("g1", bytes(63) + b"\1"),)}),
    "no coordinates": lambda honest, marker: spoiled(honest, {"sums": (("g1", b"\xff" * 64),)}),
    "a node of nobody": lambda honest, marker: spoiled(honest, {"node": "\x1b[2J"}),
    "no time": lambda honest, marker: spoiled(honest, {"seconds": float("nan")}),
    "a time before": lambda honest, marker: spoiled(honest, {"load_seconds": -1.0}),
    "an error of no class": lambda honest, marker: failure("SystemExit"),
    "an error that is none": lambda honest, marker: failure("ScalarError"),
}


class Liar(engine.Host):
    """Lies about a method of shard 1, as a file says; once."""

    def call(self, method, *arguments):
        honest = super().call(method, *arguments)
        asked, marker, flag = PLACES["method"], PLACES["marker"], PLACES["flag"]
        if method != asked or (arguments and getattr(arguments[0], "index", 1) != 1):
            return honest
        try:
            lie = Path(flag).read_text()
            os.unlink(flag)
        except FileNotFoundError:
            return honest
        return LIES[lie](honest, marker)


PLACES = {}
"""Returns the folder of the files, for workers, which get this module by value."""


@pytest.fixture
def lies(three_nodes, monkeypatch, by_value, tmp_path):
    """Makes workers lie: a function returns the next lie about a method."""
    flag, marker = tmp_path / "lie", tmp_path / "marker"
    PLACES.update(method="sum", marker=str(marker), flag=str(flag))
    by_value(sys.modules[__name__])
    monkeypatch.setattr(engine, "Host", Liar)
    yield flag.write_text
    time.sleep(0.5)
    assert not marker.exists()
    assert not flag.exists(), "a lie that nobody told"


def test_traps_work(tmp_path):
    for trap in (Trap(str(tmp_path / "one")), TrapError(str(tmp_path / "two"))):
        pickle.loads(pickle.dumps(trap)).close()
        assert Path(trap.marker).exists()


@pytest.mark.parametrize("verify", ["none", "full"])
def test_lies_are_named_and_done_elsewhere(lies, verify, monkeypatch):
    # A new process for each lie would take a minute; the same process tells the next lie.
    monkeypatch.setattr(crew.Crew, "restart", lambda self, worker: None)
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    with cluster.Bases.put(points, curve="bn254", shards=3, num_cpus=1) as bases:
        bases.msm(scalars, verify=verify)
        for lie in LIES:
            lies(lie)
            result = bases.msm(scalars, verify=verify, timeout=60)
            assert result.point == expected, lie
            (fault,) = result.report.faults
            assert fault.startswith("shard 1, worker ") and fault.isprintable(), (lie, fault)
            print(f"{lie}: {fault}")


def test_lies_of_what_is_held(lies, caplog):
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    PLACES["method"] = "hold"
    for lie in ("an exception that runs", "another kind", "an error that is none"):
        lies(lie)
        caplog.clear()
        with cluster.Bases.put(points, curve="bn254", shards=3, num_cpus=1, timeout=60) as bases:
            assert bases.msm(scalars).point == expected, lie
        assert "shard 1, worker " in caplog.text, lie


def test_lies_of_where_workers_are(lies):
    PLACES["method"] = "where"
    for lie in ("an object that runs", "nothing"):
        lies(lie)
        with pytest.raises(cluster.PlacementError, match="does not say where it is"):
            cluster.Bases.put(points_of(8), curve="bn254", shards=3, num_cpus=1)


def test_lies_about_proofs(lies):
    witness = (FILES / "power.wtns").read_bytes()
    PLACES["method"] = "prove"
    with cluster.Farm(FILES / "power.zkey") as farm:
        for lie in ("an object that runs", "an exception that runs", "nothing", "a proof", "less", "very much", "another kind"):
            lies(lie)
            (result,) = farm.map([witness])
            assert bw.groth16.verify(FILES / "verification_key.json", result.public, result.proof), lie
            assert farm.faults.pop().startswith("input 0, worker "), lie


def test_answers_that_nobody_reads(lies, tmp_path):
    """Ray unpickles exceptions that nobody reads, to print them."""
    PLACES["method"] = "echo"
    with cluster.Bases.put(points_of(8), curve="bn254", shards=2, num_cpus=1, workers=2) as bases:
        for lie in ("an exception that runs", "an exception of one that runs"):
            lies(lie)
            # Nothing refers to the task when it is done.
            engine.call(bases._crew.workers[0], "echo")
            end = time.monotonic() + 20
            while Path(PLACES["flag"]).exists() and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.5)
            assert not Path(PLACES["marker"]).exists()


def test_descriptions_of_other_memories_are_not_unpickled(three_nodes, tmp_path):
    cluster.connect()
    with pytest.raises(answers.AnswerError, match="sent a pickle"):
        engine._raylet.ray_pickle.loads(pickle.dumps(Trap(str(tmp_path / "marker"))))
    assert not (tmp_path / "marker").exists()


class Silent(engine.Host):
    """Does not answer while a file exists: one process of shard 1, or all processes."""

    def call(self, method, *arguments):
        honest = super().call(method, *arguments)
        if method == PLACES["method"] and (PLACES["all"] or (arguments[0].index == 1 and is_first())):
            while Path(PLACES["flag"]).exists() and not engine.is_cancelled():
                time.sleep(0.05)
        return honest


def is_first():
    """Returns true for the first process that asks."""
    try:
        Path(PLACES["flag"] + ".taken").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def test_silence(three_nodes, monkeypatch, by_value, tmp_path):
    """A worker that sends nothing is late; if no worker answers, the deadline holds."""
    flag = tmp_path / "flag"
    by_value(sys.modules[__name__])
    monkeypatch.setattr(engine, "Host", Silent)
    points, scalars = points_of(COUNT), scalars_of(COUNT)
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    flag.touch()
    PLACES.update(method="hold", flag=str(flag), all=False)
    with cluster.Bases.put(points, curve="bn254", shards=3, num_cpus=1, timeout=30) as bases:
        flag.unlink()
        assert bases.msm(scalars, timeout=30).point == expected
    flag.touch()
    PLACES["all"] = True
    with pytest.raises(cluster.TimeoutError, match="shards 0, 1, 2 of 3"):
        cluster.Bases.put(points, curve="bn254", shards=3, num_cpus=1, timeout=1)


def test_a_liar_that_nothing_helps(three_nodes, monkeypatch, by_value):
    class Always(engine.Host):
        def call(self, method, *arguments):
            return None if method == "sum" else super().call(method, *arguments)

    by_value(sys.modules[__name__])
    monkeypatch.setattr(engine, "Host", Always)
    points, scalars = points_of(8), scalars_of(8)
    with cluster.Bases.put(points, curve="bn254", shards=3, num_cpus=1) as bases:
        with pytest.raises(cluster.IntegrityError, match="3 answers were wrong"):
            bases.msm(scalars, timeout=60)


def test_the_reader_takes_what_is_written_and_nothing_else():
    points = {"pi_a": ["1", "2", "3"], "pi_b": [["1", "2"]] * 3, "pi_c": ["4"] * 3}
    proof = cluster_farm.Proved(3, {**points, "protocol": "groth16", "curve": "bn128"}, ["5"])
    all_kinds = [
        answers.Done(),
        answers.Failed("ScalarError", "no", 3),
        answers.Failed("OSError", "n\u00e4", None),
        answers.Place("0a" * 28, 4),
        answers.Place("worker-7", 4),
        answers.Memory(1, 2),
        answers.Held(3, "bn254", "pair", ("ab" * 32, "cd" * 32)),
        answers.Answer((("g1", bytes(64)), ("g1", b"\1" * 64)), "ff", 3, 1.5, 0.0, 2.25, 9),
        answers.Answer((("g1", bytes(64)),), "ff", 3, 1.5, 0.0, 2.25, scalars="0f" * 32),
        answers.Answer((("g1", bytes(64)),), "ff", 3, 1.5, 0.0, 2.25, points=("0f" * 32, "1e" * 32)),
        proof,
        answers.Proved(3, error="no proof"),
    ]
    random = np.random.default_rng(5)
    for answer in all_kinds:
        data = answers.encode(answer)
        assert answers.decode(data, type(answer)) == answer
        for cut in range(len(data)):
            with pytest.raises(answers.AnswerError):
                answers.decode(data[:cut], type(answer))
        for _ in range(300):
            spoiled = bytearray(data)
            for _ in range(random.integers(1, 4)):
                spoiled[random.integers(len(spoiled))] = random.integers(256)
            try:
                answers.decode(bytes(spoiled), type(answer))
            except answers.AnswerError as error:
                assert str(error).isprintable()
    count = struct.pack("<Q", (1 << 63) - 1)
    for bytes_behind in (b"", count * 100):
        with pytest.raises(answers.AnswerError):
            answers.decode(answers.MAGIC + bytes([answers.Answer.KIND]) + count + bytes_behind, answers.Answer)


def test_ray_is_reached_through_one_file():
    for path in PACKAGE.glob("*.py"):
        imported = {
            name.split(".")[0]
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", 0)
            for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        }
        assert ("ray" in imported) == (path.name == "engine.py"), path
        assert "ray.get(" not in path.read_text(), path


def test_some_seconds_of_torture(three_nodes, tmp_path):
    """Runs from the same seed each time; `make torture` runs for a minute from another seed."""
    count = lies_torture.run(5, 1, folder=tmp_path)
    print(f"{count} cases")
    assert count > 0
