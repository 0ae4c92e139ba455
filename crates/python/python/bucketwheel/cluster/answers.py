"""Answers of workers, as bytes of one fixed format. The coordinator reads answers only with this reader, and unpickles
nothing.

An answer is ``BWA1``, the byte of its kind, and the fields of its kind in their order: integers of 8 bytes
(little-endian), floats as IEEE 754 doubles, texts in UTF-8 behind their length in 4 bytes. Every field has bounds
(:mod:`.fields`), and nothing may follow the last field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Sequence, TypeVar

from .. import errors
from ..errors import Error
from . import errors as cluster_errors
from .fields import DECIMAL, HEXADECIMAL, NAME, AnswerError, Reader, Writer

__all__ = ["Answer", "AnswerError", "Done", "Failed", "Held", "Memory", "Place", "Proved", "decode", "encode", "failed"]

MAGIC = b"BWA1"
MOST_BYTES = 64 << 10
"""Most bytes of an answer, unless the caller expects more: a proof may have many public signals."""
NODE_CHARACTERS = 64
MESSAGE_CHARACTERS = 2000
NUMBER_CHARACTERS = 120
"""Most decimal digits of a coordinate or a public signal."""
POINT_BYTES = 1 << 10
MOST_SUMS = 4
CURVE_CHARACTERS = 32
DIGEST_CHARACTERS = 64


class Message(Protocol):
    """Base class of the kinds of answers."""

    KIND: ClassVar[int]

    def write(self, out: Writer) -> None:
        """Appends the fields of this answer."""

    @classmethod
    def read(cls, data: Reader) -> Any:
        """Reads the fields of an answer of this kind."""


Kind = TypeVar("Kind", bound=Message)


def _write_digests(out: Writer, digests: Sequence[str]) -> None:
    out.integer(len(digests))
    for digest in digests:
        out.text(digest)


def _digests(data: Reader, most: int) -> tuple[str, ...]:
    digests = tuple(data.word(DIGEST_CHARACTERS, HEXADECIMAL) for _ in range(data.integer(most)))
    if any(len(digest) != DIGEST_CHARACTERS for digest in digests):
        raise AnswerError(f"an answer with an invalid digest: expected {DIGEST_CHARACTERS} hexadecimal digits")
    return digests


@dataclass(frozen=True)
class Done:
    """States only that a task is done; for a sum, that it was cancelled."""

    KIND: ClassVar[int] = 0

    def write(self, out: Writer) -> None:
        pass

    @classmethod
    def read(cls, data: Reader) -> Done:
        return cls()


@dataclass(frozen=True)
class Failed:
    """An error of the package, or an error of a class that an answer may name."""

    KIND: ClassVar[int] = 1
    name: str
    message: str
    index: int | None = None

    def write(self, out: Writer) -> None:
        out.text(self.name)
        out.text(self.message[:MESSAGE_CHARACTERS])
        out.integer(0 if self.index is None else 1 + self.index)

    @classmethod
    def read(cls, data: Reader) -> Failed:
        name, message, index = data.text(64), data.text(MESSAGE_CHARACTERS), data.integer()
        if name not in CLASSES:
            raise AnswerError(f"an error of the class {name!r} in an answer: expected one of {', '.join(CLASSES)}")
        return cls(name, message, index - 1 if index else None)

    def error(self, place: str = "", first: int = 0) -> Exception:
        """Returns the exception, with its place; ``first`` is the number of the first point or scalar."""
        message = f"{place}: {self.message}" if place else self.message
        kind = CLASSES[self.name]
        if not issubclass(kind, Error):
            return kind(message)
        found = kind(message)
        found.index = None if self.index is None else first + self.index
        return found


CLASSES: dict[str, type[Exception]] = {
    **{name: getattr(module, name) for module in (errors, cluster_errors) for name in module.__all__},
    "OSError": OSError,
    "MemoryError": MemoryError,
}
"""The classes of errors that an answer may name."""


@dataclass(frozen=True)
class Place:
    """The node and the process of a worker."""

    KIND: ClassVar[int] = 2
    node: str
    pid: int

    def write(self, out: Writer) -> None:
        out.text(self.node)
        out.integer(self.pid)

    @classmethod
    def read(cls, data: Reader) -> Place:
        return cls(data.word(NODE_CHARACTERS, NAME), data.integer())


@dataclass(frozen=True)
class Memory:
    """Bytes of memory of a worker, now and at its peak."""

    KIND: ClassVar[int] = 3
    now: int
    most: int

    def write(self, out: Writer) -> None:
        out.integer(self.now)
        out.integer(self.most)

    @classmethod
    def read(cls, data: Reader) -> Memory:
        return cls(data.integer(), data.integer())


@dataclass(frozen=True)
class Held:
    """A shard as a worker has read it: the number of its points, and the SHA-256 of each of its parts."""

    KIND: ClassVar[int] = 4
    count: int
    curve: str
    group: str
    digests: tuple[str, ...]

    def write(self, out: Writer) -> None:
        out.integer(self.count)
        out.text(self.curve)
        out.text(self.group)
        _write_digests(out, self.digests)

    @classmethod
    def read(cls, data: Reader) -> Held:
        count, curve, group = data.integer(), data.word(CURVE_CHARACTERS, NAME), data.word(CURVE_CHARACTERS, NAME)
        return cls(count, curve, group, _digests(data, MOST_SUMS))


@dataclass(frozen=True)
class Answer:
    """The sums over a shard, and how they were computed."""

    KIND: ClassVar[int] = 5
    sums: tuple[tuple[str, bytes], ...]
    """Sums by group; each is followed by its sum over the second points, if the shard has second points."""
    node: str
    pid: int
    started: float
    """Time by the clock of the worker's machine."""
    load_seconds: float
    """Time to read and prepare the points; 0 if the worker already held them."""
    seconds: float
    cycles: int = 0
    """Cycles of a simulated accelerator; 0 on a CPU."""
    scalars: str | None = None
    """SHA-256 of the scalars, if the worker read them itself."""
    points: tuple[str, ...] = ()
    """SHA-256 of the points of each group, if the points are named."""

    def write(self, out: Writer) -> None:
        out.integer(len(self.sums))
        for group, point in self.sums:
            out.text(group)
            out.blob(point)
        Place(self.node, self.pid).write(out)
        for number in (self.started, self.load_seconds, self.seconds):
            out.number(number)
        out.integer(self.cycles)
        _write_digests(out, () if self.scalars is None else (self.scalars,))
        _write_digests(out, self.points)

    @classmethod
    def read(cls, data: Reader) -> Answer:
        count = data.integer(MOST_SUMS)
        sums = tuple((data.word(CURVE_CHARACTERS, NAME), data.blob(POINT_BYTES)) for _ in range(count))
        place = Place.read(data)
        started, load_seconds, seconds = data.number(), data.number(), data.number()
        cycles, scalars, points = data.integer(), _digests(data, 1), _digests(data, MOST_SUMS)
        return cls(sums, place.node, place.pid, started, load_seconds, seconds, cycles, next(iter(scalars), None), points)


