"""Plans a sum on a future cluster: a discrete-event model, made from measured parts (docs/cluster.md).

The events follow :mod:`.job`. The coordinator puts a shard's scalars into its store as long as there is room. The
scalars travel to the worker's node, wait there for earlier shards, and are summed over. A worker reads named points and
named scalars itself. An answer makes room for the next shard; another worker also gets a late shard; a worker that ends
is started again and reads the shards that it held again.
"""

from __future__ import annotations

import heapq
import random
import statistics
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Callable, Iterator

from .. import _native
from ..errors import ArgumentError
from .job import QUEUE
from .round import LATE_FACTOR, LATE_SECONDS, STEP_SECONDS
from .parts import Parts
from .shard import NAMED_BYTES

__all__ = ["Cards", "Machines", "Plan", "Sample", "plan", "simulate"]

MOST_SHARDS = 1 << 16
LEAST_POINTS = 1 << 12
"""Size of a shard in points below which sums only get slower."""
CARD_LOG_SIZES = (14, 16, 18, 20, 22)
"""Number of simulated points of a card."""
FEW_SHARDS = 1 << 12
"""Number of points above which a sum is simulated only once; smaller sums are simulated several times."""
RUNS = 5
WORSE = 1.05
"""Ratio to the best time at which the search stops trying smaller shards."""
AWAY = -1
"""Work of a worker that was started again."""
SCALARS = ("sent", "file", "store")
"""Ways of scalars to the workers: the coordinator sends them, each node has a file, or nodes read a shared store over
their networks."""
POINTS = ("held", "file", "store")
"""Places of the points: workers hold them, or read them for each sum, from a file or a shared store."""
MOST_ENDS = 64
"""Number of ends of each worker without a finished shard, after which a simulated sum counts as endless."""
STORE_SHARE = 0.3
"""Share of a node's memory that Ray takes for its object store."""


@dataclass(frozen=True)
class Cards:
    """Accelerators of a node, which has one worker; their cycle models give the speed."""

    design: str
    count: int
    curve: str
    times: tuple[tuple[int, float], ...]
    """Pairs of points and the seconds of the node for their sum."""
    most: int
    """Number of points that the node's cards hold."""

    @classmethod
    def simulated(cls, design: str, count: int, curve: str) -> Cards:
        """Returns the times of a design, for one sum at a time. Cards behind one link are one machine; otherwise each card
        has an equal part of the points."""
        most, times = _native.card_times(design, curve, count, list(CARD_LOG_SIZES))
        return cls(design, count, curve, tuple((points, ms / 1000) for points, ms in times), most)

    def seconds(self, points: int) -> float:
        """Returns the time for this number of points, by straight lines between the simulated sizes and beyond them."""
        pairs = list(pairwise(self.times))
        (low, first), (high, second) = next((pair for pair in pairs if points <= pair[1][0]), pairs[-1])
        return max(0.0, first + (second - first) * (points - low) / (high - low))


