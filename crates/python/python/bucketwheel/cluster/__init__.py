"""Sums and proofs over many machines, on Ray (docs/cluster.md).

``address=``, ``RAY_ADDRESS`` or ``ray.init`` name the cluster to join. Without a name, a cluster on this machine is
started::

    import bucketwheel.cluster as cluster

    bases = cluster.Bases.put("p.bin", shards=8)
    result = bases.msm("s.bin", verify="full")

Anybody who reaches a cluster's ports, or has an account on its machines, can read scalars and points, which are
witnesses and keys. Use clusters only in networks that you trust.
"""

try:
    import numpy as numpy
    from . import engine as engine
except ImportError as error:
    raise ImportError(f"bucketwheel.cluster needs {error.name}: expected `pip install 'bucketwheel[cluster]'`") from error

from .bases import Bases, Sum
from .engine import connect
from .errors import CheckpointError, IntegrityError, JoinError, PlacementError, SourceError, TimeoutError
from .farm import Farm, Proved
from .named import NamedPoints, NamedScalars
from .proof import Proof, Prover
from .report import Report, Run

__all__ = [
    "Bases",
    "CheckpointError",
    "Farm",
    "IntegrityError",
    "JoinError",
    "NamedPoints",
    "NamedScalars",
    "PlacementError",
    "Proof",
    "Proved",
    "Prover",
    "Report",
    "Run",
    "SourceError",
    "Sum",
    "TimeoutError",
    "connect",
]
