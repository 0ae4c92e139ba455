"""Points, and the conversion of integers to bytes for the engine."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass, replace
from typing import Any, Iterable, Literal, Sequence

from . import _native
from .errors import ArgumentError, CurveError, PointError, ScalarError
from .names import Check, CurveName, FormatName, GroupName, PartName

__all__ = ["Coordinate", "Curve", "Point"]

Coordinate = int | tuple[int, ...]
"""A coordinate: an integer in G1; in G2 its two coefficients, the constant one first (four on ``bls24-315-g2``)."""


@dataclass(frozen=True)
class Curve:
    """A curve of this build."""

    name: CurveName
    field_bytes: int
    """The number of bytes of a coordinate, or of each coefficient of a coordinate."""
    scalar_bytes: int
    """The number of bytes of a scalar."""
    groups: tuple[GroupName, ...]
    """``g1``, and on curves with a pairing ``g2`` and ``pair`` (both groups with the same scalars)."""
    modulus: int
    """The modulus of the coordinates."""
    order: int
    """The number of points of a group: scalars are below it."""
    degree: int = 1
    """The number of coefficients of a coordinate in ``g1``: 4 on ``bls24-315-g2``."""

    def elements(self, group: str) -> int:
        """Returns the number of integers of a point in one group."""
        if group not in ("g1", "g2"):
            raise CurveError(f"unknown group {group!r}; expected one of g1, g2")
        return 2 * self.degree if group == "g1" else 4

    def point_bytes(self, group: str) -> int:
        """Returns the number of bytes of a point's integers in one group."""
        return self.field_bytes * self.elements(group)


def _curves() -> dict[str, Curve]:
    number = functools.partial(int.from_bytes, byteorder="little")
    return {
        name: Curve(name, field, scalar, tuple(groups), number(modulus), number(order), degree)
        for name, field, scalar, groups, modulus, order, degree in _native.curves()
    }


CURVES = _curves()
"""The curves of this build, by name."""

PARTS: dict[str, tuple[PartName, ...]] = {"g1": ("g1",), "g2": ("g2",), "pair": ("g1", "g2")}


def curve_of(name: str) -> Curve:
    """Returns the curve with this name."""
    # The native module says which names there are, and which feature has a curve that this build lacks.
    if name not in CURVES:
        _native.check_curve(name)
    return CURVES[name]


def parts_of(group: str) -> tuple[PartName, ...]:
    """Returns the groups of a group's name."""
    if group not in PARTS:
        raise CurveError(f"unknown group {group!r}; expected one of {', '.join(PARTS)}")
    return PARTS[group]


@dataclass(frozen=True)
class Point:
    """An affine point; infinity has coordinates 0.

    Points of one group add and subtract, and integers multiply points of the subgroup, all by the engine. One operation
    takes a tenth of a millisecond or more, so use :meth:`sum` and :class:`Bases` for many.

    >>> import bucketwheel as bw
    >>> point = bw.Point("bn254", "g1", 1, 2)
    >>> 3 * point - point == sum([point, point])
    True
    >>> bw.Point.from_bytes(point.to_bytes("gnark-compressed"), "bn254", "g1", "gnark-compressed") == point
    True
    """

    curve: CurveName
    group: PartName
    x: Coordinate
    y: Coordinate

    @property
    def infinity(self) -> bool:
        """True if it is the point at infinity."""
        return not any((*_coefficients(self.x), *_coefficients(self.y)))

    def __add__(self, other: Point) -> Point:
        if not isinstance(other, Point):
            return NotImplemented
        return _combination([self, other], [1, 1])

    def __radd__(self, other: int) -> Point:
        # `sum` begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __sub__(self, other: Point) -> Point:
        return self + -other if isinstance(other, Point) else NotImplemented

    def __neg__(self) -> Point:
        modulus = curve_of(self.curve).modulus
        y = tuple(-part % modulus for part in _coefficients(self.y))
        return replace(self, y=y[0] if len(y) == 1 else y)

    def __mul__(self, scalar: int) -> Point:
        try:
            scalar = operator.index(scalar)
        except TypeError:
            return NotImplemented
        return _combination([self], [scalar % curve_of(self.curve).order])

    __rmul__ = __mul__

    @staticmethod
    def sum(points: Iterable[Point]) -> Point:
        """Returns the sum of at least one point, in one call of the engine."""
        points = list(points)
        if not points:
            raise ArgumentError("a sum of no points: expected one or more points, which name the curve")
        return _combination(points, [1] * len(points))

    def to_bytes(self, format: FormatName | Literal["integers"] = "integers") -> bytes:
        """Returns the point's bytes.

        The format ``integers`` is x and y, little-endian, as ``Bases`` accepts them. Other formats have the names in
        docs/formats.md, for example ``zcash-compressed`` (BLS12-381), ``arkworks-compressed`` or ``gnark``.
        """
        size = curve_of(self.curve).field_bytes
        integers = (*_coefficients(self.x), *_coefficients(self.y))
        data = b"".join(_bytes(integer, size, 0) for integer in integers)
        return data if format == "integers" else _native.encode(data, self.curve, self.group, format)

    def __bytes__(self) -> bytes:
        return self.to_bytes()

    @staticmethod
    def from_bytes(
        data: bytes,
        curve: CurveName,
        group: PartName,
        format: FormatName | Literal["integers"] = "integers",
        *,
        check: Check = "none",
    ) -> Point:
        """Returns the point of these bytes.

        The format ``integers`` is x and y, little-endian, without a check. Other formats have the names of
        :meth:`to_bytes`, without the header of a file; ``check`` has the values of :class:`Bases`. Pass ``"subgroup"``
        for points from strangers.
        """
        size, expected = curve_of(curve).field_bytes, curve_of(curve).point_bytes(group)
        if format != "integers" or check != "none":
            data = _native.decode(bytes(data), curve, group, "bucketwheel" if format == "integers" else format, check)
        if len(data) != expected:
            raise ArgumentError(f"{len(data)} bytes: expected {expected}, a {curve} {group} point")
        integers = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
        if len(integers) == 2:
            return Point(curve, group, integers[0], integers[1])
        middle = len(integers) // 2
        return Point(curve, group, tuple(integers[:middle]), tuple(integers[middle:]))


