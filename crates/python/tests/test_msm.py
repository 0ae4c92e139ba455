"""Sums against py_ecc and arkworks, with points and scalars in all accepted forms."""

import json
from random import Random

import ckzg
import numpy as np
import py_arkworks_bls12381 as arkworks
import py_ecc.bls12_381 as ecc_bls
import py_ecc.bn128 as ecc_bn
import pytest
from conftest import ORDER, REPOSITORY, points_file, random_scalars, scalars_file

import bucketwheel as bw

ECC = {"bn254": ecc_bn, "bls12-381": ecc_bls}


def ints(point):
    """Returns py_ecc's affine point as integers."""
    if point is None:
        return None
    if hasattr(point[0], "coeffs"):
        return tuple(tuple(int(c) for c in coordinate.coeffs) for coordinate in point)
    return tuple(coordinate.n for coordinate in point)


def ecc_sum(ecc, points, scalars):
    """Returns py_ecc's sum."""
    sum = None
    for point, scalar in zip(points, scalars):
        sum = ecc.add(sum, ecc.multiply(point, scalar) if point is not None else None)
    return ints(sum)


def is_sum(point, expected):
    return point.infinity if expected is None else (point.x, point.y) == expected and not point.infinity


@pytest.mark.parametrize("curve", ["bn254", "bls12-381"])
@pytest.mark.parametrize("group", ["g1", "g2"])
def test_sums_are_those_of_py_ecc(curve, group):
    ecc = ECC[curve]
    generator = ecc.G1 if group == "g1" else ecc.G2
    points = [ecc.multiply(generator, k) for k in (1, 2, 3, 12345)] + [None, generator]
    scalars = random_scalars(len(points), curve)
    bases = bw.Bases([ints(point) for point in points], curve=curve, group=group, check="subgroup")
    assert (len(bases), bases.curve, bases.group) == (6, curve, group)
    assert is_sum(bases.msm(scalars), ecc_sum(ecc, points, scalars))
    # A point and its inverse.
    negative = bw.Bases([ints(generator), ints(ecc.neg(generator))], curve=curve, group=group)
    assert negative.msm([5, 5]).infinity
    assert bw.Bases([], curve=curve, group=group).msm([]).infinity


@pytest.mark.parametrize("curve", ["bn254", "bls12-381"])
def test_pairs_share_scalars(curve, tmp_path):
    ecc = ECC[curve]
    first, second = [ecc.multiply(ecc.G1, k) for k in (1, 7, 9)], [ecc.multiply(ecc.G2, k) for k in (3, 2, 1)]
    scalars = random_scalars(6, curve)[3:]
    points = ([ints(point) for point in first], [ints(point) for point in second])
    bases = bw.Bases(points, curve=curve, group="pair")
    expected = (ecc_sum(ecc, first, scalars), ecc_sum(ecc, second, scalars))
    assert all(map(is_sum, bases.msm_pair(scalars), expected))
    with pytest.raises(bw.ArgumentError, match="msm_pair"):
        bases.msm(scalars)
    with pytest.raises(bw.ArgumentError, match="pair"):
        bw.Bases(points[0], curve=curve).msm_pair(scalars)
    # The same points from a file.
    parts = [
        b"".join(bytes(bw.Point(curve, group, *point)) for point in points)
        for group, points in zip(("g1", "g2"), points)
    ]
    (tmp_path / "pair.bin").write_bytes(points_file(curve, 3, parts))
    opened = bw.Bases.open(tmp_path / "pair.bin")
    assert (opened.group, len(opened)) == ("pair", 3)
    assert opened.msm_pair(scalars) == bases.msm_pair(scalars)


def test_sums_are_those_of_arkworks(arkworks_points):
    scalars = random_scalars(len(arkworks_points), "bls12-381")
    compressed = b"".join(point.to_compressed_bytes() for point in arkworks_points)
    bases = bw.Bases.open(compressed, format="zcash-compressed", group="g1")
    expected = arkworks.G1Point.multiexp_unchecked(
        arkworks_points, [arkworks.Scalar.from_le_bytes(scalar.to_bytes(32, "little")) for scalar in scalars]
    )
    assert bases.msm(scalars).to_bytes("zcash-compressed") == bytes(expected.to_compressed_bytes())
    for options in ({"copies": 3}, {"deduplicate": True}, {"check": "curve"}, {"threads": 1}):
        assert bw.Bases.open(compressed, format="zcash-compressed", group="g1", **options).msm(scalars) == bases.msm(scalars)
    # Nothing names the format, but the first points fit only one.
    assert bw.Bases.open(compressed).msm(scalars) == bases.msm(scalars)


