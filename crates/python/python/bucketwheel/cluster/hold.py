"""Makes workers read and prepare their shards."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any, Sequence

from ..points import CURVES
from . import engine
from .answers import AnswerError, Failed, Held, decode
from .crew import Crew
from .round import STEP_SECONDS, Pending, Round, usual
from .source import Shard, renumbered

__all__ = ["hold", "whole"]

logger = logging.getLogger("bucketwheel.cluster")


def hold(crew: Crew, shards: Sequence[Shard], timeout: float | None = None) -> list[Shard]:
    """Makes each worker read its shards, and returns the shards with the digests of their points."""
    return Holding(crew, shards, timeout).run()


class Holding(Round):
    """A round over all shards, in which workers read and prepare them."""

    def __init__(self, crew: Crew, shards: Sequence[Shard], timeout: float | None) -> None:
        super().__init__(crew, list(shards), timeout)
        self._found: dict[int, Shard] = {}

    def run(self) -> list[Shard]:
        """Returns the shards after the round."""
        self._crew.balance(len(self._shards))
        try:
            for shard in self._shards:
                self._pending[shard.index] = Pending()
                self._send(shard.index, self._crew.home(shard.index))
            while self._pending:
                self._step(STEP_SECONDS)
        finally:
            self._cancel()
            for fault in self.faults:
                logger.warning("%s", fault)
        return renumbered([self._found[shard.index] for shard in self._shards])

    def _start(self, index: int, worker: int) -> Any:
        return engine.call(self._crew.workers[worker], "hold", self._shards[index])

    def _late(self, index: int) -> float | None:
        return usual(self._crew.hold_rate, self._shards[index].bytes)

    def _accept(self, index: int, worker: int, answer: bytes, seconds: float) -> None:
        found = decode(answer, Held)
        if isinstance(found, Failed):
            self._fail(index, worker, found)
            return
        self._found[index] = whole(self._shards[index], found)
        if self._shards[index].bytes:
            self._crew.hold_rate = [*self._crew.hold_rate, seconds / self._shards[index].bytes][-32:]
        self._done(index, worker)


def whole(shard: Shard, found: Held) -> Shard:
    """Returns the shard with a worker's findings: digests; for a whole file, also its content."""
    if len(found.digests) != len(shard.parts):
        raise AnswerError(f"digests of {len(found.digests)} parts: expected {len(shard.parts)}")
    parts = tuple(replace(part, digest=digest) for part, digest in zip(shard.parts, found.digests))
    if not shard.is_file:
        if (found.count, found.curve, found.group) != (shard.count, shard.curve, shard.group):
            message = f"{found.count} points of {found.curve} {found.group}: expected {shard.count} of {shard.curve} {shard.group}"
            raise AnswerError(message)
        return replace(shard, parts=parts)
    if shard.curve not in ("", found.curve) or (shard.curve and found.group != shard.group):
        raise AnswerError(f"points of {found.curve} {found.group}: expected {shard.curve} {shard.group}")
    known = CURVES[found.curve].groups if found.curve in CURVES else ()
    if found.group not in known:
        raise AnswerError(f"points of {found.curve} {found.group}: expected a curve of this build, and a group of it")
    return replace(shard, parts=parts, count=found.count, curve=found.curve, group=found.group)
