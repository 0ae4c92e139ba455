"""One sum: its tasks and answers, and the treatment of late, lost or wrong answers."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import deque
from dataclasses import dataclass, replace
from typing import Any, Sequence

import numpy as np

from ..points import curve_of, parts_of
from ..progress import Progress, callback_of
from . import engine
from .answers import Answer, AnswerError, Failed, decode
from .checkpoint import Checkpoint
from .crew import Crew
from .errors import CheckpointError
from .named import Ranges
from .report import Report, Run
from .round import STEP_SECONDS, Round, usual
from .round import Pending as Waiting
from .source import Range, Scalars, Shard, total
from .verify import Guard, Sums, differs, misfit, strayed

QUEUE = 2
"""Number of shards that a worker has at a time, with their scalars in the object store or named."""


@dataclass(kw_only=True)
class Pending(Waiting):
    """A shard without a sum."""

    scalars: Any
    """The scalars, as long as this process needs them."""
    given: Any
    """The scalars as a task gets them: a reference to an array, or the range that the worker reads."""
    digest: str
    size: int
    """Bytes of scalars in the object store, or in this process for a check."""
    inner: list[bytes] | None = None
    first: tuple[int, Answer] | None = None
    """The answer of one worker, until another worker gives the same answer."""


class Job(Round):
    """The round of tasks for a sum over all shards. Shards of named points get the digests of their points."""

    def __init__(
        self,
        crew: Crew,
        shards: list[Shard],
        scalars: Scalars | Ranges,
        guard: Guard | None,
        sample: int,
        checkpoint: Checkpoint | None,
        report: Report,
        progress: Progress | None,
        timeout: float | None,
    ) -> None:
        super().__init__(crew, shards, timeout)
        self._scalars, self._guard = scalars, guard
        self._checkpoint, self._report, self._tell = checkpoint, report, callback_of(progress)
        self.faults = report.faults
        self._sampled = set(secrets.SystemRandom().sample(range(len(shards)), sample))
        self._queue = deque(range(len(shards)))
        self._pending: dict[int, Pending] = {}
        self._sums: dict[int, Sums] = {}

    def run(self) -> list[Sums]:
        """Returns the sums over the shards, in the order of the shards."""
        self._crew.balance(len(self._shards))
        restarts = self._crew.restarts
        try:
            while len(self._sums) < len(self._shards):
                may_wait = not self._submit()
                # Inner products, which check answers, are computed while workers work.
                unready = next((index for index, pending in self._pending.items() if self._guard and pending.inner is None), None)
                if unready is not None:
                    self._prepare(unready)
                self._step(STEP_SECONDS if unready is None and may_wait else 0)
            self._scalars.end()
        finally:
            self._cancel()
            if self._checkpoint:
                self._checkpoint.write()
            self._report.restarts = self._crew.restarts - restarts
            self._report.duplicates = self.duplicates
        return [self._sums[index] for index in range(len(self._shards))]

    def _submit(self) -> bool:
        """Starts the task of the next shard, if there is room for its scalars. Starts one task at a time, because
        finished answers make room and show which workers are not late."""
        if not self._queue or not self._has_room(self._shards[self._queue[0]]):
            return False
        index = self._queue.popleft()
        shard, given = self._shards[index], self._scalars.take(self._shards[index].count)
        is_finished = bool(self._checkpoint and self._checkpoint.has(shard))
        if shard.is_named and is_finished:
            # The sum counts only if the points are still the same.
            shard = self._shards[index] = shard.digested()
            self._report.bytes += shard.bytes
        scalars, digest, name, size = None, "", "these", 0
        if not isinstance(given, Range):
            scalars, size = given, given.nbytes
            digest = _digest(scalars) if self._checkpoint else ""
        elif self._guard or is_finished:
            # The worker reads named scalars. This process reads them only for a check, and then fixes their digest.
            data, given = given.read()
            scalars, digest, name, size = np.frombuffer(data, dtype=np.uint8), given.digest or "", str(given), given.size
            self._report.bytes += size
        known = self._known(shard, scalars, digest, name)
        if known:
            self._finish(index, known)
            self._report.resumed += 1
            return True
        if not isinstance(given, Range):
            given = engine.share(scalars)
        elif not self._guard:
            size = 0
        self._pending[index] = Pending(scalars=scalars if self._guard else None, given=given, digest=digest, size=size)
        # Any worker can read named points.
        self._send(index, self._other(set()) if shard.is_named else self._crew.home(index))
        return True

    def _known(self, shard: Shard, scalars: Any, digest: str, name: str) -> Sums | None:
        """Returns the checkpoint's sums of a shard, after a check; ``None`` if they were checked less strictly than
        this job requires."""
        found = self._checkpoint.done(shard, digest, name, bool(self._guard or self._sampled)) if self._checkpoint else None
        if found is None:
            return None
        has_second = len(found) == 2 * len(parts_of(shard.group))
        if self._guard and not has_second:
            return None
        if self._guard:
            fault = self._guard.fault(found, self._guard.inner(shard, scalars))
        else:
            found = found[::2] if has_second else found
            fault = misfit(found, shard)
        if fault is not None:
            raise CheckpointError(f"the checkpoint's sum of shard {shard.index} is wrong: {fault}; delete the checkpoint")
        return found[::2] if self._guard else found

    def _has_room(self, shard: Shard) -> bool:
        """Returns true if a shard's scalars fit into the object store without pushing other objects to a disk. Named
        scalars that this process reads for checks have the same bound."""
        is_here = self._guard or not isinstance(self._scalars, Ranges)
        size = sum(pending.size for pending in self._pending.values())
        size += shard.count * curve_of(shard.curve).scalar_bytes if is_here else 0
        return not self._pending or (len(self._pending) < QUEUE * len(self._crew.workers) and size <= self._crew.room)

    def _start(self, index: int, worker: int) -> Any:
        pending = self._pending[index]
        if not isinstance(pending.given, Range):
            self._report.bytes += pending.size
        shard = self._shards[index]
        keep = frozenset() if shard.is_named else self._crew.keep(worker)
        return engine.call(self._crew.workers[worker], "sum", shard, pending.given, keep)

    def _late(self, index: int) -> float | None:
        return usual(self._crew.rate, self._shards[index].count)

    def _prepare(self, index: int) -> None:
        pending = self._pending[index]
        if self._guard and pending.inner is None:
            started = time.process_time()
            pending.inner = self._guard.inner(self._shards[index], pending.scalars)
            pending.scalars = None
            self._report.check_seconds += time.process_time() - started

    def _accept(self, index: int, worker: int, answer: bytes, seconds: float) -> None:
        pending, shard = self._pending[index], self._shards[index]
        found = decode(answer, Answer)
        if isinstance(found, Failed):
            self._fail(index, worker, found)
            return
        self._crew.seen(worker, found.node, found.pid)
        self._prepare(index)
        fault = strayed(found, shard, pending.given)
        if fault is None:
            fault = self._guard.fault(found.sums, pending.inner or []) if self._guard else misfit(found.sums, shard)
        if fault is not None:
            raise AnswerError(fault)
        if index in self._sampled:
            if pending.first is None:
                pending.first = worker, found
                pending.avoid.add(worker)
            if pending.first[0] == worker:
                self._again(index, worker)
                return
            differs(shard, pending.given, pending.first[1], found)
        if isinstance(self._scalars, Ranges) and found.scalars is not None:
            pending.digest = found.scalars
            self._scalars.keep(pending.given, found.scalars)
        if shard.is_named:
            parts = tuple(replace(part, digest=digest) for part, digest in zip(shard.parts, found.points))
            shard = self._shards[index] = replace(shard, parts=parts)
        if self._checkpoint:
            self._checkpoint.add(shard, pending.digest, found.sums, bool(self._guard) or index in self._sampled)
        run = Run(
            index,
            shard.count,
            worker,
            found.node,
            found.pid,
            found.started,
            found.load_seconds,
            found.seconds,
            pending.attempts,
            found.cycles,
        )
        self._report.shards.append(run)
        if shard.count:
            # The worker's own time counts up to the time after which its answer came.
            self._crew.rate = [*self._crew.rate, min(found.seconds, seconds) / shard.count][-32:]
        self._done(index, worker)
        self._finish(index, found.sums[::2] if self._guard else found.sums)

    def _finish(self, index: int, sums: Sums) -> None:
        self._sums[index] = sums
        if self._tell:
            self._tell(total(self._shards[done] for done in self._sums), total(self._shards))


def _digest(scalars: Any) -> str:
    digest = hashlib.sha256(f"{scalars.shape} ".encode())
    digest.update(np.ascontiguousarray(scalars))
    return digest.hexdigest()
