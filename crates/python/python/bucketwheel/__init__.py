"""Multi-scalar multiplication over elliptic curves, and Groth16 proofs, at the speed of the field kernels.

>>> import bucketwheel as bw
>>> bases = bw.Bases([(1, 2), (1, 2)], curve="bn254")
>>> bases.msm([2, 3]) == bases.msm([1, 4])
True

Work runs on all threads, without the interpreter's lock; Control-C stops it. Running time depends on scalars and points: do
not use the package where an attacker can measure time and the scalars or points are secret.
"""

from . import errors, groth16, kzg, names
from ._native import __version__
from .bases import Bases
from .errors import (
    ArgumentError,
    CurveError,
    Error,
    FormatError,
    LengthError,
    PointError,
    ScalarError,
    WitnessError,
)
from .inputs import generate
from .points import CURVES, Curve, Point
from .progress import Progress
from .stream import Stream

__all__ = [
    "CURVES",
    "ArgumentError",
    "Bases",
    "Curve",
    "CurveError",
    "Error",
    "FormatError",
    "LengthError",
    "Point",
    "PointError",
    "Progress",
    "ScalarError",
    "Stream",
    "WitnessError",
    "__version__",
    "errors",
    "generate",
    "groth16",
    "kzg",
    "names",
]
