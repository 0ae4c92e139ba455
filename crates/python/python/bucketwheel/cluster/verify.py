"""Checks a worker's sums with a second set of points, which only the coordinator can have made (docs/cluster.md)."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import time
from dataclasses import replace
from typing import Any, NoReturn, Sequence

from .. import _native
from ..bases import Bases as Local
from ..errors import PointError
from ..points import curve_of, parts_of
from ..progress import Progress, callback_of
from . import engine
from .answers import Answer
from .errors import IntegrityError, SourceError
from .source import Range, Shard, total, write

__all__ = ["LEVELS", "Guard", "Secrets", "Sums", "differs", "misfit", "strayed"]

Sums = tuple[tuple[str, bytes], ...]
"""Sums by group; each is followed by its second sum, if there are second points."""
LEVELS = ("none", "sample", "full")
ALPHA_BITS = 128
KEY_BYTES = 32
BLOCK = 1 << 15
"""Number of points that are masked between two looks at signals."""

logger = logging.getLogger("bucketwheel.cluster")


class Secrets:
    """The secrets that a worker must not know: a factor for each group, and the key of the pseudorandom values. They
    are the system's random numbers, and only a checkpoint takes them out of this process."""

    def __init__(self, alphas: Sequence[int], key: bytes) -> None:
        fits = all(type(alpha) is int and 0 < alpha < 1 << ALPHA_BITS for alpha in alphas)
        if not alphas or not fits or len(key) != KEY_BYTES:
            message = f"secrets: expected a factor for each group, of {ALPHA_BITS} bits and not 0, and a key of {KEY_BYTES} bytes"
            raise ValueError(message)
        self.alphas = list(alphas)
        self.key = key

    @classmethod
    def new(cls, group: str) -> Secrets:
        """Returns new secrets."""
        return cls([1 + secrets.randbelow((1 << ALPHA_BITS) - 1) for _ in parts_of(group)], secrets.token_bytes(KEY_BYTES))

    def key_of(self, shard: Shard, part: int) -> bytes:
        """Returns the key for a group's points of a shard. The key depends on these points: other points share no value
        with them. Equal points in another shard have equal second points."""
        name = f"{shard.curve} {shard.group} {part} {shard.count} {shard.parts[part].digest}"
        return hashlib.blake2b(name.encode(), key=self.key, digest_size=KEY_BYTES, person=b"bucketwheel mask").digest()

    def __repr__(self) -> str:
        return "<Secrets>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("secrets stay in their process")


class Guard:
    """Makes the second points of a set of points, and checks sums with them."""

    def __init__(self, curve: str, group: str, secrets: Secrets) -> None:
        self.secrets = secrets
        self._parts = parts_of(group)
        if len(secrets.alphas) != len(self._parts):
            raise ValueError(f"secrets for {len(secrets.alphas)} groups: expected {len(self._parts)}, as {group} has")
        self._width = [curve_of(curve).point_bytes(part) for part in self._parts]
        self._masks = [_native.Mask(curve, part, alpha) for part, alpha in zip(self._parts, secrets.alphas)]

    def cover(self, shards: Sequence[Shard], store: str | None, progress: Progress | None) -> list[Shard]:
        """Returns the shards with second points, which are in a folder, at a URL, or in Ray's store. Shards with the same
        ranges share them."""
        names = [tuple((part.place, part.start, part.size) for part in shard.parts) for shard in shards]
        distinct = dict(zip(names, shards))
        points, size = total(distinct.values()), sum(part.size for shard in distinct.values() for part in shard.parts)
        tell, done, started, told = callback_of(progress), 0, time.monotonic(), False
        for name, shard in distinct.items():
            masked = []
            for part, mask, width in zip(range(len(self._masks)), self._masks, self._width):
                # The bytes to mask are the hashed bytes.
                data, known = shard.parts[part].read()
                shard = replace(shard, parts=(*shard.parts[:part], known, *shard.parts[part + 1 :]))
                key, blocks = self.secrets.key_of(shard, part), []
                for first in range(0, shard.count, BLOCK):
                    block = data[first * width : (first + BLOCK) * width]
                    blocks.append(self._points(mask, shard, part, block, key, first))
                    done += len(block) // width
                    if not told:
                        told = True
                        estimate = (time.monotonic() - started) * points * len(self._parts) / done
                        logger.warning(
                            "verify='full' makes second points first, once: about %.1f s, and %d bytes in %s",
                            estimate,
                            size,
                            store or "Ray's object store",
                        )
                    if tell:
                        tell(done, points * len(self._parts))
                masked.append(_put(b"".join(blocks), shard, part, store))
            distinct[name] = replace(shard, masked=tuple(masked))
        return [
            replace(shard, parts=tuple(map(Range.known, shard.parts, found.parts)), masked=found.masked)
            for shard, found in zip(shards, map(distinct.__getitem__, names))
        ]

    def _points(self, mask: _native.Mask, shard: Shard, part: int, block: Any, key: bytes, first: int) -> bytes:
        try:
            return mask.points(block, key, first)
        except PointError as error:
            index = shard.first + first + (error.index or 0)
            raise PointError(
                f"{self._parts[part]}, point {index}: verify='full' takes points of the prime-order subgroup: {error}",
                index=index,
            ) from None

    def inner(self, shard: Shard, scalars: Any) -> list[bytes]:
        """Returns the part of the second sums beside the factor times the first sums."""
        return [mask.inner(scalars, self.secrets.key_of(shard, part), 0) for part, mask in enumerate(self._masks)]

    def fault(self, sums: Sums, inner: Sequence[bytes]) -> str | None:
        """Returns the fault of sums and second sums; ``None`` without a fault."""
        expected = [part for part in self._parts for _ in range(2)]
        if [group for group, _ in sums] != expected:
            return f"sums in {', '.join(group for group, _ in sums) or 'no group'}: expected {', '.join(expected)}"
        for number, (part, mask) in enumerate(zip(self._parts, self._masks)):
            first, second = sums[2 * number][1], sums[2 * number + 1][1]
            if not len(first) == len(second) == self._width[number]:
                return f"{part}: a sum of {len(first)} bytes and a second sum of {len(second)}: expected {self._width[number]}"
            try:
                if not mask.holds(first + second, inner[number]):
                    return f"{part}: the sum and the second sum do not match: one of them is wrong, or of other points or scalars"
            except PointError as error:
                return f"{part}: the {'second ' if error.index else ''}sum: {error}"
        return None


