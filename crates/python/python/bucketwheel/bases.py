"""Sums over points that are prepared once."""

from __future__ import annotations

from os import PathLike
from typing import Any, Iterable, Sequence

from . import _native, arguments
from .errors import ArgumentError
from .points import Point, parts_of, points_bytes, scalars_bytes, sums_of
from .progress import Progress, callback_of

__all__ = ["Bases"]


class Bases:
    """Points of one group, or of both groups of a curve with a pairing, prepared for any number of sums.

    ``points`` are a contiguous array of ``uint64`` or ``uint8``, ``bytes``, or a path of a file that holds nothing but
    integers: x, then y, each as many little-endian words as the field has (in G2 the constant coefficient first), zeros
    for infinity; ``form="montgomery"`` says that they are in Montgomery form. Or they are a list of ``(x, y)``,
    :class:`Point`, ``bytes``, and ``None`` for infinity. For ``group="pair"``, a pair of such points: those of G1 and
    those of G2. Files of the formats that other tools have: :meth:`open`.

    ``check`` is ``"none"`` (you vouch for the points), ``"curve"`` or ``"subgroup"``. ``deduplicate`` looks for equal
    points. ``copies`` makes a table of so many multiples of each point (docs/tables.md). ``threads`` bounds the threads.
    ``progress`` is a callable of steps done and their total, or a bar of tqdm. What may change while it is read, such as an
    array, is copied once; ``bytes``, files and arrays for reading only are read in place.
    """

    def __init__(
        self,
        points: Any,
        *,
        curve: str,
        group: str = "g1",
        form: str = "integers",
        check: str = "none",
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
        format: str | None = None,
        curve: str | None = None,
        group: str | None = None,
        section: str | None = None,
        check: str = "none",
        deduplicate: bool = False,
        copies: int | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Bases:
        """Points of a file by its path, or of its bytes, in any of the formats of docs/formats.md, or a table file.

        The file tells its format, curve and group, or there is only one that fits its first points, or ``format``,
        ``curve`` and ``group`` say it. Files are mapped; those of the format ``bucketwheel`` and tables are used as they
        lie. The other arguments are those of :class:`Bases`.
        """
        options = _options(check, deduplicate, copies, threads)
        bases = cls.__new__(cls)
        bases._native = _native.Bases.open(file, format, curve, group, section, options, callback_of(progress))
        return bases

    def msm(
        self,
        scalars: Any,
        *,
        form: str = "integers",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Point:
        """The sum of all ``scalars[i] * points[i]``.

        ``scalars`` are an array of ``uint64`` or ``uint8``, a row for each scalar and in it little-endian words (fewer
        than the order has if they are small; a one-dimensional array of ``uint64`` has rows of one); ``bytes`` of as many
        little-endian integers; a path of a scalars file; or a list of ``int``. All are below the group's order.
        ``form="montgomery"`` says that they are in Montgomery form.
        """
        sums = self._sums(scalars, form, threads, progress)
        if len(sums) != 1:
            raise ArgumentError("msm has one sum: expected points of one group; these are a pair, for msm_pair")
        return sums[0]

    def msm_many(
        self,
        scalars: Iterable[Any],
        *,
        form: str = "integers",
        threads: int | None = None,
    ) -> list[Point]:
        """The sums of many vectors of scalars, in their order; each is as :meth:`msm` takes it."""
        return [self.msm(vector, form=form, threads=threads) for vector in scalars]

    def msm_pair(
        self,
        scalars: Any,
        *,
        form: str = "integers",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[Point, Point]:
        """The sums in G1 and G2 with the same scalars, of points with ``group="pair"``: what they share is done once."""
        if self.group != "pair":
            raise ArgumentError(f"msm_pair has two sums: expected points of a pair; these are of {self.group}, for msm")
        first, second = self._sums(scalars, form, threads, progress)
        return first, second

    def _sums(self, scalars: Any, form: str, threads: int | None, progress: Progress | None) -> Sequence[Point]:
        curve, threads = self.curve, arguments.count("threads", threads, least=1)
        sums = self._native.run(scalars_bytes(scalars, curve), form, threads, callback_of(progress))
        return sums_of(sums, curve)

    def write_table(self, path: str | PathLike[str]) -> None:
        """Writes the points as they are prepared, with their multiples, to a file for :meth:`open`. Of one group."""
        self._native.write_table(path)

    @property
    def curve(self) -> str:
        """The curve's name."""
        return self._native.curve

    @property
    def group(self) -> str:
        """The group's name: ``g1``, ``g2`` or ``pair``."""
        return self._native.group

    @property
    def backend(self) -> str:
        """The instruction set that computes."""
        return self._native.backend

    def __len__(self) -> int:
        """How many points; of a pair, in each group."""
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
    """The points of each group, as the engine takes them."""
    parts = parts_of(group)
    if len(parts) == 1:
        return [points_bytes(points, curve, group)]
    if not isinstance(points, (list, tuple)) or len(points) != 2:
        raise ArgumentError("points of a pair: expected two arrays, those of G1 and those of G2")
    return [points_bytes(part, curve, name) for part, name in zip(points, parts)]
