"""Errors that occur only on many machines."""

from __future__ import annotations

from ..errors import Error

__all__ = ["CheckpointError", "IntegrityError", "JoinError", "PlacementError", "SourceError", "TimeoutError"]


class CheckpointError(Error):
    """A checkpoint is damaged, belongs to another input, or is readable by other users."""


class IntegrityError(Error):
    """Every sum over a shard was wrong."""

    def __init__(self, message: str, *, shard: int = -1) -> None:
        super().__init__(message)
        self.shard = shard


class JoinError(Error, ConnectionError):
    """This process cannot join or start a cluster."""


class PlacementError(Error):
    """The cluster lacks cores or memory."""


class SourceError(Error):
    """A source of points has changed since the points were put, or a node cannot read it."""


class TimeoutError(Error):
    """A sum was not done in time."""
