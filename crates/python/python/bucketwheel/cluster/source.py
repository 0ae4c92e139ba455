"""Sources of points and scalars: ranges of files, of URLs, of objects in Ray's store, or of sequences by seed."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Callable, Iterable, Iterator, Sequence

import numpy as np

from .. import _native
from ..errors import ArgumentError, FormatError, LengthError
from ..points import curve_of, parts_of, points_bytes, scalars_bytes
from . import engine
from .answers import AnswerError
from .errors import SourceError

HEADER = 64
BLOCK = 1 << 22
"""Default number of points of a shard: enough for an efficient sum, and few enough to lose cheaply."""


@dataclass(frozen=True)
class Seeded:
    """The sequence of points or scalars that a seed determines, as :func:`bucketwheel.generate` returns them."""

    curve: str
    seed: int
    group: str | None = None
    """The group of points; ``None`` for scalars."""
    distribution: str = "uniform"

    def read(self, start: int, size: int) -> bytes:
        """Returns the bytes of whole elements."""
        if self.group is None:
            width = curve_of(self.curve).scalar_bytes
            return _native.generate_scalars(start // width, size // width, self.curve, self.seed, self.distribution)
        width = curve_of(self.curve).point_bytes(self.group)
        return _native.generate_points(start // width, size // width, self.curve, self.group, self.seed)

    def __str__(self) -> str:
        kind = f"{self.distribution} scalars" if self.group is None else f"points of {self.group}"
        return f"the {kind} of seed {self.seed}"


@dataclass(frozen=True)
class Range:
    """Bytes of a file by its path, of a URL, of an object in Ray's store, or of a sequence by seed."""

    place: Any
    start: int
    size: int
    digest: str | None = None
    """SHA-256 of the bytes, once they have been read."""

    def read(self) -> tuple[Any, Range]:
        """Returns the bytes, and the range with their digest. Refuses bytes that differ from the bytes of an earlier
        read."""
        reading = Reading(self)
        data = reading.take(self.size)
        return data, reading.end()

    def known(self, read: Range) -> Range:
        """Returns the range with the digest of the bytes that were read. Refuses bytes that differ from the bytes of an
        earlier read."""
        if self.digest not in (None, read.digest):
            raise SourceError(f"{self}: the source has changed: SHA-256 {read.digest}, expected {self.digest}")
        return replace(self, digest=read.digest)

    def __str__(self) -> str:
        place = self.place if isinstance(self.place, (str, Seeded)) else "memory"
        return f"bytes {self.start} to {self.start + self.size} of {place}"


class Reading:
    """Reads a range from its start to its end, and digests it."""

    def __init__(self, whole: Range) -> None:
        self._whole, self._done, self._digest = whole, 0, hashlib.sha256()

    def take(self, size: int) -> Any:
        """Returns the next bytes."""
        data = _bytes(self._whole.place, self._whole.start + self._done, size)
        self._done += len(data)
        if len(data) != size:
            raise SourceError(f"{self._whole}: {self._done} bytes are there")
        self._digest.update(data)
        return data

    def end(self) -> Range:
        """Returns the range with its digest. Refuses bytes that differ from the bytes of an earlier read."""
        return self._whole.known(replace(self._whole, digest=self._digest.hexdigest()))


@dataclass(frozen=True)
class Shard:
    """Points of one worker: the points of each group, each followed by the second points that check its sums."""

    index: int
    first: int
    count: int
    curve: str
    group: str
    parts: tuple[Range, ...]
    masked: tuple[Range, ...] = ()
    is_file: bool = False
    """True for a whole file of any format; false for plain points."""
    form: str = "integers"
    """The form of coordinates, for plain points: a name of :class:`bucketwheel.Bases`."""
    is_named: bool = False
    """True if workers read the points anew for each sum, in blocks; otherwise they hold the points."""

    @property
    def digest(self) -> str:
        """Returns the digest of the points."""
        return "-".join(part.digest or "" for part in self.parts)

    @property
    def identity(self) -> list[Any]:
        """Returns the values that another coordinator's shard must have, too: the digest of held points, or the names of
        named points, whose digest is unknown before the first sum."""
        return [self.curve, self.group, self.form, self.count, ", ".join(map(str, self.parts)) if self.is_named else self.digest]

    def digested(self) -> Shard:
        """Reads the points, and returns the shard with their digests."""
        return replace(self, parts=tuple(part.read()[1] for part in self.parts))

    @property
    def bytes(self) -> int:
        """Returns the number of bytes that a worker reads."""
        return sum(part.size for part in (*self.parts, *self.masked))


