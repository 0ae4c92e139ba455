"""Torture by lying workers: `tools/cluster.sh lies [--seconds N] [--seed S] [--case K]` (`make torture` runs it).

Every case is a sum over three shards, each of which is lied about twice at most: with other bytes, other types, exceptions, objects
that run where they are unpickled, deaths and delays. The sum has to be right, each lie has to be a fault that names its shard, and
nothing may run in this process. What fails is printed as the line that repeats it.
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
"""Lies about a shard: a third one would be an error."""


class Trap:
    """Makes a file where it is unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return open, (self.marker, "w")


class TrapError(Trap, Exception):
    """An exception that does the same."""


def other_bytes(choose, honest):
    """An honest answer with some bytes changed, left out or put in."""
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
    """A value of some type, with what runs somewhere in it."""
    leaves = [None, True, 7, -1, 2.5, float("nan"), "BWA1", honest, bytearray(honest), Trap(marker), TrapError(marker), object]
    if depth > 2 or choose.random() < 0.5:
        return choose.choice(leaves)
    parts = [other_type(choose, honest, marker, depth + 1) for _ in range(choose.randint(0, 3))]
    return choose.choice([parts, tuple(parts), dict(enumerate(parts)), ValueError(*parts)])


def lie(choose, honest, marker, number):
    """Some lie: what a worker says in place of its answer. Errors of one class are a shard's first lie alone: two that agree on it
    are believed."""
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
"""The folder of the lies, for workers, which get this module by value."""


class Liar(engine.Host):
    """Lies about sums as the case says, after a delay."""

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
    """Runs cases on the cluster of this process, and returns how many they were."""
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
                # What Ray does on the way, it does soon.
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
    """Runs them on a cluster of this machine, which it starts."""
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
