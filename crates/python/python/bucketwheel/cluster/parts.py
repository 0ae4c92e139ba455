"""Times and sizes of a cluster's parts, measured on an existing cluster. Plans use them (:mod:`.plan`)."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import log2
from typing import Any, Callable, Sequence

import numpy as np

from .. import _native
from ..bases import Bases as Local
from ..errors import ArgumentError, FormatError
from ..inputs import generate
from ..points import curve_of, parts_of
from . import engine
from .answers import Answer, Done, Failed, Held, Kind, Memory, Place, decode
from .crew import Crew, default_workers
from .engine import connect
from .hold import whole
from .shard import OPTIONS
from .source import Range, Shard
from .verify import Guard, Secrets

__all__ = ["Parts", "measure"]

LOG_SIZES = (12, 14, 16, 18, 20)
"""Sizes of the timed shards, as logarithms of the number of points."""
SECOND = 1 << 14
"""Sizes of the timed shards with second points, which take long to make."""
REPETITIONS = 5
TASKS = 256
BLOB = 16 << 20
WORKER_BYTES = 1 << 30
NUMBERS = "load worker prepared working task latency put transfer read stream restart finish second cover inner holds".split()


@dataclass(frozen=True)
class Parts:
    """Seconds and bytes of a cluster's parts. Each worker had one core, and all cores of a machine worked during the
    measurement."""

    curve: str
    group: str
    backend: str
    sums: tuple[tuple[int, float], ...]
    """Pairs of the points of a shard and the seconds of a worker for its sum, from few points to many."""
    stragglers: tuple[float, ...]
    """Times of equal sums, divided by their median."""
    load: float
    """Seconds for each point, to read and prepare it."""
    worker: float
    """Bytes of a worker without points."""
    prepared: float
    """Bytes of a worker for each point that it holds."""
    working: float
    """Additional bytes for each point of the shard that the worker reads or sums over."""
    task: float
    """Seconds of the coordinator for a task and its answer."""
    latency: float
    """Seconds of the round trip of an empty task."""
    put: float
    """Bytes per second into the object store."""
    transfer: float
    """Bytes per second from one node's store to another node's store."""
    read: float
    """Bytes per second of a file in memory, as a process reads and digests them."""
    stream: float
    """Seconds for each point of a sum over named points that are in memory."""
    restart: float
    """Seconds from the end of a worker's process until the worker answers again."""
    finish: float
    """Seconds to add the shards' sums."""
    second: float
    """Time with second points (``verify="full"``), divided by the time without."""
    cover: float
    """Seconds of the coordinator for each point, to make second points."""
    inner: float
    """Seconds of the coordinator for each point, to compute inner products."""
    holds: float
    """Seconds of the coordinator to check an answer."""

    def seconds(self, points: int) -> float:
        """Returns a worker's seconds for a shard. Between the measured sizes, the time for each point is linear in the
        logarithm of the size; beyond the largest size, it is constant."""
        if points < 1:
            return 0.0
        sizes = [(log2(size), seconds / size) for size, seconds in self.sums]
        place = log2(points)
        if place <= sizes[0][0]:
            # The buckets determine the time of a small sum.
            return self.sums[0][1]
        for (low, first), (high, second) in pairwise(sizes):
            if place <= high:
                return points * (first + (second - first) * (place - low) / (high - low))
        return points * sizes[-1][1]

    @property
    def point_bytes(self) -> int:
        """Returns the bytes of a point in its source."""
        return curve_of(self.curve).point_bytes(self.group)

    @property
    def scalar_bytes(self) -> int:
        """Returns the bytes of a scalar."""
        return curve_of(self.curve).scalar_bytes

    def to_json(self) -> str:
        """Returns JSON for :meth:`from_json`."""
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> Parts:
        """Returns the parts from the JSON of :meth:`to_json`."""
        try:
            fields = json.loads(text)
            sums = tuple((int(points), float(seconds)) for points, seconds in fields["sums"])
            stragglers = tuple(map(float, fields["stragglers"]))
            numbers: dict[str, Any] = {name: float(fields[name]) for name in NUMBERS}
            curve, group, backend = (str(fields[name]) for name in ("curve", "group", "backend"))
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(f"measured parts: {error!r}: expected the output of `bucketwheel cluster parts`") from None
        sizes = [points for points, _ in sums]
        positive = [*stragglers, *sizes, *(seconds for _, seconds in sums), *numbers.values()]
        if not sums or not stragglers or sizes != sorted(set(sizes)) or not all(0 < number < 1e18 for number in positive):
            raise FormatError("measured parts: expected positive numbers, sums from few points to many, and stragglers")
        curve_of(curve)
        return cls(curve, group, backend, sums, stragglers, **numbers)


