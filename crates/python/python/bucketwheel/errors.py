"""What calls fail of.

Besides these, files that cannot be read are an ``OSError``, and missing memory is a ``MemoryError``.
"""

from __future__ import annotations

__all__ = [
    "ArgumentError",
    "CurveError",
    "Error",
    "FormatError",
    "LengthError",
    "PointError",
    "ScalarError",
    "WitnessError",
]


class Error(Exception):
    """Any error of this package; the message says what is wrong, where, and what was expected."""

    index: int | None
    """The number of the point or scalar that it is about, the first such one; ``None`` where it is about none."""

    def __init__(self, message: str, *, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class ArgumentError(Error, ValueError):
    """An argument that is not what it should be."""


class CurveError(Error, ValueError):
    """A curve or group that there is not."""


class FormatError(Error, ValueError):
    """Bytes or a file of another format, or damaged."""


class LengthError(Error, ValueError):
    """Numbers of points and scalars, or of public signals, that do not fit together."""


class PointError(Error, ValueError):
    """A point that is none: not on the curve, not in the subgroup, a coordinate that is not below the modulus."""


class ScalarError(Error, ValueError):
    """A scalar that is not below the group's order."""


class WitnessError(Error, ValueError):
    """A witness that does not satisfy its circuit, or inputs that have none."""
