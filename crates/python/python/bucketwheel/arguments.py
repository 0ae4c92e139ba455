"""Checks of integer arguments."""

from __future__ import annotations

import operator
from typing import overload

from .errors import ArgumentError

BITS = 63
"""Number of bits of the engine's integers."""


@overload
def count(name: str, value: int, least: int = 0, bits: int = BITS) -> int: ...
@overload
def count(name: str, value: int | None, least: int = 0, bits: int = BITS) -> int | None: ...
def count(name: str, value: int | None, least: int = 0, bits: int = BITS) -> int | None:
    """Returns the integer of an argument, from ``least`` up to ``bits`` bits; ``None`` stays ``None``."""
    if value is None:
        return None
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not least <= number < 1 << bits:
        raise ArgumentError(f"{name}={value!r}: expected an integer of {least} to 2^{bits} - 1")
    return number