def _coefficients(coordinate: Coordinate) -> Sequence[int]:
    return coordinate if isinstance(coordinate, (tuple, list)) else (coordinate,)


def _bytes(integer: int, size: int, index: int) -> bytes:
    try:
        # Accepts numpy's integers too, but refuses values that would have to be rounded or parsed.
        return operator.index(integer).to_bytes(size, "little")
    except (OverflowError, TypeError):
        message = f"point {index} has the coordinate {integer!r}: expected an integer of 0 to {8 * size} bits"
        raise PointError(message, index=index) from None


def points_bytes(points: Any, curve: str, group: str) -> Any:
    """Returns points for the engine: lists of points become bytes, and anything else stays unchanged."""
    if not isinstance(points, (list, tuple)):
        return points
    size, count = curve_of(curve).field_bytes, curve_of(curve).elements(group)
    return b"".join(_point_bytes(point, size, count, index) for index, point in enumerate(points))


def _point_bytes(point: Any, size: int, count: int, index: int) -> bytes:
    if point is None:
        return bytes(size * count)
    if isinstance(point, (bytes, bytearray)):
        data = bytes(point)
        if len(data) != size * count:
            raise PointError(f"point {index} has {len(data)} bytes: expected {size * count}", index=index)
        return data
    try:
        x, y = (point.x, point.y) if isinstance(point, Point) else point
        integers = (*_coefficients(x), *_coefficients(y))
        # x and y have the same number of coefficients, and only extensions have lists.
        fits = len(_coefficients(x)) == count // 2 and isinstance(x, (tuple, list)) == isinstance(y, (tuple, list)) == (count > 2)
    except (TypeError, ValueError):
        fits = False
    if not fits or len(integers) != count:
        lists = (", ".join(f"{name}{i}" for i in range(count // 2)) for name in "xy")
        expected = "(x, y)" if count == 2 else "(({}), ({}))".format(*lists)
        message = f"point {index} is {point!r}: expected {expected}, a Point, bytes, or None for infinity"
        raise PointError(message, index=index)
    return b"".join(_bytes(integer, size, index) for integer in integers)


def scalars_bytes(scalars: Any, curve: str) -> Any:
    """Returns scalars for the engine: integers become bytes, and anything else stays unchanged."""
    if not isinstance(scalars, (list, tuple, range)):
        return scalars
    size = curve_of(curve).scalar_bytes
    try:
        return b"".join(scalar.to_bytes(size, "little") for scalar in scalars)
    except (OverflowError, AttributeError, TypeError):
        return b"".join(_scalar_bytes(scalar, size, index) for index, scalar in enumerate(scalars))


def _scalar_bytes(scalar: Any, size: int, index: int) -> bytes:
    try:
        # Accepts numpy's integers too.
        return operator.index(scalar).to_bytes(size, "little")
    except (OverflowError, TypeError):
        message = f"scalar {index} is {scalar!r}: expected an integer of 0 to the group's order; reduce it modulo the order"
        raise ScalarError(message, index=index) from None


def _combination(points: list[Point], scalars: list[int]) -> Point:
    """Returns the sum of multiples of points of one group."""
    curve, group = points[0].curve, points[0].group
    for point in points:
        if (point.curve, point.group) != (curve, group):
            raise CurveError(f"a point of {point.curve} {point.group}: expected {curve} {group}, like the other points")
    options: _native.Options = {"check": "none", "deduplicate": False, "copies": None, "threads": None}
    bases = _native.Bases([points_bytes(points, curve, group)], curve, group, "integers", options, None)
    return sums_of(bases.run(scalars_bytes(scalars, curve), "integers", None, None), curve)[0]


def sums_of(sums: Iterable[tuple[PartName, bytes]], curve: CurveName) -> tuple[Point, ...]:
    """Returns the points of sums."""
    return tuple(Point.from_bytes(data, curve, group) for group, data in sums)
