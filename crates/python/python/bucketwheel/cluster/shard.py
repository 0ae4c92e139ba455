"""The actor: it holds prepared shards, and sums over them."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Callable, Iterable, Sequence, TypeAlias

from .. import _native
from ..errors import ArgumentError, Error
from ..points import curve_of, parts_of
from . import engine
from .answers import Answer, Done, Held, Memory, Place
from .source import Range, Reading, Shard

__all__ = ["NAMED_BYTES", "Worker"]

NAMED_BYTES = 1 << 30
"""Bytes that a worker needs for named points: its process, a stream, and two blocks."""
STREAM_BYTES = 512 << 20
"""Most bytes of a stream's buckets and waiting points."""
BLOCK_BYTES = 64 << 20
"""Bytes of points and scalars that are read at a time."""

OPTIONS: _native.Options = {"check": "none", "deduplicate": False, "copies": None, "threads": None}

Points: TypeAlias = "_native.Bases | _native.Cards"


class Worker:
    """Holds shards and sums over them. A task names everything that it needs. A worker that was started again, or that
    replaces another worker, reads the shard from its source. No other state exists, so none can be lost."""

    def __init__(self, threads: int, device: str) -> None:
        self._threads, self._device = threads, device
        self._held: dict[int, tuple[Shard, Sequence[Points]]] = {}
        self._pin = pin(threads)

    def where(self) -> Place:
        """Returns the worker's node and process."""
        return Place(engine.here(), os.getpid())

    def echo(self, data: Any = None) -> Done:
        """Returns when the data are on the worker's node."""
        return Done()

    def memory(self) -> Memory:
        """Returns the worker's bytes now and at its peak."""
        lines = Path("/proc/self/status").read_text().splitlines()
        kilobytes = dict(line.split()[:2] for line in lines if line.startswith(("RssAnon:", "VmRSS:", "VmHWM:")))
        shared = int(kilobytes["VmRSS:"]) - int(kilobytes["RssAnon:"])
        return Memory(int(kilobytes["RssAnon:"]) << 10, int(kilobytes["VmHWM:"]) - shared << 10)

    def hold(self, shard: Shard) -> Held:
        """Reads and prepares a shard, and returns its description."""
        if self._held.get(shard.index, (None,))[0] != shard:
            # Releases the old shard first, so that memory holds only one of both.
            self._held.pop(shard.index, None)
            self._held[shard.index] = load(shard, self._threads, self._device)
        whole = self._held[shard.index][0]
        return Held(whole.count, whole.curve, whole.group, tuple(part.digest or "" for part in whole.parts))

    def sum(self, shard: Shard, scalars: Any, keep: frozenset[int]) -> Answer | Done:
        """Returns the sums over a shard, unless nobody waits for them any more. Releases shards that are not to be
        kept. Reads the points if they are named, and the scalars if they are a range."""
        started = time.time()
        for index in self._held.keys() - keep - {shard.index}:
            del self._held[index]

        def look(done: int, total: int) -> None:
            if engine.is_cancelled():
                raise Stopped

        if shard.is_named:
            try:
                found, read, points = streamed(shard, scalars, self._threads, look)
            except Stopped:
                return Done()
            place = self.where()
            seconds = max(0.0, time.time() - started)
            return Answer(tuple(found), place.node, place.pid, started, 0.0, seconds, 0, read, points)
        is_there = self._held.get(shard.index, (None,))[0] == shard
        self.hold(shard)
        loaded = time.time()
        digest = None
        if isinstance(scalars, Range):
            scalars, read_range = scalars.read()
            digest = read_range.digest
        sums: list[tuple[str, bytes]] = []
        cycles = 0
        try:
            for bases in self._held[shard.index][1]:
                if isinstance(bases, _native.Bases):
                    sums += bases.run(scalars, "integers", self._threads, look)
                else:
                    one, taken = bases.run(scalars, look)
                    sums.append((shard.group, one))
                    cycles += taken
        except Stopped:
            return Done()
        place = self.where()
        load_seconds = 0.0 if is_there else max(0.0, loaded - started)
        seconds = max(0.0, time.time() - loaded)
        return Answer(tuple(sums), place.node, place.pid, started, load_seconds, seconds, cycles, digest)


class Stopped(Exception):
    """Nobody waits for the sum any more."""


