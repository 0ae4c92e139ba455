"""Inputs: points that py_ecc and arkworks know, and the files of the repository."""

from pathlib import Path

import py_arkworks_bls12381 as arkworks
import pytest

REPOSITORY = Path(__file__).parents[3]
ORDER = {
    "bn254": 21888242871839275222246405745257275088548364400416034343698204186575808495617,
    "bls12-381": 52435875175126190479447740508185965837690552500527637822603658699938581184513,
    "bls12-377": 8444461749428370424248824938781546531375899335154063827935233455917409239041,
}


def random_scalars(count, curve, seed=1):
    """Returns this number of scalars of all sizes, the smallest and largest values included."""
    import random

    random = random.Random(seed)
    edges = [0, 1, ORDER[curve] - 1, ORDER[curve] // 2]
    return (edges + [random.randrange(ORDER[curve]) for _ in range(count)])[:count]


def points_file(curve, groups, parts):
    """Returns a file of our own format (docs/file-format.md) with the integers' bytes of each group."""
    code = {"bls12-381": 1, "bls12-377": 2, "bn254": 3}[curve]
    size = {"bls12-381": 96, "bls12-377": 96, "bn254": 64}[curve]
    header = b"BWPOINTS" + (1).to_bytes(4, "little") + bytes([code, groups, 1, 0])
    header += (len(parts[0]) // (size if groups != 2 else 2 * size)).to_bytes(8, "little") + bytes(40)
    padding = bytes(-len(parts[0]) % 64) if len(parts) == 2 else b""
    return header + padding.join(parts)


def scalars_file(curve, scalars):
    """Returns a scalars file of our own format."""
    code = {"bls12-381": 1, "bls12-377": 2, "bn254": 3}[curve]
    header = b"BWSCALAR" + (1).to_bytes(4, "little") + bytes([code, 0, 1, 0])
    header += len(scalars).to_bytes(8, "little") + bytes(40)
    return header + b"".join(scalar.to_bytes(32, "little") for scalar in scalars)


@pytest.fixture(scope="session")
def arkworks_points():
    """Returns distinct points of BLS12-381 G1, in arkworks' own type."""
    point, step, points = arkworks.G1Point(), arkworks.G1Point() * arkworks.Scalar(12345), []
    for _ in range(1000):
        points.append(point)
        point = point + step
    return points


@pytest.fixture(scope="session")
def groth16_files():
    """snarkjs' files of a small circuit on both curves."""
    data = REPOSITORY / "crates" / "snarkjs" / "tests" / "data"
    return {curve: data / curve for curve in ("bn254", "bls12-381")}
