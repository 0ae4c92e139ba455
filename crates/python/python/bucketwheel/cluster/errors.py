"""What goes wrong on many machines, besides what does on one."""

from __future__ import annotations

from ..errors import Error

__all__ = ["CheckpointError", "IntegrityError", "JoinError", "PlacementError", "SourceError", "TimeoutError"]


class CheckpointError(Error):
    """A checkpoint that is damaged, of another input, or open to others than its owner."""


class IntegrityError(Error):
    """A shard whose sum was wrong whenever it was computed."""

    def __init__(self, message: str, *, shard: int = -1) -> None:
        super().__init__(message)
        self.shard = shard


class JoinError(Error, ConnectionError):
    """A cluster that this process cannot join or start."""


class PlacementError(Error):
    """Cores or memory that the cluster does not have."""


class SourceError(Error):
    """A source of points that has changed since they were put, or that a node cannot read."""


class TimeoutError(Error):
    """A sum that was not done in time."""
