"""A round of tasks, one for each shard, and the treatment of late, lost or wrong answers."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Sequence

from . import engine
from .answers import AnswerError, Failed
from .crew import Crew
from .errors import IntegrityError, TimeoutError
from .source import Shard

STEP_SECONDS = 0.05
"""Seconds that signals and stragglers wait."""
LATE_FACTOR = 3.0
"""Ratio to the usual time of a shard at which a shard is late."""
LATE_SECONDS = 2.0
ATTEMPTS = 3
"""Number of wrong answers for a shard that make an error."""


@dataclass
class Pending:
    """A shard without a valid answer."""

    tasks: set[Any] = field(default_factory=set)
    attempts: int = 0
    wrong: int = 0
    avoid: set[int] = field(default_factory=set)
    """Workers that have tried the shard. Other workers get it next, if there are any."""
    failed: tuple[int, Failed] | None = None
    """The failure that one worker reports. It becomes an error if another worker reports the same failure."""


class Round:
    """Gives the shards' tasks to workers until each shard has a valid answer. A subclass defines tasks and answers."""

    def __init__(self, crew: Crew, shards: list[Shard], timeout: float | None) -> None:
        self._crew, self._shards = crew, shards
        self._end = None if timeout is None else time.monotonic() + timeout
        self._pending: dict[int, Any] = {}
        self._tasks: dict[Any, tuple[int, int]] = {}
        """The shard and the worker of each task."""
        self._sign = dict.fromkeys(range(len(crew.workers)), time.monotonic())
        """The time at which each worker last answered, or was last idle."""
        self.faults: list[str] = []
        """Invalid answers: the shard, the worker, and the fault."""
        self.duplicates = 0

    def _start(self, index: int, worker: int) -> Any:
        """Returns a new task for a shard."""
        raise NotImplementedError

    def _accept(self, index: int, worker: int, answer: bytes, seconds: float) -> None:
        """Takes an answer that came ``seconds`` after the worker's last sign of life; raises :class:`AnswerError` if
        the answer is wrong."""
        raise NotImplementedError

    def _late(self, index: int) -> float | None:
        """Returns the usual seconds of a shard; ``None`` before the first answer."""
        raise NotImplementedError

    def _cancel(self) -> None:
        """Ends all running tasks."""
        for task in self._tasks:
            engine.cancel(task)

    def _send(self, index: int, worker: int) -> None:
        if not self._crew.is_there(worker):
            worker = self._other({worker})
        if not any(busy == worker for _, busy in self._tasks.values()):
            self._sign[worker] = time.monotonic()
        task = self._start(index, worker)
        self._tasks[task] = index, worker
        self._pending[index].tasks.add(task)
        self._pending[index].attempts += 1

    def _step(self, seconds: float) -> None:
        """Takes the finished answers, or waits a little for one."""
        for task in engine.wait(self._tasks, seconds):
            self._take(task)
        self._crew.look()
        self._duplicate()
        if self._end is not None and time.monotonic() > self._end:
            missing = ", ".join(map(str, sorted(self._pending)))
            raise TimeoutError(f"not done in time: shards {missing} of {len(self._shards)}")

    def _take(self, task: Any) -> None:
        """Takes an answer, or handles its absence."""
        index, worker = self._tasks.pop(task)
        now = time.monotonic()
        seconds, self._sign[worker] = now - self._sign[worker], now
        pending = self._pending.get(index)
        if pending is None:
            return
        pending.tasks.discard(task)
        try:
            self._accept(index, worker, engine.answer(task), seconds)
            return
        except AnswerError as error:
            fault = str(error)
        except engine.Cancelled:
            fault = "it reports a cancelled task, but nobody cancelled it"
        except engine.Lost as error:
            fault = f"its task was lost: {error}"
        fault = f"shard {index}, {self._crew.name(worker)}: {fault}"
        self.faults.append(fault)
        # The worker's memory may be the fault.
        self._crew.restart(worker)
        pending.wrong += 1
        if pending.wrong >= ATTEMPTS:
            raise IntegrityError(f"{fault}; {ATTEMPTS} answers were wrong", shard=index)
        self._again(index, worker)

    def _again(self, index: int, worker: int) -> None:
        """Gives a shard to another worker, unless another worker has it."""
        pending = self._pending[index]
        if not pending.tasks:
            self._send(index, self._other({worker, *pending.avoid}))

    def _fail(self, index: int, worker: int, failed: Failed) -> None:
        """Takes a worker's report that its task failed. Raises the error if another worker reported the same error,
        otherwise asks another worker."""
        pending, shard = self._pending[index], self._shards[index]
        if pending.failed is not None or len(self._crew.workers) == 1:
            raise failed.error(f"shard {index}, points from {shard.first} on", shard.first)
        pending.failed = worker, failed
        pending.avoid.add(worker)
        self._again(index, worker)

    def _done(self, index: int, worker: int) -> None:
        """Leaves a shard to one worker, and ends the other workers' tasks for it."""
        pending = self._pending.pop(index)
        if pending.failed is not None:
            liar, failed = pending.failed
            message = f"shard {index}, {self._crew.name(liar)}: {failed.name}, which worker {worker} did not have: {failed.message}"
            self.faults.append(message)
        self._crew.move(index, worker)
        for other in pending.tasks:
            engine.cancel(other)

    def _other(self, but: set[int]) -> int:
        """Returns the least busy worker; avoids the given workers if others exist."""
        count = len(self._crew.workers)
        busy = Counter(worker for _, worker in self._tasks.values())
        return min(range(count), key=lambda worker: (worker in but, not self._crew.is_there(worker), busy[worker]))

    def _duplicate(self) -> None:
        """Gives a late shard to an idle worker, too: the first answer wins."""
        busy = {worker for _, worker in self._tasks.values()}
        idle = [worker for worker in range(len(self._crew.workers)) if worker not in busy and self._crew.is_there(worker)]
        now = time.monotonic()
        for _, (index, worker) in list(self._tasks.items()):
            pending = self._pending.get(index)
            if pending is None or len(pending.tasks) != 1:
                continue
            free = [one for one in idle if one not in pending.avoid]
            if not free:
                continue
            usual = self._late(index)
            is_late = usual is not None and now - self._sign[worker] > max(LATE_SECONDS, LATE_FACTOR * usual)
            if is_late or not self._crew.is_there(worker):
                self.duplicates += 1
                idle.remove(free[-1])
                self._send(index, free[-1])


def usual(rates: Sequence[float], size: int) -> float | None:
    """Returns the time for a size by the median of these rates; ``None`` without a rate."""
    return statistics.median(rates) * size if rates else None
