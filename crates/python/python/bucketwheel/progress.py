"""Progress of running work."""

from __future__ import annotations

from typing import Any, Callable, Protocol

__all__ = ["Bar", "Progress"]


class Bar(Protocol):
    """A bar of tqdm, or an object with the same three names."""

    n: Any
    total: Any

    def update(self, n: Any) -> Any: ...


Progress = Callable[[int, int], object] | Bar
"""A callable of the steps done and their total, or a bar of tqdm. It is called a few times a second, on the waiting thread, and at
the end. An exception in it cancels the work."""


def callback_of(progress: Progress | None) -> Callable[[int, int], object] | None:
    """Returns the callable that reports progress."""
    if progress is None or callable(progress):
        return progress

    def tell(done: int, total: int) -> None:
        # Totals are estimates and may grow.
        progress.total = total
        progress.update(done - progress.n)

    return tell
