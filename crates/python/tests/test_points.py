"""Addition of points, against py_ecc; bytes of points; names as types."""

import random
from typing import get_args

import numpy as np
import py_ecc.bls12_381 as ecc_bls
import py_ecc.bn128 as ecc_bn
import pytest
from conftest import ORDER

import bucketwheel as bw
from bucketwheel import names
from test_msm import ECC, ints

GROUPS = [(curve, group) for curve in ECC for group in ("g1", "g2")]


def point_of(point, curve, group):
    zero = 0 if group == "g1" else (0, 0)
    return bw.Point(curve, group, *(ints(point) or (zero, zero)))


@pytest.mark.parametrize("curve, group", GROUPS)
def test_points_add_as_those_of_py_ecc(curve, group):
    ecc = ECC[curve]
    generator = ecc.G1 if group == "g1" else ecc.G2
    multiples = [None, generator, ecc.neg(generator), ecc.double(generator), ecc.multiply(generator, 12345)]
    ours = [point_of(point, curve, group) for point in multiples]
    for p, other in zip(ours, multiples):
        assert -p == point_of(ecc.neg(other), curve, group)
        for q, another in zip(ours, multiples):
            assert p + q == point_of(ecc.add(other, another), curve, group)
            assert p - q == point_of(ecc.add(other, ecc.neg(another)), curve, group)
    order = ORDER[curve]
    big = random.Random(1).randrange(order)
    for scalar in (0, 1, 2, big, order - 1, order, order + 5, -3, np.int32(7), True):
        expected = point_of(ecc.multiply(generator, int(scalar) % order), curve, group)
        assert scalar * ours[1] == ours[1] * scalar == expected
    total = point_of(ecc.multiply(generator, 12347), curve, group)
    assert sum(ours) == bw.Point.sum(iter(ours)) == total
    # Equal points are one key.
    assert len({ours[1], ours[4] - ours[4] + ours[1], ours[3]}) == 2


def test_sums_need_one_group():
    g1, g2 = bw.Point("bn254", "g1", 1, 2), point_of(ecc_bn.G2, "bn254", "g2")
    other = point_of(ecc_bls.G1, "bls12-381", "g1")
    for wrong in (g2, other):
        for sum_of in (lambda: g1 + wrong, lambda: g1 - wrong, lambda: bw.Point.sum([g1, wrong])):
            with pytest.raises(bw.CurveError, match="expected bn254 g1"):
                sum_of()
    with pytest.raises(bw.ArgumentError, match="one or more"):
        bw.Point.sum([])
    for wrong in (lambda: g1 + 1, lambda: 1 + g1, lambda: g1 - "x", lambda: 1.5 * g1, lambda: g1 * g1):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("curve, group", GROUPS)
@pytest.mark.parametrize("format", ["integers", "bucketwheel", "arkworks", "arkworks-compressed", "gnark", "gnark-compressed"])
def test_bytes_come_back(curve, group, format):
    ecc = ECC[curve]
    generator = ecc.G1 if group == "g1" else ecc.G2
    for multiple in (None, generator, ecc.multiply(generator, 99)):
        point = point_of(multiple, curve, group)
        data = point.to_bytes(format)
        for check in ("none", "curve", "subgroup"):
            assert bw.Point.from_bytes(data, curve, group, format, check=check) == point
        for wrong in (data[:-1], data + data, b""):
            with pytest.raises((bw.ArgumentError, bw.PointError, bw.FormatError)):
                bw.Point.from_bytes(wrong, curve, group, format)


def test_checks_of_bytes():
    data = (1).to_bytes(32, "little") + (3).to_bytes(32, "little")
    assert bw.Point.from_bytes(data, "bn254", "g1").y == 3
    with pytest.raises(bw.PointError, match="not on the curve"):
        bw.Point.from_bytes(data, "bn254", "g1", check="curve")


def test_curves_tell_their_numbers():
    for curve, ecc in ECC.items():
        assert (bw.CURVES[curve].modulus, bw.CURVES[curve].order) == (ecc.field_modulus, ecc.curve_order)


