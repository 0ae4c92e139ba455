"""Many proofs with one key, on all nodes."""

from __future__ import annotations

from collections import deque
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Iterable, Iterator

from .. import groth16
from ..errors import ArgumentError, Error
from . import engine
from .answers import AnswerError, Failed, Proved, decode
from .source import Range, is_path, is_url, size_of

__all__ = ["Farm", "Proved"]

RETRIES = 3
"""Number of times that Ray repeats a proof whose worker died; an input that ends every worker is set aside."""


ATTEMPTS = 3
"""Number of times that an input goes to another worker because the reply was not an answer."""
MOST_BYTES = 16 << 20
"""Most bytes of an answer, because proofs may have many public signals."""


class Prover:
    """The actor: it holds the key, once for all its threads."""

    def __init__(self, key: Range, circuit: Range | None) -> None:
        self._prover = groth16.Prover(_file(key))
        self._wasm = _file(circuit) if circuit else None

    def prove(self, index: int, value: Any) -> Proved:
        """Returns a proof for inputs, or for a witness if there is no circuit."""
        try:
            witness = groth16.witness(self._wasm, value) if self._wasm is not None else value
            proof, public = self._prover.prove(witness)
        except (Error, OSError, MemoryError) as error:
            return Proved(index, error=f"{type(error).__name__}: {error}")
        return Proved(index, proof, public)


class Farm:
    """A proving key on all nodes, for any number of proofs.

    ``zkey`` and ``wasm``, circom's circuit, are paths that all nodes have, URLs that fsspec reads, or bytes. The
    processes of a node share a key at a path, because they map it. Without ``wasm``, inputs are witnesses, ``.wtns``
    files. Each node has a worker with all its cores. It works on ``concurrency`` inputs at a time, because a witness
    takes one core and a proof takes all cores.
    """

    def __init__(self, zkey: Any, *, wasm: Any = None, concurrency: int = 2, address: str | None = None) -> None:
        if concurrency < 1:
            raise ArgumentError(f"concurrency={concurrency}: expected at least 1")
        engine.connect(address)
        key, circuit = _range(zkey), None if wasm is None else _range(wasm)
        # If a worker's node goes, Ray starts the worker on another node and gives it its tasks again. It claims no cores there,
        # because that node's own worker has them all.
        self._workers = [
            engine.spawn(Prover, (key, circuit), name, threads=concurrency, retries=RETRIES)
            for name, node in engine.nodes().items()
            if node.cpus >= 1
        ]
        self.faults: list[str] = []
        """Replies that were not answers: the input, the worker, and the fault."""
        self._concurrency = concurrency
        if not self._workers:
            raise ArgumentError("the cluster has no node with a core")

    def map(self, inputs: Iterable[Any], *, ordered: bool = True) -> Iterator[Proved]:
        """Yields the result of each input: a dict or JSON file for circom's circuit, or a witness. Reads the inputs
        when workers need them, two for each input in work. ``ordered`` keeps the order of the inputs; without it, the
        first finished result comes first. An input without a proof is set aside: its result has an ``error``, and the
        other inputs continue."""
        source = enumerate(inputs)
        most = 2 * self._concurrency * len(self._workers)
        order: deque[int] = deque()
        values: dict[int, Any] = {}
        wrong: dict[int, set[int]] = {}
        done: dict[int, Proved] = {}
        tasks: dict[Any, tuple[int, int]] = {}

        def send(index: int) -> None:
            busy = [worker for _, worker in tasks.values()]
            tried = wrong.get(index, set())
            worker = min(range(len(self._workers)), key=lambda worker: (worker in tried, busy.count(worker)))
            tasks[engine.call(self._workers[worker], "prove", index, values[index])] = index, worker

        try:
            while True:
                while len(order) < most and (found := next(source, None)) is not None:
                    values[found[0]] = _value(found[1])
                    order.append(found[0])
                    send(found[0])
                if not order:
                    return
                ready = order[0] if ordered else next((index for index in order if index in done), None)
                if ready in done:
                    order.remove(ready)
                    del values[ready]
                    yield done.pop(ready)
                    continue
                for task in engine.wait(tasks, None):
                    index, worker = tasks.pop(task)
                    proved = self._proved(task, index, worker, wrong.setdefault(index, set()))
                    if proved is None:
                        send(index)
                    else:
                        done[index] = proved
        finally:
            for task in tasks:
                engine.cancel(task)

    def _proved(self, task: Any, index: int, worker: int, wrong: set[int]) -> Proved | None:
        """Returns a worker's answer for an input; ``None`` if the reply is not an answer, and another worker gets the
        input."""
        try:
            found = decode(engine.answer(task, MOST_BYTES), Proved)
            if isinstance(found, Failed):
                return Proved(index, error=f"{found.name}: {found.message}")
            if found.index != index:
                raise AnswerError(f"an answer for input {found.index}: expected {index}")
            return found
        except engine.Lost:
            return Proved(index, error=f"its worker ended each of {1 + RETRIES} times")
        except (AnswerError, engine.Cancelled) as error:
            fault = f"input {index}, worker {worker}: {str(error) or 'it reports a cancelled task, but nobody cancelled it'}"
        self.faults.append(fault)
        wrong.add(worker)
        return Proved(index, error=fault) if len(wrong) >= min(ATTEMPTS, len(self._workers)) else None

    def close(self) -> None:
        """Ends the workers."""
        for worker in self._workers:
            engine.end(worker)

    def __enter__(self) -> Farm:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _range(file: Any) -> Range:
    """Returns a file that all nodes read, or bytes as an object of which each node has one copy."""
    if is_path(file):
        place = fspath(file)
        return Range(place, 0, size_of(place))
    return Range(engine.put(file), 0, len(file))


def _file(file: Range) -> Any:
    """Returns the prover's argument: paths are mapped."""
    if isinstance(file.place, str) and not is_url(file.place):
        return file.place
    return file.read()[0]


def _value(value: Any) -> Any:
    """Returns an input in the form in which it travels: the bytes of a file, because other nodes may lack the file."""
    if isinstance(value, (str, PathLike)):
        with open(value, "rb") as file:
            return file.read()
    return value
