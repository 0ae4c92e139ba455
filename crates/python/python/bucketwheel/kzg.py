"""Commitments to Ethereum's blobs (EIP-4844)."""

from __future__ import annotations

from os import PathLike

from .bases import Bases, Progress
from .errors import ArgumentError

__all__ = ["Setup"]

ELEMENTS = 4096
ELEMENT_BYTES = 32


class Setup:
    """Ethereum's trusted set-up, of its text: the file ``trusted_setup.txt`` of c-kzg, by its path or as bytes.

    Its points are checked to be in their group.
    """

    def __init__(self, file: str | PathLike[str] | bytes, *, progress: Progress | None = None) -> None:
        self._bases = Bases.open(file, format="kzg", section="g1-lagrange", check="subgroup", progress=progress)
        if len(self._bases) != ELEMENTS:
            raise ArgumentError(f"a set-up of {len(self._bases)} points: expected {ELEMENTS}")

    def commit(self, blob: bytes) -> bytes:
        """The commitment to a blob, 4096 big-endian integers of 32 bytes below the order: a compressed point."""
        expected = ELEMENTS * ELEMENT_BYTES
        if len(blob) != expected:
            raise ArgumentError(f"a blob of {len(blob)} bytes: expected {expected}, {ELEMENTS} integers of {ELEMENT_BYTES}")
        # Element i of a blob belongs to the point whose number has i's bits in reverse. All bytes in reverse make
        # little-endian integers, the last one first.
        backwards = bytes(blob)[::-1]
        element = [backwards[i : i + ELEMENT_BYTES] for i in range(0, expected, ELEMENT_BYTES)]
        bits = ELEMENTS.bit_length() - 1
        order = (int(f"{i:0{bits}b}"[::-1], 2) for i in range(ELEMENTS))
        scalars = b"".join(element[ELEMENTS - 1 - i] for i in order)
        return self._bases.msm(scalars).to_bytes("zcash-compressed")