def is_path(value: Any) -> bool:
    """Returns true if it names a file or a URL."""
    return isinstance(value, (str, os.PathLike))


def is_url(place: Any) -> bool:
    """Returns true if fsspec reads it."""
    return isinstance(place, str) and "://" in place


def _filesystem(url: str) -> tuple[Any, str]:
    import fsspec

    filesystem, path = fsspec.core.url_to_fs(url)
    return filesystem, path


def size_of(place: str) -> int:
    """Returns the bytes of a file."""
    if is_url(place):
        filesystem, path = _filesystem(place)
        return int(filesystem.size(path))
    return os.stat(place).st_size


def _bytes(place: Any, start: int, size: int) -> Any:
    if isinstance(place, Seeded):
        return place.read(start, size)
    if is_url(place):
        filesystem, path = _filesystem(place)
        try:
            return filesystem.cat_file(path, start=start, end=start + size) if size else b""
        except OSError as error:
            raise SourceError(f"{place}: {error}: expected a URL that every node can read") from None
    if isinstance(place, str):
        try:
            with open(place, "rb") as file:
                file.seek(start)
                return file.read(size)
        except OSError as error:
            raise SourceError(f"{place}: {error.strerror}: expected a path that every node has, or a URL") from None
    try:
        return engine.read(place, start, size)
    except (engine.Lost, engine.Cancelled, AnswerError) as error:
        raise SourceError(f"the points in memory are lost: {error or type(error).__name__}; put them again") from None


def write(place: str, data: bytes) -> None:
    """Writes a file, which appears once it is complete."""
    if is_url(place):
        filesystem, path = _filesystem(place)
        filesystem.pipe_file(path, data)
        return
    _native.write_file(place, data, False)


def shards_of(points: Any, shards: int | None, workers: int, curve: str | None, group: str) -> list[Shard]:
    """Returns the shards of points in a form that :meth:`Bases.put` accepts."""
    if isinstance(points, (list, tuple)) and points and all(map(is_path, points)):
        return [_file(index, os.fspath(path), curve, group) for index, path in enumerate(points)]
    if is_path(points):
        row = row_of(os.fspath(points), curve, group)
        return cut(row, number_of(shards, workers, row.count))
    curve, group, arrays, count = _arrays(points, curve, group)

    def range_of(part: int, start: int, size: int) -> Range:
        data = arrays[part][start : start + size]
        return Range(engine.put(data), 0, len(data))

    return cut(Row(curve, group, count, range_of), number_of(shards, workers, count))


@dataclass(frozen=True)
class Row:
    """Points in a row at one place, and the function that names a part's bytes from a start on."""

    curve: str
    group: str
    count: int
    range_of: Callable[[int, int, int], Range]


def row_of(place: str, curve: str | None, group: str) -> Row:
    """Returns the points of a file in our own format, or of a file that holds only integers."""
    size = size_of(place)
    header = bytes(_bytes(place, 0, min(size, HEADER)))
    curve, group, starts, count = _layout(header, size, place, curve, group)
    return Row(curve, group, count, lambda part, start, size: Range(place, starts[part] + start, size))


