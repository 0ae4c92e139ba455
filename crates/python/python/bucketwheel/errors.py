"""The errors of this package.

An unreadable file is an ``OSError``, and missing memory is a ``MemoryError``.
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
    """The number of the first wrong point or scalar; ``None`` if the error concerns neither."""

    def __init__(self, message: str, *, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class ArgumentError(Error, ValueError):
    """An argument is invalid."""


class CurveError(Error, ValueError):
    """The curve or group does not exist."""


class FormatError(Error, ValueError):
    """Bytes or a file have another format, or are damaged."""


class LengthError(Error, ValueError):
    """The numbers of points and scalars, or of public signals, do not match."""


class PointError(Error, ValueError):
    """A point is not on the curve, not in the subgroup, or has a coordinate that is not below the modulus."""


class ScalarError(Error, ValueError):
    """A scalar is not below the group's order."""


class WitnessError(Error, ValueError):
    """A witness does not satisfy its circuit, or the inputs have no witness."""
