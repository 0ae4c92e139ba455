"""Points and scalars that workers read themselves for each sum: ranges of files or URLs, or sequences by seed."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Sequence

from .. import arguments
from ..errors import ArgumentError, LengthError
from ..names import Distribution
from ..points import curve_of, parts_of
from .source import Range, Row, Seeded, Shard, cut, number_of, renumbered, row_of, scalars_layout, total

__all__ = ["NamedPoints", "NamedScalars", "Ranges"]


class NamedPoints:
    """Points that workers read themselves for each sum, in blocks, for :meth:`Bases.put`. A worker needs 1 GiB,
    whatever the number of points, and nothing is prepared beforehand.

    ``places`` are files of points in the format ``bucketwheel``, or of integers alone: paths, which all nodes must have,
    or URLs that fsspec reads. The points of several files follow each other, and a file may come more than once. Instead
    of places, ``seed`` and ``count`` name the points of :func:`bucketwheel.generate`, which workers generate, for tests
    and measurements.

    The first sum keeps the SHA-256 of each range. Later sums over the same :class:`Bases` refuse a range that has
    changed since (:class:`SourceError`).
    """

    def __init__(self, *places: str | os.PathLike[str], seed: int | None = None, count: int | None = None) -> None:
        if bool(places) == (seed is not None) or (seed is None) != (count is None):
            raise ArgumentError("named points: expected paths or URLs, or seed= and count=")
        self._places = [os.fspath(place) for place in places]
        self._seed = arguments.count("seed", seed, bits=64)
        self._count = arguments.count("count", count)

    def shards(self, shards: int | None, workers: int, curve: str | None, group: str) -> list[Shard]:
        """Returns the shards of the points. No shard has points of two files, so there may be more shards than
        asked for."""
        known: dict[str, Row] = {}
        for place in self._places:
            if place not in known:
                known[place] = row_of(place, curve, group)
        rows = [known[place] for place in self._places] or [self._generated(curve, group)]
        kinds = sorted({f"{row.curve} {row.group}" for row in rows})
        if len(kinds) > 1:
            raise ArgumentError(f"named points of {', '.join(kinds)}: expected points of one group in all files")
        count = sum(row.count for row in rows)
        size = max(1, -(-count // number_of(shards, workers, count)))
        found = [shard for row in rows for shard in cut(row, max(1, -(-row.count // size)))]
        return [replace(shard, is_named=True) for shard in renumbered(found)]

    def _generated(self, curve: str | None, group: str) -> Row:
        if curve is None:
            raise ArgumentError("points of a seed: expected curve=, and group= unless it is g1")
        places = [Seeded(curve, self._seed or 0, part) for part in parts_of(group)]
        for place in places:
            # Checks the names, so that an unknown one is found before any worker starts.
            place.read(0, 0)
        return Row(curve, group, self._count or 0, lambda part, start, size: Range(places[part], start, size))

    def __repr__(self) -> str:
        return f"<bucketwheel.cluster.NamedPoints: {', '.join(self._places) or f'{self._count} of seed {self._seed}'}>"


class NamedScalars:
    """Scalars that workers read themselves, for :meth:`Bases.msm`. The coordinator sends each worker a name, a range
    of bytes and a digest, and no scalars.

    ``place`` is a file of scalars in the format ``bucketwheel``: its path, which all nodes must have, or a URL that
    fsspec reads. Instead of it, ``seed`` and ``distribution`` name the scalars of :func:`bucketwheel.generate`, which
    workers generate, for tests and measurements.

    The object keeps the SHA-256 of each range that a worker has read. A later sum over the same shards refuses a range
    that has changed since (:class:`SourceError`). Make a new object for new content.
    """

    def __init__(
        self,
        place: str | os.PathLike[str] | None = None,
        *,
        seed: int | None = None,
        distribution: Distribution = "uniform",
    ) -> None:
        if (place is None) == (seed is None):
            raise ArgumentError("named scalars: expected a path or a URL, or seed=")
        self._place = None if place is None else os.fspath(place)
        self._seed = arguments.count("seed", seed, bits=64)
        self._distribution = distribution
        self._digests: dict[tuple[str, int, int], str] = {}
        """Digests by curve, start and size of a range."""

    def ranges(self, curve: str, shards: Sequence[Shard]) -> Ranges:
        """Returns the ranges of the scalars for these shards. Raises an error unless there is a scalar for each
        point."""
        points = total(shards)
        if self._place is None:
            seeded = Seeded(curve, self._seed or 0, distribution=self._distribution)
            # Checks the names, so that an unknown one is found before any worker starts.
            seeded.read(0, 0)
            return Ranges(self._digests, seeded, 0, curve)
        start, count = scalars_layout(self._place, curve)
        if count != points:
            raise LengthError(f"{self._place}: {count} scalars for {points} points: the numbers must be the same")
        return Ranges(self._digests, self._place, start, curve)

    def __repr__(self) -> str:
        return f"<bucketwheel.cluster.NamedScalars: {self._place or f'{self._distribution}, seed {self._seed}'}>"


class Ranges:
    """The ranges of named scalars that the shards take in order."""

    def __init__(self, digests: dict[tuple[str, int, int], str], place: str | Seeded, start: int, curve: str) -> None:
        self._digests, self._place, self._at, self._curve = digests, place, start, curve

    def take(self, count: int) -> Range:
        """Returns the range of the next scalars, with its digest if a worker has read it before."""
        start, size = self._at, count * curve_of(self._curve).scalar_bytes
        self._at += size
        return Range(self._place, start, size, self._digests.get((self._curve, start, size)))

    def keep(self, found: Range, digest: str) -> None:
        """Keeps the digest of a range."""
        self._digests[self._curve, found.start, found.size] = digest

    def end(self) -> None:
        """Does nothing: :meth:`NamedScalars.ranges` has compared the numbers."""
