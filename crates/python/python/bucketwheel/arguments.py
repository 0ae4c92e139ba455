"""Numbers that callers give."""

from __future__ import annotations

import operator
from typing import overload

from .errors import ArgumentError

BITS = 63
"""The bits of a number that the engine takes."""


@overload
def count(name: str, value: int, least: int = 0, bits: int = BITS) -> int: ...
@overload
def count(name: str, value: int | None, least: int = 0, bits: int = BITS) -> int | None: ...
def count(name: str, value: int | None, least: int = 0, bits: int = BITS) -> int | None:
    """The number of an argument, which has a least value and at most so many bits; ``None`` stays ``None``."""
    if value is None:
        return None
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not least <= number < 1 << bits:
        raise ArgumentError(f"{name}={value!r}: expected an integer of {least} to 2^{bits} - 1")
    return number
