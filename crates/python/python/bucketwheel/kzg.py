"""Commitments to Ethereum's blobs (EIP-4844)."""

from __future__ import annotations

from os import PathLike

from .bases import Bases
from .errors import ArgumentError, FormatError, ScalarError
from .progress import Progress

__all__ = ["Setup"]

ELEMENTS = 4096
ELEMENT_BYTES = 32
BITS = ELEMENTS.bit_length() - 1
ORDER = [int(f"{i:0{BITS}b}"[::-1], 2) for i in range(ELEMENTS)]
"""The element of each point: the element whose number has the point's bits in reverse."""
GENERATOR = bytes.fromhex(
    "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac58"
    "6c55e83ff97a1aeffb3af00adb22c6bb"
)
"""The generator of G1, the sum of the points of a set-up in Lagrange form."""


class Setup:
    """Ethereum's trusted set-up, by path or as bytes: the text ``trusted_setup.txt`` of c-kzg, or the JSON
    ``trusted_setup_4096.json`` of the consensus specification.

    The constructor checks that its points are in their group and in Lagrange form.
    """

    def __init__(self, file: str | PathLike[str] | bytes, *, progress: Progress | None = None) -> None:
        self._bases = Bases.open(
            file, curve="bls12-381", section="g1-lagrange", check="subgroup", progress=progress
        )
        if len(self._bases) != ELEMENTS:
            raise ArgumentError(f"a set-up of {len(self._bases)} points: expected {ELEMENTS}")
        if self._bases.msm([1] * ELEMENTS).to_bytes("zcash-compressed") != GENERATOR:
            raise FormatError(
                "the set-up's points do not sum to the generator: expected them in Lagrange form; "
                "take another set-up, such as trusted_setup.txt of c-kzg"
            )

    def commit(self, blob: bytes) -> bytes:
        """Returns the commitment, a compressed point, to a blob of 4096 big-endian integers of 32 bytes below the order."""
        expected = ELEMENTS * ELEMENT_BYTES
        if len(blob) != expected:
            raise ArgumentError(f"a blob of {len(blob)} bytes: expected {expected}, {ELEMENTS} integers of {ELEMENT_BYTES}")
        elements = [bytes(blob[i : i + ELEMENT_BYTES])[::-1] for i in range(0, expected, ELEMENT_BYTES)]
        try:
            sum = self._bases.msm(b"".join(elements[i] for i in ORDER))
        except ScalarError as error:
            index = ORDER[error.index or 0]
            message = f"element {index} of the blob is not below the order: expected canonical big-endian integers"
            raise ScalarError(message, index=index) from None
        return sum.to_bytes("zcash-compressed")
