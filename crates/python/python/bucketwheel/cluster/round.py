"""A round of tasks, one for each shard: what is done about those that are late, lost or wrong."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from typing import Any, Sequence

from . import engine
from .answers import AnswerError, Failed
from .crew import Crew
from .errors import IntegrityError, TimeoutError
from .source import Shard

STEP_SECONDS = 0.05
"""How long signals and stragglers wait."""
LATE_FACTOR = 3.0
"""A shard that takes so many times what the others took is late."""
LATE_SECONDS = 2.0
ATTEMPTS = 3
"""Wrong answers to a shard before it is an error."""


@dataclass
class Pending:
    """A shard that is not done."""

    tasks: set[Any] = field(default_factory=set)
    attempts: int = 0
    wrong: int = 0
    avoid: set[int] = field(default_factory=set)
    """Workers that had their turn: others are to have it, where there are others."""
    failed: tuple[int, Failed] | None = None
    """What one worker says that it fails of: an error once another one says so, too."""


class Round:
    """Gives the shards' tasks to workers until each shard has an answer that holds. A subclass says what a task and an answer are."""

    def __init__(self, crew: Crew, shards: Sequence[Shard], timeout: float | None) -> None:
        self._crew, self._shards = crew, shards
        self._end = None if timeout is None else time.monotonic() + timeout
        self._pending: dict[int, Any] = {}
        self._tasks: dict[Any, tuple[int, int]] = {}
        """The shard and the worker of each task."""
        self._sign = dict.fromkeys(range(len(crew.workers)), time.monotonic())
        """When workers last answered, or had nothing to do."""
        self.faults: list[str] = []
        """Answers that did not hold: which shard, which worker, what was wrong."""
        self.duplicates = 0

    def _start(self, index: int, worker: int) -> Any:
        """Returns a new task of a shard."""
        raise NotImplementedError

    def _accept(self, index: int, worker: int, answer: bytes, seconds: float) -> None:
        """Takes an answer that came ``seconds`` after the worker's last sign; raises :class:`AnswerError` if it does not hold."""
        raise NotImplementedError

    def _late(self, index: int) -> float | None:
        """Returns the seconds that a shard usually takes, if any have been done."""
        raise NotImplementedError

    def _cancel(self) -> None:
        """Ends what is under way."""
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
        """Takes the answers that are there, or waits a little for one."""
        for task in engine.wait(self._tasks, seconds):
            self._take(task)
        self._crew.look()
        self._duplicate()
        if self._end is not None and time.monotonic() > self._end:
            missing = ", ".join(map(str, sorted(self._pending)))
            raise TimeoutError(f"not done in time: shards {missing} of {len(self._shards)}")

    def _take(self, task: Any) -> None:
        """Takes an answer, or sees why there is none."""
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
            fault = "it says that its task was cancelled, which nobody asked for"
        except engine.Lost as error:
            fault = f"its task was lost: {error}"
        fault = f"shard {index}, {self._crew.name(worker)}: {fault}"
        self.faults.append(fault)
        # Its memory may be the fault.
        self._crew.restart(worker)
        pending.wrong += 1
        if pending.wrong >= ATTEMPTS:
            raise IntegrityError(f"{fault}; {ATTEMPTS} answers were wrong", shard=index)
        self._again(index, worker)

    def _again(self, index: int, worker: int) -> None:
        """Gives a shard to another worker, unless one has it."""
        pending = self._pending[index]
        if not pending.tasks:
            self._send(index, self._other({worker, *pending.avoid}))

    def _fail(self, index: int, worker: int, failed: Failed) -> None:
        """Takes a worker's word that its task fails: raises the error if another one has said so, else asks another one."""
        pending, shard = self._pending[index], self._shards[index]
        if pending.failed is not None or len(self._crew.workers) == 1:
            raise failed.error(f"shard {index}, points from {shard.first} on", shard.first)
        pending.failed = worker, failed
        pending.avoid.add(worker)
        self._again(index, worker)

    def _done(self, index: int, worker: int) -> None:
        """Has a worker keep a shard, and ends the others' tasks of it."""
        pending = self._pending.pop(index)
        if pending.failed is not None:
            liar, failed = pending.failed
            message = f"shard {index}, {self._crew.name(liar)}: {failed.name}, which worker {worker} did not have: {failed.message}"
            self.faults.append(message)
        self._crew.move(index, worker)
        for other in pending.tasks:
            engine.cancel(other)

    def _other(self, but: set[int]) -> int:
        """Returns the worker with least to do, other than some where there are others."""
        count = len(self._crew.workers)
        busy = [worker for _, worker in self._tasks.values()]
        return min(range(count), key=lambda worker: (worker in but, not self._crew.is_there(worker), busy.count(worker)))

    def _duplicate(self) -> None:
        """Gives a late shard to a worker that has nothing to do: the first answer wins."""
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
    """Returns what these rates say of a size, by their median; nothing without a rate."""
    return statistics.median(rates) * size if rates else None
