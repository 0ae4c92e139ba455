"""What a new coordinator goes on from: sums of finished shards, and the secrets of second points. Only its owner may read it."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any, Sequence

from .errors import CheckpointError
from .shard import Answer
from .source import Range, Shard
from .verify import Secrets

VERSION = 1


class Checkpoint:
    """A file that is written anew whenever a shard is done, and appears at once."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._state: dict[str, Any] = {"version": VERSION, "points": None, "secrets": None, "second": None, "sum": {}}
        try:
            mode = self._path.stat().st_mode
        except FileNotFoundError:
            return
        if mode & 0o077:
            raise CheckpointError(f"{path}: others may read it, and it has secrets: expected the mode 600; delete it")
        try:
            state = json.loads(self._path.read_bytes())
            damaged = set(state) != set(self._state) or state["version"] != VERSION or not isinstance(state["sum"], dict)
        except (ValueError, TypeError):
            damaged = True
        if damaged:
            raise CheckpointError(
                f"{path}: damaged, or of another version: expected a checkpoint of version {VERSION}; delete it"
            )
        self._state = state

    def bind(self, shards: Sequence[Shard]) -> None:
        """Binds it to points, or refuses others."""
        points = [[shard.curve, shard.group, shard.count, shard.digest] for shard in shards]
        if self._state["points"] not in (None, points):
            raise CheckpointError(f"{self._path}: of other points, or of other shards of them: expected what it was begun with")
        self._state["points"] = points
        self._write()

    def second(self) -> tuple[Secrets, list[list[Range]]] | None:
        """The secrets and the second points that were made."""
        secrets, second = self._state["secrets"], self._state["second"]
        if secrets is None or second is None:
            return None
        try:
            ranges = [[Range(place, 0, size, digest) for place, size, digest in shard] for shard in second]
            return Secrets(secrets["alphas"], bytes.fromhex(secrets["key"])), ranges
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"{self._path}: damaged: {type(error).__name__}; delete it") from None

    def keep_second(self, secrets: Secrets, shards: Sequence[Shard]) -> None:
        """Keeps secrets and second points; those in Ray's store end with its cluster."""
        self._state["secrets"] = {"alphas": secrets.alphas, "key": secrets.key.hex()}
        self._state["second"] = [[[part.place, part.size, part.digest] for part in shard.masked] for shard in shards]
        self._write()

    def done(self, shard: Shard, scalars: str, is_checked: bool) -> tuple[tuple[str, bytes], ...] | None:
        """The sums over a shard, if they are known; those that were not checked are no use where they have to be."""
        entry = self._state["sum"].get(str(shard.index))
        if entry is None:
            return None
        try:
            if entry["scalars"] != scalars:
                message = f"{self._path}: shard {shard.index} was summed with other scalars: expected what it was begun with"
                raise CheckpointError(message + "; delete it to begin anew")
            if is_checked and not entry["checked"]:
                return None
            return tuple((str(group), bytes.fromhex(point)) for group, point in entry["sums"])
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"{self._path}: damaged: {type(error).__name__}; delete it") from None

    def add(self, shard: Shard, scalars: str, answer: Answer, is_checked: bool) -> None:
        """Keeps a shard's sums."""
        sums = [[group, point.hex()] for group, point in answer.sums]
        self._state["sum"][str(shard.index)] = {"scalars": scalars, "checked": is_checked, "sums": sums}
        self._write()

    def clear(self) -> None:
        """Forgets the sum, which is done."""
        self._state["sum"] = {}
        self._write()

    def _write(self) -> None:
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}.{secrets.token_hex(4)}.part")
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(file, "w") as out:
                json.dump(self._state, out)
                out.flush()
                os.fsync(out.fileno())
            part.replace(self._path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
