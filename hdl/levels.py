#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Counts the logic between registers, and compares it with the limits in docs/hardware.md.

    hdl/levels.py                # all blocks; fails if one has more than its limit
    hdl/levels.py quick          # the leaf blocks: two minutes
    hdl/levels.py NAME...        # only these blocks

yosys maps a block to LUTs of UltraScale+ and carry chains of eight bits. Of all paths from a register or an input to a
register or an output, two numbers are the largest: LUT levels, and bits of carry chains, each by itself and not of the
same path, since a level of LUTs costs many times a carry bit and yosys' own `ltp` counts a whole chain as one.
Block RAMs and DSPs count as registers, a read of distributed RAM counts as a LUT. Nothing is placed. Machines have the windows
of the papers.

Of whole adders and machines, multipliers are boxes that are not mapped with them (BOXES), whose results are registers. Where
the operands of a box are registers, a path ends there; where they are not, its own limit counts behind them.
"""

import json
import re
import subprocess
import sys
import tempfile
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from lists import HDL, INCLUDE, files, in_order

DOCS = HDL.parent / "docs" / "hardware.md"
# The parameters of a module, in yosys' form.
Parameters = dict[str, int | str]
P = "377'h1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001"
LEAVES: dict[str, Parameters] = {
    "fifo": {"WIDTH": 64, "DEPTH": 64},
    "fifo_ram": {"WIDTH": 64, "DEPTH": 1024},
    "spill_fifo": {"WIDTH": 64, "DEPTH": 64},
    "ping_pong": {"WIDTH": 16, "DEPTH": 64},
    "bucket_ram": {"WIDTH": 64, "BUCKETS": 1024},
    "first_come": {"REQUESTERS": 16},
    "axi_lite_registers": {"WORDS": 16},
    "hazard_window": {"WIDTH": 15, "WINDOW": 97},
    "hazard_next": {"WIDTH": 17, "WINDOW": 99},
    "hazard_ahead": {"WIDTH": 15, "WINDOW": 114},
    "delayed_scheduler": {"BUCKET_WIDTH": 15, "DATA_WIDTH": 32, "WINDOW": 114, "QUEUE": 64},
    "greedy_scheduler": {"BUCKET_WIDTH": 15, "DATA_WIDTH": 32, "WINDOW": 114, "QUEUE": 16},
    "signed_digits": {},
    "window_batch_scheduler": {"DATA_WIDTH": 32, "WINDOW_CYCLES": 100},
    "pairing_scheduler": {"BUCKET_WIDTH": 15, "DATA_WIDTH": 32},
    "wide_add": {"WIDTH": 512},
    "lazy_add": {"WIDTH": 377},
    "lazy_sub": {"WIDTH": 377, "PRIME": P},
    "mod_add": {"WIDTH": 377, "PRIME": P},
    "mod_sub": {"WIDTH": 377, "PRIME": P},
    "mod_sub_two": {"WIDTH": 377, "PRIME": P},
    "mod_times": {"WIDTH": 377, "PRIME": P},
    "mod_negate": {"WIDTH": 377, "PRIME": P},
    "mod_reduce": {"WIDTH": 377, "PRIME": P, "MULTIPLES": 3},
    "gypsophila_input": {},
    "divstep_inverse": {},
    "reclaimer_input": {},
    "axi_read_master": {},
    "axi_write_master": {},
    "gearbox": {"IN": 1152, "OUT": 512},
    "clock_crossing": {"WIDTH": 64},
    "register_slice": {"WIDTH": 64},
    "card_reader": {"WIDTH": 384},
    "spill_memory": {},
    "card_registers": {},
    "card_control": {},
    "register_fetch": {},
    "register_store": {},
    "stream_fork": {"RECEIVERS": 32},
    "network_station": {"DOWN": 770, "UP": 788},
    "msmac_dealer": {},
    "msmac_port": {},
    "placed_writer": {},
}
# Blocks that each take a minute or more.
WHOLE: dict[str, Parameters] = {
    "msmac_input": {},
    "montgomery_mul_shared": {},
    "montgomery_mul": {},
    "barrett_mul": {},
    "batch_chains": {},
    "te_madd": {},
    "te_add": {},
    "rcb_add": {},
    "apadd": {},
    "apadd_rcb": {},
    "cyclone_pe": {},
    "msmac_pe": {},
    "gypsophila_pe": {},
    "gypsophila_lane": {},
    "affine_batch_add": {},
    "batch_root": {},
    "reclaimer_halving": {"DATA_WIDTH": 754},
}
BLOCKS = LEAVES | WHOLE
# Parts that are not mapped with a block. The operands of a box without a row of its own must come from registers.
UNKNOWN = (99, 999)
BOXES: dict[str, str] = {
    "batch_chains": "montgomery_mul",
    "te_madd": "montgomery_mul",
    "te_add": "barrett_mul",
    "rcb_add": "montgomery_mul",
    "apadd": "montgomery_mul_shared",
    "apadd_rcb": "montgomery_mul_shared",
    "cyclone_pe": "montgomery_mul",
    "msmac_pe": "montgomery_mul",
    "gypsophila_pe": "barrett_mul",
    "gypsophila_lane": "montgomery_mul_shared",
    "affine_batch_add": "montgomery_mul",
    "batch_root": "montgomery_mul",
}
# A RAM whose words are registers at its output: a box in every block, because yosys takes minutes to cut a large RAM.
RAM = "ram_sdp"
# Cells that end a path: registers, and cells with registers inside.
SEQUENTIAL = re.compile(r"^(FD|LD|RAMB|SRL|DSP|URAM)")
# Distributed RAM ends a path at its inputs for writing, and is a LUT from its address to its output.
LUTRAM = re.compile(r"^RAM\d")


def is_a(cell: dict[str, Any], module: str | None) -> bool:
    """Returns true if a cell is an instance of a module."""
    return module is not None and module in cell["type"].split("\\")


def netlist(module: str, parameters: Parameters, box: str | None) -> dict[str, Any]:
    """Returns the block after yosys has mapped it: flat, except for its box and RAMs."""
    paths = [HDL / path for path in in_order(files(module))]
    read = "; ".join(f"read_verilog -sv {INCLUDE} {'-lib ' if path.stem in (box, RAM) else ''}{path}" for path in paths)
    # yosys looks neither for shift registers nor for products, because either search takes longer than everything else.
    shifts = "-nosrl -nodsp" if box else ""
    chosen = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "netlist.json"
        script = (
            f"{read}; {f'chparam {chosen} {module};' if chosen else ''} hierarchy -top {module};"
            f" synth_xilinx -family xcup -noiopad -noclkbuf -flatten {shifts}; write_json {result}"
        )
        done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"hdl/levels.py: yosys cannot map {module}\n{done.stderr}")
        modules: dict[str, dict[str, Any]] = json.loads(result.read_text())["modules"]
    return next(m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))


def levels(top: dict[str, Any], box: str | None, behind: tuple[int, int]) -> tuple[int, int]:
    """Returns the most LUTs, and the most carry bits, on a path without a register; `behind` are the counts of a box."""
    boxes = {name for name, cell in top["cells"].items() if is_a(cell, box)}
    cells = {
        name: cell
        for name, cell in top["cells"].items()
        if name in boxes or not (is_a(cell, RAM) or SEQUENTIAL.match(cell["type"]))
    }
    drivers: dict[int, str] = {}
    inputs: dict[str, list[int]] = {}
    for name, cell in cells.items():
        directions = cell["port_directions"]
        wires = [(port, bit) for port, bits in cell["connections"].items() for bit in bits if isinstance(bit, int)]
        if LUTRAM.match(cell["type"]):
            wires = [(port, bit) for port, bit in wires if not re.match(r"DI|D$|W", port)]
        if name not in boxes:
            drivers |= {bit: name for port, bit in wires if directions[port] == "output"}
        inputs[name] = [bit for port, bit in wires if directions[port] == "input"]
    before = {name: {drivers[bit] for bit in bits if bit in drivers} for name, bits in inputs.items()}
    luts: dict[str, int] = {}
    carries: dict[str, int] = {}
    for name in TopologicalSorter(before).static_order():
        kind = cells[name]["type"]
        carry = len(cells[name]["connections"]["S"]) if kind.startswith("CARRY") else 0
        own = (kind.startswith("LUT") or bool(LUTRAM.match(kind)), carry)
        if name in boxes:
            own = behind if before[name] else (0, 0)
        luts[name] = own[0] + max((luts[b] for b in before[name]), default=0)
        carries[name] = own[1] + max((carries[b] for b in before[name]), default=0)
    return max(luts.values(), default=0), max(carries.values(), default=0)


def limits() -> dict[str, tuple[int, int]]:
    """Returns the table of docs/hardware.md: name, LUT levels, carry bits."""
    section = DOCS.read_text().split("## Levels of logic")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)`.*?\| (\d+) \| (\d+) \|$", section, re.MULTILINE)
    return {name: (int(luts), int(carries)) for name, luts, carries in rows}


def main(names: list[str]) -> int:
    names = list(LEAVES) if names == ["quick"] else names
    wrong = sorted(set(names) - set(BLOCKS))
    if wrong:
        print(f"hdl/levels.py: there is no block {wrong[0]}, only {', '.join(BLOCKS)}", file=sys.stderr)
        return 2
    allowed = limits()
    status = 0
    for name in names or BLOCKS:
        box = BOXES.get(name)
        behind = allowed.get(box or "", UNKNOWN)
        found = levels(netlist(name, BLOCKS[name], box), box, behind)
        most = allowed.get(name)
        verdict = "" if most and found[0] <= most[0] and found[1] <= most[1] else f" more than {most}"
        print(f"| `{name}` | {found[0]} | {found[1]} |{verdict}", flush=True)
        status |= verdict != ""
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
