# SPDX-License-Identifier: MIT OR Apache-2.0
"""Benches of a queue and of an adder in cocotb, with the words and results of hdl/vectors."""

import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

VECTORS = Path(os.environ["VECTORS"])


def lines(name: str) -> list[list[int]]:
    """The numbers of each line of a file."""
    text = (VECTORS / f"{name}.hex").read_text()
    return [[int(number, 16) for number in line.split("_")] for line in text.split()]


async def started(dut) -> None:
    """Starts the clock and resets the block."""
    cocotb.start_soon(Clock(dut.clk_i, 4, "ns").start())
    dut.rst_i.value = 1
    for _ in range(2):
        await RisingEdge(dut.clk_i)
    dut.rst_i.value = 0


@cocotb.test()
async def fifo(dut) -> None:
    """Words leave in their order, however often the writer and the reader pause."""
    words = [number for _, number in lines("fifo.in")]
    results = [number for _, number in lines("fifo.out")]
    rng = random.Random(377)
    for write, read in [(1.0, 1.0), (1.0, 0.2), (0.2, 1.0), (0.5, 0.5)]:
        dut.valid_i.value = 0
        dut.ready_i.value = 0
        await started(dut)
        sent, found, valid = 0, [], False
        while len(found) < len(results):
            # What is offered stays until it is taken.
            valid = sent < len(words) and (valid or rng.random() < write)
            ready = rng.random() < read
            dut.valid_i.value = int(valid)
            dut.data_i.value = words[sent] if valid else 0
            dut.ready_i.value = int(ready)
            await ReadOnly()
            if dut.valid_o.value and ready:
                found.append(int(dut.data_o.value))
            taken = valid and bool(dut.ready_o.value)
            assert int(dut.count_o.value) <= 5
            await RisingEdge(dut.clk_i)
            sent, valid = sent + taken, valid and not taken
        assert found == results, f"with paces of {write} and {read}"
        assert sent == len(words)


@cocotb.test()
async def te_madd(dut) -> None:
    """A sum comes exactly 96 cycles after its operands, with its tag, an addition a cycle."""
    cases = lines("te_madd_377")
    operands = ["x1_i", "y1_i", "z1_i", "t1_i", "x2_i", "y2_i", "u2_i"]
    sums = ["x_o", "y_o", "z_o", "t_o"]
    latency = 96
    dut.mul_i.value = 0
    dut.valid_i.value = 0
    await started(dut)
    for cycle in range(len(cases) + latency + 2):
        dut.valid_i.value = int(cycle < len(cases))
        if cycle < len(cases):
            dut.tag_i.value = cycle % 2
            for name, number in zip(operands, cases[cycle], strict=False):
                getattr(dut, name).value = number
        await ReadOnly()
        due = cycle - latency
        assert bool(dut.valid_o.value) == (0 <= due < len(cases)), f"cycle {cycle}"
        if 0 <= due < len(cases):
            assert int(dut.tag_o.value) == due % 2
            found = [int(getattr(dut, name).value) for name in sums]
            assert found == cases[due][len(operands) :], f"line {due + 1}"
        await RisingEdge(dut.clk_i)