@dataclass(frozen=True)
class Machines:
    """Equal nodes. The coordinator is on one of them."""

    nodes: int
    cores: int
    memory: int
    """Bytes of memory of a node."""
    network: float
    """Bytes per second, into and out of a node."""
    cards: Cards | None = None
    failures: float = 0.0
    """Number of times that a worker ends in an hour."""
    dead: float = 0.0
    """Share of the points after which the last node ends for good; 0 if all nodes stay."""
    shared: int = 0
    """Cores that all nodes share, because they are on one machine; 0 if each node has its own cores."""

    @property
    def workers(self) -> int:
        """Returns the number of workers: one for each core, or one for all cards of a node."""
        return self.nodes * (1 if self.cards else self.cores)

    def needs(self, parts: Parts, points: int, shards: int, full: bool, scalars: str, place: str) -> int:
        """Returns the bytes that a node needs: its points (unless cards hold them, or nobody), the scalars and sums in
        work, and Ray's store."""
        if place != "held":
            return round(self.workers // self.nodes * NAMED_BYTES / (1 - STORE_SHARE))
        size, sets = -(-points // shards), 2 if full else 1
        held = 0 if self.cards else -(-shards // self.nodes) * size * parts.prepared
        read = 0 if scalars == "sent" else parts.scalar_bytes
        hand = self.workers // self.nodes * (parts.worker + size * ((parts.working + parts.point_bytes) * sets + read))
        return round((held * sets + hand) / (1 - STORE_SHARE))


@dataclass
class Sample:
    """A simulated sum."""

    shards: int
    seconds: float
    """Infinity for a sum without end: workers end before they have summed over a shard."""
    bytes: int
    """Bytes of scalars that the coordinator sent over the network."""
    duplicates: int
    restarts: int
    busy: dict[str, float]
    """Shares of the time in which the workers, the coordinator and its network were busy."""


@dataclass
class _Worker:
    node: int
    queue: deque[int] = field(default_factory=deque)
    here: set[int] = field(default_factory=set)
    """Shards whose scalars have arrived."""
    running: int | None = None
    token: int = 0
    """Number that changes when the running work is ended."""
    held: bool = True
    """True if the worker has its points; after its end, it reads each shard again."""
    read: set[int] = field(default_factory=set)
    sign: float = 0.0
    busy: float = 0.0
    began: float = 0.0


class _Model:
    """The events of one sum."""

    def __init__(
        self, parts: Parts, machines: Machines, points: int, shards: int, full: bool, scalars: str, place: str, seed: int
    ) -> None:
        self._parts, self._machines, self._full = parts, machines, full
        self._is_sent, self._is_held = scalars == "sent", place == "held"
        # The workers of a node share its network.
        away = machines.workers / machines.nodes / machines.network
        self._read = 0.0 if self._is_sent else parts.scalar_bytes / parts.read
        """Seconds of a worker for each point, to read what is named."""
        self._read += parts.scalar_bytes * away if scalars == "store" else 0.0
        self._read += (2 if full else 1) * parts.point_bytes * away if place == "store" else 0.0
        self._random = random.Random(seed)
        self._sizes = [points * (index + 1) // shards - points * index // shards for index in range(shards)]
        self._workers = [_Worker(index % machines.nodes) for index in range(machines.workers)]
        self._room = machines.memory * STORE_SHARE / 2
        self._events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self._number = 0
        self.now = 0.0
        self._next = 0
        self._open: dict[int, list[int]] = {}
        """The workers that each shard was given to, until the shard is done."""
        self._stored = 0
        """Bytes of scalars in the coordinator's store."""
        self._unchecked: deque[int] = deque()
        self._inbox: deque[tuple[int, int]] = deque()
        self._rates: deque[float] = deque(maxlen=32)
        self._is_waiting = self._is_looking = False
        self._link = 0.0
        self._arrives = [0.0] * machines.nodes
        self._done = 0
        self._is_whole = True
        """False once the last node has ended."""
        self._ends = 0
        """Number of workers that have ended since a shard was finished."""
        self.sample = Sample(shards, 0.0, 0, 0, 0, {"workers": 0.0, "coordinator": 0.0, "network": 0.0})

    def run(self) -> Sample:
        """Simulates until all shards are done, or workers end too often."""
        if self._machines.failures > 0:
            for index in range(len(self._workers)):
                self._fail_later(index)
        self._coordinate()
        while self._done < len(self._sizes):
            if self._ends > MOST_ENDS * len(self._workers):
                self.sample.seconds = float("inf")
                return self.sample
            self.now, _, call, arguments = heapq.heappop(self._events)
            call(*arguments)
        sample = self.sample
        sample.seconds = self.now + self._parts.finish
        busy = sample.busy
        busy["workers"] = sum(worker.busy for worker in self._workers) / len(self._workers)
        sample.busy = {name: min(1.0, seconds / sample.seconds) for name, seconds in busy.items()}
        return sample

    def _after(self, seconds: float, call: Callable[..., None], *arguments: Any) -> None:
        self._number += 1
        heapq.heappush(self._events, (self.now + seconds, self._number, call, arguments))

    # The coordinator: a thread that does its work in order.

    def _work(self, seconds: float) -> None:
        self.sample.busy["coordinator"] += seconds
        self._after(seconds, self._coordinate)

    def _coordinate(self) -> None:
        parts = self._parts
        if self._inbox:
            self._work(self._take(*self._inbox.popleft()))
        elif self._next < len(self._sizes) and self._has_room(self._sizes[self._next]):
            shard, self._next = self._next, self._next + 1
            self._open[shard] = []
            seconds = parts.task / 2
            if self._is_here:
                self._stored += self._sizes[shard]
                speed = parts.put if self._is_sent else parts.read
                seconds += self._sizes[shard] * parts.scalar_bytes / speed
            if self._full:
                self._unchecked.append(shard)
            self._after(seconds, self._send, shard, shard % len(self._workers) if self._is_held else None)
            self._work(seconds)
        elif self._unchecked:
            shard = self._unchecked.popleft()
            self._work(self._sizes[shard] * parts.inner if shard in self._open else 0.0)
        else:
            self._is_waiting = True

    @property
    def _is_here(self) -> bool:
        """True if the coordinator has the scalars, to send them or for its checks."""
        return self._is_sent or self._full

    def _has_room(self, size: int) -> bool:
        fits = not self._is_here or (self._stored + size) * self._parts.scalar_bytes <= self._room
        return not self._open or (len(self._open) < QUEUE * len(self._workers) and fits)

    def _wake(self) -> None:
        if self._is_waiting:
            self._is_waiting = False
            self._coordinate()

    def _take(self, shard: int, index: int) -> float:
        """Handles an answer; returns the seconds that this takes."""
        parts, worker = self._parts, self._workers[index]
        worker.sign = self.now
        if shard not in self._open:
            return parts.task / 2
        seconds = parts.task / 2
        if self._full:
            seconds += parts.holds
            if shard in self._unchecked:
                self._unchecked.remove(shard)
                seconds += self._sizes[shard] * parts.inner
        for other in self._open.pop(shard):
            if other != index:
                self._cancel(other, shard)
        if self._is_here:
            self._stored -= self._sizes[shard]
        self._done, self._ends = self._done + 1, 0
        if 0 < self._machines.dead * len(self._sizes) <= self._done and self._is_whole:
            self._end_node()
        return seconds

    def _look(self) -> None:
        """Gives late shards to idle workers, and looks again when the next shard is late."""
        self._is_looking = False
        idle = [index for index in self._there() if self._workers[index].running is None and not self._workers[index].queue]
        rate, again = statistics.median(self._rates), float("inf")
        for shard, given in list(self._open.items()):
            if not idle:
                return
            if len(given) != 1:
                continue
            late = max(LATE_SECONDS, LATE_FACTOR * rate * self._sizes[shard]) + self._workers[given[0]].sign - self.now
            if late > 0 and not self._is_dead(given[0]):
                again = min(again, late)
                continue
            self.sample.duplicates += 1
            self._send(shard, idle.pop())
        self._look_after(again)

    def _look_after(self, seconds: float) -> None:
        if not self._is_looking and seconds < float("inf"):
            self._is_looking = True
            self._after(max(seconds, STEP_SECONDS), self._look)

    # The network, and the workers.

    def _send(self, shard: int, index: int | None) -> None:
        if shard not in self._open:
            return
        if index is None or self._is_dead(index):
            # Takes the worker with the least work.
            index = min(self._there(), key=lambda one: len(self._workers[one].queue) + (self._workers[one].running is not None))
        worker, size = self._workers[index], self._sizes[shard] * self._parts.scalar_bytes
        if worker.running is None and not worker.queue:
            worker.sign = self.now
        self._open[shard].append(index)
        worker.queue.append(shard)
        if worker.node == 0 or not self._is_sent:
            self._after(self._parts.latency / 2, self._arrive, shard, index)
            return
        began = max(self.now, self._link)
        self._link = began + size / self._machines.network
        self.sample.busy["network"] += size / self._machines.network
        self.sample.bytes += size
        # A node receives scalars one shard after the other, at Ray's speed.
        arrival = max(self._link, max(began, self._arrives[worker.node]) + size / self._parts.transfer)
        self._arrives[worker.node] = arrival
        self._after(arrival - self.now + self._parts.latency / 2, self._arrive, shard, index)

    def _arrive(self, shard: int, index: int) -> None:
        self._workers[index].here.add(shard)
        self._start(index)

    def _start(self, index: int) -> None:
        worker = self._workers[index]
        if worker.running is not None or not worker.queue or worker.queue[0] not in worker.here:
            return
        shard = worker.running = worker.queue.popleft()
        worker.here.discard(shard)
        worker.began = self.now
        compute = self._compute(self._sizes[shard]) + self._sizes[shard] * self._read
        self._rates.append(compute / max(1, self._sizes[shard]))
        load = 0.0
        if self._is_held and (not worker.held or shard % len(self._workers) != index) and shard not in worker.read:
            load = self._load(self._sizes[shard])
            worker.read.add(shard)
        worker.token += 1
        self._after(compute + load, self._end, index, worker.token)

    def _compute(self, size: int) -> float:
        if self._machines.cards:
            return self._machines.cards.seconds(size) * (2 if self._full else 1)
        if self._is_held:
            seconds = self._parts.seconds(size) * (self._parts.second if self._full else 1.0)
        else:
            seconds = size * self._parts.stream * (2 if self._full else 1)
        crowd = 1.0
        if self._machines.shared:
            # The parts were measured with all workers.
            there, whole = (max(1.0, count / self._machines.shared) for count in (len(self._there()), len(self._workers)))
            crowd = there / whole
        return seconds * crowd * self._random.choice(self._parts.stragglers)

    def _load(self, size: int) -> float:
        sets = 2 if self._full else 1
        return sets * size * (self._parts.point_bytes / self._machines.network + self._parts.load)

    def _end(self, index: int, token: int) -> None:
        worker = self._workers[index]
        if worker.token != token:
            return
        shard, worker.running = worker.running, None
        worker.busy += self.now - worker.began
        self._after(self._parts.latency / 2, self._answer, shard, index)
        self._start(index)

    def _answer(self, shard: int, index: int) -> None:
        self._inbox.append((shard, index))
        self._wake()
        self._look_after(STEP_SECONDS)

    def _cancel(self, index: int, shard: int) -> None:
        worker = self._workers[index]
        if worker.running == shard:
            worker.running = None
            worker.token += 1
            worker.busy += self.now - worker.began
        elif shard in worker.queue:
            worker.queue.remove(shard)
            worker.here.discard(shard)
        self._start(index)

    def _fail_later(self, index: int) -> None:
        self._after(3600 * self._random.expovariate(self._machines.failures), self._fail, index)

    def _fail(self, index: int) -> None:
        """Ends a worker's process. Ray starts it again, with its tasks and without its points."""
        if self._is_dead(index):
            return
        worker = self._workers[index]
        self.sample.restarts += 1
        self._ends += 1
        if worker.running not in (None, AWAY):
            worker.queue.appendleft(worker.running)
            worker.here.add(worker.running)
            worker.busy += self.now - worker.began
        worker.running, worker.held, worker.read = AWAY, False, set()
        worker.token += 1
        self._after(self._parts.restart, self._back, index, worker.token)
        self._fail_later(index)

    def _end_node(self) -> None:
        """Ends the last node's workers for good."""
        self._is_whole = False
        for index, worker in enumerate(self._workers):
            if self._is_dead(index):
                worker.busy += self.now - worker.began if worker.running not in (None, AWAY) else 0.0
                worker.running = AWAY
                worker.token += 1

    def _is_dead(self, index: int) -> bool:
        return not self._is_whole and self._workers[index].node == self._machines.nodes - 1

    def _there(self) -> list[int]:
        """Returns the workers whose nodes are alive."""
        return [index for index in range(len(self._workers)) if not self._is_dead(index)]

    def _back(self, index: int, token: int) -> None:
        if self._workers[index].token == token:
            self._workers[index].running = None
            self._start(index)


def simulate(
    parts: Parts,
    machines: Machines,
    points: int,
    shards: int,
    full: bool = False,
    scalars: str = "sent",
    place: str = "held",
    seed: int = 0,
) -> Sample:
    """Simulates one sum in equal shards. ``scalars`` is one of :data:`SCALARS`, and ``place`` one of :data:`POINTS`."""
    if machines.dead and machines.nodes == 1:
        raise ArgumentError("a node ends: expected at least 2 nodes")
    return _Model(parts, machines, points, shards, full, scalars, place, seed).run()


@dataclass(frozen=True)
class Plan:
    """The plan of a sum on machines, with the best tried number of shards."""

    points: int
    full: bool
    scalars: str
    place: str
    machines: Machines
    shards: int
    seconds: float
    """The median, the least and the greatest time of some runs."""
    least: float
    most: float
    bytes: int
    """Bytes of scalars that the coordinator sends over the network for each sum."""
    busy: dict[str, float]
    put_seconds: float
    """Seconds to read and prepare the points, once; 0 for named points."""
    put_bytes: int
    """Bytes of points that are read, once or for each sum."""
    second_seconds: float
    """Seconds of the coordinator to make second points, once; 0 without second points."""
    node_bytes: int
    """Bytes of memory of a node that the sum uses."""
    tried: tuple[tuple[int, float], ...]
    """The tried numbers of shards, and the median seconds of each."""


def plan(
    parts: Parts, machines: Machines, points: int, full: bool = False, scalars: str = "sent", place: str = "held"
) -> Plan:
    """Returns the plan with the best number of shards for this number of points. Takes some seconds.

    Raises :class:`bucketwheel.ArgumentError` if the points do not fit; the message states a sufficient number of nodes
    or bytes. Raises it, too, if workers end before they have summed over a shard of any size.
    """
    if points < 1:
        raise ArgumentError("0 points: expected at least 1")
    cards = machines.cards
    if cards and cards.curve != parts.curve:
        raise ArgumentError(f"parts of {parts.curve} for {cards.design} on {cards.curve}: expected the same curve")
    if cards and points * (2 if full else 1) > cards.most * machines.nodes:
        nodes = -(-points * (2 if full else 1) // cards.most)
        message = f"{points} points on {machines.nodes} nodes with {cards.count} cards of {cards.design}, which hold {cards.most} each"
        raise ArgumentError(f"{message}: expected at least {nodes} nodes, or more cards")
    if place != "held" and cards:
        raise ArgumentError("named points: expected no cards, which hold their points")
    needs = {count: machines.needs(parts, points, count, full, scalars, place) for count in _counts(machines, points)}
    counts = [count for count, bytes in needs.items() if bytes <= machines.memory]
    if not counts:
        least = min(needs.values())
        raise ArgumentError(
            f"{points} points on {machines.nodes} nodes of {machines.memory} bytes: expected at least {least} bytes each, or some "
            f"{-(-machines.nodes * least // machines.memory)} nodes"
        )
    found: list[tuple[float, int, list[Sample]]] = []
    for count in counts:
        runs = RUNS if count <= FEW_SHARDS else 1
        simulated = (simulate(parts, machines, points, count, full, scalars, place, seed) for seed in range(runs))
        samples = sorted(simulated, key=lambda one: one.seconds)
        found.append((samples[len(samples) // 2].seconds, count, samples))
        if found[-1][0] > WORSE * min(seconds for seconds, _, _ in found):
            # Smaller shards are slower still.
            break
    seconds, count, samples = min(found, key=lambda one: one[:2])
    if seconds == float("inf"):
        raise ArgumentError(
            f"{machines.failures:g} failures of a worker an hour: workers end before they have summed over one of {found[-1][1]} shards; "
            "expected fewer failures"
        )
    sets, middle = 2 if full else 1, samples[len(samples) // 2]
    put_bytes = points * parts.point_bytes
    return Plan(
        points,
        full,
        scalars,
        place,
        machines,
        count,
        seconds,
        samples[0].seconds,
        samples[-1].seconds,
        middle.bytes,
        middle.busy,
        sets * (put_bytes / machines.nodes / machines.network + points / machines.workers * parts.load) if place == "held" else 0.0,
        put_bytes * sets,
        points * parts.cover if full else 0.0,
        needs[count],
        tuple((count, seconds) for seconds, count, _ in found),
    )


def _counts(machines: Machines, points: int) -> Iterator[int]:
    """Yields numbers of shards: the number of workers, twice this number, and so on."""
    count = min(machines.workers, points)
    yield count
    while 2 * count <= MOST_SHARDS and points // (2 * count) >= LEAST_POINTS:
        count *= 2
        yield count
