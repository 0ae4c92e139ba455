"""``bucketwheel cluster``, or ``python -m bucketwheel.cluster``: measures the parts of a cluster, and plans sums on a
future cluster (docs/cluster.md)."""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence, TextIO

from ..errors import ArgumentError, Error
from ..inputs import generate
from .bases import DEVICES, Bases
from .crew import default_workers
from .engine import nodes
from .parts import LOG_SIZES, Parts, measure
from .plan import POINTS, RUNS, SCALARS, STORE_SHARE, Cards, Machines, Plan, plan, simulate

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def main(arguments: Sequence[str] | None = None, results: TextIO | None = None) -> int:
    """Runs a command and prints its output to ``results``; an error is one line."""
    given = _parser().parse_args(arguments)
    try:
        print(given.run(given), file=results)
    except (Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def program() -> int:
    """Runs the program ``bucketwheel-cluster``."""
    # Ray prints to standard output, where only results belong.
    results, sys.stdout = sys.stdout, sys.stderr
    return main(results=results)


def _parser() -> argparse.ArgumentParser:
    about = "Measures the parts of a cluster, and plans sums on a future cluster (docs/cluster.md)."
    parser = argparse.ArgumentParser(prog="bucketwheel cluster", description=about)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], str], about: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=about, description=about)
        found.set_defaults(run=run)
        return found

    one = command("parts", _parts, "Measure the parts of a cluster (RAY_ADDRESS, else this machine), and print them as JSON")
    _measured(one)
    one = command("plan", _plan, "Plan a sum on machines, with the best number of shards; held points are already prepared")
    one.add_argument("--log-size", type=_number(0, 40), required=True, metavar="N", help="2^N points")
    one.add_argument("--nodes", type=_number(1, 1 << 16), required=True, metavar="N", help="machines")
    one.add_argument("--cores", type=_number(1, 1 << 10), required=True, metavar="C", help="cores of each machine; a worker has one core")
    one.add_argument("--memory", type=_bytes, required=True, metavar="M", help="memory of each machine, as in 256G")
    one.add_argument("--network", type=_positive, required=True, metavar="G", help="network of each machine, in 10^9 bits per second each way")
    one.add_argument("--device", choices=DEVICES, default="cpu", help="accelerators as workers, by cycle models [default: cpu]")
    one.add_argument("--cards", type=_number(1, 64), default=1, metavar="K", help="cards of each machine [default: 1]")
    one.add_argument("--price", type=_positive, metavar="P", help="price of a node for an hour")
    one.add_argument("--failures", type=_positive, default=0.0, metavar="F", help="number of times that a worker ends in a month [default: 0]")
    one.add_argument("--dead", type=_share, default=0.0, metavar="S", help="a node ends for good after this share of the points [default: none]")
    one.add_argument("--verify", choices=("none", "full"), default="none", help="check of the sums [default: none]")
    about = "how workers get scalars: the coordinator sends them, nodes have a file, or nodes read a shared store [default: sent]"
    one.add_argument("--scalars", choices=SCALARS, default="sent", help=about)
    about = "workers hold the points, or read them for each sum from a file or a shared store [default: held]"
    one.add_argument("--points", choices=POINTS, default="held", help=about)
    one.add_argument("--parts", type=Path, metavar="FILE", help="the output of `parts` [default: measure now]")
    one.add_argument("--json", action="store_true", help="print JSON")
    _measured(one)
    one = command("check", _check, "Measure the parts of this cluster, and compare planned with measured times of sums")
    one.add_argument("--log-sizes", type=_number(10, 28), nargs="+", default=[22, 23, 24], metavar="N", help="2^N points each")
    one.add_argument("--shards", type=_number(1, 1 << 12), default=2, metavar="N", help="shards for each worker [default: 2]")
    one.add_argument("--json", action="store_true", help="print JSON")
    _measured(one)
    return parser


