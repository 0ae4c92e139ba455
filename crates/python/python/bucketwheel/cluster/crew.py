"""The workers: their places, their shards, and the nodes that are alive."""

from __future__ import annotations

import time
from typing import Any, Sequence

from ..errors import ArgumentError
from . import engine
from .answers import AnswerError, Failed, Place, decode
from .errors import PlacementError
from .shard import Worker, numa_nodes

LOOK_SECONDS = 1.0
"""Seconds between two looks at the list of nodes."""
PLACE_SECONDS = 60.0
"""Seconds in which the cluster must find room for the workers."""
START_SECONDS = 120.0
"""Seconds in which the workers' processes must start."""


def default_cpus() -> float:
    """Returns the cores of a worker: the cores of the smallest node, or of one of its NUMA nodes."""
    cpus = [node.cpus for node in engine.nodes().values() if node.cpus >= 1]
    if not cpus:
        raise PlacementError("the cluster has no node with a core")
    return float(max(1, min(cpus) // max(1, len(numa_nodes()))))


def default_workers(num_cpus: float) -> int:
    """Returns the number of workers that the cluster has cores for."""
    count = sum(int(node.cpus // num_cpus) for node in engine.nodes().values())
    if not count:
        raise PlacementError(f"no node has {num_cpus:g} cores: expected a smaller num_cpus=")
    return count


def sized(workers: int | None, num_cpus: float | None) -> tuple[int, float]:
    """Returns the number of workers and the cores of each, from the caller's wishes and the cluster's nodes."""
    cpus = default_cpus() if num_cpus is None else float(num_cpus)
    if cpus <= 0:
        raise ArgumentError(f"num_cpus={cpus:g}: expected more than 0")
    count = default_workers(cpus) if workers is None else workers
    if count < 1:
        raise ArgumentError(f"{count} workers: expected at least one")
    return count, cpus


class Crew:
    """The workers, and the coordinator's knowledge about them."""

    def __init__(
        self, count: int, num_cpus: float, memory: int, devices: Sequence[str] = ("cpu",), holds: bool = True
    ) -> None:
        threads = max(1, int(num_cpus))
        arguments = [(threads, devices[index % len(devices)]) for index in range(count)]
        self._group = engine.Group(Worker, arguments, float(num_cpus), memory, PLACE_SECONDS)
        self.workers = self._group.workers
        try:
            found = self._places()
        except BaseException:
            self._group.close()
            raise
        self.node = [place.node for place in found]
        self.pid = [place.pid for place in found]
        self.room = engine.nodes()[engine.here()].store // 2
        """Bytes that may be in the object store of this process' node at a time."""
        self.restarts = 0
        self.rate: list[float] = []
        """Seconds per point of the last sums over shards."""
        self.hold_rate: list[float] = []
        """Seconds per byte of the last shards that were read and prepared."""
        self._holds = holds
        self._home: dict[int, int] = {}
        self._away: dict[int, Any] = {}
        self._looked = time.monotonic()

    def _places(self) -> list[Place]:
        """Returns the places of all workers, once all have answered."""
        tasks = {engine.call(worker, "where"): index for index, worker in enumerate(self.workers)}
        found: dict[int, Place] = {}
        end = time.monotonic() + START_SECONDS
        while tasks:
            left = end - time.monotonic()
            if left <= 0:
                missing = ", ".join(map(str, sorted(tasks.values())))
                raise PlacementError(f"workers {missing} of {len(self.workers)} have not started within {START_SECONDS:g} s")
            for task in engine.wait(tasks, left):
                index = tasks.pop(task)
                try:
                    found[index] = _place(task)
                except (AnswerError, engine.Lost, engine.Cancelled) as error:
                    message = f"worker {index} of {len(self.workers)} does not say where it is: {error or type(error).__name__}"
                    raise PlacementError(message) from None
        return [found[index] for index in range(len(self.workers))]

    def is_there(self, worker: int) -> bool:
        """Returns true if the worker's node is alive."""
        return worker not in self._away

    def look(self) -> None:
        """Notices nodes that have gone, and workers that are back on other nodes."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        alive = engine.nodes()
        for index, worker in enumerate(self.workers):
            if index not in self._away and self.node[index] not in alive:
                self._away[index] = engine.call(worker, "where")
        for index, reply in list(self._away.items()):
            if engine.wait([reply], 0):
                try:
                    place = _place(reply)
                except (AnswerError, engine.Lost, engine.Cancelled):
                    # Asks again, because the answer was lost.
                    self._away[index] = engine.call(self.workers[index], "where")
                else:
                    self.seen(index, place.node, place.pid)

    def seen(self, worker: int, node: str, pid: int) -> None:
        """Notes that a worker has answered."""
        self.restarts += (self.node[worker], self.pid[worker]) != (node, pid)
        self.node[worker], self.pid[worker] = node, pid
        self._away.pop(worker, None)

    def name(self, worker: int) -> str:
        """Returns the name of a worker for messages; the worker itself reported its node and process."""
        return f"worker {worker}, process {self.pid[worker] or 'unknown'} on node {self.node[worker]}"

    def home(self, shard: int) -> int:
        """Returns the worker that holds a shard."""
        return self._home[shard]

    def move(self, shard: int, worker: int) -> None:
        """Gives a shard to another worker."""
        self._home[shard] = worker

    def keep(self, worker: int) -> frozenset[int]:
        """Returns the shards that a worker holds between sums."""
        return frozenset(shard for shard, home in self._home.items() if self._holds and home == worker)

    def balance(self, shards: int) -> None:
        """Divides the shards equally among the workers that are alive, and moves as few shards as possible."""
        there = [worker for worker in range(len(self.workers)) if self.is_there(worker)] or list(range(len(self.workers)))
        most = -(-shards // len(there))
        load = dict.fromkeys(there, 0)
        homeless = []
        for shard in range(shards):
            home = self._home.get(shard)
            if home in load and load[home] < most:
                load[home] += 1
            else:
                homeless.append(shard)
        for shard in homeless:
            home = min(there, key=load.__getitem__)
            self._home[shard] = home
            load[home] += 1

    def restart(self, worker: int) -> None:
        """Ends a worker's process. Ray starts another process, which has none of the old memory."""
        self._group.restart(worker)
        self.pid[worker] = 0

    def close(self) -> None:
        """Ends all workers."""
        self._group.close()


def _place(task: Any) -> Place:
    found = decode(engine.answer(task), Place)
    if isinstance(found, Failed):
        raise AnswerError(found.message)
    return found
