"""Sums over prepared points."""

from __future__ import annotations

from os import PathLike
from typing import Any, Iterable, Sequence

from . import _native, arguments
from .errors import ArgumentError
from .names import Check, CurveName, Form, FormatName, GroupName, SectionName
from .points import Point, parts_of, points_bytes, scalars_bytes, sums_of
from .progress import Progress, callback_of

__all__ = ["Bases"]


class Bases:
    """Points of one group, or of both groups of a curve with a pairing, prepared for any number of sums.

    ``points`` are a contiguous array of ``uint64`` or ``uint8``, ``bytes``, or the path of a file with nothing but
    integers. A point is x, then y, each with the field's number of little-endian words (in G2 the constant coefficient
    first), and zeros for infinity. With ``form="montgomery"`` they are in Montgomery form. ``points`` may also be a list
    of ``(x, y)``, :class:`Point`, ``bytes``, and ``None`` for infinity. For ``group="pair"``, pass a pair: the points of
    G1 and the points of G2. :meth:`open` reads files in the formats of other tools.

    ``check`` is ``"none"`` (you vouch for the points), ``"curve"`` or ``"subgroup"``. ``deduplicate`` finds equal
    points. ``copies`` makes a table with this number of multiples of each point (docs/tables.md). ``threads`` bounds the
    threads. ``progress`` is a callable of the steps done and their total, or a bar of tqdm. Writable arrays are copied
    once, because they may change during the call; ``bytes``, files and read-only arrays are read in place.
    """

    def __init__(
        self,
        points: Any,
        *,
        curve: CurveName,
        group: GroupName = "g1",
        form: Form = "integers",
        check: Check = "none",
        deduplicate: bool = False,
        copies: int | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        options = _options(check, deduplicate, copies, threads)
        parts = pair_of(points, curve, group)
        self._native = _native.Bases(parts, curve, group, form, options, callback_of(progress))

    @classmethod
    def open(
        cls,
        file: str | PathLike[str] | bytes | Any,
        *,
        format: FormatName | None = None,
        curve: CurveName | None = None,
        group: GroupName | None = None,
        section: SectionName | None = None,
        check: Check = "none",
        deduplicate: bool = False,
        copies: int | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Bases:
        """Opens a file by path or as bytes, in any format of docs/formats.md, or a table file.

        The file names its format, curve and group, or only one choice fits its first points; otherwise pass
        ``format``, ``curve`` and ``group``. Files are mapped; tables and files of the format ``bucketwheel`` are used in
        place. See :class:`Bases` for the other arguments.
        """
        options = _options(check, deduplicate, copies, threads)
        bases = cls.__new__(cls)
        bases._native = _native.Bases.open(file, format, curve, group, section, options, callback_of(progress))
        return bases

    def msm(
        self,
        scalars: Any,
        *,
        form: Form = "integers",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Point:
        """Returns the sum of all ``scalars[i] * points[i]``.

        ``scalars`` are an array of ``uint64`` or ``uint8`` with one row of little-endian words for each scalar, the bytes
        of one little-endian integer for each scalar, the path of a scalars file, or a list of ``int``. Rows of small
        scalars may have fewer words than the order. A one-dimensional array of integers of any other type than ``uint8``
        has a scalar in each element. All scalars must be below the group's order. With ``form="montgomery"`` they are in Montgomery form.
        """
        sums = self._sums(scalars, form, threads, progress)
        if len(sums) != 1:
            raise ArgumentError("msm returns one sum: expected points of one group; use msm_pair for points of a pair")
        return sums[0]

    def msm_many(
        self,
        scalars: Iterable[Any],
        *,
        form: Form = "integers",
        threads: int | None = None,
    ) -> list[Point]:
        """Returns the sums of many vectors of scalars, in order. Each vector has a form that :meth:`msm` accepts."""
        return [self.msm(vector, form=form, threads=threads) for vector in scalars]

    def msm_pair(
        self,
        scalars: Any,
        *,
        form: Form = "integers",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[Point, Point]:
        """Returns the sums in G1 and G2 with the same scalars, for points with ``group="pair"``. They share the work on the scalars."""
        if self.group != "pair":
            raise ArgumentError(f"msm_pair returns two sums: expected points of a pair; use msm for points of {self.group}")
        first, second = self._sums(scalars, form, threads, progress)
        return first, second

    def _sums(self, scalars: Any, form: str, threads: int | None, progress: Progress | None) -> Sequence[Point]:
        curve, threads = self.curve, arguments.count("threads", threads, least=1)
        sums = self._native.run(scalars_bytes(scalars, curve), form, threads, callback_of(progress))
        return sums_of(sums, curve)

    def write_table(self, path: str | PathLike[str]) -> None:
        """Writes the prepared points of one group, with their multiples, to a file for :meth:`open`."""
        self._native.write_table(path)

    @property
    def curve(self) -> CurveName:
        """The curve's name."""
        return self._native.curve

    @property
    def group(self) -> GroupName:
        """The group's name: ``g1``, ``g2`` or ``pair``."""
        return self._native.group

    @property
    def backend(self) -> str:
        """The instruction set that computes."""
        return self._native.backend

    def __len__(self) -> int:
        """Returns the number of points; for a pair, in each group."""
        return len(self._native)

    def __repr__(self) -> str:
        return f"<bucketwheel.Bases: {len(self)} {self.curve} {self.group} points, {self.backend}>"


def _options(check: str, deduplicate: bool, copies: int | None, threads: int | None) -> _native.Options:
    return {
        "check": check,
        "deduplicate": deduplicate,
        "copies": arguments.count("copies", copies, least=1),
        "threads": arguments.count("threads", threads, least=1),
    }


def pair_of(points: Any, curve: str, group: str) -> list[Any]:
    """Returns the points of each group in a form for the engine."""
    parts = parts_of(group)
    if len(parts) == 1:
        return [points_bytes(points, curve, group)]
    if not isinstance(points, (list, tuple)) or len(points) != 2:
        raise ArgumentError("points of a pair: expected two arrays, the points of G1 and the points of G2")
    return [points_bytes(part, curve, name) for part, name in zip(points, parts)]
