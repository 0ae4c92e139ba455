"""One proof over many nodes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Iterator

from .. import _native, groth16
from ..errors import ArgumentError
from ..points import curve_of, parts_of
from ..progress import Progress
from .bases import added, memory_of
from .crew import Crew, sized
from .engine import connect
from .hold import hold as held
from .job import Job
from .report import Report
from .source import BLOCK, Range, Scalars, Shard, is_path, is_url, total

__all__ = ["Proof", "Prover"]

SECTIONS = {"A": (5,), "B": (6, 7), "C": (8,), "H": (9,)}
"""The sections of a key with the points of each sum; the sections of B are in both groups."""


@dataclass(frozen=True)
class Proof:
    """A proof, and the report of its sums."""

    proof: dict[str, Any]
    public: list[str]
    report: Report


class Prover:
    """A proving key in shards on the workers of a cluster, for proofs whose key exceeds the memory of a node.

    ``zkey`` is a path that all nodes have. Workers hold the key's points A, B, C and H, in about twice their bytes. With
    ``hold=False``, a worker reads a shard for each sum instead, and holds one shard at a time. This process reads the
    constraints from the file, and computes the quotient while the workers sum over A, B and C. Shards, workers and the
    treatment of lost workers are as for :meth:`Bases.put`.
    """

    def __init__(
        self,
        zkey: str | PathLike[str],
        *,
        hold: bool = True,
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
        self._curve = self._prover.curve_name
        connect(address)
        count, cpus = sized(workers, num_cpus)
        self._names, parts = _shards(fspath(zkey), self._curve, shards, count)
        count = min(count, len(parts))
        if memory is None:
            memory = memory_of(parts, count) if hold else max(memory_of([part], 1) for part in parts)
        self._crew = Crew(count, cpus, memory, holds=hold)
        try:
            self._shards = held(self._crew, parts, timeout) if hold else parts
        except BaseException:
            self._crew.close()
            raise

    def prove(self, wtns: Any, *, progress: Progress | None = None, timeout: float | None = None) -> Proof:
        """Returns the proof for a witness, a ``.wtns`` file by its path or as bytes. Verifies the proof: if a worker's
        sum was wrong, the call raises an error. ``progress`` is called with numbers of points; an exception in it, and
        Control-C, stop the workers. ``timeout`` is in seconds."""
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

    def _scalars(self, wtns: Any) -> Iterator[bytes | memoryview]:
        """Yields the scalars of all shards, in order. Computes the quotient when its shards come."""
        witness = memoryview(self._prover.scalars(wtns))
        yield witness
        yield witness
        # No copy, because a witness may be large.
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
    """Returns the shards of all sections, and the section of each shard. ``shards`` is the number of shards of each
    section."""
    found = _native.key_sections(place)
    width = curve_of(curve).point_bytes("g1")
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
