"""One proof over many nodes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Iterator

from .. import groth16
from ..errors import ArgumentError
from ..points import curve_of, elements, parts_of
from ..progress import Progress
from .bases import added, memory_of
from .crew import Crew, sized
from .engine import connect
from .hold import hold
from .job import Job
from .report import Report
from .source import BLOCK, Range, Scalars, Shard, is_path, is_url, total

__all__ = ["Proof", "Prover"]

CURVES = {"bn128": "bn254", "bls12381": "bls12-381"}
"""Curves by their names in snarkjs' files."""
SECTIONS = {"A": (5,), "B": (6, 7), "C": (8,), "H": (9,)}
"""The sections of a key that have the points of each sum; those of B are of both groups."""


@dataclass(frozen=True)
class Proof:
    """A proof, and how its sums were computed."""

    proof: dict[str, Any]
    public: list[str]
    report: Report


class Prover:
    """A proving key in shards on the workers of a cluster, for proofs whose key is more than a node holds.

    ``zkey`` is a path that all nodes have. Workers have its points A, B, C and H; what is left of it, the constraints, is read here,
    from the file, and so is the quotient computed here, while the workers sum over A, B and C. Shards, workers and what becomes of
    those that are lost are as for :meth:`Bases.put`.
    """

    def __init__(
        self,
        zkey: str | PathLike[str],
        *,
        shards: int | None = None,
        workers: int | None = None,
        num_cpus: float | None = None,
        memory: int | None = None,
        address: str | None = None,
        timeout: float | None = None,
    ) -> None:
        if not is_path(zkey) or is_url(fspath(zkey)):
            raise ArgumentError("a key over many nodes: expected a path that every node has")
        self._prover = groth16.Prover(zkey)
        self._curve = CURVES[self._prover.curve]
        connect(address)
        count, cpus = sized(workers, num_cpus)
        self._names, parts = _shards(fspath(zkey), self._curve, shards, count)
        count = min(count, len(parts))
        self._crew = Crew(count, cpus, memory_of(parts, count) if memory is None else memory, ("cpu",))
        try:
            self._shards = hold(self._crew, parts, timeout)
        except BaseException:
            self._crew.close()
            raise

    def prove(self, wtns: Any, *, progress: Progress | None = None, timeout: float | None = None) -> Proof:
        """The proof for a witness, a ``.wtns`` file by its path or as bytes. It is verified: where a worker's sum was wrong, there is
        none. ``progress`` is told of points; what it raises, and Control-C, stops the workers. ``timeout`` is in seconds."""
        report = Report(total(self._shards), "none", time.time())
        scalars = Scalars(self._scalars(wtns), self._curve)
        job = Job(self._crew, self._shards, scalars, None, 0, None, report, progress, timeout)
        found = list(zip(self._names, map(dict, job.run())))
        sums = [
            bytes(added([sum[part] for name, sum in found if name == section], self._curve, part))
            for section in SECTIONS
            for part in parts_of("pair" if section == "B" else "g1")
        ]
        proof, public = self._prover.prove_from(wtns, sums)
        report.seconds = time.time() - report.started
        return Proof(proof, public, report)

    def _scalars(self, wtns: Any) -> Iterator[bytes]:
        """The scalars of all shards, in their order: the quotient is computed when it is their turn."""
        witness = self._prover.scalars(wtns)
        yield witness
        yield witness
        yield witness[(self._prover.public + 1) * curve_of(self._curve).scalar_bytes :]
        del witness
        yield self._prover.scalars(wtns, quotient=True)

    def close(self) -> None:
        """Ends the workers."""
        self._crew.close()

    def __enter__(self) -> Prover:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _shards(place: str, curve: str, shards: int | None, workers: int) -> tuple[list[str], list[Shard]]:
    """The shards of all sections, and whose each is. ``shards`` are those of each section."""
    found = _sections(place)
    width = curve_of(curve).field_bytes * elements("g1")
    names: list[str] = []
    parts: list[Shard] = []
    for name, numbers in SECTIONS.items():
        group = "pair" if len(numbers) == 2 else "g1"
        count = found[numbers[0]][1] // width
        pieces = shards or workers * max(1, -(-count // (workers * BLOCK)))
        if pieces < 1:
            raise ArgumentError(f"{pieces} shards: expected at least 1")
        for first, end in pairwise(count * index // pieces for index in range(pieces + 1)):
            ranges = tuple(
                Range(place, found[number][0] + first * bytes_each, (end - first) * bytes_each)
                for number, bytes_each in zip(numbers, (width, 2 * width))
            )
            names.append(name)
            parts.append(Shard(len(parts), first, end - first, curve, group, ranges, form="montgomery"))
    return names, parts


def _sections(place: str) -> dict[int, tuple[int, int]]:
    """Where the sections of a key, which was checked, start, and their bytes."""
    found = {}
    with open(place, "rb") as file:
        count = int.from_bytes(file.read(12)[8:], "little")
        at = 12
        for _ in range(count):
            file.seek(at)
            head = file.read(12)
            size = int.from_bytes(head[4:], "little")
            found[int.from_bytes(head[:4], "little")] = at + len(head), size
            at += len(head) + size
    return found
