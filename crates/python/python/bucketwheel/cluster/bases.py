"""Points on many machines, and sums over them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Iterable, Sequence

from .. import _native
from ..bases import Bases as Local
from ..errors import ArgumentError
from ..points import Coordinate, Point, curve_of, parts_of
from ..progress import Progress
from .checkpoint import Checkpoint
from .crew import Crew, sized
from .engine import connect
from .errors import CheckpointError
from .hold import hold
from .job import Job
from .report import Report
from .source import Scalars, Shard, shards_of, total
from .verify import LEVELS, Guard, Secrets

__all__ = ["Bases", "Sum"]

DEVICES = ("cpu", *getattr(_native, "designs", tuple)())
MEMORY_FACTOR = 3
"""Bytes that a worker is believed to need for each byte of points: as they are read, as they are prepared, and to sum."""


@dataclass(frozen=True)
class Sum:
    """A sum, and how it was computed."""

    point: Point
    report: Report

    @property
    def x(self) -> Coordinate:
        """The point's first coordinate."""
        return self.point.x

    @property
    def y(self) -> Coordinate:
        """The point's second coordinate."""
        return self.point.y

    @property
    def infinity(self) -> bool:
        """Whether it is the point at infinity."""
        return self.point.infinity


class Bases:
    """Points of one group, or of both of a curve with a pairing, in shards on the workers of a cluster; :meth:`put` makes them."""

    def __init__(self, crew: Crew, shards: list[Shard], store: str | None, checkpoint: Checkpoint | None) -> None:
        self._crew, self._shards, self._store, self._checkpoint = crew, shards, store, checkpoint
        self._guard: Guard | None = None
        self._covered: list[Shard] = []

    @classmethod
    def put(
        cls,
        points: Any,
        *,
        curve: str | None = None,
        group: str = "g1",
        shards: int | None = None,
        workers: int | None = None,
        num_cpus: float | None = None,
        memory: int | None = None,
        device: str | Sequence[str] = "cpu",
        store: str | PathLike[str] | None = None,
        checkpoint: str | PathLike[str] | None = None,
        address: str | None = None,
        timeout: float | None = None,
    ) -> Bases:
        """Places workers, which read and prepare the points.

        ``points`` are a file by its path, which all nodes have, or by a URL that fsspec reads: of the format ``bucketwheel``, or
        of nothing but integers with ``curve`` and ``group``; or a list of files, one for each shard, of any format of
        docs/formats.md, tables among them; or an array, ``bytes``, or a list of points as :class:`bucketwheel.Bases` takes them,
        which go into Ray's object store. They are believed to be in the prime-order subgroup; what ``verify="full"`` makes of
        them is checked.

        There are ``shards`` of them, some for each of the ``workers``; each worker has ``num_cpus`` cores, as many threads, and
        ``memory`` bytes. By default there is a worker on each node, and on each NUMA node where a machine has several.

        ``device`` is what a worker computes on: ``"cpu"``, or the cycle model of an accelerator, ``"cyclone"``, ``"msmac"`` or
        ``"gypsophila"``, which has the same sums, takes long, and says how many cycles it would take (``report.shards``). Of
        several, workers have one each, in turn.

        ``checkpoint`` is a file, of this process' owner alone, by which another coordinator goes on where this one ended.
        ``store`` is a folder or URL that all nodes read, for what ``verify="full"`` makes; without, it is in Ray's object store,
        and does not outlive the cluster.

        ``address`` is the cluster's, as for :func:`connect`. ``timeout`` is in seconds, for what the workers read and prepare.
        """
        kept = Checkpoint(checkpoint) if checkpoint is not None else None
        connect(address)
        count, cpus = sized(workers, num_cpus)
        parts = shards_of(points, shards, count, curve, group)
        count = min(count, len(parts))
        memory = memory_of(parts, count) if memory is None else memory
        devices = (device,) if isinstance(device, str) else tuple(device)
        if devices and set(devices) != {"cpu"} and not hasattr(_native, "Cards"):
            raise ArgumentError('this build has no simulated cards: expected the feature "cards"')
        unknown = [one for one in devices if one not in DEVICES]
        if unknown or not devices:
            raise ArgumentError(f"device {', '.join(map(repr, unknown)) or '()'}: expected some of {', '.join(DEVICES)}")
        crew = Crew(count, cpus, memory, devices)
        try:
            bases = cls(crew, _of_one_group(hold(crew, parts, timeout)), None if store is None else fspath(store), kept)
            if kept:
                kept.bind(bases._shards)
            return bases
        except BaseException:
            crew.close()
            raise

    def msm(
        self,
        scalars: Any,
        *,
        verify: str = "none",
        sample: float = 0.125,
        progress: Progress | None = None,
        timeout: float | None = None,
    ) -> Sum:
        """The sum of all ``scalars[i] * points[i]``.

        ``scalars`` are what :meth:`bucketwheel.Bases.msm` takes, a URL of a scalars file, or an iterator of such, which give them
        in parts. They are read as workers get to them. ``progress`` is told of points; what it raises, and Control-C, stops
        the workers. ``timeout`` is in seconds.

        ``verify`` is ``"none"``; ``"sample"``: so large a share of the shards (``sample``), at least one, is computed by two
        workers; or ``"full"``: each shard's sum is checked by a second set of points, which is made the first time and takes
        as long as some tens of sums (:meth:`cover`). A worker that gives a wrong answer is started again and its shard given to
        another one; ``report.faults`` names it.
        """
        sums = self._sums(scalars, verify, sample, progress, timeout)
        if len(sums) != 1:
            raise ArgumentError("msm has one sum: expected points of one group; these are a pair, for msm_pair")
        return sums[0]

    def msm_many(self, scalars: Iterable[Any], *, verify: str = "none", sample: float = 0.125) -> list[Sum]:
        """The sums of many vectors of scalars, in their order; each is as :meth:`msm` takes it."""
        return [self.msm(vector, verify=verify, sample=sample) for vector in scalars]

    def msm_pair(
        self,
        scalars: Any,
        *,
        verify: str = "none",
        sample: float = 0.125,
        progress: Progress | None = None,
        timeout: float | None = None,
    ) -> tuple[Sum, Sum]:
        """The sums in G1 and G2 with the same scalars, of points with ``group="pair"``; both have the same report."""
        if self.group != "pair":
            raise ArgumentError(f"msm_pair has two sums: expected points of a pair; these are of {self.group}, for msm")
        first, second = self._sums(scalars, verify, sample, progress, timeout)
        return first, second

    def cover(self, progress: Progress | None = None) -> None:
        """Makes the second set of points that ``verify="full"`` takes, unless it is there. How long it takes, and how many bytes, is
        told by a warning of the logger ``bucketwheel.cluster`` first; ``progress`` is told of points."""
        if self._guard is not None:
            return
        if any(shard.is_file for shard in self._shards):
            raise ArgumentError('verify="full" takes points as integers: expected one file, not a list of them')
        kept = self._checkpoint
        secrets = (kept.secrets() if kept else None) or Secrets.new(self.group)
        try:
            guard = Guard(self.curve, self.group, secrets)
        except ValueError as error:
            raise CheckpointError(f"the checkpoint is damaged: {error}; delete it") from None
        second = kept.second(self._shards) if kept else None
        if second is not None:
            self._covered = [replace(shard, masked=parts) for shard, parts in zip(self._shards, second, strict=True)]
        else:
            self._covered = guard.cover(self._shards, self._store, progress)
        self._guard = guard
        if kept and second is None:
            kept.keep(secrets, None if self._store is None else self._covered)

    def _sums(
        self, scalars: Any, verify: str, sample: float, progress: Progress | None, timeout: float | None
    ) -> Sequence[Sum]:
        if verify not in LEVELS:
            raise ArgumentError(f"verify={verify!r}: expected one of {', '.join(LEVELS)}")
        sampled = 0
        if verify == "sample":
            if len(self._crew.workers) < 2:
                raise ArgumentError('verify="sample" compares two workers: expected at least two')
            if not 0 < sample <= 1:
                raise ArgumentError(f"sample={sample}: expected a share above 0 and up to 1")
            sampled = max(1, round(sample * len(self._shards)))
        if verify == "full":
            self.cover()
        guard = self._guard if verify == "full" else None
        report = Report(len(self), verify, time.time())
        shards = self._covered if guard else self._shards
        job = Job(self._crew, shards, Scalars(scalars, self.curve), guard, sampled, self._checkpoint, report, progress, timeout)
        found = job.run()
        points = [added([dict(sums)[part] for sums in found], self.curve, part) for part in parts_of(self.group)]
        if self._checkpoint:
            self._checkpoint.clear()
        report.seconds = time.time() - report.started
        return [Sum(point, report) for point in points]

    def close(self) -> None:
        """Ends the workers."""
        self._crew.close()

    def __enter__(self) -> Bases:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def curve(self) -> str:
        """The curve's name."""
        return self._shards[0].curve

    @property
    def group(self) -> str:
        """The group's name: ``g1``, ``g2`` or ``pair``."""
        return self._shards[0].group

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return len(self._shards)

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return len(self._crew.workers)

    def __len__(self) -> int:
        """How many points; of a pair, in each group."""
        return total(self._shards)

    def __repr__(self) -> str:
        return f"<bucketwheel.cluster.Bases: {len(self)} {self.curve} {self.group} points, {self.shards} shards, {self.workers} workers>"


def memory_of(shards: Sequence[Shard], workers: int) -> int:
    """The bytes that each worker is believed to need."""
    return MEMORY_FACTOR * sum(shard.bytes for shard in shards) // workers


def _of_one_group(found: list[Shard]) -> list[Shard]:
    """The same shards, an error if some are of other groups than the others."""
    names = {(shard.curve, shard.group) for shard in found}
    if len(names) != 1:
        kinds = ", ".join(" ".join(name) for name in sorted(names))
        raise ArgumentError(f"shards of {kinds}: expected points of one group in all")
    return found


def added(points: Sequence[bytes], curve: str, part: str) -> Point:
    """The sum of some points."""
    return Local(b"".join(points), curve=curve_of(curve).name, group=parts_of(part)[0]).msm([1] * len(points))
