"""Sums over more points than memory."""

from __future__ import annotations

from typing import Any, Sequence

from . import _native, arguments
from .bases import pair_of
from .errors import ArgumentError
from .names import Check, CurveName, Form, GroupName
from .points import Point, scalars_bytes, sums_of

__all__ = ["Stream"]


class Stream:
    """A sum over points and scalars that come in parts, in memory that does not grow with their number.

    ``points`` is the expected number of points, which affects only the speed; ``memory`` bounds the bytes. ``resume`` is
    the result of :meth:`checkpoint`: the stream continues after this number of points with their sum.
    """

    def __init__(
        self,
        curve: CurveName,
        group: GroupName = "g1",
        *,
        points: int | None = None,
        memory: int | None = None,
        check: Check = "none",
        threads: int | None = None,
        resume: tuple[int, Sequence[Point]] | None = None,
    ) -> None:
        self.curve = curve
        self.group = group
        points, memory = arguments.count("points", points), arguments.count("memory", memory)
        threads = arguments.count("threads", threads, least=1)
        done = None
        if resume is not None:
            done = (arguments.count("resume", resume[0]), [bytes(point) for point in resume[1]])
        self._native = _native.Stream(curve, group, points, memory, check, threads, done)

    def update(self, points: Any, scalars: Any, *, form: Form = "integers") -> None:
        """Adds points and the same number of scalars, in the forms of :class:`Bases` and :meth:`Bases.msm`."""
        parts = pair_of(points, self.curve, self.group)
        self._native.update(parts, scalars_bytes(scalars, self.curve), form)

    def checkpoint(self) -> tuple[int, tuple[Point, ...]]:
        """Returns the number of points so far and their sum in each group: the state from which a stream can continue."""
        sums = sums_of(self._native.flush(), self.curve)
        return len(self), sums

    def sum(self) -> Point:
        """Returns the sum so far."""
        sums = self.checkpoint()[1]
        if len(sums) != 1:
            raise ArgumentError("sum returns one point: expected a stream of one group; use checkpoint for a pair")
        return sums[0]

    def __len__(self) -> int:
        """Returns the number of points so far."""
        return len(self._native)