@pytest.mark.parametrize("curve", get_args(names.CurveName))
def test_points_of_all_curves(curve):
    if curve not in bw.CURVES:
        for call in (lambda: bw.generate(1, curve=curve), lambda: bw.Point.from_bytes(b"", curve, "g1")):
            with pytest.raises(bw.CurveError, match=f"this build has no {curve}: expected one with its feature, "):
                call()
        return
    known, (data, scalars) = bw.CURVES[curve], bw.generate(9, curve=curve, seed=2)
    size = known.point_bytes("g1")
    assert len(data) == 9 * size == 9 * 2 * known.degree * known.field_bytes
    points = [bw.Point.from_bytes(data[i : i + size], curve, "g1", check="subgroup") for i in range(0, len(data), size)]
    assert known.degree == (4 if curve == "bls24-315-g2" else 1)
    assert all(len(p.x) == len(p.y) == known.degree if known.degree > 1 else isinstance(p.x, int) for p in points)
    assert b"".join(map(bytes, points)) == data
    assert (points[0] - points[0]).infinity and -(-points[0]) == points[0]
    integers = [int.from_bytes(scalars[i : i + known.scalar_bytes], "little") for i in range(0, len(scalars), known.scalar_bytes)]
    expected = bw.Point.sum(scalar * point for scalar, point in zip(integers, points))
    assert not expected.infinity
    for same in (data, points, [(point.x, point.y) for point in points]):
        assert bw.Bases(same, curve=curve).msm(integers) == expected
    with pytest.raises(bw.PointError, match="expected"):
        bw.Bases([(points[0].x, None)], curve=curve)


def test_types_have_the_names_of_the_engine():
    def expected(call):
        with pytest.raises(bw.Error) as caught:
            call()
        return tuple(str(caught.value).split("expected one of ")[1].split(", "))

    point = bytes(64)
    assert set(bw.CURVES) <= set(get_args(names.CurveName))
    assert expected(lambda: bw.generate(1, curve="?")) == get_args(names.CurveName)
    assert expected(lambda: bw.generate(1, curve="bn254", group="?")) == get_args(names.GroupName)
    assert expected(lambda: bw.generate(1, curve="bn254", distribution="?")) == get_args(names.Distribution)
    assert expected(lambda: bw.Bases(point, curve="bn254", form="?")) == get_args(names.Form)
    assert expected(lambda: bw.Bases(point, curve="bn254", check="?")) == get_args(names.Check)
    assert expected(lambda: bw.Bases.open(point, format="?")) == get_args(names.FormatName)
    assert expected(lambda: bw.Bases.open(point, section="?")) == get_args(names.SectionName)


def test_scalars_of_any_integer_type():
    points, _ = bw.generate(100, curve="bn254")
    bases = bw.Bases(points, curve="bn254")
    values = [index % 128 for index in range(100)]
    for dtype in ("i1", "u2", "i2", "u4", "i4", "u8", "i8"):
        array = np.array(values, dtype=dtype)
        assert bases.msm(array) == bases.msm(values), dtype
        if dtype[0] == "u":
            largest = np.full(100, np.iinfo(dtype).max, dtype=dtype)
            assert bases.msm(largest) == bases.msm(list(map(int, largest))), dtype
        else:
            array[7] = -1
            with pytest.raises(bw.ArgumentError, match="element 7 .*negative"):
                bases.msm(array)
    with pytest.raises(bw.ArgumentError, match="other integers"):
        bases.msm(np.array(values, dtype=">u4"))
    with pytest.raises(bw.ArgumentError, match="gaps"):
        bases.msm(np.array(values * 2, dtype="u4")[::2])




def test_a_type_checker_finds_wrong_names(tmp_path):
    api = pytest.importorskip("mypy.api")
    (tmp_path / "right.py").write_text('import bucketwheel as bw\nbw.Bases([], curve="bn254", group="g2").msm([])\n')
    (tmp_path / "wrong.py").write_text('import bucketwheel as bw\nbw.Bases([], curve="bn256")\n')
    arguments = ["--strict", "--cache-dir", str(tmp_path / "cache"), "--config-file", ""]
    for name, status in (("right", 0), ("wrong", 1)):
        told, errors, found = api.run([*arguments, str(tmp_path / f"{name}.py")])
        assert found == status and (status == 0 or "bn256" in told), told + errors
