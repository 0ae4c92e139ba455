"""Points on many machines, and sums over these points."""

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
from .named import NamedPoints, NamedScalars
from .report import Report
from .shard import NAMED_BYTES
from .source import Scalars, Shard, shards_of, total
from .verify import LEVELS, Guard, Secrets

__all__ = ["Bases", "Sum"]

DEVICES = ("cpu", *getattr(_native, "designs", tuple)())
MEMORY_FACTOR = 3
"""Estimated bytes that a worker needs for each byte of points: to read them, to prepare them, and to sum."""


@dataclass(frozen=True)
class Sum:
    """A sum, and the report of its computation."""

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
        """True if it is the point at infinity."""
        return self.point.infinity


class Bases:
    """Points of one group, or of both groups of a curve with a pairing, in shards on the workers of a cluster. Make
    them with :meth:`put`."""

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
        """Starts workers, which read and prepare the points unless they are named.

        ``points`` may be a file: its path, which all nodes must have, or a URL that fsspec reads. The file has the
        format ``bucketwheel``, or it holds only integers, and you pass ``curve`` and ``group``. ``points`` may also be
        a list of files, one for each shard, of any format of docs/formats.md, tables included. Finally, it may be an
        array, ``bytes``, or a list of points in a form that :class:`bucketwheel.Bases` accepts; Ray's object store then
        holds the points. You vouch that the points are in the prime-order subgroup; the second points of
        ``verify="full"`` are checked. Workers hold all of these points. :class:`NamedPoints` are read anew for each sum
        instead, so there may be more points than memory.

        ``shards`` is the number of shards, which the ``workers`` share; each worker has ``num_cpus`` cores, the same
        number of threads, and ``memory`` bytes. By default there is a worker on each node, and on each NUMA node of a
        machine with several.

        ``device`` is the device that a worker computes on: ``"cpu"``, or the cycle model of an accelerator,
        ``"cyclone"``, ``"msmac"``, ``"gypsophila"`` or ``"reclaimer"``. A model computes the same sums, takes long, and
        reports the number of cycles of the accelerator (``report.shards``). If you pass several devices, the workers get
        one each, in turn.

        ``checkpoint`` is a file that only the owner of this process may read. With it, another coordinator continues
        where this coordinator ended. ``store`` is a folder or URL that all nodes can read, for the second points of
        ``verify="full"``. Without it, Ray's object store holds the second points, which then end with the cluster. Named
        points need it.

        ``address`` is the cluster's, as for :func:`connect`. ``timeout`` is in seconds, and bounds the time in which
        the workers read and prepare.
        """
        kept = Checkpoint(checkpoint) if checkpoint is not None else None
        connect(address)
        count, cpus = sized(workers, num_cpus)
        is_named = isinstance(points, NamedPoints)
        parts = points.shards(shards, count, curve, group) if is_named else shards_of(points, shards, count, curve, group)
        count = min(count, len(parts))
        if memory is None:
            memory = NAMED_BYTES if is_named else memory_of(parts, count)
        devices = (device,) if isinstance(device, str) else tuple(device)
        if devices and set(devices) != {"cpu"} and not hasattr(_native, "Cards"):
            raise ArgumentError('this build has no simulated cards: expected the feature "cards"')
        unknown = [one for one in devices if one not in DEVICES]
        if unknown or not devices:
            raise ArgumentError(f"device {', '.join(map(repr, unknown)) or '()'}: expected some of {', '.join(DEVICES)}")
        if is_named and set(devices) != {"cpu"}:
            raise ArgumentError(f"device {', '.join(map(repr, devices))}: cards hold their points: expected device=\"cpu\" for named points")
        crew = Crew(count, cpus, memory, devices)
        try:
            found = parts if is_named else _of_one_group(hold(crew, parts, timeout))
            bases = cls(crew, found, None if store is None else fspath(store), kept)
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
        """Returns the sum of all ``scalars[i] * points[i]``.

        ``scalars`` have a form that :meth:`bucketwheel.Bases.msm` accepts, or are a URL of a scalars file, or an
        iterator of such parts. This process reads them when workers need them, and sends them. Scalars that are a
        :class:`NamedScalars` are read by the workers instead. ``progress`` is called with numbers of points; an
        exception in it, and Control-C, stop the workers. ``timeout`` is in seconds.

        ``verify`` is ``"none"``, ``"sample"`` or ``"full"``. With ``"sample"``, two workers compute the same sum for a
        share ``sample`` of the shards, at least for one shard. With ``"full"``, a second set of points checks each
        shard's sum. The first such call makes this set, which takes as long as some tens of sums (:meth:`cover`). If a
        worker gives a wrong answer, it is started again and another worker gets its shard; ``report.faults`` names the
        worker. ``"full"`` makes this process read named scalars too, because only it knows the secrets of the check.
        """
        sums = self._sums(scalars, verify, sample, progress, timeout)
        if len(sums) != 1:
            raise ArgumentError("msm returns one sum: expected points of one group; use msm_pair for points of a pair")
        return sums[0]

    def msm_many(self, scalars: Iterable[Any], *, verify: str = "none", sample: float = 0.125) -> list[Sum]:
        """Returns the sums of many vectors of scalars, in order. Each vector has a form that :meth:`msm` accepts."""
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
        """Returns the sums in G1 and G2 with the same scalars, for points with ``group="pair"``; both results have the
        same report."""
        if self.group != "pair":
            raise ArgumentError(f"msm_pair returns two sums: expected points of a pair; use msm for points of {self.group}")
        first, second = self._sums(scalars, verify, sample, progress, timeout)
        return first, second

    def cover(self, progress: Progress | None = None) -> None:
        """Makes the second set of points for ``verify="full"``, unless it exists. Before it starts, a warning of the
        logger ``bucketwheel.cluster`` states the expected time and bytes; ``progress`` is called with numbers of
        points."""
        if self._guard is not None:
            return
        if self._store is None and any(shard.is_named for shard in self._shards):
            raise ArgumentError('verify="full" keeps second points of named points in files: expected store=, or verify="sample"')
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
            self._covered = second
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
        is_named = isinstance(scalars, NamedScalars)
        given = scalars.ranges(self.curve, self._shards) if is_named else Scalars(scalars, self.curve)
        if verify == "full":
            self.cover()
        guard = self._guard if verify == "full" else None
        report = Report(len(self), verify, time.time())
        shards = self._covered if guard else self._shards
        job = Job(self._crew, shards, given, guard, sampled, self._checkpoint, report, progress, timeout)
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
        """The number of shards."""
        return len(self._shards)

    @property
    def workers(self) -> int:
        """The number of workers."""
        return len(self._crew.workers)

    def __len__(self) -> int:
        """Returns the number of points; for a pair, in each group."""
        return total(self._shards)

    def __repr__(self) -> str:
        return f"<bucketwheel.cluster.Bases: {len(self)} {self.curve} {self.group} points, {self.shards} shards, {self.workers} workers>"


def memory_of(shards: Sequence[Shard], workers: int) -> int:
    """Returns the estimated bytes that each worker needs."""
    return MEMORY_FACTOR * sum(shard.bytes for shard in shards) // workers


def _of_one_group(found: list[Shard]) -> list[Shard]:
    """Returns the shards unchanged; raises an error if their curves or groups differ."""
    names = {(shard.curve, shard.group) for shard in found}
    if len(names) != 1:
        kinds = ", ".join(" ".join(name) for name in sorted(names))
        raise ArgumentError(f"shards of {kinds}: expected points of one group in all")
    return found


def added(points: Sequence[bytes], curve: str, part: str) -> Point:
    """Returns the sum of some points."""
    return Local(b"".join(points), curve=curve_of(curve).name, group=parts_of(part)[0]).msm([1] * len(points))
