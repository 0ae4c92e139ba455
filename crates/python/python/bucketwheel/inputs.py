"""Seeded points and scalars, for tests and measurements."""

from __future__ import annotations

from . import _native, arguments
from .progress import Progress, callback_of

__all__ = ["generate"]


def generate(
    count: int,
    *,
    curve: str,
    group: str = "g1",
    seed: int = 0,
    distribution: str = "uniform",
    progress: Progress | None = None,
) -> tuple[bytes | tuple[bytes, bytes], bytes]:
    """``count`` points of the prime-order subgroup and as many scalars, as :class:`Bases` takes them.

    Those of the command ``generate``: a seed of 0 to 2^64 - 1 determines them, and a larger count begins with the smaller
    one's. For ``group="pair"`` the points of G1 and those of G2. ``distribution`` of the scalars is ``"uniform"``,
    ``"zero-one"``, ``"small"`` (below 2^16), ``"sparse"`` (nine of ten are 0) or ``"equal"``. The points are no secret's
    and nobody's setup: they are for tests and measurements.

    >>> import bucketwheel as bw
    >>> points, scalars = bw.generate(1000, curve="bn254", seed=7)
    >>> bw.Bases(points, curve="bn254").msm(scalars).infinity
    False
    """
    count, seed = arguments.count("count", count), arguments.count("seed", seed, bits=64)
    parts, scalars = _native.generate(count, curve, group, seed, distribution, callback_of(progress))
    points = parts[0] if len(parts) == 1 else (parts[0], parts[1])
    return points, scalars
