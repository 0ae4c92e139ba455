#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes lists of hdl/rtl for other tools: the files of each design in the order in which they are compiled (cyclone.f,
cyclone_card.f, gypsophila.f, gypsophila_card.f, msmac.f, msmac_card.f, reclaimer.f, reclaimer_card.f), the FuseSoC core
bucketwheel.core, at the root Bender.yml, the cards as Vitis kernels (kernels.py) and for AWS F2 (aws.py), and the table of modules in
README.md.

    hdl/lists.py           # writes them
    hdl/lists.py check     # fails if they are not what it would write
"""

import re
import sys
from pathlib import Path

import aws
import kernels

HDL = Path(__file__).resolve().parent
SPDX = "SPDX-License-Identifier: MIT OR Apache-2.0"


def table(file: str) -> dict[str, str]:
    """Returns the names and top modules of designs.txt or cards.txt."""
    return dict(line.split() for line in (HDL / file).read_text().splitlines() if not line.startswith("#"))


CARDS = table("cards.txt")
MACHINES = table("designs.txt")
DESIGNS = MACHINES | CARDS
SOURCES = {path.stem: path for path in sorted((HDL / "rtl").glob("*/*.sv"))}
BENCHES = {path.stem: path for path in sorted((HDL / "tb").glob("*.sv"))}
# Macros for port lists, which sources include.
HEADER = "rtl/common/ports.svh"
INCLUDE = f"-I{(HDL / HEADER).parent}"
HEADERS = (HDL / HEADER).read_text()
WORD = re.compile(r"\b\w+\b")


def uses(name: str, known: dict[str, Path]) -> list[str]:
    """Returns the modules and packages of `known` that a file names outside of its comments."""
    text = re.sub(r"//.*", "", known[name].read_text())
    return sorted({word for word in WORD.findall(text) if word in known and word != name})


def files(top: str, seen: dict[str, None] | None = None, known: dict[str, Path] = SOURCES) -> list[str]:
    """Returns the files of a module and its parts, from hdl/; each file comes after the files that it uses."""
    seen = {} if seen is None else seen
    for name in sorted(uses(top, known), key=lambda name: (not name.endswith("_pkg"), name)):
        if name not in seen:
            files(name, seen, known)
    seen[top] = None
    return [known[name].relative_to(HDL).as_posix() for name in seen]


def in_order(paths: list[str]) -> list[str]:
    """Returns the files with packages first, which keep their order."""
    return [p for p in paths if p.endswith("_pkg.sv")] + [p for p in paths if not p.endswith("_pkg.sv")]


def file_list(design: str) -> str:
    head = f"// {SPDX}\n// The files of {DESIGNS[design]}, written by lists.py. Paths are from here.\n"
    paths = [f"+incdir+{Path(HEADER).parent}", *in_order(files(DESIGNS[design]))]
    return head + "".join(f"{path}\n" for path in paths)


def all_files() -> list[str]:
    paths: dict[str, None] = {}
    for name in SOURCES:
        paths.update(dict.fromkeys(files(name)))
    return in_order(list(paths))


def listed(paths: list[str], indent: int) -> str:
    return "".join(f"{' ' * indent}- {path}\n" for path in paths)


# The options of hdl/wave.sh, which compile a bench.
BENCH_OPTIONS = "--timing, --assert, -Wall, -Wno-UNUSEDSIGNAL, -Wno-BLKSEQ, --timescale 1ns/1ps, --expand-limit 0, --output-split-cfuncs 300"


def core() -> str:
    """Returns the core: each design's lint, and each machine's simulation with the words of vectors/."""
    header = f"      - {HEADER}: {{is_include_file: true}}\n"
    sets = {"all": all_files()} | {design: in_order(files(top)) for design, top in DESIGNS.items()}
    filesets = "".join(
        f"  {name}:\n    file_type: systemVerilogSource\n    files:\n{header}{listed(paths, 6)}"
        for name, paths in sets.items()
    )
    targets = "".join(
        f"  lint_{design}:\n    description: Checks {top}\n    flow: lint\n"
        "    flow_options:\n      tool: verilator\n      verilator_options: [-Wall, --no-timing]\n"
        f"    filesets: [{design}]\n    toplevel: {top}\n"
        for design, top in DESIGNS.items()
    )
    for machine in MACHINES:
        bench = files(f"play_{machine}", known=BENCHES)
        # The bench looks for these files from the folder in which it runs.
        words = [path.relative_to(HDL).as_posix() for path in sorted((HDL / "vectors").glob(f"{machine}.*.hex"))]
        filesets += (
            f"  bench_{machine}:\n    file_type: systemVerilogSource\n    files:\n{listed(bench, 6)}"
            f"  words_{machine}:\n    file_type: user\n    files:\n"
            f"{listed([f'{path}: {{copyto: hdl/{path}}}' for path in words], 6)}"
        )
        targets += (
            f"  sim_{machine}:\n    description: Simulates a sum on {MACHINES[machine]}, with models of its multipliers\n    flow: sim\n"
            f"    flow_options:\n      tool: verilator\n      mode: binary\n      verilator_options: [{BENCH_OPTIONS}]\n"
            "      make_options: [OPT_FAST=-O1, OPT_SLOW=-O0, OPT_GLOBAL=-O1]\n"
            f"    filesets: [all, bench_{machine}, words_{machine}]\n    toplevel: play_{machine}\n"
        )
    return (
        f"CAPI=2:\n# {SPDX}\n# Written by lists.py.\nname: bucketwheel:msm:accelerators:0.1.0\n"
        "description: CycloneMSM, Gypsophila, MSMAC and the reclaimer, accelerators of multi-scalar multiplication, and their blocks\n"
        f"\nfilesets:\n{filesets}"
        f"\ntargets:\n  default:\n    filesets: [all]\n{targets}"
    )


def bender() -> str:
    return (
        f"# {SPDX}\n# The hardware as a Bender package, written by hdl/lists.py.\n"
        f"package:\n  name: bucketwheel\n\nsources:\n  - include_dirs: [hdl/{Path(HEADER).parent}]\n    files:\n"
        f"{listed([f'hdl/{path}' for path in all_files()], 6)}"
    )


PARAMETER = re.compile(r"^    parameter (?:[\w:]+ )?(?:\[[^\]]*\] )?(\w+) = (.*?),?$", re.MULTILINE)
LATENCY = re.compile(r"^ +localparam int LATENCY = (.*?),?$", re.MULTILINE)
PORT = re.compile(r"^    (?:input|output) .*?(\w+),?$", re.MULTILINE)
MACRO = re.compile(r"^`define (\w+)(?:\((.*?)\))? \\\n((?:.*\\\n)*.*)$", re.MULTILINE)
CALL = re.compile(r"`(\w+)(?:\((.*)\))?")
BEGIN, END = "<!-- lists.py writes the table from here -->\n", "<!-- to here -->\n"


def expand(text: str) -> str:
    """Returns a text with the header's macros expanded; arguments contain no commas."""
    macros = {m[1]: (re.findall(r"\w+", m[2] or ""), m[3].replace("\\\n", "\n")) for m in MACRO.finditer(HEADERS)}

    def body(call: re.Match[str]) -> str:
        if call[1] not in macros:
            return call[0]
        names, result = macros[call[1]]
        for name, value in zip(names, (call[2] or "").split(", "), strict=False):
            result = re.sub(rf"(?:``)?\b{name}\b(?:``)?", value, result)
        return expand(re.sub(r" +$", "", result.lstrip(), flags=re.MULTILINE))

    return CALL.sub(body, text)


