"""Seeded inputs."""

import pytest

import bucketwheel as bw

SIZES = {"g1": 64, "g2": 128}


@pytest.mark.parametrize("group", ["g1", "g2"])
def test_points_are_in_the_subgroup_and_a_seed_determines_them(group):
    points, scalars = bw.generate(1500, curve="bn254", group=group, seed=3)
    assert (len(points), len(scalars)) == (1500 * SIZES[group], 1500 * 32)
    bases = bw.Bases(points, curve="bn254", group=group, check="subgroup")
    assert not bases.msm(scalars).infinity
    assert len({points[i : i + 64] for i in range(0, len(points), SIZES[group])}) == 1500
    fewer = bw.generate(1100, curve="bn254", group=group, seed=3)
    assert points.startswith(fewer[0]) and scalars.startswith(fewer[1])
    assert bw.generate(1100, curve="bn254", group=group, seed=4)[0] != fewer[0]


def test_pairs_have_both_groups_points():
    (first, second), scalars = bw.generate(100, curve="bls12-381", group="pair", seed=5)
    assert first == bw.generate(100, curve="bls12-381", seed=5)[0]
    assert second == bw.generate(100, curve="bls12-381", group="g2", seed=5)[0]
    sums = bw.Bases((first, second), curve="bls12-381", group="pair").msm_pair(scalars)
    assert sums[0] == bw.Bases(first, curve="bls12-381").msm(scalars)
    assert sums[1] == bw.Bases(second, curve="bls12-381", group="g2").msm(scalars)


def test_distributions():
    def scalars(distribution):
        data = bw.generate(2000, curve="bn254", distribution=distribution)[1]
        return [int.from_bytes(data[i : i + 32], "little") for i in range(0, len(data), 32)]

    assert set(scalars("zero-one")) == {0, 1}
    assert 1 << 15 < max(scalars("small")) < 1 << 16
    assert 1700 < scalars("sparse").count(0) < 1900
    assert len(set(scalars("equal"))) == 1
    assert len(set(scalars("uniform"))) == 2000


def test_none_and_what_is_wrong():
    assert bw.generate(0, curve="bn254") == (b"", b"")
    for bad in (-1, 1 << 63, "10", 1.0):
        with pytest.raises(bw.ArgumentError, match="count"):
            bw.generate(bad, curve="bn254")
    with pytest.raises(bw.ArgumentError, match="seed"):
        bw.generate(1, curve="bn254", seed=1 << 64)
    with pytest.raises(bw.ArgumentError, match="unknown distribution"):
        bw.generate(1, curve="bn254", distribution="normal")
    with pytest.raises(bw.CurveError):
        bw.generate(1, curve="bn255")
    with pytest.raises(bw.Error):
        bw.generate(1, curve="bn254", group="g3")
    with pytest.raises(MemoryError):
        bw.generate((1 << 63) - 1, curve="bn254")


def test_progress_and_cancelling():
    seen = []
    bw.generate(1 << 16, curve="bn254", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (1 << 17, 1 << 17)

    def stop(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bw.generate(1 << 20, curve="bn254", progress=stop)
