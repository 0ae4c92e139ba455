"""Fields of answers in bytes: the writer, and the reader, which trusts nothing that it reads."""

from __future__ import annotations

import math
import struct

from ..errors import Error

__all__ = ["DECIMAL", "HEXADECIMAL", "NAME", "AnswerError", "Reader", "Writer"]

INTEGER_BITS = 63
HEXADECIMAL = "0123456789abcdef"
DECIMAL = "0123456789"
NAME = "abcdefghijklmnopqrstuvwxyz0123456789-"


class AnswerError(Error):
    """The bytes are not an answer, or are another answer than expected."""


class Writer:
    """Appends fields."""

    def __init__(self) -> None:
        self.data = bytearray()

    def integer(self, value: int) -> None:
        """Appends a non-negative integer."""
        self.data += value.to_bytes(8, "little")

    def number(self, value: float) -> None:
        """Appends a float."""
        self.data += struct.pack("<d", value)

    def blob(self, value: bytes) -> None:
        """Appends bytes and their length."""
        self.data += len(value).to_bytes(4, "little") + value

    def text(self, value: str) -> None:
        """Appends a text and its length."""
        self.blob(value.encode())


class Reader:
    """Reads fields, each within its bounds."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def _take(self, size: int) -> bytes:
        end = self._at + size
        if end > len(self._data):
            raise AnswerError(f"an answer of {len(self._data)} bytes that ends within a field: expected {end - len(self._data)} more")
        found = self._data[self._at : end]
        self._at = end
        return found

    def integer(self, most: int = (1 << INTEGER_BITS) - 1) -> int:
        """Reads an integer of at most ``most``."""
        found = int.from_bytes(self._take(8), "little")
        if found > most:
            raise AnswerError(f"the integer {found} in an answer: expected at most {most}")
        return found

    def number(self) -> float:
        """Reads a finite, non-negative float."""
        found: float = struct.unpack("<d", self._take(8))[0]
        if not (math.isfinite(found) and found >= 0):
            raise AnswerError(f"the number {found} in an answer: expected a finite one, not below 0")
        return found

    def blob(self, most: int) -> bytes:
        """Reads at most ``most`` bytes."""
        size = int.from_bytes(self._take(4), "little")
        if size > most:
            raise AnswerError(f"a field of {size} bytes in an answer: expected at most {most}")
        return self._take(size)

    def text(self, most: int) -> str:
        """Reads a text without its control characters, because it may reach a terminal."""
        try:
            # A character has four bytes at most.
            found = self.blob(4 * most).decode()
        except UnicodeDecodeError:
            raise AnswerError("a text in an answer that is not UTF-8") from None
        return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in found[:most])

    def word(self, most: int, alphabet: str) -> str:
        """Reads a text of characters of an alphabet."""
        found = self.text(most)
        if not set(found) <= set(alphabet):
            raise AnswerError(f"the text {found[:80]!r} in an answer: expected characters of {alphabet}")
        return found

    def end(self) -> None:
        """Checks that no bytes are left."""
        left = len(self._data) - self._at
        if left:
            raise AnswerError(f"{left} bytes behind an answer: expected none")