def number_of(shards: int | None, workers: int, count: int) -> int:
    """Returns the number of shards: the caller's, or a multiple of the number of workers."""
    found = workers * max(1, -(-count // (workers * BLOCK))) if shards is None else shards
    if found < 1:
        raise ArgumentError(f"{found} shards: expected at least 1")
    return found


def cut(row: Row, shards: int) -> list[Shard]:
    """Cuts points into shards of equal sizes."""
    widths = [curve_of(row.curve).point_bytes(part) for part in parts_of(row.group)]
    bounds = [row.count * index // shards for index in range(shards + 1)]
    return [
        Shard(
            index,
            first,
            end - first,
            row.curve,
            row.group,
            tuple(row.range_of(part, first * width, (end - first) * width) for part, width in enumerate(widths)),
        )
        for index, (first, end) in enumerate(pairwise(bounds))
    ]


def _file(index: int, place: str, curve: str | None, group: str) -> Shard:
    return Shard(index, 0, -1, curve or "", group, (Range(place, 0, size_of(place)),), is_file=True)


def _layout(header: bytes, size: int, place: str, curve: str | None, group: str) -> tuple[str, str, list[int], int]:
    """Returns the curve, the group, the start of each part's points, and their number. The file has our own format
    (docs/file-format.md), or holds only integers."""
    if header[:8] != b"BWPOINTS":
        if curve is None:
            message = (
                f"{place}: expected a file of the format bucketwheel (`bucketwheel convert` makes one), or of nothing but "
            )
            raise FormatError(message + "integers with curve= and group=, or a list of files of any format, one a shard")
        if group == "pair":
            raise ArgumentError(f"{place}: nothing but integers of a pair: expected a pair of arrays, or a file with a header")
        width = curve_of(curve).point_bytes(group)
        if size % width:
            raise FormatError(f"{place}: {size} bytes: expected a multiple of {width}, the bytes of a point")
        return curve, group, [0], size // width
    name, part, count, starts = _header(header, size, place, scalars=False)
    if curve not in (None, name):
        raise FormatError(f"{place}: points of {name}; expected {curve}")
    return name, part or group, starts, count


def _header(header: bytes, size: int, place: str, *, scalars: bool) -> tuple[str, str | None, int, list[int]]:
    """Returns curve, group and count of a file of our own format, and the start of each group's points (or of the
    scalars)."""
    try:
        name, group, count, starts = _native.layout(header, size, scalars)
    except FormatError as error:
        raise FormatError(f"{place}: {error}") from None
    curve_of(name)
    return name, group, count, starts


def scalars_layout(place: str, curve: str) -> tuple[int, int]:
    """Returns the start of the scalars in a file of this curve, and their number."""
    size = size_of(place)
    name, _, count, starts = _header(bytes(_bytes(place, 0, min(size, HEADER))), size, place, scalars=True)
    if name != curve:
        raise FormatError(f"{place}: scalars of {name}; expected {curve}")
    return starts[0], count


def _array(data: Any) -> Any:
    """Returns the bytes as an array, without a copy."""
    array = np.frombuffer(data, dtype=np.uint8) if not isinstance(data, np.ndarray) else data
    if array.dtype not in (np.uint8, np.uint64):
        raise ArgumentError(f"an array of {array.dtype}: expected uint64 or uint8")
    return np.ascontiguousarray(array)


def _arrays(points: Any, curve: str | None, group: str) -> tuple[str, str, list[Any], int]:
    if isinstance(points, bytes) and points[:8] == b"BWPOINTS":
        name, group, starts, count = _layout(points[:HEADER], len(points), "points", curve, group)
        sizes = [count * curve_of(name).point_bytes(part) for part in parts_of(group)]
        data = _array(points)
        return name, group, [data[start : start + size] for start, size in zip(starts, sizes)], count
    if curve is None:
        raise ArgumentError("points in memory: expected curve=, and group= unless it is g1")
    names = parts_of(group)
    of_parts = [points] if len(names) == 1 else points
    if len(names) == 2 and not (isinstance(points, (list, tuple)) and len(points) == 2):
        raise ArgumentError("points of a pair: expected two arrays, the points of G1 and the points of G2")
    arrays = [_array(points_bytes(part, curve, name)).view(np.uint8).reshape(-1) for part, name in zip(of_parts, names)]
    widths = [curve_of(curve).point_bytes(name) for name in names]
    counts = {len(array) / width for array, width in zip(arrays, widths)}
    if len(counts) != 1 or not counts.copy().pop().is_integer():
        found = " and ".join(str(len(array)) for array in arrays)
        raise LengthError(f"{found} bytes of points: expected the same number in each group, of {' and '.join(map(str, widths))} bytes each")
    return curve, group, arrays, int(counts.pop())


class Scalars:
    """Scalars that the shards take in order: all in memory, or in parts that are requested when needed."""

    def __init__(self, scalars: Any, curve: str) -> None:
        self._curve = curve
        self._left: Any = None
        if is_path(scalars) and is_url(os.fspath(scalars)):
            self._parts: Iterator[Any] = self._url(os.fspath(scalars))
        elif is_path(scalars):
            self._parts = iter([self._file(os.fspath(scalars))])
        elif hasattr(scalars, "__next__"):
            self._parts = map(self._rows, scalars)
        else:
            self._parts = iter([self._rows(scalars)])

    def take(self, count: int) -> Any:
        """Returns the next scalars, one row for each."""
        found: list[Any] = []
        missing = count
        while missing > 0:
            if self._left is None or len(self._left) == 0:
                # Releases the part before the next part is made.
                self._left = None
                self._left = next(self._parts, None)
                if self._left is None:
                    raise LengthError(f"{count - missing} scalars are left for {count} points: the numbers must be the same")
            rows, self._left = self._left[:missing], self._left[missing:]
            missing -= len(rows)
            found.append(rows)
        if len(found) == 1:
            return found[0]
        # Parts may have rows of different widths.
        width = max((rows.shape[1] for rows in found), default=curve_of(self._curve).scalar_bytes)
        whole = np.zeros((count, width), dtype=np.uint8)
        first = 0
        for rows in found:
            whole[first : first + len(rows), : rows.shape[1]] = rows
            first += len(rows)
        return whole

    def end(self) -> None:
        """Checks that all scalars were taken."""
        more = len(self._left) if self._left is not None else 0
        if more or any(len(rows) for rows in self._parts):
            raise LengthError("there are more scalars than points: the numbers must be the same")

    def _rows(self, scalars: Any) -> Any:
        """Returns scalars with one row of bytes for each."""
        array = _array(scalars_bytes(scalars, self._curve))
        if array.ndim > 1:
            return array.view(np.uint8).reshape(len(array), -1) if len(array) else array.view(np.uint8)
        row = 8 if array.dtype == np.uint64 else curve_of(self._curve).scalar_bytes
        array = array.view(np.uint8)
        if len(array) % row:
            raise LengthError(f"{len(array)} bytes of scalars: expected a multiple of {row}")
        return array.reshape(-1, row)

    def _file(self, place: str) -> Any:
        start, _ = scalars_layout(place, self._curve)
        return self._rows(np.asarray(np.memmap(place, dtype=np.uint8, mode="r")[start:]))

    def _url(self, place: str) -> Iterator[Any]:
        width = curve_of(self._curve).scalar_bytes
        start, count = scalars_layout(place, self._curve)
        for first in range(0, count, BLOCK):
            yield self._rows(_bytes(place, start + first * width, min(BLOCK, count - first) * width))


def renumbered(shards: Sequence[Shard]) -> list[Shard]:
    """Returns the shards, each with its number and the number of points before it."""
    first, result = 0, []
    for index, shard in enumerate(shards):
        result.append(replace(shard, index=index, first=first))
        first += shard.count
    return result


def total(shards: Iterable[Shard]) -> int:
    """Returns the number of points in all shards."""
    return sum(shard.count for shard in shards)