def measure(
    curve: str = "bn254",
    group: str = "g1",
    *,
    log_sizes: Sequence[int] = LOG_SIZES,
    repetitions: int = 5,
    workers: int | None = None,
    address: str | None = None,
) -> Parts:
    """Measures the parts of the cluster of this process, with a worker for each core, or with ``workers`` workers.
    Takes some 30 times the time of a worker's sum of the largest size."""
    sizes = sorted({1 << log_size for log_size in log_sizes})
    if group not in ("g1", "g2") or not sizes or repetitions < 1:
        raise ArgumentError("parts are measured of g1 or g2, of one size at least, with one repetition at least")
    connect(address)
    crew = Crew(default_workers(1) if workers is None else workers, 1, WORKER_BYTES)
    try:
        return _Bench(crew, curve, group, sizes, repetitions).parts()
    finally:
        crew.close()


class _Bench:
    """Measurements on the workers of a crew, which all hold the same points."""

    def __init__(self, crew: Crew, curve: str, group: str, sizes: Sequence[int], repetitions: int) -> None:
        self._crew, self._sizes, self._repetitions = crew, sizes, repetitions
        self._curve, self._group = curve_of(curve).name, parts_of(group)[0]
        count = max(sizes[-1], SECOND)
        self._points, scalars = generate(count, curve=self._curve, group=self._group)
        self._width = len(self._points) // count
        self._store = engine.put(self._points)
        self._rows = np.frombuffer(scalars, dtype=np.uint8).reshape(count, -1)

    def parts(self) -> Parts:
        worker = self._crew.workers[0]
        one = _native.Bases([self._points[: self._width]], self._curve, self._group, "integers", OPTIONS, None)
        few = Local(self._points[: 64 * self._width], curve=self._curve, group=self._group)
        numbers: dict[str, Any] = {
            **self._sizes_and_times(),
            **self._second(),
            "task": _seconds(lambda: _answers([engine.call(worker, "echo") for _ in range(TASKS)], Done)) / TASKS,
            "latency": _seconds(lambda: _answers([engine.call(worker, "echo")], Done)),
            "put": BLOB / _seconds(lambda: engine.share(np.zeros(BLOB, dtype=np.uint8))),
            "transfer": BLOB / _transfer(),
            "read": BLOB / _read(),
            "finish": _seconds(lambda: few.msm([1] * 64)),
            "restart": self._restart(),
        }
        return Parts(self._curve, self._group, one.backend, **numbers)

    def _shards(self, size: int, masked: Sequence[Range] = ()) -> list[Shard]:
        points = Range(self._store, 0, size * self._width)
        return [
            Shard(index, 0, size, self._curve, self._group, (points,), tuple(masked)) for index in range(len(self._crew.workers))
        ]

    def _sums(self, shards: Sequence[Shard]) -> list[float]:
        """Returns the seconds of all workers for repeated sums over these shards, all workers at the same time."""
        scalars, found = engine.share(self._rows[: shards[0].count]), []
        for _ in range(1 + self._repetitions):
            found.append([answer.seconds for answer in _answers(self._tasks(shards, scalars), Answer)])
        # The first sums load the points and warm up.
        return [seconds for times in found[1:] for seconds in times]

    def _tasks(self, shards: Sequence[Shard], scalars: Any) -> list[Any]:
        """Starts the sums of the workers over their shards."""
        pairs = zip(self._crew.workers, shards)
        return [engine.call(worker, "sum", shard, scalars, frozenset([shard.index])) for worker, shard in pairs]

    def _hold(self, size: int) -> list[Shard]:
        """Makes each worker hold points, and returns these shards."""
        shards = self._shards(size)
        found = _answers([engine.call(worker, "hold", shard) for worker, shard in zip(self._crew.workers, shards)], Held)
        return [whole(shard, held) for shard, held in zip(shards, found)]

    def _memory(self) -> Memory:
        return _answers([engine.call(self._crew.workers[0], "memory")], Memory)[0]

    def _sizes_and_times(self) -> dict[str, Any]:
        fresh, sums = self._memory().now, []
        for size in self._sizes:
            started = time.monotonic()
            shards = self._hold(size)
            load = (time.monotonic() - started) / size
            resident = self._memory().now
            times = self._sums(shards)
            middle = statistics.median(times)
            sums.append((size, middle))
        # Uses the largest size, at which other costs matter least.
        return {
            "sums": tuple(sums),
            "stragglers": tuple(seconds / middle for seconds in times),
            "load": load,
            "worker": fresh,
            "prepared": max(self._width, (resident - fresh) / size),
            "working": max(self._width, (self._memory().most - resident) / size),
            "stream": statistics.median(self._sums([replace(shard, is_named=True) for shard in shards])) / size,
        }

    def _second(self) -> dict[str, float]:
        guard = Guard(self._curve, self._group, Secrets.new(self._group))
        shards = self._hold(SECOND)
        started = time.monotonic()
        covered = guard.cover(shards[:1], None, None)[0]
        cover = (time.monotonic() - started) / SECOND
        rows = self._rows[:SECOND]
        without = statistics.median(self._sums(shards))
        masked = [replace(shard, masked=covered.masked) for shard in shards]
        answer = _answers(self._tasks(masked[:1], engine.share(rows)), Answer)[0]
        inner = guard.inner(covered, rows)
        return {
            "second": statistics.median(self._sums(masked)) / without,
            "cover": cover,
            "inner": _seconds(lambda: guard.inner(covered, rows)) / SECOND,
            "holds": _seconds(lambda: guard.fault(answer.sums, inner)),
        }

    def _restart(self) -> float:
        def where() -> Place:
            return _answers([engine.call(self._crew.workers[0], "where")], Place)[0]

        before = where()

        def restart() -> None:
            self._crew.restart(0)
            # The old process may answer once more before it ends.
            while where() == before:
                time.sleep(0.001)

        return _seconds(restart, 1)


