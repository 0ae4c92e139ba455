"""Measures the speed of sums on BLS12-381 G1 beside arkworks' Python package: the same points and scalars, in turn,
with equal sums.

    python speed.py [--max-log-size 16] [--runs 5] [--plot speed.png]

Prints medians in milliseconds, on one thread, as arkworks' package uses, and on all threads. Each package gets points
and scalars in its own types: the time for conversions does not count. With matplotlib, draws a plot."""

import argparse
import random
import statistics
import time

import py_arkworks_bls12381 as arkworks

import bucketwheel as bw


def inputs(count):
    """Returns distinct points and uniform scalars, in arkworks' types and in ours."""
    random.seed(1)
    point, step, points = arkworks.G1Point(), arkworks.G1Point() * arkworks.Scalar(987654321), []
    for _ in range(count):
        points.append(point)
        point = point + step
    order = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
    scalars = [random.randrange(order).to_bytes(32, "little") for _ in range(count)]
    bases = bw.Bases(b"".join(bytes(point.to_xy_bytes_le()) for point in points), curve="bls12-381")
    return points, [arkworks.Scalar.from_le_bytes(scalar) for scalar in scalars], bases, b"".join(scalars)


def measure(log_size, runs):
    """Returns the medians in milliseconds: arkworks, ours on one thread, ours on all threads."""
    points, scalars, bases, integers = inputs(1 << log_size)
    ways = [
        lambda: bytes(arkworks.G1Point.multiexp_unchecked(points, scalars).to_compressed_bytes()),
        lambda: bases.msm(integers, threads=1).to_bytes("zcash-compressed"),
        lambda: bases.msm(integers).to_bytes("zcash-compressed"),
    ]
    times = [[] for _ in ways]
    # The packages run in turn, so other load on the machine affects both; the first round warms up.
    for run in range(runs + 1):
        sums = set()
        for way, taken in zip(ways, times):
            start = time.perf_counter()
            sums.add(way())
            if run:
                taken.append(1000 * (time.perf_counter() - start))
        assert len(sums) == 1, "the sums differ"
    return [statistics.median(taken) for taken in times]


def draw(path, sizes, rows):
    """Draws the time per point over the number of points."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    for label, column in zip(("arkworks", "bucketwheel, one thread", "bucketwheel, all threads"), zip(*rows)):
        points = [2**size for size in sizes]
        pyplot.loglog(points, [1000 * ms / n for ms, n in zip(column, points)], marker="o", base=2, label=label)
    pyplot.xlabel("points")
    pyplot.ylabel("microseconds per point")
    pyplot.title("Sums on BLS12-381 G1 from Python")
    pyplot.legend()
    pyplot.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--max-log-size", type=int, default=16)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--plot", metavar="FILE")
    options = parser.parse_args()
    sizes, rows = range(8, options.max_log_size + 1, 2), []
    print("| points | arkworks, ms | one thread, ms | all threads, ms | arkworks / one thread |\n|:---|---:|---:|---:|---:|")
    for size in sizes:
        rows.append(measure(size, options.runs))
        theirs, one, all_threads = rows[-1]
        print(f"| 2^{size} | {theirs:.2f} | {one:.2f} | {all_threads:.2f} | {theirs / one:.1f} |", flush=True)
    if options.plot:
        draw(options.plot, sizes, rows)


if __name__ == "__main__":
    main()