def _measured(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", metavar="HOST:PORT", help="the cluster [default: RAY_ADDRESS, otherwise a new cluster on this machine]")
    parser.add_argument("--curve", default="bn254", help="the curve [default: bn254]")
    parser.add_argument("--group", default="g1", choices=("g1", "g2"), help="the group [default: g1]")
    parser.add_argument("--part-sizes", type=_number(8, 26), nargs="+", default=LOG_SIZES, metavar="N", help="sizes of the timed shards, 2^N points")
    parser.add_argument("--repetitions", type=_number(1, 100), default=5, metavar="N", help="number of runs for each median [default: 5]")


def _number(least: int, most: int) -> Any:
    def parse(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or len(text) > 9 or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: expected {least} to {most}")
        return int(text)

    return parse


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0")
    return number


def _share(text: str) -> float:
    if _positive(text) >= 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a share above 0 and below 1")
    return float(text)


def _bytes(text: str) -> int:
    found = re.fullmatch(r"(\d{1,12})([KMGT]?)", text, re.ASCII)
    if not found or int(found[1]) == 0:
        raise argparse.ArgumentTypeError(f"{text!r}: expected bytes, as in 256G")
    return int(found[1]) * UNITS[found[2]]


def _parts(given: argparse.Namespace) -> str:
    return _measure(given).to_json()


def _measure(given: argparse.Namespace) -> Parts:
    return measure(given.curve, given.group, address=given.address, log_sizes=given.part_sizes, repetitions=given.repetitions)


def _plan(given: argparse.Namespace) -> str:
    parts = Parts.from_json(given.parts.read_bytes()) if given.parts else _measure(given)
    cards = None if given.device == "cpu" else Cards.simulated(given.device, given.cards, parts.curve)
    machines = Machines(given.nodes, given.cores, given.memory, given.network * 1e9 / 8, cards, given.failures / (30 * 24), given.dead)
    found = plan(parts, machines, 1 << given.log_size, given.verify == "full", given.scalars, given.points)
    # The price of all nodes for a second.
    price = None if given.price is None else given.price * given.nodes / 3600
    if given.json:
        return json.dumps({**asdict(found), "price": None if price is None else price * found.seconds})
    return "\n".join(_lines(found, parts, price))


def _lines(found: Plan, parts: Parts, price: float | None) -> Iterator[str]:
    def cost(seconds: float) -> str:
        return "" if price is None else f", price {price * seconds:.4g}"

    machines, size = found.machines, -(-found.points // found.shards)
    cards = machines.cards
    workers = f"{cards.count} cards ({cards.design})" if cards else f"{machines.cores} cores ({parts.backend})"
    yield f"{found.points} points of {parts.curve} {parts.group} on {machines.nodes} nodes of {workers}, verify={'full' if found.full else 'none'}"
    spread = f" ({duration(found.least)} to {duration(found.most)})" if found.least < found.most else ""
    yield f"  a sum             {duration(found.seconds)}{spread}{cost(found.seconds)}"
    yield f"  shards            {found.shards} of {size} points"
    yield f"  scalars           {found.scalars}; {size_of(found.bytes)} from the coordinator over the network"
    busy = ", ".join(f"{name} {share:.0%}" for name, share in found.busy.items())
    yield f"  busy              {busy}"
    yield f"  memory of a node  {size_of(found.node_bytes)}"
    if found.place == "held":
        yield f"  points, once      {duration(found.put_seconds)}, {size_of(found.put_bytes)} read{cost(found.put_seconds)}"
    else:
        yield f"  points            {found.place}; {size_of(found.put_bytes)} read for each sum"
    if found.second_seconds:
        yield f"  second points     {duration(found.second_seconds)}, once, by the coordinator"
    yield "  shards and time   " + ", ".join(f"{count}: {duration(seconds)}" for count, seconds in found.tried)


def duration(seconds: float) -> str:
    """Returns a duration as people write it."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s" if seconds >= 0.1 else f"{1e3 * seconds:.3g} ms"


def size_of(count: int) -> str:
    """Returns a number of bytes as people write it."""
    for unit, size in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


def _check(given: argparse.Namespace) -> str:
    parts = _measure(given)
    points, scalars = generate(1 << max(given.log_sizes), curve=given.curve, group=given.group)
    workers, there = default_workers(1), nodes()
    shards = given.shards * workers
    memory = min(int(node.store / STORE_SHARE) for node in there.values())
    machines = Machines(len(there), workers // len(there), memory, parts.transfer)
    rows = []
    for count in (1 << log_size for log_size in given.log_sizes):
        vector = scalars[: count * parts.scalar_bytes]
        with Bases.put(
            points[: count * parts.point_bytes], curve=given.curve, group=given.group, num_cpus=1, shards=shards
        ) as bases:
            bases.msm(vector)
            times = [bases.msm(vector).report.seconds for _ in range(given.repetitions)]
        planned = [simulate(parts, machines, count, shards, seed=seed).seconds for seed in range(RUNS)]
        rows.append({"points": count, "seconds": times, "planned": statistics.median(planned)})
    if given.json:
        return json.dumps({"parts": asdict(parts), "sums": rows})

    def line(row: dict[str, Any]) -> str:
        middle = statistics.median(row["seconds"])
        return (
            f"2^{row['points'].bit_length() - 1} points: {middle:.3f} s ({min(row['seconds']):.3f} to {max(row['seconds']):.3f}), "
            f"planned {row['planned']:.3f} s, {row['planned'] / middle - 1:+.1%}"
        )

    return "\n".join(map(line, rows))


if __name__ == "__main__":
    sys.exit(program())
