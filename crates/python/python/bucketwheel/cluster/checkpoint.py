"""The state from which a new coordinator continues: sums of finished shards, and the secrets of second points. Only its
owner may read it.

The file is a line with the SHA-256 of everything that follows, and JSON, which contains the digests of the points. A
damaged file, or a file of another job, is refused; the job that uses a sum checks it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Sequence

from .. import _native
from .errors import CheckpointError
from .source import Range, Shard
from .verify import Secrets, Sums

VERSION = 4
LARGE_BYTES = 1 << 20
"""Bytes of a large file: the sums of some thousand shards."""
WRITE_FACTOR = 10.0
"""Least ratio of the time between two writes of a large file to the time of a write."""


class Checkpoint:
    """A file that is written again whenever a shard is done, and appears whole. If it is large, the coordinator spends at
    most a tenth of its time on it, and a new coordinator may repeat the last sums."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._state: dict[str, Any] = {"version": VERSION, "points": None, "secrets": None, "second": None, "sum": {}}
        self._written, self._write_seconds, self._written_sums, self._bytes = 0.0, 0.0, 0, 0
        try:
            with open(self._path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
                mode = os.fstat(file.fileno()).st_mode
                if not stat.S_ISREG(mode):
                    raise CheckpointError(f"{path}: not a regular file: expected a checkpoint, or a path without a file")
                if mode & 0o077:
                    raise CheckpointError(f"{path}: other users may read this file, which holds secrets: expected the mode 600; delete it")
                content = file.read()
        except FileNotFoundError:
            return
        digest, _, text = content.partition(b"\n")
        if digest != _digest(text):
            raise self._damaged("the digest in its first line does not match its content")
        try:
            state = json.loads(text)
            fits = state["version"] == VERSION and set(state) == set(self._state) and isinstance(state["sum"], dict)
        except (ValueError, TypeError, KeyError):
            fits = False
        if not fits:
            raise self._damaged("other fields")
        self._state = state

    def _damaged(self, what: str) -> CheckpointError:
        return CheckpointError(f"{self._path}: damaged: {what}: expected a checkpoint of version {VERSION}; delete it")

    def bind(self, shards: Sequence[Shard]) -> None:
        """Binds the checkpoint to these points, or refuses other points."""
        points = [shard.identity for shard in shards]
        if self._state["points"] not in (None, points):
            raise CheckpointError(f"{self._path}: a checkpoint of other points, or of other shards: expected the points and shards of its first run")
        self._state["points"] = points
        self._write()

    def secrets(self) -> Secrets | None:
        """Returns the secrets that checked the sums."""
        found = self._state["secrets"]
        if found is None:
            return None
        try:
            return Secrets(found["alphas"], bytes.fromhex(found["key"]))
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(f"its secrets: {error}") from None

    def second(self, shards: Sequence[Shard]) -> list[Shard] | None:
        """Returns the shards with second points, if these outlived the cluster that made them."""
        found = self._state["second"]
        if found is None:
            return None
        try:
            ranges = [[Range(str(place), 0, int(size), str(digest)) for place, size, digest, _ in parts] for parts in found]
            digests = [[str(digest) for *_, digest in parts] for parts in found]
        except (TypeError, ValueError) as error:
            raise self._damaged(f"its second points: {error}") from None
        if [[part.size for part in parts] for parts in ranges] != [[part.size for part in shard.parts] for shard in shards]:
            raise self._damaged("its second points are more or fewer than the points")
        return [
            replace(shard, parts=tuple(replace(part, digest=digest) for part, digest in zip(shard.parts, known)), masked=tuple(parts))
            for shard, parts, known in zip(shards, ranges, digests)
        ]

    def keep(self, secrets: Secrets, second: Sequence[Shard] | None) -> None:
        """Keeps secrets, and second points unless they end with the cluster."""
        self._state["secrets"] = {"alphas": secrets.alphas, "key": secrets.key.hex()}
        if second is not None:
            pairs = [zip(shard.masked, shard.parts) for shard in second]
            self._state["second"] = [[[two.place, two.size, two.digest, one.digest] for two, one in parts] for parts in pairs]
        self._write()

    def has(self, shard: Shard) -> bool:
        """Returns true if it has sums over a shard."""
        return str(shard.index) in self._state["sum"]

    def done(self, shard: Shard, scalars: str, name: str, is_checked: bool) -> Sums | None:
        """Returns the sums over a shard, if they are known. If sums must be checked, unchecked sums are of no use.
        ``scalars`` is the digest of the scalars, and ``name`` is their name in messages."""
        entry = self._state["sum"].get(str(shard.index))
        if entry is None:
            return None
        try:
            for kind, digest, known in (("points", shard.digest, shard.parts[0]), ("scalars", scalars, name)):
                if entry[kind] != digest:
                    message = f"{self._path}: shard {shard.index} was summed with other {kind} than {known}: expected the {kind} of its first run"
                    raise CheckpointError(message + "; delete it to start again")
            if is_checked and entry["checked"] is not True:
                return None
            return tuple((str(group), bytes.fromhex(point)) for group, point in entry["sums"])
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(f"the sum of shard {shard.index}: {error!r}") from None

    def add(self, shard: Shard, scalars: str, sums: Sums, is_checked: bool) -> None:
        """Keeps a shard's sums, the sums over second points included."""
        entry = [[group, point.hex()] for group, point in sums]
        self._state["sum"][str(shard.index)] = {"points": shard.digest, "scalars": scalars, "checked": is_checked, "sums": entry}
        if self._bytes < LARGE_BYTES or time.monotonic() - self._written >= WRITE_FACTOR * self._write_seconds:
            self._write()

    def write(self) -> None:
        """Writes the sums that are not in the file yet."""
        if self._written_sums != len(self._state["sum"]):
            self._write()

    def clear(self) -> None:
        """Forgets the sums of the job, which is done."""
        self._state["sum"] = {}
        self._write()

    def _write(self) -> None:
        started = time.monotonic()
        text = json.dumps(self._state).encode()
        _native.write_file(self._path, _digest(text) + b"\n" + text, True)
        self._written = time.monotonic()
        self._written_sums, self._write_seconds, self._bytes = len(self._state["sum"]), self._written - started, len(text)


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(b"bucketwheel checkpoint " + text).hexdigest().encode()