class Sink:
    """A worker that receives data."""

    def take(self, data: Any) -> Done:
        """Returns when the data are on its node."""
        return Done()


def _transfer() -> float:
    """Returns the seconds for a blob from this node to another node; on a single node, into its store."""
    here = engine.here()
    sink = engine.spawn(Sink, (), next((node for node in engine.nodes() if node != here), here))
    blobs = [engine.share(np.zeros(BLOB, dtype=np.uint8)) for _ in range(REPETITIONS + 1)]

    def send() -> None:
        _answers([engine.call(sink, "take", blobs.pop())], Done)

    try:
        # The first call starts a process.
        send()
        return _seconds(send, REPETITIONS)
    finally:
        engine.end(sink)


def _read() -> float:
    """Returns the seconds of a process to read and digest a blob of a file."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(BLOB))
        file.flush()
        return _seconds(lambda: Range(file.name, 0, BLOB).read())


def _answers(tasks: Sequence[Any], kind: type[Kind]) -> list[Kind]:
    """Waits for the answers of some tasks, and returns them in the order of the tasks."""
    found = []
    for task in tasks:
        engine.wait([task], None)
        answer: Kind | Failed = decode(engine.answer(task), kind)
        if isinstance(answer, Failed):
            raise answer.error()
        found.append(answer)
    return found


def _seconds(call: Callable[[], object], repetitions: int = REPETITIONS) -> float:
    """Returns the median time of some calls."""
    times = []
    for _ in range(repetitions):
        started = time.monotonic()
        call()
        times.append(time.monotonic() - started)
    return statistics.median(times)