def test_forms_of_points_and_scalars(arkworks_points, tmp_path):
    curve, points = "bls12-381", arkworks_points[:50]
    raw = b"".join(bytes(point.to_xy_bytes_le()) for point in points)
    values = random_scalars(50, curve)
    integers = b"".join(value.to_bytes(32, "little") for value in values)
    bases = bw.Bases(raw, curve=curve, check="subgroup")
    expected = bases.msm(values)
    words = np.frombuffer(raw, dtype=np.uint64)
    (tmp_path / "raw").write_bytes(raw)
    (tmp_path / "p.bin").write_bytes(points_file(curve, 1, [raw]))
    (tmp_path / "s.bin").write_bytes(scalars_file(curve, values))
    point_forms = [
        bytearray(raw),
        memoryview(raw),
        words,
        words.reshape(50, 12),
        words.reshape(50, 2, 6),
        np.frombuffer(raw, dtype=np.uint8).reshape(50, 96),
        tmp_path / "raw",
        [raw[i : i + 96] for i in range(0, len(raw), 96)],
        [bw.Point.from_bytes(raw[i : i + 96], curve, "g1") for i in range(0, len(raw), 96)],
    ]
    for form in point_forms:
        assert bw.Bases(form, curve=curve).msm(values) == expected
    assert bw.Bases.open(str(tmp_path / "p.bin")).msm(values) == expected
    assert bw.Bases.open((tmp_path / "p.bin").read_bytes()).msm(values) == expected
    scalars = np.frombuffer(integers, dtype=np.uint64).reshape(50, 4)
    scalar_forms = [
        integers,
        bytearray(integers),
        scalars,
        np.frombuffer(integers, dtype=np.uint8),
        np.frombuffer(integers, dtype=np.uint8).reshape(50, 32),
        tuple(values),
        str(tmp_path / "s.bin"),
        tmp_path / "s.bin",
    ]
    for form in scalar_forms:
        assert bases.msm(form) == expected
    assert bases.msm_many(scalar_forms) == [expected] * len(scalar_forms)
    # Small scalars: fewer words, or bytes.
    small = np.arange(50, dtype=np.uint64)
    assert bases.msm(small) == bases.msm(range(50)) == bases.msm(list(small))
    assert bases.msm(np.arange(50, dtype=np.uint8).reshape(50, 1)) == bases.msm(range(50))
    assert bases.msm(np.stack([small, small], axis=1)) == bases.msm([k + (k << 64) for k in range(50)])


def test_montgomery_form():
    prime = ecc_bn.field_modulus
    montgomery = lambda value, modulus: (value * 2**256 % modulus).to_bytes(32, "little")
    point = ints(ecc_bn.multiply(ecc_bn.G1, 99))
    bases = bw.Bases(b"".join(montgomery(c, prime) for c in point), curve="bn254", form="montgomery")
    scalar = montgomery(12345, ORDER["bn254"])
    assert is_sum(bases.msm(scalar, form="montgomery"), ints(ecc_bn.multiply(ecc_bn.G1, 99 * 12345)))


def test_points_are_values():
    point = bw.Bases([(1, 2)], curve="bn254").msm([1])
    assert point == bw.Point("bn254", "g1", 1, 2)
    assert len({point, bw.Point("bn254", "g1", 1, 2)}) == 1
    assert bytes(point) == (1).to_bytes(32, "little") + (2).to_bytes(32, "little")
    assert bw.Point.from_bytes(bytes(point), "bn254", "g1") == point
    assert bw.Point("bls12-381", "g1", 0, 0).to_bytes("zcash-compressed") == b"\xc0" + bytes(47)
    with pytest.raises(bw.FormatError, match="zcash has no g1 points of bn254"):
        point.to_bytes("zcash")
    with pytest.raises(bw.PointError):
        bw.Point("bn254", "g1", 1 << 256, 2).to_bytes()


def test_powers_of_tau_of_snarkjs():
    file = REPOSITORY / "crates/formats/tests/samples/bn254.ptau"
    bases = bw.Bases.open(file, section="tauG1", check="subgroup")
    first = bases.msm([1] + [0] * (len(bases) - 1))
    assert (first.x, first.y) == (1, 2)
    assert bw.Bases.open(file, section="betaG2").group == "g2"


def test_tables(arkworks_points, tmp_path):
    raw = b"".join(bytes(point.to_xy_bytes_le()) for point in arkworks_points[:100])
    scalars = random_scalars(100, "bls12-381")
    bases = bw.Bases(raw, curve="bls12-381", copies=4)
    bases.write_table(tmp_path / "table.bin")
    assert [path.name for path in tmp_path.iterdir()] == ["table.bin"]
    table = bw.Bases.open(tmp_path / "table.bin")
    assert (table.curve, table.group, len(table)) == ("bls12-381", "g1", 100)
    assert table.msm(scalars) == bases.msm(scalars)
    with pytest.raises(bw.ArgumentError, match="table"):
        bw.Bases.open(tmp_path / "table.bin", check="curve")
    with pytest.raises(bw.FormatError, match="bn254"):
        bw.Bases.open(tmp_path / "table.bin", curve="bn254")
    with pytest.raises(FileNotFoundError):
        bases.write_table(tmp_path / "none" / "table.bin")
    (tmp_path / "cut.bin").write_bytes((tmp_path / "table.bin").read_bytes()[:-1])
    with pytest.raises(bw.FormatError, match="cut.bin: the table has"):
        bw.Bases.open(tmp_path / "cut.bin")


