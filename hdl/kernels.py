# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the cards as Vitis kernels, for lists.py: wrapper, kernel.xml, Tcl for the packager, and banks of memory of two boards.

kernels.txt has each card's arguments. Ports and parameters come from the card's source, numbers of registers from card_registers.sv.
"""

import re
from dataclasses import dataclass
from pathlib import Path

HDL = Path(__file__).resolve().parent
SPDX = "SPDX-License-Identifier: MIT OR Apache-2.0"
VENDOR, LIBRARY, VERSION = "bucketwheel", "msm", "1.0"
PARAMETER = re.compile(r"^    parameter int (\w+) = (.*?),?$", re.MULTILINE)
PORT = re.compile(r"^ +(input|output) +logic +(?:\[ *(.*?):0\] +)?(\w+),?$", re.MULTILINE)
# The card's clocks and reset, and their wires in the wrapper.
CLOCKS = {"clk_i": "ap_clk", "core_clk_i": "ap_clk_2", "rst_i": "rst"}
# A register that a card does not use, in kernels.txt.
UNUSED = "-"
# The bytes of the card's map.
MAP = 0x2000
# The banks of a board for each port of memory. A bank of HBM has 512 MiB, and a bank of DDR 16 GiB. 2^25 points of 384 bits a
# coordinate fit, with 16 windows of commands and the ring.
HBM = {"host": "HBM[0:9]", "spill": "HBM[10:19]", "x": "HBM[20:23]", "y": "HBM[24:27]", "u": "HBM[28:31]", "z": "HBM[28:31]"}
HBM |= {"point": "HBM[20:23]", "scalar": "HBM[24:25]"}
DDR = {"host": "DDR[0]", "spill": "DDR[0]", "x": "DDR[1]", "y": "DDR[2]", "u": "DDR[3]", "z": "DDR[3]"}
DDR |= {"point": "DDR[1]", "scalar": "DDR[2]"}
BANKS = {"u250": DDR, "u55c": HBM}


def found(pattern: str, text: str, where: str) -> re.Match[str]:
    """Returns the first match, or ends with an error that names the place."""
    match = re.search(pattern, text)
    if not match:
        raise SystemExit(f"hdl/kernels.py: expected `{pattern}` in {where}")
    return match


def register(name: str) -> int:
    """Returns the address of a group of registers from its number in card_registers."""
    source = (HDL / "rtl/card/card_registers.sv").read_text()
    return 4 * int(found(rf"\b{name} = (\d+)", source, "card_registers.sv")[1])


def number(value: str) -> int:
    """Returns a parameter's default: a number, or a constant of a package, which Verilog cannot name."""
    if value.isdigit():
        return int(value)
    package, name = value.split("::")
    source = next(HDL.glob(f"rtl/*/{package}.sv")).read_text()
    return int(found(rf"localparam int {name} = (\d+);", source, package)[1])


def bits(bound: str) -> int:
    """Returns the bits of a vector with this upper bound, 0 if there is none: `N`, `(N)-1` or `(N)/M-1`."""
    if not bound:
        return 0
    match = found(r"^(?:(\d+)|\((\d+)\)(?:/(\d+))?-1)$", bound, "the bound of a card's port")
    return int(match[1]) + 1 if match[1] else int(match[2]) // int(match[3] or 1)


@dataclass(frozen=True)
class Argument:
    """A register of the task, or an address in the memory of a port."""

    name: str
    offset: int
    port: str
    size: int


