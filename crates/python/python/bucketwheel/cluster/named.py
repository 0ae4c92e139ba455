"""Scalars that workers read themselves: ranges of a file or of a URL's content, or numbers that a seed determines."""

from __future__ import annotations

import os
from typing import Sequence

from .. import arguments
from ..errors import ArgumentError, LengthError
from ..names import Distribution
from ..points import curve_of
from .source import Range, Seeded, Shard, scalars_layout, total

__all__ = ["NamedScalars", "Ranges"]


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
            seeded = Seeded(curve, self._seed or 0, self._distribution)
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
