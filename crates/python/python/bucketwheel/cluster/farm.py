"""Many proofs with one key, on all nodes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Iterable, Iterator

import ray
from ray.exceptions import RayActorError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from .. import groth16
from ..errors import ArgumentError, Error
from .crew import connect, nodes
from .source import Range, is_path, is_url, size_of

__all__ = ["Farm", "Proved"]

RETRIES = 3
"""How often Ray repeats a proof whose worker died; an input that ends each of them is set aside."""


@dataclass(frozen=True)
class Proved:
    """What became of an input: a proof, or an error."""

    index: int
    """The input's number."""
    proof: dict[str, Any] | None = None
    public: list[str] | None = None
    error: str | None = None
    """Why there is no proof of this input."""


class Prover:
    """The actor: it has the key, once for all its threads."""

    def __init__(self, key: Range, circuit: Range | None) -> None:
        self._prover = groth16.Prover(_file(key))
        self._wasm = _file(circuit) if circuit else None

    def prove(self, index: int, value: Any) -> Proved:
        """A proof for inputs, or for a witness where there is no circuit."""
        try:
            witness = groth16.witness(self._wasm, value) if self._wasm is not None else value
            proof, public = self._prover.prove(witness)
        except (Error, OSError, MemoryError) as error:
            return Proved(index, error=f"{type(error).__name__}: {error}")
        return Proved(index, proof, public)


class Farm:
    """A proving key on all nodes, for any number of proofs.

    ``zkey`` and ``wasm``, circom's circuit, are paths that all nodes have (the key is mapped, so that a node's processes share it),
    URLs that fsspec reads, or bytes. Without ``wasm``, inputs are witnesses, ``.wtns`` files. Each node has a worker with all
    its cores; it works on ``concurrency`` inputs at a time, since a witness takes one core and a proof all.
    """

    def __init__(self, zkey: Any, *, wasm: Any = None, concurrency: int = 2) -> None:
        if concurrency < 1:
            raise ArgumentError(f"concurrency={concurrency}: expected at least 1")
        connect()
        key, circuit = _range(zkey), None if wasm is None else _range(wasm)
        actor = ray.remote(Prover)

        def start(node: str) -> Any:
            # If its node goes, Ray starts it again on another one, with what it had. It claims no cores, since there are none left
            # there: that node's worker has them.
            strategy = NodeAffinitySchedulingStrategy(node, soft=True)
            options = actor.options(
                num_cpus=0,
                scheduling_strategy=strategy,
                max_concurrency=concurrency,
                max_restarts=-1,
                max_task_retries=RETRIES,
            )
            return options.remote(key, circuit)

        self._workers = [start(node) for node, found in nodes().items() if found["Resources"].get("CPU", 0) >= 1]
        self._concurrency = concurrency
        if not self._workers:
            raise ArgumentError("the cluster has no node with a core")

    def map(self, inputs: Iterable[Any], *, ordered: bool = True) -> Iterator[Proved]:
        """What becomes of each of the inputs, dicts or JSON files for circom's circuit, or witnesses. They are asked for as workers
        get to them, two for each that is worked on. ``ordered`` keeps their order; without, what is done comes first. An input that
        has no proof is set aside: it has an ``error``, and the others go on."""
        source = enumerate(inputs)
        load = dict.fromkeys(range(len(self._workers)), 0)
        most = 2 * self._concurrency
        tasks: dict[Any, tuple[int, int]] = {}
        order: deque[Any] = deque()
        try:
            while True:
                while len(order) < most * len(self._workers):
                    found = next(source, None)
                    if found is None:
                        break
                    worker = min(load, key=load.__getitem__)
                    task = self._workers[worker].prove.remote(found[0], _value(found[1]))
                    tasks[task] = found[0], worker
                    load[worker] += 1
                    order.append(task)
                if not order:
                    return
                task = order[0] if ordered else ray.wait(list(order), num_returns=1)[0][0]
                proved = _proved(task, tasks[task][0])
                load[tasks.pop(task)[1]] -= 1
                order.remove(task)
                yield proved
        finally:
            for task in tasks:
                ray.cancel(task)

    def close(self) -> None:
        """Ends the workers."""
        for worker in self._workers:
            ray.kill(worker)

    def __enter__(self) -> Farm:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _proved(task: Any, index: int) -> Proved:
    try:
        found: Proved = ray.get(task)
    except RayActorError:
        return Proved(index, error=f"its worker ended each of {1 + RETRIES} times")
    return found


def _range(file: Any) -> Range:
    """A file that all nodes read, or bytes as an object of which each node has one copy."""
    if is_path(file):
        place = fspath(file)
        return Range(place, 0, size_of(place))
    return Range(ray.put(file), 0, len(file))


def _file(file: Range) -> Any:
    """What the prover takes: paths are mapped."""
    if isinstance(file.place, str) and not is_url(file.place):
        return file.place
    return file.read()[0]


def _value(value: Any) -> Any:
    """An input as it travels: files as their bytes, since other nodes may lack them."""
    if isinstance(value, (str, PathLike)):
        with open(value, "rb") as file:
            return file.read()
    return value
