"""Bad input gives an exception whose type and message say what was expected."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from conftest import ORDER, scalars_file

import bucketwheel as bw
from bucketwheel import groth16


@pytest.fixture
def bases():
    return bw.Bases([(1, 2), (1, 2)], curve="bn254")


def test_points():
    def fails(points, index, match, **options):
        with pytest.raises(bw.PointError, match=match) as caught:
            bw.Bases(points, curve="bn254", **options)
        assert caught.value.index == index
        assert isinstance(caught.value, bw.Error) and isinstance(caught.value, ValueError)

    fails([(1, 2), (1, 3)], 1, "not on the curve", check="curve")
    fails([(1, 2), (1 << 255, 2)], 1, "not below the field's modulus")
    fails([(1, 2), (1 << 256, 2)], 1, "expected an integer of 0 to 256 bits")
    fails([(-1, 2)], 0, "expected an integer")
    fails([(1.5, "x")], 0, "expected an integer")
    fails([(1, 2), 3], 1, "expected .*None for infinity")
    fails([(1, 2), (1, 2, 3)], 1, "expected")
    fails([((1, 0), (2, 0))], 0, "expected")
    fails([b"1"], 0, "expected 64")
    fails([((1, 2), (3, 4))], 0, "not on the curve", check="curve", group="g2")


def test_scalars(bases):
    def fails(scalars, index):
        with pytest.raises(bw.ScalarError, match="order") as caught:
            bases.msm(scalars)
        assert caught.value.index == index

    fails([1, ORDER["bn254"]], 1)
    fails([-1, 0], 0)
    fails([0, 1 << 300], 1)
    fails([0, "1"], 1)
    fails([0.5, 1], 0)
    fails(b"\xff" * 64, 0)
    for scalars in ([1], [1, 2, 3], np.zeros((3, 4), dtype=np.uint64)):
        with pytest.raises(bw.LengthError, match="for 2 points"):
            bases.msm(scalars)
    with pytest.raises(bw.FormatError, match="multiple of 32"):
        bases.msm(b"123")


@pytest.mark.parametrize(
    ("array", "match"),
    [
        (np.zeros((2, 4)), "uint64"),
        (np.full((2, 4), -1, dtype=np.int64), "element 0 of an array of integers is negative"),
        (np.array([[0, 1], [2, -3]], dtype=np.int64), "element 3 of an array of integers is negative"),
        (np.zeros((2, 4), dtype=np.int32), "uint64"),
        (np.zeros((2, 4), dtype=bool), "uint64"),
        (np.zeros((2, 4), dtype=">u8"), "byte order"),
        (np.zeros((4, 4), dtype=np.uint64)[::2], "ascontiguousarray"),
        (np.zeros((4, 2), dtype=np.uint64).T, "ascontiguousarray"),
        (np.zeros((2, 5), dtype=np.uint64), "expected 1 to 32"),
        (np.zeros((2, 0), dtype=np.uint64), "expected 1 to 32"),
        (np.array([1, 1 << 70], dtype=object), "expected"),
        (3, "int: expected a path"),
        (None, "NoneType: expected a path"),
        ({1: 2}, "dict: expected a path"),
    ],
)
def test_arrays(bases, array, match):
    with pytest.raises(bw.ArgumentError, match=match):
        bases.msm(array)


@pytest.mark.parametrize("make", [lambda a: a, lambda a: np.frombuffer(a.tobytes(), dtype=np.int64)])
def test_arrays_of_int64(bases, make):
    assert bases.msm(make(np.array([2, 3], dtype=np.int64))) == bases.msm([2, 3])
    wide = np.array([[2, 0, 0, 0], [3, 0, 1, 0]], dtype=np.int64)
    assert bases.msm(wide) == bases.msm([2, 3 + (1 << 128)])
    points = np.array([[1, 0, 0, 0, 2, 0, 0, 0]] * 2, dtype=np.int64)
    assert bw.Bases(points, curve="bn254").msm([2, 3]) == bases.msm([2, 3])


@pytest.mark.parametrize(
    "number", [1.0, 1.5, Decimal(1), Fraction(1), Fraction(3, 2), " 1 ", "1", b"1", None, np.float64(1), 1j, [1]]
)
def test_what_is_no_integer(bases, number):
    for point in ((number, 2), (1, number)):
        with pytest.raises(bw.PointError, match="point 1"):
            bw.Bases([(1, 2), point], curve="bn254")
    for coordinate in ((number, 0), (0, number)):
        with pytest.raises(bw.PointError, match="point 0"):
            bw.Bases([(coordinate, (0, 0))], curve="bn254", group="g2")
    if number != [1]:
        with pytest.raises(bw.PointError, match="expected an integer"):
            bytes(bw.Point("bn254", "g1", number, 2))
    with pytest.raises(bw.ScalarError, match="scalar 1"):
        bases.msm([1, number])


def test_integers_of_other_types(bases):
    for kind in (np.uint64, np.int64, np.uint8):
        assert bw.Bases([(kind(1), kind(2))], curve="bn254").msm([kind(3)]) == bw.Bases([(1, 2)], curve="bn254").msm([3])


def test_groups():
    point = (1, 2)
    for call in (
        lambda: bw.Bases([point], curve="bn254", group="g3"),
        lambda: bw.Bases(bytes(64), curve="bn254", group="g3"),
        lambda: bw.Stream("bn254", "g3"),
        lambda: bw.generate(1, curve="bn254", group="g3"),
        lambda: bw.Bases.open(bytes(64), curve="bn254", group="g3", format="gnark"),
    ):
        with pytest.raises(bw.CurveError, match="g3.*expected one of g1, g2, pair"):
            call()
    for group in ("g3", "pair"):
        with pytest.raises(bw.CurveError, match="expected one of g1, g2"):
            bw.Point.from_bytes(bytes(64), "bn254", group)


def test_numbers(bases, groth16_files):
    files = groth16_files["bn254"]
    prover = groth16.Prover(files / "power.zkey")
    for bad in (-1, 1.0, "1", 1 << 64, Decimal(1)):
        for call in (
            lambda: bases.msm([1, 2], threads=bad),
            lambda: bw.Bases([(1, 2)], curve="bn254", threads=bad),
            lambda: bw.Bases([(1, 2)], curve="bn254", copies=bad),
            lambda: bw.Bases.open(bytes(64), threads=bad),
            lambda: bw.Stream("bn254", threads=bad),
            lambda: bw.Stream("bn254", points=bad),
            lambda: bw.Stream("bn254", memory=bad),
            lambda: bw.Stream("bn254", resume=(bad, [])),
            lambda: prover.prove(files / "power.wtns", memory=bad),
            lambda: prover.prove(files / "power.wtns", insecure_seed=bad),
            lambda: groth16.setup(files / "power.r1cs", "never", insecure_seed=bad),
        ):
            with pytest.raises(bw.ArgumentError, match="expected an integer of [01] to 2"):
                call()
    for call in (
        lambda: bases.msm([1, 2], threads=0),
        lambda: bw.Bases([(1, 2)], curve="bn254", threads=0),
        lambda: bw.Bases([(1, 2)], curve="bn254", copies=0),
        lambda: bw.Stream("bn254", threads=0),
    ):
        with pytest.raises(bw.ArgumentError, match="=0: expected an integer of 1 to 2"):
            call()
    assert bases.msm([1, 2], threads=1) == bases.msm([1, 2], threads=1 << 40)


def test_arrays_of_points():
    with pytest.raises(bw.ArgumentError, match="24 bytes in a row: expected 64"):
        bw.Bases(np.zeros((2, 3), dtype=np.uint64), curve="bn254")
    with pytest.raises(bw.FormatError, match="multiple of 64"):
        bw.Bases(bytes(65), curve="bn254")
    assert len(bw.Bases(np.zeros((0, 8), dtype=np.uint64), curve="bn254")) == 0


def test_names(bases):
    for call, match in [
        (lambda: bw.Bases(b"", curve="secp256k1"), "secp256k1.*expected one of"),
        (lambda: bw.Bases(b"", curve="bls12-38"), "bls12-38\".*expected one of"),
        (lambda: bw.Bases(b"", curve="bn254", group="g3"), "g3"),
        (lambda: bw.Bases(b"", curve="grumpkin", group="g2"), "g2"),
        (lambda: bw.Stream("none"), "none"),
    ]:
        with pytest.raises(bw.CurveError, match=match):
            call()
    for call, match in [
        (lambda: bw.Bases(b"", curve="bn254", check="all"), "none, curve, subgroup"),
        (lambda: bw.Bases(b"", curve="bn254", form="mont"), "integers, montgomery"),
        (lambda: bases.msm([1, 2], form="x"), "integers, montgomery"),
        (lambda: bw.Bases.open(b"", format="sage"), "expected one of bucketwheel, arkworks"),
        (lambda: bw.Bases.open(b"", section="tau"), "expected one of tauG1"),
        (lambda: bw.Bases(b"", curve="bn254", group="pair"), "two arrays"),
    ]:
        with pytest.raises(bw.ArgumentError, match=match):
            call()


def test_files(bases, tmp_path):
    for call in (lambda path: bw.Bases.open(path), lambda path: bases.msm(path)):
        with pytest.raises(FileNotFoundError) as caught:
            call(tmp_path / "none")
        assert caught.value.filename == str(tmp_path / "none")
        with pytest.raises(OSError, match="not a regular file"):
            call(tmp_path)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_bytes(b"some text that is no file of points or scalars, of more than a header")
    for name in ("empty", "text"):
        with pytest.raises(bw.FormatError, match=f"{name}: .*expected"):
            bw.Bases.open(tmp_path / name)
        with pytest.raises(bw.FormatError, match=f"{name}: .*expected"):
            bases.msm(tmp_path / name)
    (tmp_path / "other").write_bytes(scalars_file("bls12-381", [1, 2]))
    with pytest.raises(bw.FormatError, match="other: .*scalars of bls12-381: expected scalars of bn254"):
        bases.msm(tmp_path / "other")
    with pytest.raises(bw.FormatError, match="expected group=$"):
        bw.Bases.open(bytes(96), format="zcash")
    with pytest.raises(bw.FormatError, match="format=, curve= and group="):
        bw.Bases.open(b"123")
    with pytest.raises(bw.PointError) as caught:
        bw.Bases.open(bytes(96), format="zcash", group="g1", check="curve")
    assert caught.value.index == 0


HUGE = (1 << 64) - 1


@pytest.mark.parametrize("value", [0, 1, 7, 1 << 20, 1 << 40, 1 << 62, HUGE])
def test_numbers_of_any_size(value):
    """No input causes a panic: each gives a result, or a documented exception."""
    point, scalars = [(1, 2)] * 3, [1, 2, 3]
    for call in (
        lambda: bw.Bases(point, curve="bn254", threads=value).msm(scalars, threads=value),
        lambda: bw.Bases(point, curve="bn254", copies=value).msm(scalars),
        lambda: bw.Stream("bn254", points=value).update(point, scalars),
        lambda: bw.Stream("bn254", memory=value).update(point, scalars),
        lambda: bw.Stream("bn254", threads=value).update(point, scalars),
        lambda: bw.Stream("bn254", resume=(value, [bw.Point("bn254", "g1", 1, 2)])).checkpoint(),
    ):
        try:
            call()
        except (bw.Error, MemoryError) as error:
            assert "internal" not in str(error)


def test_numbers_that_are_none():
    for number in (-1, 1 << 64):
        with pytest.raises(bw.ArgumentError, match=f"copies={number}: expected an integer of 1 to"):
            bw.Bases([], curve="bn254", copies=number)
    with pytest.raises(bw.ArgumentError, match="threads='2': expected an integer"):
        bw.Bases([], curve="bn254", threads="2")
