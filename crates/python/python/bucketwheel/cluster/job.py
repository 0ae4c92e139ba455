"""One sum under way: tasks, answers, and what is done about those that are late, lost or wrong."""

from __future__ import annotations

import hashlib
import secrets
import statistics
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np
import ray
from ray.exceptions import RayActorError, RayTaskError, TaskCancelledError

from ..errors import Error
from ..points import curve_of
from ..progress import Progress, callback_of
from .checkpoint import Checkpoint
from .crew import Crew
from .errors import IntegrityError, TimeoutError
from .report import Report, Run
from .shard import Answer
from .source import Scalars, Shard, total
from .verify import Guard, differs

STEP_SECONDS = 0.05
"""How long signals and stragglers wait."""
LATE_FACTOR = 3.0
"""A shard that takes so many times what the others took is late."""
LATE_SECONDS = 2.0
ATTEMPTS = 3
"""Wrong answers to a shard before it is an error."""
QUEUE = 2
"""Shards of a worker whose scalars are in the object store at a time."""

Sums = tuple[tuple[str, bytes], ...]


@dataclass
class Pending:
    """A shard that is not done."""

    scalars: Any
    """The array, as long as somebody needs it here."""
    reference: Any
    digest: str
    size: int
    inner: list[bytes] | None = None
    first: tuple[int, Answer] | None = None
    """What one worker says, where another is to say the same."""
    tasks: set[Any] = field(default_factory=set)
    attempts: int = 0
    wrong: int = 0


