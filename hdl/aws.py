# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the cards as custom logic of AWS F2's shell (f2/), for lists.py: a top module for each card of kernels.txt.

Each port of memory has a port of the HBM of its own. The HBM's switch joins all of them to the whole memory, so no arbiter is ours.
"""

import re
from pathlib import Path

from kernels import HBM, SPDX, Kernel

F2 = Path(__file__).resolve().parent / "f2"
# AWS's recipes of clocks that a core may have, with their MHz (Clock_Recipes_User_Guide.md of the kit).
RECIPES = {450: "B2", 400: "B5", 300: "C0", 250: "B0", 200: "C3", 150: "C1", 125: "B1", 75: "C2"}
PORTS = range(32)
# The card's clocks and reset, and their wires here.
CLOCKS = {"clk_i": "clk_main_a0", "core_clk_i": "core_clk", "rst_i": "rst"}


def recipe(mhz: int) -> tuple[int, str]:
    """Returns the fastest clock that is no faster than the core's, and its recipe."""
    fits = [other for other in RECIPES if other <= mhz]
    if not fits:
        raise SystemExit(f"hdl/aws.py: no recipe of AWS F2 has {mhz} MHz or less")
    return max(fits), RECIPES[max(fits)]


def places(kernel: Kernel) -> dict[str, int]:
    """Returns the HBM's port of each port of memory: the first free one of its banks, or of all. The host's copies have the last free one."""
    taken: dict[str, int] = {}
    for master in kernel.masters:
        name = master.removeprefix("m_axi_")
        banks = [int(bank) for bank in re.findall(r"\d+", HBM[name])]
        taken[name] = next(port for port in [*range(banks[0], banks[-1] + 1), *PORTS] if port not in taken.values())
    taken["BAR4"] = next(port for port in reversed(PORTS) if port not in taken.values())
    return taken


def top(kernel: Kernel) -> str:
    """Returns the top module of a card."""
    card = kernel.card
    if set(kernel.masters.values()) != {512}:
        raise SystemExit(f"hdl/aws.py: expected ports of memory with 512 bits at {card}; it has {kernel.masters}")
    names = [name for _, _, name in kernel.ports]
    ports = places(kernel)
    bar4 = ports.pop("BAR4")
    mhz, code = recipe(kernel.frequency // 1_000_000)
    group = code[0].lower()
    wires, connections = "", []
    for name, port in ports.items():
        for kind in ("read", "write"):
            is_there = f"m_axi_{name}_a{kind[0]}valid" in names
            wires += f"  `AXI_{kind.upper()}_WIRES({name})\n" if is_there else f"  `F2_IDLE_{kind.upper()}({name})\n"
            if is_there:
                connections.append(f"`AXI_{kind.upper()}_CONNECT(m_axi_{name}, {name})")
        wires += f"  `F2_PORT({name}, {port})\n"
    used = sum(1 << port for port in (*ports.values(), bar4))
    bus = [f".{name}({wire})" for name, wire in CLOCKS.items()]
    for direction, width, name in kernel.ports:
        wire = name.removeprefix("s_axi_")
        if wire in ("awprot", "arprot"):
            bus.append(f".{name}(3'b0)")
        elif wire in ("awaddr", "araddr"):
            bus.append(f".{name}(ocl_cl_{wire}[{width - 1}:0])")
            address = width
        elif wire != name:
            bus.append(f".{name}({'ocl_cl' if direction == 'input' else 'cl_ocl'}_{wire})")
    parameters = ",\n".join(f"    parameter int {name} = {value}" for name, value in kernel.parameters.items())
    return (
        f"// {SPDX}\n// {card} on AWS F2, written by lists.py: the top module of the custom logic. OCL has the card's registers, and BAR4 the HBM.\n"
        f'`include "ports.svh"\nmodule cl_{card} #(\n{parameters}\n) (\n`include "cl_ports.vh"\n);\n'
        f"  localparam int BAR4 = {bar4};\n  localparam logic [31:0] USED = 32'h{used:08x};\n"
        f'`include "f2_shell.svh"\n\n'
        f"  // {mhz} MHz, with the recipe {code}.\n"
        f"  assign {{core_clk, core_rst_n}} = {{clk_extra_{group}0, rst_{group}0_n}};\n\n{wires}"
        f"  {card} #(\n      " + ",\n      ".join(f".{name}({name})" for name in kernel.parameters) + "\n  ) u_card (\n      " + ",\n      ".join([*bus, *connections]) + "\n  );\n\n"
        f"  unread u_unread (.d_i(^{{ocl_cl_awaddr[31:{address}], ocl_cl_araddr[31:{address}]}}));\nendmodule\n"
    )


def written(kernels: list[Kernel]) -> dict[Path, str]:
    """Returns the files of all cards."""
    return {F2 / f"cl_{kernel.card}.sv": top(kernel) for kernel in kernels}
