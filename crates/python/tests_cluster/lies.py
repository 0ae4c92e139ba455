"""Torture by lying workers: `tools/cluster.sh lies [--seconds N] [--seed S] [--case K]` (`make torture` runs it).

Every case is a sum over three shards. Workers lie about each shard at most twice: with other bytes, other types,
exceptions, objects that run when they are unpickled, deaths and delays. The sum must be right, each lie must become a
fault that names its shard, and no code of a lie may run in this process. A failure prints the line that repeats it.
"""

import argparse
import os
import pickle
import random
import sys
import tempfile
import time
from pathlib import Path

import bucketwheel as bw
import bucketwheel.cluster as cluster
from bucketwheel.cluster import answers, engine

COUNT = 300
SHARDS = 3
LIES = 2
"""Number of lies about a shard; a third lie would be an error."""


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return open, (self.marker, "w")


class TrapError(Trap, Exception):
    """An exception that makes a file when it is unpickled."""


def other_bytes(choose, honest):
    """Returns an honest answer with some bytes changed, removed or inserted."""
    data = bytearray(honest)
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(data) + 1)
        kind = choose.randrange(5)
        if kind == 0:
            data[at : at + 1] = bytes([choose.randrange(256)])
        elif kind == 1:
            del data[at : at + choose.randint(1, 30)]
        elif kind == 2:
            data[at:at] = choose.randbytes(choose.randint(1, 300))
        elif kind == 3:
            data[at : at + 8] = choose.choice([0, 1, 2**31, 2**63 - 1, 2**64 - 1]).to_bytes(8, "little")
        else:
            data[at:at] = bytes(choose.choice([1, 60_000, 120_000, 5_000_000]))
    return bytes(data)


def other_type(choose, honest, marker, depth=0):
    """Returns a value of some type, with code that runs when it is unpickled."""
    leaves = [None, True, 7, -1, 2.5, float("nan"), "BWA1", honest, bytearray(honest), Trap(marker), TrapError(marker), object]
    if depth > 2 or choose.random() < 0.5:
        return choose.choice(leaves)
    parts = [other_type(choose, honest, marker, depth + 1) for _ in range(choose.randint(0, 3))]
    return choose.choice([parts, tuple(parts), dict(enumerate(parts)), ValueError(*parts)])


def lie(choose, honest, marker, number):
    """Returns a random lie, which a worker sends in place of its answer. Only a shard's first lie may be an error,
    because two errors of the same class are believed."""
    kind = choose.randrange(8)
    if kind == 0:
        raise TrapError(marker)
    if kind == 1:
        raise choose.choice([ValueError, KeyError, OSError, RecursionError, SystemError])(Trap(marker))
    if kind == 2:
        return choose.choice([pickle.dumps(Trap(marker)), choose.randbytes(choose.randrange(400)), b""])
    if kind == 3 and number == 0:
        names = [*answers.CLASSES, "SystemExit", "Exception", "AnswerError"]
        return answers.encode(answers.Failed(choose.choice(names), "\x1b[2J", choose.randrange(1 << 40)))
    if kind == 4:
        os._exit(1)
    if kind == 5:
        return other_type(choose, honest, marker)
    return other_bytes(choose, honest)


PLACE = {}
"""Returns the folder of the lies, for workers, which get this module by value."""


class Liar(engine.Host):
    """Lies about sums as the case states, after a delay."""

    def call(self, method, *arguments):
        honest = super().call(method, *arguments)
        if method != "sum":
            return honest
        folder, shard = Path(PLACE["folder"]), arguments[0].index
        case = (folder / "case").read_text()
        for number in range(LIES):
            choose = random.Random(f"{case} {shard} {number}")
            try:
                (folder / f"told-{case.replace(' ', '-')}-{shard}-{number}").touch(exist_ok=False)
            except FileExistsError:
                continue
            time.sleep(choose.choice([0, 0, 0, 0.1, 1]))
            return lie(choose, honest, PLACE["marker"], number) if choose.random() < 0.7 else honest
        return honest


def run(seconds, seed, only=None, folder=None):
    """Runs cases on the cluster of this process, and returns their number."""
    import ray

    module = sys.modules[__name__]
    ray.cloudpickle.register_pickle_by_value(module)
    host, engine.Host = engine.Host, Liar
    marker = Path(folder) / "marker"
    PLACE.update(folder=str(folder), marker=str(marker))
    (Path(folder) / "case").write_text("first")
    points, scalars = bw.generate(COUNT, curve="bn254")
    expected = bw.Bases(points, curve="bn254").msm(scalars)
    started, case, count = time.monotonic(), only or 0, 0
    try:
        with cluster.Bases.put(points, curve="bn254", shards=SHARDS, workers=SHARDS, num_cpus=0.3) as bases:
            bases.cover()
            while count == 0 or (only is None and time.monotonic() - started < seconds):
                (Path(folder) / "case").write_text(f"{seed} {case}")
                result = bases.msm(scalars, verify=("none", "full")[case % 2], timeout=60)
                assert result.point == expected, "a wrong sum"
                assert all(fault.startswith("shard ") and fault.isprintable() for fault in result.report.faults), result.report.faults
                # Gives Ray the time to act on the lie.
                time.sleep(0.05)
                assert not marker.exists(), "what a worker said has run in the coordinator"
                case, count = case + 1, count + 1
    except Exception as error:
        error.add_note(f"failed; to repeat it: tools/cluster.sh lies --seed {seed} --case {case}")
        raise
    finally:
        engine.Host = host
        ray.cloudpickle.unregister_pickle_by_value(module)
    assert not marker.exists(), "what a worker said has run in the coordinator"
    return count


def main():
    """Runs cases on a cluster on this machine, which it starts."""
    parser = argparse.ArgumentParser(prog="tools/cluster.sh lies")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=time.time_ns() // 1_000_000)
    parser.add_argument("--case", type=int)
    given = parser.parse_args()
    cluster.connect("local")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        count = run(given.seconds, given.seed, given.case, folder)
    print(f"lies {count} cases in {time.monotonic() - started:.0f} s, seed {given.seed}")


if __name__ == "__main__":
    main()
