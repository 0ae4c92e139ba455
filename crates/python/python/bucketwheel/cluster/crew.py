"""The workers: where they are placed, which shards are whose, and which of them are there."""

from __future__ import annotations

import os
import secrets
import time
from importlib import import_module
from pathlib import Path
from typing import Any, Sequence

import ray
from ray.util.placement_group import placement_group, remove_placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

from ..errors import ArgumentError
from .errors import PlacementError
from .shard import Worker, numa_nodes

LOOK_SECONDS = 1.0
"""How often the list of nodes is looked at."""
PLACE_SECONDS = 60.0


def connect() -> None:
    """A connection to Ray: the one that there is, or a cluster of this machine, which asks for a token."""
    if ray.is_initialized():
        return
    try:
        ray.init(address="auto")
    except ConnectionError:
        if "RAY_ADDRESS" in os.environ:
            raise
        _start()


def _start() -> None:
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    known = {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys()
    if not known and not (Path.home() / ".ray" / "auth_token").exists():
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Ray read its settings when it was imported. This is how it reads them again for a token of its own; it has no types.
    import_module("ray._raylet").Config.initialize("")
    ray.init(address="local", include_dashboard=False)


def nodes() -> dict[str, dict[str, Any]]:
    """The nodes that are there."""
    return {node["NodeID"]: node for node in ray.nodes() if node["Alive"]}


def default_cpus() -> float:
    """The cores of a worker: those of the smallest node; where there are NUMA nodes, of one of them."""
    cpus = [cpus for node in nodes().values() if (cpus := node["Resources"].get("CPU", 0)) >= 1]
    if not cpus:
        raise PlacementError("the cluster has no node with a core")
    return float(max(1, min(cpus) // max(1, len(numa_nodes()))))


def default_workers(num_cpus: float) -> int:
    """As many workers as the cluster has cores for."""
    count = sum(int(node["Resources"].get("CPU", 0) // num_cpus) for node in nodes().values())
    if not count:
        raise PlacementError(f"no node has {num_cpus:g} cores: expected a smaller num_cpus=")
    return count


def sized(workers: int | None, num_cpus: float | None) -> tuple[int, float]:
    """How many workers, with how many cores each, of what the caller says and the cluster has."""
    cpus = default_cpus() if num_cpus is None else float(num_cpus)
    count = default_workers(cpus) if workers is None else workers
    if count < 1 or cpus <= 0:
        raise ArgumentError(f"{count} workers with {cpus:g} cores: expected at least one, with more than none")
    return count, cpus


class Crew:
    """Actors, each in a bundle of one placement group."""

    def __init__(self, count: int, num_cpus: float, memory: int, devices: Sequence[str] = ("cpu",)) -> None:
        bundle = {"CPU": float(num_cpus), "memory": float(memory)}
        self._group = placement_group([bundle] * count, strategy="SPREAD")
        if not self._group.wait(PLACE_SECONDS):
            remove_placement_group(self._group)
            message = (
                f"{count} workers with {num_cpus:g} cores and {memory} bytes each: the cluster has {ray.available_resources()}"
            )
            raise PlacementError(message + "; expected fewer workers=, cores (num_cpus=) or bytes (memory=), or more nodes")
        actor = ray.remote(Worker)
        threads = max(1, int(num_cpus))

        def start(index: int) -> Any:
            strategy = PlacementGroupSchedulingStrategy(self._group, placement_group_bundle_index=index)
            # Ray starts a worker again, and gives it again the tasks that it had.
            options = actor.options(
                num_cpus=num_cpus, memory=memory, scheduling_strategy=strategy, max_restarts=-1, max_task_retries=-1
            )
            return options.remote(threads, devices[index % len(devices)])

        self.workers = [start(index) for index in range(count)]
        found = ray.get([worker.where.remote() for worker in self.workers])
        self.node = [node for node, _ in found]
        self.pid = [pid for _, pid in found]
        own = nodes()[ray.get_runtime_context().get_node_id()]
        self.room = int(own["Resources"].get("object_store_memory", 0)) // 2
        """Bytes that may be in the object store of this process' node at a time."""
        self.restarts = 0
        self.rate: list[float] = []
        """Seconds per point of the last sums over shards."""
        self._home: dict[int, int] = {}
        self._away: dict[int, Any] = {}
        self._looked = time.monotonic()

    def is_there(self, worker: int) -> bool:
        """Whether the worker's node is."""
        return worker not in self._away

    def look(self) -> None:
        """Sees which nodes have gone, and which workers are back on others."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        alive = nodes()
        for index, worker in enumerate(self.workers):
            if index not in self._away and self.node[index] not in alive:
                self._away[index] = worker.where.remote()
        for index, reply in list(self._away.items()):
            if ray.wait([reply], timeout=0)[0]:
                self.seen(index, *ray.get(reply))

    def seen(self, worker: int, node: str, pid: int) -> None:
        """Notes that a worker has answered."""
        self.restarts += (self.node[worker], self.pid[worker]) != (node, pid)
        self.node[worker], self.pid[worker] = node, pid
        self._away.pop(worker, None)

    def home(self, shard: int) -> int:
        """The worker that holds a shard."""
        return self._home[shard]

    def move(self, shard: int, worker: int) -> None:
        """Makes it another one."""
        self._home[shard] = worker

    def keep(self, worker: int) -> frozenset[int]:
        """The shards that a worker holds."""
        return frozenset(shard for shard, home in self._home.items() if home == worker)

    def balance(self, shards: int) -> None:
        """Gives each worker that is there as many shards as the others, and moves no more of them than that takes."""
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
        """Ends a worker's process; Ray starts it again, with nothing of what its memory had."""
        ray.kill(self.workers[worker], no_restart=False)

    def close(self) -> None:
        """Ends all workers."""
        for worker in self.workers:
            ray.kill(worker)
        remove_placement_group(self._group)