COORDINATES = {"pi_a": (3,), "pi_b": (3, 2), "pi_c": (3,)}
"""The points of a proof in snarkjs' form: the number of coordinates, and the number of integers of each coordinate."""


@dataclass(frozen=True)
class Proved:
    """The result for an input: a proof, or an error."""

    KIND: ClassVar[int] = 6
    index: int
    """Number of the input."""
    proof: dict[str, Any] | None = None
    public: list[str] | None = None
    error: str | None = None
    """Reason why this input has no proof."""

    def write(self, out: Writer) -> None:
        out.integer(self.index)
        if self.proof is None or self.public is None:
            out.integer(0)
            out.text((self.error or "")[:MESSAGE_CHARACTERS])
            return
        out.integer(1)
        for name, shape in COORDINATES.items():
            for coordinate in self.proof[name]:
                for number in [coordinate] if len(shape) == 1 else coordinate:
                    out.text(number)
        out.text(self.proof["curve"])
        out.integer(len(self.public))
        for signal in self.public:
            out.text(signal)

    @classmethod
    def read(cls, data: Reader) -> Proved:
        index = data.integer()
        if not data.integer(1):
            return cls(index, error=data.text(MESSAGE_CHARACTERS))

        def number() -> str:
            return data.word(NUMBER_CHARACTERS, DECIMAL)

        proof: dict[str, Any] = {}
        for name, shape in COORDINATES.items():
            proof[name] = [
                number() if len(shape) == 1 else [number() for _ in range(shape[1])] for _ in range(shape[0])
            ]
        proof["protocol"], proof["curve"] = "groth16", data.word(CURVE_CHARACTERS, NAME)
        return cls(index, proof, [number() for _ in range(data.integer())])


def encode(answer: Message) -> bytes:
    """Returns the bytes of an answer."""
    out = Writer()
    answer.write(out)
    return MAGIC + bytes([answer.KIND]) + bytes(out.data)


def decode(data: bytes, kind: type[Kind]) -> Kind | Failed:
    """Reads an answer of a kind, or the error of a failed task. Any other bytes raise an :class:`AnswerError`."""
    if len(data) <= len(MAGIC) or data[: len(MAGIC)] != MAGIC:
        raise AnswerError(f"{len(data)} bytes are not an answer: expected {MAGIC.decode()} and a kind")
    number, reader = data[len(MAGIC)], Reader(data[len(MAGIC) + 1 :])
    if number not in (kind.KIND, Failed.KIND):
        raise AnswerError(f"an answer of the kind {number}: expected {kind.KIND} ({kind.__name__})")
    answer: Kind | Failed = kind.read(reader) if number == kind.KIND else Failed.read(reader)
    reader.end()
    return answer


def failed(error: BaseException) -> Failed:
    """Returns the answer of a failed task: the nearest class that answers may name, and the message."""
    name = next((kind.__name__ for kind in type(error).__mro__ if CLASSES.get(kind.__name__) is kind), "Error")
    known = isinstance(error, CLASSES[name])
    message = str(error) if known else f"{type(error).__name__}: {error}"
    return Failed(name, message, getattr(error, "index", None) if isinstance(error, Error) else None)
