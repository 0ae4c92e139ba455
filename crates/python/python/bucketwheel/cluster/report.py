"""The report of a sum: the workers, the times and the bytes; and a picture of it.

The SVG is written by hand: it has only rectangles and texts, and the package depends on no library that draws.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from html import escape

from .. import _native

__all__ = ["Report", "Run"]


@dataclass(frozen=True)
class Run:
    """A shard's sum, as the worker with the first right answer computed it."""

    shard: int
    points: int
    worker: int
    node: str
    pid: int
    started: float
    """Seconds since 1970 by the clock of the worker's machine."""
    load_seconds: float
    """Seconds to read and prepare the points; 0 if the worker already held them."""
    seconds: float
    attempts: int
    """Number of tasks for this shard: one, and one more for each wrong answer, late answer or sample."""
    cycles: int = 0
    """Cycles of a simulated accelerator; 0 on a CPU."""


@dataclass
class Report:
    """The report of a sum. It contains no scalars and no secrets."""

    points: int
    verify: str
    started: float
    seconds: float = 0.0
    bytes: int = 0
    """Bytes of scalars that the coordinator sent to workers, or read itself from named scalars."""
    check_seconds: float = 0.0
    """Seconds of processor time of the coordinator for the values that check answers."""
    restarts: int = 0
    """Workers whose process changed during the sum."""
    duplicates: int = 0
    """Late shards that another worker got, too."""
    resumed: int = 0
    """Shards whose sums came from a checkpoint."""
    faults: list[str] = field(default_factory=list)
    """Wrong answers: the shard, the process, and the fault."""
    shards: list[Run] = field(default_factory=list)

    def to_json(self) -> str:
        """Returns the whole report as a dict."""
        return json.dumps(asdict(self), indent=1)

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Writes a picture as SVG: shards over time, with a line for each worker."""
        _native.write_file(path, self.svg().encode(), False)

    def svg(self) -> str:
        """Returns the picture as SVG."""
        left, top, row, width = 150, 46, 26, 760
        workers = sorted({run.worker for run in self.shards})
        end = max([self.started + self.seconds, *(run.started + run.load_seconds + run.seconds for run in self.shards)])
        scale = width / max(end - self.started, 1e-9)
        bottom = top + row * len(workers)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 30}" height="{bottom + 40}" '
            'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>',
            f'<text x="{left}" y="18" font-size="14">{self.points} points in {self.seconds:.2f} s, verify={escape(self.verify)}</text>',
            f'<text x="{left}" y="36" fill="#555">{len(self.shards)} shards; <tspan fill="#b35c00">reading and preparing points</tspan>, '
            f'<tspan fill="#1f5fa8">sums</tspan>; restarts {self.restarts}, late {self.duplicates}, wrong {len(self.faults)}</text>',
        ]
        for line, worker in enumerate(workers):
            y = top + row * line
            node = next(run.node for run in self.shards if run.worker == worker)
            parts.append(f'<text x="{left - 8}" y="{y + 17}" text-anchor="end">worker {worker}, {escape(node[:8])}</text>')
            for run in (run for run in self.shards if run.worker == worker):
                x = left + (run.started - self.started) * scale
                for seconds, color in ((run.load_seconds, "#f0b070"), (run.seconds, "#7fb2e5")):
                    size = seconds * scale
                    parts.append(
                        f'<rect x="{x:.1f}" y="{y + 3}" width="{size:.1f}" height="{row - 6}" fill="{color}" stroke="white"/>'
                    )
                    x += size
                parts.append(f'<text x="{x - run.seconds * scale + 4:.1f}" y="{y + 17}">{run.shard}</text>')
        step = tick_of(end - self.started)
        for number in range(int((end - self.started) / step) + 1):
            x = left + number * step * scale
            parts.append(f'<path d="M{x:.1f} {top}V{bottom + 4}" stroke="#ccc"/>')
            parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{number * step:g} s</text>')
        return "\n".join([*parts, "</svg>\n"])


def tick_of(seconds: float) -> float:
    """Returns a round number of seconds that divides this duration into a few steps."""
    step = 1e-3
    while seconds / step > 10:
        step *= 2 if seconds / step <= 20 else 5 if seconds / step <= 50 else 10
    return step