def head_of(name: str) -> str:
    """Returns a module up to its body, with macros expanded."""
    return expand(SOURCES[name].read_text().split("\n);\n")[0])


def module_row(name: str) -> str:
    """Returns a module's line: the first sentence above it, its parameters, its latency, its ports."""
    text = SOURCES[name].read_text()
    comment = " ".join(re.findall(r"^// ?(.*)$", text.split("module ")[0].split("package ")[0], re.MULTILINE))
    comment = comment.replace(SPDX, "").split("  ")[0].strip()
    what = re.split(r"(?<=[\w)])[.:](?: |$)", comment)[0].replace("|", "\\|")
    head = head_of(name)
    parameters = [f"`{n}` = {v}" for n, v in PARAMETER.findall(head)]
    # The LATENCY of a machine is its adder's.
    pipeline = "`LATENCY`" in " ".join(parameters) and SOURCES[name].parent.name != "pe"
    latency = LATENCY.findall(head) or ["`LATENCY`"] * pipeline
    ports = [port for port in PORT.findall(head) if port not in ("clk_i", "rst_i")]
    streams = list(dict.fromkeys(re.sub(r"^([sm]_axis?(?:_\w+?)?)_(t?)[a-z]+$", r"\1_\2…", p) for p in ports))
    cells = [f"`{name}`", what, ", ".join(parameters), ", ".join(latency), " ".join(f"`{p}`" for p in streams)]
    return "| " + " | ".join(cells) + " |\n"


def readme(text: str) -> str:
    """Returns README.md with the table of modules from the sources."""
    rows = ""
    for folder in dict.fromkeys(path.parent.name for path in SOURCES.values()):
        names = [name for name, path in SOURCES.items() if path.parent.name == folder and not name.endswith("_pkg")]
        rows += f"\n### {folder}\n\n| module | purpose | parameters | latency | ports |\n|---|---|---|---|---|\n"
        rows += "".join(map(module_row, names))
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return before + BEGIN + rows + "\n" + END + after


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["check"]):
        print("hdl/lists.py: expected no argument, or check", file=sys.stderr)
        return 2
    written = {HDL / f"{design}.f": file_list(design) for design in DESIGNS}
    written |= {HDL / "bucketwheel.core": core(), HDL.parent / "Bender.yml": bender()}
    cards = kernels.read({card: head_of(top) for card, top in CARDS.items()})
    written |= kernels.written(cards) | aws.written(cards)
    written[HDL / "README.md"] = readme((HDL / "README.md").read_text())
    stale = [path for path, text in written.items() if not path.exists() or path.read_text() != text]
    if arguments:
        for path in stale:
            print(f"hdl/lists.py: {path.relative_to(HDL.parent)} differs from the sources; run hdl/lists.py", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written[path])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
