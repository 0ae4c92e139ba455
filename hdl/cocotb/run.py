# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles the blocks of blocks.py with Verilator, and runs their benches; hdl/cocotb/run.sh calls it."""

import sys
from pathlib import Path
from xml.etree import ElementTree

from cocotb.runner import get_runner

HDL = Path(__file__).resolve().parent.parent
BUILD = HDL.parent / "target" / "cocotb"
BLOCKS = {
    "fifo": ["-GWIDTH=64", "-GDEPTH=5"],
    "te_madd": ["-GKIND=0"],
    # Parameters of the machine in hdl/tb/play_cyclone.sv, because the words are for this machine.
    "cyclone_top": ["-GBUCKET_WIDTH=3", "-GQUEUE=8", "-GKIND=0", "-GMUL_LATENCY=5", "-GLATENCY=15", "-GCONTROL=5"],
}


def main() -> int:
    failed = 0
    for block, parameters in BLOCKS.items():
        runner = get_runner("verilator")
        folder = next(path.parent for path in (HDL / "rtl").glob(f"*/{block}.sv"))
        options = ["--expand-limit", "0", "-Wno-fatal", "-F", str(HDL / "rtl.f")]
        runner.build(
            verilog_sources=[folder / f"{block}.sv"],
            hdl_toplevel=block,
            build_args=[*options, *parameters],
            build_dir=BUILD / block,
        )
        results = runner.test(
            hdl_toplevel=block,
            test_module="blocks",
            testcase=block,
            build_dir=BUILD / block,
            test_dir=HDL / "cocotb",
            results_xml=str(BUILD / block / "results.xml"),
            extra_env={"VECTORS": str(HDL / "vectors")},
        )
        cases = list(ElementTree.parse(results).iter("testcase"))
        bad = [case for case in cases if case.find("failure") is not None]
        failed += len(bad) + (not cases)
        print(f"{block}: {len(cases) - len(bad)} of {len(cases)} hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