class Job:
    """A sum over all shards."""

    def __init__(
        self,
        crew: Crew,
        shards: Sequence[Shard],
        scalars: Scalars,
        guard: Guard | None,
        sample: int,
        checkpoint: Checkpoint | None,
        report: Report,
        progress: Progress | None,
        timeout: float | None,
    ) -> None:
        self._crew, self._shards, self._scalars, self._guard = crew, shards, scalars, guard
        self._checkpoint, self._report, self._tell = checkpoint, report, callback_of(progress)
        self._sampled = set(secrets.SystemRandom().sample(range(len(shards)), sample))
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._queue = deque(range(len(shards)))
        self._pending: dict[int, Pending] = {}
        self._tasks: dict[Any, tuple[int, int]] = {}
        """The shard and the worker of each task."""
        self._sums: dict[int, Sums] = {}
        self._begun = time.monotonic()
        self._sign = dict.fromkeys(range(len(crew.workers)), self._begun)
        """When workers last answered, or had nothing to do."""

    def run(self) -> list[Sums]:
        """The sums over the shards, in their order."""
        self._crew.balance(len(self._shards))
        restarts = self._crew.restarts
        try:
            while len(self._sums) < len(self._shards):
                self._step(may_wait=not self._submit())
            self._scalars.end()
        finally:
            for task in self._tasks:
                ray.cancel(task)
            self._report.restarts = self._crew.restarts - restarts
        return [self._sums[index] for index in range(len(self._shards))]

    def _submit(self) -> bool:
        """Hands out the next shard, if there is room for its scalars. One at a time: answers that have come make room, and say who
        is not late."""
        if not self._queue or not self._has_room(self._shards[self._queue[0]]):
            return False
        shard = self._shards[self._queue.popleft()]
        scalars = self._scalars.take(shard.count)
        digest = _digest(scalars) if self._checkpoint else ""
        known = self._checkpoint and self._checkpoint.done(shard, digest, bool(self._guard or self._sampled))
        if known:
            self._finish(shard.index, known)
            self._report.resumed += 1
            return True
        pending = Pending(scalars if self._guard else None, ray.put(scalars), digest, scalars.nbytes)
        self._pending[shard.index] = pending
        self._send(shard.index, self._crew.home(shard.index))
        return True

    def _has_room(self, shard: Shard) -> bool:
        """Whether a shard's scalars may go into the object store, without others having to leave it for a disk."""
        size = shard.count * curve_of(shard.curve).scalar_bytes + sum(pending.size for pending in self._pending.values())
        return not self._pending or (len(self._pending) < QUEUE * len(self._crew.workers) and size <= self._crew.room)

    def _send(self, index: int, worker: int) -> None:
        if not self._crew.is_there(worker):
            worker = self._other({worker}) if len(self._crew.workers) > 1 else worker
        if not any(busy == worker for _, busy in self._tasks.values()):
            self._sign[worker] = time.monotonic()
        pending = self._pending[index]
        keep = self._crew.keep(worker)
        task = self._crew.workers[worker].sum.remote(self._shards[index], pending.reference, keep)
        self._tasks[task] = index, worker
        pending.tasks.add(task)
        pending.attempts += 1
        self._report.bytes += pending.size

    def _step(self, may_wait: bool) -> None:
        """Takes the answers that are there, or waits a little for one; meanwhile, computes what they are checked by."""
        unready = next((index for index, pending in self._pending.items() if self._guard and pending.inner is None), None)
        if unready is not None:
            self._prepare(unready)
        if not self._tasks:
            return
        timeout = STEP_SECONDS if unready is None and may_wait else 0
        if ray.wait(list(self._tasks), num_returns=1, timeout=timeout)[0]:
            for task in ray.wait(list(self._tasks), num_returns=len(self._tasks), timeout=0)[0]:
                self._take(task)
        self._crew.look()
        self._duplicate()
        if self._deadline is not None and time.monotonic() > self._deadline:
            missing = ", ".join(map(str, sorted(self._pending)))
            raise TimeoutError(f"not done in time: shards {missing} of {len(self._shards)}")

    def _prepare(self, index: int) -> None:
        pending = self._pending[index]
        if self._guard and pending.inner is None:
            started = time.process_time()
            pending.inner = self._guard.inner(self._shards[index], pending.scalars)
            pending.scalars = None
            self._report.check_seconds += time.process_time() - started

    def _take(self, task: Any) -> None:
        """An answer, or why there is none."""
        index, worker = self._tasks.pop(task)
        self._sign[worker] = time.monotonic()
        pending = self._pending.get(index)
        if pending is not None:
            pending.tasks.discard(task)
        try:
            answer: Answer | None = ray.get(task)
        except TaskCancelledError:
            return
        except RayTaskError as error:
            if pending is not None:
                raise _cause(error, self._shards[index]) from None
            return
        except RayActorError:
            # One that Ray does not start again.
            if pending is not None and not pending.tasks:
                self._send(index, self._other({worker}))
            return
        if answer is not None:
            self._crew.seen(worker, answer.node, answer.pid)
        if answer is not None and pending is not None:
            self._judge(index, worker, answer)

    def _judge(self, index: int, worker: int, answer: Answer) -> None:
        pending, shard = self._pending[index], self._shards[index]
        self._prepare(index)
        fault = self._guard.fault(answer, pending.inner or []) if self._guard else None
        if fault is not None:
            fault = f"shard {index}, process {answer.pid} on node {answer.node}: {fault}"
            self._report.faults.append(fault)
            pending.wrong += 1
            if pending.wrong >= ATTEMPTS:
                raise IntegrityError(f"{fault}; {ATTEMPTS} answers were wrong", shard=index)
            # Its memory may be what is wrong.
            self._crew.restart(worker)
            self._send(index, self._other({worker}))
            return
        if index in self._sampled:
            if pending.first is None:
                pending.first = worker, answer
                self._send(index, self._other({worker}))
                return
            if pending.first[0] == worker:
                return
            differs(shard, pending.first[1], answer)
        sums = answer.sums[::2] if self._guard else answer.sums
        if self._checkpoint:
            kept = Answer(sums, answer.node, answer.pid, answer.started, answer.load_seconds, answer.seconds)
            self._checkpoint.add(shard, pending.digest, kept, bool(self._guard) or index in self._sampled)
        run = Run(
            index,
            shard.count,
            worker,
            answer.node,
            answer.pid,
            answer.started,
            answer.load_seconds,
            answer.seconds,
            pending.attempts,
            answer.cycles,
        )
        self._report.shards.append(run)
        if shard.count:
            self._crew.rate = [*self._crew.rate, answer.seconds / shard.count][-32:]
        self._crew.move(index, worker)
        for other in pending.tasks:
            ray.cancel(other)
        del self._pending[index]
        self._finish(index, sums)

    def _finish(self, index: int, sums: Sums) -> None:
        self._sums[index] = sums
        if self._tell:
            self._tell(total(self._shards[done] for done in self._sums), total(self._shards))

    def _other(self, but: set[int]) -> int:
        """The worker with least to do, other than some where there are others."""
        count = len(self._crew.workers)
        busy = [worker for _, worker in self._tasks.values()]
        return min(range(count), key=lambda worker: (worker in but, not self._crew.is_there(worker), busy.count(worker)))

    def _duplicate(self) -> None:
        """Gives a late shard to a worker that has nothing to do: the first answer wins."""
        busy = {worker for _, worker in self._tasks.values()}
        idle = [worker for worker in range(len(self._crew.workers)) if worker not in busy and self._crew.is_there(worker)]
        now = time.monotonic()
        for task, (index, worker) in list(self._tasks.items()):
            pending = self._pending.get(index)
            if not idle or pending is None or len(pending.tasks) != 1:
                continue
            if pending.first is not None and pending.first[0] in idle:
                continue
            is_late = self._crew.rate and now - self._sign[worker] > max(
                LATE_SECONDS, LATE_FACTOR * statistics.median(self._crew.rate) * self._shards[index].count
            )
            if is_late or not self._crew.is_there(worker):
                self._report.duplicates += 1
                self._send(index, idle.pop())


def _digest(scalars: Any) -> str:
    digest = hashlib.sha256(f"{scalars.shape} ".encode())
    digest.update(np.ascontiguousarray(scalars))
    return digest.hexdigest()


def _cause(error: RayTaskError, shard: Shard) -> Exception:
    """What a worker says, with points and scalars numbered as they are in all shards."""
    cause = error.cause
    if not isinstance(cause, Error):
        return cause if isinstance(cause, Exception) else error
    place = f"shard {shard.index}, points from {shard.first} on"
    moved = type(cause)(f"{place}: {cause}")
    moved.index = None if cause.index is None else shard.first + cause.index
    return moved
