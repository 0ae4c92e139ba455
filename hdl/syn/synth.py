#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts with yosys the resources of the blocks on an UltraScale+ FPGA, and prints the table of docs/hardware.md.

    hdl/syn/synth.py                # all blocks
    hdl/syn/synth.py NAME...        # only these blocks

Multipliers are the leaves of the RTL (mul_leaf), by the width of their operands. A leaf is a cascade of DSPs without LUTs, which
has the leaf's registers (docs/hardware.md, "Resources"). Sums of three summands are the cells in sites.sv, where a LUT has two
outputs, as Vivado maps them. Everything else is what synth_xilinx maps it to. Modules are mapped each by itself, so that a block's
modular multipliers are as many times a row of their own. Nothing is placed, so nothing is said of clock frequencies.
"""

import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lists import HDL, INCLUDE, files, in_order

BN254 = "254'h30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"


class Block(NamedTuple):
    module: str
    parameters: dict[str, int | str] = {}
    # The row of the multipliers in this block.
    multiplier: str | None = None


ROWS = {
    "karatsuba-384-3": Block("mul_karatsuba", {"WIDTH": 384, "LAYERS": 3}),
    "karatsuba-384-4": Block("mul_karatsuba", {"WIDTH": 384, "LAYERS": 4}),
    "hybrid-256": Block("mul_hybrid", {"WIDTH": 256, "LAYERS": 3}),
    "hybrid-low-256": Block("mul_hybrid_low", {"WIDTH": 256, "LAYERS": 3}),
    "montgomery-377": Block("montgomery_mul"),
    "montgomery-254": Block("montgomery_mul", {"WIDTH": 254, "PRIME": BN254, "WORD": 256, "KIND": 2}),
    "barrett-377": Block("barrett_mul"),
    "montgomery-377-shared": Block("montgomery_mul_shared"),
    "te_madd": Block("te_madd", multiplier="montgomery-377"),
    "te_two_cycle_add": Block("te_two_cycle_add", multiplier="montgomery-377"),
    "te_add": Block("te_add", multiplier="barrett-377"),
    "rcb_add": Block("rcb_add", multiplier="montgomery-254"),
    "msmac_pe-5": Block("msmac_pe", {"WINDOW": 5}, "montgomery-254"),
    "apadd": Block("apadd", multiplier="montgomery-377-shared"),
    "cyclone_commands": Block("cyclone_commands"),
    "cyclone_points": Block("cyclone_points"),
    "cyclone_top-32-buckets": Block("cyclone_top", {"BUCKET_WIDTH": 5}, "montgomery-377"),
    "cyclone_top-32-buckets-overlap": Block("cyclone_top", {"BUCKET_WIDTH": 5, "OVERLAP": 1}, "montgomery-377"),
    "delayed_scheduler": Block(
        "delayed_scheduler", {"BUCKET_WIDTH": 15, "DATA_WIDTH": 32, "WINDOW": 97, "QUEUE": 1024}
    ),
    "window_batch_scheduler": Block("window_batch_scheduler", {"DATA_WIDTH": 32, "WINDOW_CYCLES": 91}),
    "pairing_scheduler": Block("pairing_scheduler", {"BUCKET_WIDTH": 8, "DATA_WIDTH": 32}),
    "apadd_rcb": Block("apadd_rcb"),
    "gypsophila_input": Block("gypsophila_input"),
    "gypsophila_lane": Block("gypsophila_lane", {"WINDOW": 12}, "montgomery-377-shared"),
    "reclaimer_input": Block("reclaimer_input"),
    "reclaimer_halving": Block("reclaimer_halving", {"DATA_WIDTH": 754}),
    "batch_root": Block("batch_root", multiplier="montgomery-377"),
    "affine_batch_add": Block("affine_batch_add", multiplier="montgomery-377"),
}
# The widest unsigned operands of a DSP48E2. Its two ports have 27 and 18 bits with sign.
DSP = (26, 17)
LEAF = "mul_leaf"
SITES = HDL / "syn" / "sites.sv"
# The blocks of sites.sv.
MAPPED = {"carry_save", "add_three"}
# A pattern of yosys' cells for each column, or none for the DSPs of the leaves.
COLUMNS = {
    "DSP48E2": None,
    "LUT": r"LUT[1-6](_2)?$",
    "FF": r"FD",
    "SRL": r"SRL",
    "LUTRAM": r"RAM[0-9]",
    "BRAM": r"RAMB",
}


class Count(NamedTuple):
    # Number of leaves of each width.
    leaves: Counter[int]
    cells: Counter[str]


def cascade(width: int) -> int:
    """Returns the DSPs of a product of two operands of this width."""
    return math.prod(-(-width // port) for port in DSP)


def cells(block: Block, script: str, mapped: bool) -> Counter[str]:
    """Returns cells by type at the end of yosys' script, including the cells below them, except the inside of a box.

    `mapped` makes boxes of leaves, and takes the blocks of sites.sv from there.
    """
    boxes = {ROWS[block.multiplier].module} if block.multiplier else set()
    paths = [HDL / path for path in in_order(files(block.module))]
    if mapped:
        boxes.add(LEAF)
        paths = [path for path in paths if path.stem not in MAPPED] + [SITES]
    read = "; ".join(f"read_verilog -sv {INCLUDE} {'-lib ' if path.stem in boxes else ''}{path}" for path in paths)
    chosen = " ".join(f"-chparam {name} {value}" for name, value in block.parameters.items())
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "stat"
        words = f"{read}; hierarchy -top {block.module} {chosen}; {script}; tee -q -o {result} stat -width"
        done = subprocess.run(["yosys", "-q", "-p", words], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"hdl/syn/synth.py: yosys cannot map {block.module}\n{done.stderr}")
        # The last list covers the whole hierarchy, if there is one.
        last = result.read_text().rpartition("Number of cells:")[2]
    return Counter({kind: int(number) for kind, number in re.findall(r"^ +(\S+) +(\d+)$", last, re.MULTILINE)})


def count(name: str, known: dict[str, Count]) -> Count:
    if name in known:
        return known[name]
    block = ROWS[name]
    leaves: Counter[int] = Counter()
    for kind, number in cells(block, "proc; flatten; opt_clean", mapped=False).items():
        # The name of a product's cell has the width of the result. Products of addresses or by a small constant are not
        # leaves.
        width = re.fullmatch(r"\$mul_(\d+)", kind)
        if width and 32 < int(width[1]) <= 128:
            leaves[int(width[1]) // 2] += number
    mapped = Counter({"DSP48E2": sum(number * cascade(width) for width, number in leaves.items())})
    boxes = 0
    for kind, number in cells(block, "synth_xilinx -family xcup -noiopad", mapped=True).items():
        if block.multiplier and kind.split("\\")[-1] == ROWS[block.multiplier].module:
            boxes += number
        for column, pattern in COLUMNS.items():
            mapped[column] += number * bool(pattern and re.match(pattern, kind))
    if block.multiplier:
        one = count(block.multiplier, known)
        leaves.update({width: boxes * number for width, number in one.leaves.items()})
        mapped.update({column: boxes * number for column, number in one.cells.items()})
    known[name] = Count(leaves, mapped)
    return known[name]


def main(names: list[str]) -> int:
    wrong = sorted(set(names) - set(ROWS))
    if wrong:
        print(f"hdl/syn/synth.py: there is no block {wrong[0]}, only {', '.join(ROWS)}", file=sys.stderr)
        return 2
    if not shutil.which("yosys"):
        print("hdl/syn/synth.py: yosys is missing; tools/setup.sh installs it", file=sys.stderr)
        return 1
    print(f"| block | multipliers | {' | '.join(COLUMNS)} |")
    print(f"|---|---|{'---|' * len(COLUMNS)}")
    known: dict[str, Count] = {}
    for name in names or ROWS:
        found = count(name, known)
        leaves = ", ".join(f"{number} of {width}" for width, number in sorted(found.leaves.items()))
        numbers = " | ".join(str(found.cells[column]) for column in COLUMNS)
        print(f"| {name} | {leaves or 'none'} | {numbers} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