def _put(data: bytes, shard: Shard, part: int, store: str | None) -> Range:
    digest = hashlib.sha256(data).hexdigest()
    if store is None:
        return Range(engine.put(data), 0, len(data), digest)
    place = f"{store.rstrip('/')}/second-{digest[:32]}-{shard.index}-{part}"
    if "://" not in store:
        os.makedirs(store, exist_ok=True)
    write(place, data)
    return Range(place, 0, len(data), digest)


def misfit(sums: Sums, shard: Shard) -> str | None:
    """Returns the fault of sums without second sums: other groups or lengths, or points that are not in their
    groups."""
    expected = parts_of(shard.group)
    if [group for group, _ in sums] != list(expected):
        return f"sums in {', '.join(group for group, _ in sums) or 'no group'}: expected {', '.join(expected)}"
    for group, (_, point) in zip(expected, sums):
        width = curve_of(shard.curve).point_bytes(group)
        if len(point) != width:
            return f"{group}: a sum of {len(point)} bytes: expected {width}"
        try:
            Local(point, curve=curve_of(shard.curve).name, group=group, check="subgroup")
        except PointError as error:
            return f"{group}: the sum: {error}"
    return None


def strayed(answer: Answer, shard: Shard, scalars: Any) -> str | None:
    """Returns the fault of an answer that does not name the points and scalars of its task: the digests of the ranges that
    the worker read, and none of points that it holds or of scalars that were sent. Returns ``None`` without a fault."""
    expected = [part.digest for part in shard.parts] if shard.is_named else []
    if len(answer.points) != len(expected) or any(one not in (None, other) for one, other in zip(expected, answer.points)):
        known = ", ".join(str(digest or "a digest") for digest in expected)
        return f"points with the SHA-256 {', '.join(answer.points) or 'of none'}: expected {known or 'none'}"
    if not isinstance(scalars, Range):
        return None if answer.scalars is None else "a digest of scalars that were sent: expected none"
    if answer.scalars is None or scalars.digest not in (None, answer.scalars):
        return f"{scalars}: scalars with the SHA-256 {answer.scalars}: expected {scalars.digest or 'a digest'}"
    return None


def differs(shard: Shard, scalars: object, one: Answer, other: Answer) -> None:
    """Compares the answers of two workers for a shard."""
    places = " and ".join(f"process {answer.pid} on node {answer.node}" for answer in (one, other))
    for kind, place in (("scalars", scalars), ("points", shard.parts[0])):
        if getattr(one, kind) != getattr(other, kind):
            message = f"shard {shard.index}: {places} read different {kind} from {place}: expected the same content on all nodes"
            raise SourceError(message)
    if one.sums != other.sums:
        raise IntegrityError(f"shard {shard.index}: {places} have different sums: one of them is wrong", shard=shard.index)
