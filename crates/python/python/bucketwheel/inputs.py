"""Seeded points and scalars, for tests and measurements."""

from __future__ import annotations

from . import _native, arguments
from .names import CurveName, Distribution, GroupName
from .progress import Progress, callback_of

__all__ = ["generate"]


def generate(
    count: int,
    *,
    curve: CurveName,
    group: GroupName = "g1",
    seed: int = 0,
    distribution: Distribution = "uniform",
    progress: Progress | None = None,
) -> tuple[bytes | tuple[bytes, bytes], bytes]:
    """Returns ``count`` points of the prime-order subgroup and ``count`` scalars, in a form for :class:`Bases`.

    The command ``generate`` makes the same values. A seed of 0 to 2^64 - 1 determines them, and a larger count begins with
    the values of a smaller count. For ``group="pair"``, the points are a pair for G1 and G2. ``distribution`` of the scalars
    is ``"uniform"``, ``"zero-one"``, ``"small"`` (below 2^16), ``"sparse"`` (nine of ten are 0) or ``"equal"``. The points
    hide no secret and belong to no set-up: they are for tests and measurements.

    >>> import bucketwheel as bw
    >>> points, scalars = bw.generate(1000, curve="bn254", seed=7)
    >>> bw.Bases(points, curve="bn254").msm(scalars).infinity
    False
    """
    count, seed = arguments.count("count", count), arguments.count("seed", seed, bits=64)
    parts, scalars = _native.generate(count, curve, group, seed, distribution, callback_of(progress))
    points = parts[0] if len(parts) == 1 else (parts[0], parts[1])
    return points, scalars
