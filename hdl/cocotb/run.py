# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles the blocks of blocks.py and the cards of cards.py with Verilator, and runs their benches; hdl/cocotb/run.sh calls it."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import lists
from cocotb.runner import get_runner

HDL = Path(__file__).resolve().parent.parent
BUILD = HDL.parent / "target" / "cocotb"
BLOCKS = {
    "fifo": ["-GWIDTH=64", "-GDEPTH=5"],
    "te_madd": ["-GKIND=0"],
    # Parameters of the machine in hdl/tb/play_cyclone.sv, because the words are for this machine.
    "cyclone_top": ["-GBUCKET_WIDTH=3", "-GQUEUE=8", "-GKIND=0", "-GMUL_LATENCY=5", "-GLATENCY=15", "-GCONTROL=5"],
}
# The same for the card, and short blocks of conflicts.
CARDS = {
    "cyclone_card": [
        "-GBUCKET_WIDTH=3", "-GQUEUE=8", "-GKIND=0", "-GMUL_LATENCY=5", "-GLATENCY=15", "-GCONTROL=5", "-GBLOCK_WORDS=4",
    ],
}


def with_ids(card: str) -> Path:
    """Writes a module around a card that adds IDs to its buses, because AxiRam asks for them; returns its file."""
    head = lists.head_of(card)
    parameters = ", ".join(f".{name}({name})" for name, _ in lists.PARAMETER.findall(head))
    ports, answers = "", ""
    for master, channel in re.findall(r"(m_axi_\w+)_(a[rw])valid", head):
        answer = "r" if channel == "ar" else "b"
        ports += f",\n    output logic {master}_{channel}id,\n    input logic {master}_{answer}id"
        answers += f"  assign {master}_{channel}id = 1'b0;\n"
    name = f"{card}_with_ids"
    path = BUILD / f"{name}.sv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"{head.replace(f'module {card} ', f'module {name} ')}{ports}\n);\n{answers}  {card} #({parameters}) u_card (.*);\nendmodule\n"
    )
    return path


def run(source: Path, parameters: list[str], module: str, case: str) -> bool:
    """Compiles a module and runs the case of its bench; returns if the bench holds."""
    top = source.stem
    runner = get_runner("verilator")
    options = ["--expand-limit", "0", "-Wno-fatal", "-F", str(HDL / "rtl.f")]
    runner.build(
        verilog_sources=[source],
        hdl_toplevel=top,
        build_args=[*options, *parameters],
        build_dir=BUILD / top,
    )
    results = runner.test(
        hdl_toplevel=top,
        test_module=module,
        testcase=case,
        build_dir=BUILD / top,
        test_dir=HDL / "cocotb",
        results_xml=str(BUILD / top / "results.xml"),
        extra_env={"VECTORS": str(HDL / "vectors")},
    )
    cases = list(ElementTree.parse(results).iter("testcase"))
    bad = [case for case in cases if case.find("failure") is not None]
    print(f"{top}: {len(cases) - len(bad)} of {len(cases)} hold")
    return bool(cases) and not bad


def main() -> int:
    hold = [run(lists.SOURCES[block], parameters, "blocks", block) for block, parameters in BLOCKS.items()]
    # Sums in one piece, as in the benches of crates/rtl.
    hold += [run(with_ids(card), ["+define+WHOLE_SUMS", *parameters], "cards", card) for card, parameters in CARDS.items()]
    return 0 if all(hold) else 1


if __name__ == "__main__":
    sys.exit(main())
