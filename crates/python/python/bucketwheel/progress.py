"""What is told of work under way."""

from __future__ import annotations

from typing import Any, Callable, Protocol

__all__ = ["Bar", "Progress"]


class Bar(Protocol):
    """A bar of tqdm, or what has the same three names."""

    n: Any
    total: Any

    def update(self, n: Any) -> Any: ...


Progress = Callable[[int, int], object] | Bar
"""A callable of steps done and their total, or a bar of tqdm. It is told some times a second, on the thread that waits, and at
the end; what it raises cancels the work."""


def callback_of(progress: Progress | None) -> Callable[[int, int], object] | None:
    """The callable that tells it."""
    if progress is None or callable(progress):
        return progress

    def tell(done: int, total: int) -> None:
        # Totals are estimates and may grow.
        progress.total = total
        progress.update(done - progress.n)

    return tell
