#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts equal values in witnesses: bench/equal_scalars.py WITNESS.wtns...

A sum folds a scalar x above half of the order to x less the order, so values count by their magnitude. Each row has the number of
values, the share of 0, 1 and -1, the shares of other magnitudes below 2^64 and of longer ones, and the part of the longer ones that
repeats an earlier value: its points could be added before the sum.
"""

import pathlib
import sys


def values(path):
    """Returns the modulus and the values of a witness in snarkjs' format."""
    file = path.read_bytes()
    if file[:4] != b"wtns":
        sys.exit(f"{path}: no witness")
    sections, place = {}, 12
    while place < len(file):
        start = place + 12
        length = int.from_bytes(file[place + 4 : start], "little")
        sections[int.from_bytes(file[place : place + 4], "little")] = file[start : start + length]
        place = start + length
    size = int.from_bytes(sections[1][:4], "little")
    order = int.from_bytes(sections[1][4 : 4 + size], "little")
    integers = sections[2]
    return order, [int.from_bytes(integers[i : i + size], "little") for i in range(0, len(integers), size)]


def main():
    print("| witness | values | 0, 1, -1 | shorter | longer | of these equal to others |")
    print("|---|---:|---:|---:|---:|---:|")
    for path in map(pathlib.Path, sys.argv[1:]):
        order, scalars = values(path)
        magnitudes = [min(x, order - x) for x in scalars]
        bits = sum(x < 2 for x in magnitudes)
        long = [x for x in magnitudes if x >= 1 << 64]
        repeated = (len(long) - len(set(long))) / max(1, len(long))
        shares = [part / len(scalars) for part in (bits, len(scalars) - bits - len(long), len(long))]
        name = path.parent.name if path.stem == "witness" else path.stem
        print(f"| {name} | {len(scalars):,} | " + " | ".join(f"{100 * part:.1f} %" for part in (*shares, repeated)) + " |")


if __name__ == "__main__":
    main()