class Kernel:
    """A card as a kernel, from its line of kernels.txt and the head of its module, with macros expanded."""

    def __init__(self, line: str, heads: dict[str, str]) -> None:
        self.card, mhz, count, *addresses = line.split()
        self.name = f"vitis_{self.card}"
        self.frequency = int(mhz) * 1_000_000
        head = heads[self.card]
        self.parameters = {name: number(value) for name, value in PARAMETER.findall(head)}
        self.ports = [(direction, bits(bound), name) for direction, bound, name in PORT.findall(head)]
        # Ports of memory, with the bits of their data.
        self.masters: dict[str, int] = {}
        for _, width, name in self.ports:
            if data := re.fullmatch(r"(m_axi_\w+)_[rw]data", name):
                self.masters[data[1]] = width
        numbers = ["points", "windows", count]
        task, places = register("TASK"), register("PLACES")
        self.arguments = [Argument(name, task + 4 * i, "s_axi_control", 4) for i, name in enumerate(numbers) if name != UNUSED]
        for i, address in enumerate(addresses):
            if address == UNUSED:
                continue
            name, port = address.split(":")
            self.arguments.append(Argument(name, places + 8 * i, f"m_axi_{port}", 8))
        used = {argument.port for argument in self.arguments} - {"s_axi_control"}
        if used != set(self.masters):
            raise SystemExit(f"hdl/kernels.py: kernels.txt has {sorted(used)} of {self.card}; its ports are {sorted(self.masters)}")

    def wrapper(self) -> str:
        """Returns a module with the names that Vitis asks for. It is Verilog, because the packager takes no SystemVerilog on top."""
        parameters = ",\n".join(f"    parameter integer {name} = {value}" for name, value in self.parameters.items())
        ports, connections = [], [f".{name}({wire})" for name, wire in CLOCKS.items()]
        for direction, width, name in self.ports:
            if name not in CLOCKS:
                outside = name.replace("s_axi_", "s_axi_control_")
                vector = f"[{width - 1}:0]" if width else ""
                ports.append(f"    {direction:6} wire {vector:7} {outside}")
                connections.append(f".{name}({outside})")
        clocks = [f"    input  wire         {name}" for name in ("ap_clk", "ap_clk_2", "ap_rst_n")]
        return (
            f"// {SPDX}\n// {self.card} as a Vitis kernel, written by lists.py. ap_clk is the shell's clock, ap_clk_2 the core's.\n"
            "// The card's reset is active high, and stays high for 64 cycles of ap_clk: at least eight of ap_clk_2, if its\n"
            "// frequency is at least an eighth of ap_clk's.\n"
            f"module {self.name} #(\n{parameters}\n) (\n" + ",\n".join(clocks + ports) + "\n);\n"
            "  reg [5:0] cycles = 6'd0;\n  reg rst = 1'b1;\n  always @(posedge ap_clk) begin\n"
            "    rst <= cycles != 6'd63;\n    if (cycles != 6'd63) cycles <= cycles + 6'd1;\n    if (!ap_rst_n) begin\n      cycles <= 6'd0;\n"
            "      rst <= 1'b1;\n    end\n  end\n\n"
            f"  {self.card} #(\n      " + ",\n      ".join(f".{name}({name})" for name in self.parameters)
            + "\n  ) u_card (\n      " + ",\n      ".join(connections) + "\n  );\nendmodule\n"
        )

    def xml(self) -> str:
        """Returns kernel.xml, after UG1393, RTL Kernel XML File. The guide has the language `ip_c`, published user-managed kernels `ip`."""
        port = '      <port name="{}" mode="{}" range="{}" dataWidth="{}" portType="addressable" base="0x0"/>\n'
        ports = port.format("s_axi_control", "slave", hex(MAP), 32)
        ports += "".join(port.format(name, "master", "0xFFFFFFFFFFFFFFFF", width) for name, width in self.masters.items())
        arguments = "".join(
            f'      <arg name="{a.name}" addressQualifier="{int(a.size == 8)}" id="{i}" port="{a.port}" size="{a.size:#x}" '
            f'offset="{a.offset:#05x}" type="{"void*" if a.size == 8 else "uint"}" hostOffset="0x0" hostSize="{a.size:#x}"/>\n'
            for i, a in enumerate(self.arguments)
        )
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {SPDX} -->\n<!-- Written by lists.py. -->\n'
            f'<root versionMajor="1" versionMinor="9">\n  <kernel name="{self.name}" language="ip" '
            f'vlnv="{VENDOR}:{LIBRARY}:{self.name}:{VERSION}" attributes="" preferredWorkGroupSizeMultiple="0" workGroupSize="1" '
            f'interrupt="false" hwControlProtocol="user_managed">\n'
            f"    <ports>\n{ports}    </ports>\n    <args>\n{arguments}    </args>\n  </kernel>\n</root>\n"
        )

    def tcl(self) -> str:
        """Returns the description of the kernel for ../package.tcl, which does the work."""
        registers = "".join(f"    {{{a.name} {a.offset:#05x} {8 * a.size} {a.port}}}\n" for a in self.arguments)
        return (
            f"# {SPDX}\n# Packages {self.card} as a Vitis kernel (../package.tcl). Written by lists.py.\n"
            f"set card {self.card}\nset vlnv {{{VENDOR} {LIBRARY} {self.name} {VERSION}}}\nset map {MAP:#x}\n"
            f"set masters {{{' '.join(self.masters)}}}\n# Name, address, bits, and the port of memory of an address.\n"
            f"set registers {{\n{registers}}}\nsource [file join [file dirname [info script]] .. package.tcl]\n"
        )

    def link(self, board: str) -> str:
        """Returns the options of `v++ --link` for a board: the core's clock, and the banks of each port."""
        unit = f"{self.name}_1"
        banks = "".join(f"sp={unit}.{name}:{BANKS[board][name.removeprefix('m_axi_')]}\n" for name in self.masters)
        return (
            f"# {SPDX}\n# {self.card} on a {board.upper()}: options of v++ --link, written by lists.py.\n"
            f"[connectivity]\nnk={self.name}:1:{unit}\n{banks}\n[clock]\nfreqHz={self.frequency}:{unit}.ap_clk_2\n"
        )


def read(heads: dict[str, str]) -> list[Kernel]:
    """Returns the kernels of kernels.txt. `heads` has each card's module up to its body, with macros expanded."""
    lines = [line for line in (HDL / "kernels.txt").read_text().splitlines() if not line.startswith("#")]
    kernels = [Kernel(line, heads) for line in lines]
    if [kernel.card for kernel in kernels] != list(heads):
        raise SystemExit("hdl/kernels.py: expected a line in kernels.txt for each card of cards.txt, in the same order")
    return kernels


def written(kernels: list[Kernel]) -> dict[Path, str]:
    """Returns the files of all kernels."""
    files: dict[Path, str] = {}
    for kernel in kernels:
        folder = HDL / "vitis" / kernel.card
        files |= {folder / f"{kernel.name}.v": kernel.wrapper(), folder / "kernel.xml": kernel.xml(), folder / "package.tcl": kernel.tcl()}
        files |= {folder / f"{board}.cfg": kernel.link(board) for board in BANKS}
    return files