@pytest.mark.parametrize("group", ["g1", "pair"])
def test_streams(group):
    ecc, curve = ecc_bn, "bn254"
    first = [ints(ecc.multiply(ecc.G1, k + 1)) for k in range(20)]
    second = [ints(ecc.multiply(ecc.G2, k + 1)) for k in range(20)]
    points = (first, second) if group == "pair" else first
    part = lambda low, high: (first[low:high], second[low:high]) if group == "pair" else first[low:high]
    scalars = random_scalars(20, curve)
    bases = bw.Bases(points, curve=curve, group=group)
    expected = bases.msm_pair(scalars) if group == "pair" else (bases.msm(scalars),)
    stream = bw.Stream(curve, group, points=20)
    stream.update(part(0, 7), scalars[:7])
    done = stream.checkpoint()
    assert (len(stream), done[0]) == (7, 7)
    stream.update(part(7, 20), scalars[7:])
    assert stream.checkpoint() == (20, expected)
    resumed = bw.Stream(curve, group, resume=done, memory=1 << 28, threads=1, check="subgroup")
    resumed.update(part(7, 20), scalars[7:])
    assert resumed.checkpoint() == (20, expected)
    if group == "g1":
        assert resumed.sum() == expected[0]
    with pytest.raises(bw.LengthError):
        bw.Stream(curve, group).update(part(0, 2), [1])
    with pytest.raises(bw.ArgumentError, match="memory"):
        bw.Stream(curve, group, memory=1)


def test_blobs_of_ethereum():
    file = REPOSITORY / "crates/cli/data/trusted_setup.txt"
    setup = bw.kzg.Setup(file)
    words = file.read_text().split()
    # The text's last points are powers of tau in G1: [1] and [tau] commit to the polynomials 1 and X.
    one, tau = (bytes.fromhex(word) for word in words[-4096:-4094])
    order = ORDER["bls12-381"]
    root = pow(7, (order - 1) // 4096, order)
    values = [pow(root, int(f"{i:012b}"[::-1], 2), order) for i in range(4096)]
    assert setup.commit(b"".join(value.to_bytes(32, "big") for value in values)) == tau
    assert setup.commit((1).to_bytes(32, "big") * 4096) == one
    theirs = ckzg.load_trusted_setup(str(file), 0)
    random = Random(4)
    for _ in range(2):
        blob = b"".join(random.randrange(order).to_bytes(32, "big") for _ in range(4096))
        assert setup.commit(blob) == ckzg.blob_to_kzg_commitment(blob, theirs)
    with pytest.raises(bw.ArgumentError, match="expected 131072"):
        setup.commit(b"123")
    with pytest.raises(bw.ScalarError) as caught:
        setup.commit(bytes(32) + b"\xff" * 32 + bytes(131072 - 64))
    # The error names the element's place in the blob.
    assert caught.value.index == 1 and "element 1 " in str(caught.value)


def test_a_set_up_in_another_form():
    """Returns the text of two lists with powers of tau in G1, which c-kzg read until May 2023."""
    words = (REPOSITORY / "crates/cli/data/trusted_setup.txt").read_text().split()
    lagrange, g2, monomial = words[2:4098], words[4098:4163], words[4163:]

    def text(*lists):
        return "\n".join(["4096", "65", *(word for words in lists for word in words)]).encode()

    for old in [text(monomial, g2), text(monomial, g2, lagrange)]:
        with pytest.raises(bw.FormatError, match="in monomial form, .*: expected section g1-lagrange; take"):
            bw.kzg.Setup(old)
    points = bw.Bases.open(text(monomial, g2), format="kzg")
    assert points.msm([1] + 4095 * [0]).to_bytes("zcash-compressed").hex() == monomial[0]
    with pytest.raises(bw.FormatError, match="not in monomial form, .*: expected section g1-monomial; take"):
        bw.Bases.open(text(lagrange, g2), section="g1-monomial")
    # The text without the third list, with and without 0x, gives the same commitment.
    blob = (3).to_bytes(32, "big") * 4096
    expected = bw.kzg.Setup(text(lagrange, g2, monomial)).commit(blob)
    assert bw.kzg.Setup(text(lagrange, g2)).commit(blob) == expected
    assert bw.kzg.Setup(text(["0x" + word for word in lagrange], g2)).commit(blob) == expected
    keys = {"g1_monomial": monomial, "g1_lagrange": lagrange, "g2_monomial": g2}
    specification = {key: ["0x" + word for word in words] for key, words in keys.items()}
    assert bw.kzg.Setup(json.dumps(specification).encode()).commit(blob) == expected
    with pytest.raises(bw.FormatError, match="do not sum to the generator: expected them in Lagrange form"):
        bw.kzg.Setup(text([lagrange[1], *lagrange[1:]], g2))
