"""The names that arguments take, as types, so that a type checker finds a wrong one."""

from __future__ import annotations

from typing import Literal

__all__ = ["Check", "CurveName", "Distribution", "FormatName", "Form", "GroupName", "PartName", "SectionName"]

CurveName = Literal[
    "bls12-381",
    "bls12-377",
    "bn254",
    "pallas",
    "vesta",
    "grumpkin",
    "jubjub",
    "bandersnatch",
    "bls24-315",
    "bw6-761",
    "tweedledum",
    "tweedledee",
    "mnt4-298",
    "mnt6-298",
    "mnt4-753",
    "mnt6-753",
    "bw6-761-g2",
    "bls24-315-g2",
]
"""A curve. The wheel has the curves of :data:`CURVES`."""

PartName = Literal["g1", "g2"]
"""One group of a curve."""

GroupName = Literal["g1", "g2", "pair"]
"""One group of a curve, or both with the same scalars."""

FormatName = Literal[
    "bucketwheel",
    "arkworks",
    "arkworks-compressed",
    "zcash",
    "zcash-compressed",
    "gnark",
    "gnark-compressed",
    "ptau",
    "kzg",
    "eip2537",
    "kzg-json",
    "gnark-srs",
    "gnark-srs-compressed",
    "gnark-srs-dump",
    "challenge",
    "response",
    "halo2",
    "halo2-processed",
    "arkworks-key",
    "arkworks-key-compressed",
]
"""A format of files with points (docs/formats.md)."""

SectionName = Literal[
    "tauG1",
    "tauG2",
    "alphaTauG1",
    "betaTauG1",
    "betaG2",
    "keyG1",
    "keyG2",
    "g1-lagrange",
    "g2-monomial",
    "g1-monomial",
    "alpha-g1",
    "beta-gamma-delta-g2",
    "gamma-abc-g1",
    "beta-delta-g1",
    "a-query",
    "b-g1-query",
    "b-g2-query",
    "h-query",
    "l-query",
]
"""A part of a file with several kinds of points (docs/formats.md)."""

Form = Literal["integers", "montgomery"]
"""How integers represent elements of a field."""

Check = Literal["none", "curve", "subgroup"]
"""The check of points: none, that they are on the curve, or that they are in the subgroup."""

Distribution = Literal["uniform", "zero-one", "small", "sparse", "equal"]
"""The distribution of seeded scalars."""