def streamed(
    shard: Shard, scalars: Any, threads: int, look: Callable[[int, int], None]
) -> tuple[Sequence[tuple[str, bytes]], str | None, tuple[str, ...]]:
    """Reads named points in blocks, while it sums over the block before. Returns the sums, the digest of the scalars if
    they are a range, and the digests of the points. ``look`` may end the work between two blocks."""
    curve, parts = curve_of(shard.curve), parts_of(shard.group)
    widths = [curve.point_bytes(part) for part in parts]
    sets = [[Reading(part) for part in ranges] for ranges in (shard.parts, shard.masked) if ranges]
    factors = Reading(scalars) if isinstance(scalars, Range) else None
    most = max(1, BLOCK_BYTES // (len(sets) * sum(widths) + curve.scalar_bytes))

    def read(first: int) -> tuple[list[list[Any]], Any]:
        count = min(most, shard.count - first)
        rows = factors.take(count * curve.scalar_bytes) if factors else scalars[first : first + count]
        return [[reading.take(count * width) for reading, width in zip(points, widths)] for points in sets], rows

    streams = [
        _native.Stream(shard.curve, shard.group, max(1, shard.count), STREAM_BYTES // len(sets), "none", threads, None)
        for _ in sets
    ]
    with ThreadPoolExecutor(1) as pool:
        starts = range(0, shard.count, most)
        ahead = [pool.submit(read, first) for first in starts[:1]]
        for first in starts:
            blocks, rows = ahead.pop().result()
            if first + most < shard.count:
                ahead.append(pool.submit(read, first + most))
            for stream, block in zip(streams, blocks):
                look(first, shard.count)
                try:
                    stream.update(block, rows, shard.form)
                except Error as error:
                    if error.index is not None:
                        error.index += first
                    raise
    digests = [[reading.end().digest or "" for reading in points] for points in sets]
    # The sum over a group's points comes before the sum over its second points.
    sums = [one for group in zip(*(stream.flush() for stream in streams)) for one in group]
    return sums, factors.end().digest if factors else None, tuple(digests[0])


def load(shard: Shard, threads: int, device: str) -> tuple[Shard, Sequence[Points]]:
    """Returns a shard's points, prepared or in the memory of simulated cards, and the shard with the digests of its
    sources."""
    options: _native.Options = {**OPTIONS, "threads": threads}
    read = [part.read() for part in shard.parts]
    data, parts = [data for data, _ in read], tuple(part for _, part in read)
    if shard.is_file and device != "cpu":
        raise ArgumentError(f"{device} takes points as integers: expected one file, not a list of them")
    if shard.is_file:
        curve, group = shard.curve or None, shard.group if shard.curve else None
        bases = [_native.Bases.open(data[0], None, curve, group, None, options, None)]
        found = replace(shard, parts=parts, count=len(bases[0]), curve=bases[0].curve, group=bases[0].group)
        return found, bases
    whole = replace(shard, parts=parts)
    if device != "cpu":
        sets = [*data, *(part.read()[0] for part in shard.masked)]
        return whole, [_native.Cards(points, shard.curve, shard.group, device) for points in sets]
    if not shard.masked:
        return whole, [_native.Bases(data, shard.curve, shard.group, shard.form, options, None)]
    masked = [part.read()[0] for part in shard.masked]
    pairs = zip(parts_of(shard.group), data, masked)
    return whole, [_native.Bases([one, two], shard.curve, part, "integers", options, None) for part, one, two in pairs]


def numa_nodes(system: Path = Path("/sys/devices/system/node")) -> list[set[int]]:
    """Returns the CPUs of each NUMA node of this machine that has CPUs."""
    lists = sorted(system.glob("node[0-9]*/cpulist"))
    return [cpus for cpus in (cpus_of(path.read_text()) for path in lists) if cpus]


def cpus_of(text: str) -> set[int]:
    """Returns the CPUs of a list in Linux's form: ``0-3,8``."""
    ranges = [part.split("-") for part in text.strip().split(",") if part]
    return {cpu for part in ranges for cpu in range(int(part[0]), int(part[-1]) + 1)}


def private_folder(parent: Path) -> Path | None:
    """Returns a folder of this user in a folder that all users share, and makes it if it is missing. Returns ``None``
    if another user has the name, or if others may write there."""
    folder = parent / f"bucketwheel-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    except OSError:
        return None
    # Looks at the name itself, because a link leads to a place of its owner's choice.
    state = folder.lstat()
    is_own = stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o077
    return folder if is_own else None


def pin(threads: int, nodes: Iterable[set[int]] | None = None, folder: str | None = None) -> IO[bytes] | None:
    """Keeps this process on a NUMA node that no other worker has, if the machine has several and one of them has enough
    cores. A lock on a file marks a NUMA node as taken; the lock ends with the process, however the process ends. The
    file is in a folder of this user; without this folder, the process stays where it is."""
    allowed = os.sched_getaffinity(0)
    usable = [cpus & allowed for cpus in (numa_nodes() if nodes is None else nodes)]
    if len(usable) < 2:
        return None
    private = private_folder(Path(folder or tempfile.gettempdir()))
    if private is None:
        return None
    for number, cpus in enumerate(usable):
        if len(cpus) < threads:
            continue
        file = open(private / f"numa-{number}", "wb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            continue
        os.sched_setaffinity(0, cpus)
        return file
    return None
