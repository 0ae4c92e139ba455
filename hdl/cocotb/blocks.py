# SPDX-License-Identifier: MIT OR Apache-2.0
"""Benches of a queue, of an adder and of a machine in cocotb, with the words and results of hdl/vectors."""

import itertools
import os
import random
from collections import deque
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

VECTORS = Path(os.environ["VECTORS"])


def lines(name: str) -> list[list[int]]:
    """Returns the numbers of each line of a file."""
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
    """Checks that words leave in order, however often the writer and the reader pause."""
    words = [number for _, number in lines("fifo.in")]
    results = [number for _, number in lines("fifo.out")]
    rng = random.Random(377)
    for write, read in [(1.0, 1.0), (1.0, 0.2), (0.2, 1.0), (0.5, 0.5)]:
        dut.valid_i.value = 0
        dut.ready_i.value = 0
        await started(dut)
        sent, found, valid = 0, [], False
        while len(found) < len(results):
            # An offered word stays until it is taken.
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
    """Checks that a sum comes exactly 96 cycles after its operands, with its tag, one addition a cycle."""
    cases = lines("te_madd_377")
    width, latency = 377, 96

    # A point is one vector, x in its lowest bits.
    def packed(coordinates: list[int]) -> int:
        return sum(coordinate << (width * i) for i, coordinate in enumerate(coordinates))

    dut.mul_i.value = 0
    dut.valid_i.value = 0
    await started(dut)
    for cycle in range(len(cases) + latency + 2):
        dut.valid_i.value = int(cycle < len(cases))
        if cycle < len(cases):
            dut.tag_i.value = cycle % 2
            dut.left_i.value = packed(cases[cycle][:4])
            dut.right_i.value = packed(cases[cycle][4:7])
        await ReadOnly()
        due = cycle - latency
        assert bool(dut.valid_o.value) == (0 <= due < len(cases)), f"cycle {cycle}"
        if 0 <= due < len(cases):
            assert int(dut.tag_o.value) == due % 2
            assert int(dut.sum_o.value) == packed(cases[due][7:]), f"line {due + 1}"
        await RisingEdge(dut.clk_i)


# The prime of BLS12-377; coordinates are in Montgomery form.
PRIME = 0x1AE3A4617C510EAC63B05C06CA1493B1A22D9F300F5138F1EF3622FBA094800170B5D44300000008508C00000000001
WORD = 384


async def asserted(dut, wire) -> None:
    """Waits for a cycle in which a wire is high, and stays in this cycle so that the caller can read other wires."""
    await ReadOnly()
    while not wire.value:
        await RisingEdge(dut.clk_i)
        await ReadOnly()


async def offer(dut, valid, ready) -> None:
    """Holds a stream's or a channel's valid until it is taken."""
    valid.value = 1
    await asserted(dut, ready)
    await RisingEdge(dut.clk_i)
    valid.value = 0


async def send(dut, stream: str, words: list[list[int]]) -> None:
    """Sends words one after the other; the digit before the last word of a packet is odd."""
    valid, ready, data, last = (
        getattr(dut, f"s_axis_{stream}_t{wire}") for wire in ["valid", "ready", "data", "last"]
    )
    for digit, word in words:
        data.value = word
        last.value = digit % 2
        await offer(dut, valid, ready)


async def memory(dut) -> None:
    """Models the memory for conflicts as a queue: a word can be read ten cycles after it is written."""
    words: deque[tuple[int, int]] = deque()
    dut.m_axis_spill_tready.value = 1
    for cycle in itertools.count():
        valid = bool(words) and words[0][0] <= cycle
        dut.s_axis_spill_tvalid.value = int(valid)
        if valid:
            dut.s_axis_spill_tdata.value = words[0][1]
        await ReadOnly()
        if valid and dut.s_axis_spill_tready.value:
            words.popleft()
        if dut.m_axis_spill_tvalid.value:
            words.append((cycle + 10, int(dut.m_axis_spill_tdata.value)))
        await RisingEdge(dut.clk_i)


def check_sum(coordinates: list[int], point: int, name: str, factor: int = 2**WORD) -> None:
    """Compares extended coordinates with an affine point, two words of a file. All have the factor of Montgomery's form, or 1."""
    x, y, z, t = coordinates
    affine_x, affine_y = point % 2**WORD, point >> WORD
    assert z % PRIME != 0, name
    assert (affine_x * z - x * factor) % PRIME == 0, name
    assert (affine_y * z - y * factor) % PRIME == 0, name
    assert (x * y - t * z) % PRIME == 0, name


async def check_sums(dut, points: list[list[int]]) -> None:
    """Takes the windows' sums and compares them with these points. A sum is four beats of extended coordinates."""
    dut.m_axis_result_tready.value = 1
    for window, (_, point) in enumerate(points):
        beats = []
        for beat in range(4):
            await asserted(dut, dut.m_axis_result_tvalid)
            beats.append(int(dut.m_axis_result_tdata.value))
            assert bool(dut.m_axis_result_tlast.value) == (beat == 3)
            await RisingEdge(dut.clk_i)
        check_sum(beats, point, f"window {window}")


async def write(dut, address: int, data: int) -> None:
    """Writes a register, which must exist."""
    dut.s_axi_awaddr.value = address
    dut.s_axi_wdata.value = data
    dut.s_axi_wstrb.value = 0xF
    taken = cocotb.start_soon(offer(dut, dut.s_axi_awvalid, dut.s_axi_awready))
    await offer(dut, dut.s_axi_wvalid, dut.s_axi_wready)
    await taken
    await asserted(dut, dut.s_axi_bvalid)
    assert dut.s_axi_bresp.value == 0, f"register {address:#x}"
    await RisingEdge(dut.clk_i)


async def read(dut, address: int) -> int:
    """Reads a register, which must exist."""
    dut.s_axi_araddr.value = address
    await offer(dut, dut.s_axi_arvalid, dut.s_axi_arready)
    await asserted(dut, dut.s_axi_rvalid)
    assert dut.s_axi_rresp.value == 0, f"register {address:#x}"
    data = int(dut.s_axi_rdata.value)
    await RisingEdge(dut.clk_i)
    return data


@cocotb.test()
async def cyclone_top(dut) -> None:
    """Checks the sums of all windows and the cycle model's counters; the host does what its file says
    (hdl/tb/host.sv)."""
    for stream in ["command", "x", "y", "u"]:
        getattr(dut, f"s_axis_{stream}_tvalid").value = 0
    for channel in ["aw", "w", "ar"]:
        getattr(dut, f"s_axi_{channel}valid").value = 0
    dut.s_axi_bready.value = 1
    dut.s_axi_rready.value = 1
    await started(dut)
    cocotb.start_soon(memory(dut))
    points = lines("cyclone.sum")
    sums = cocotb.start_soon(check_sums(dut, points))
    for operation, address, data, mask in lines("cyclone.host"):
        if operation == 1:
            await write(dut, address, data)
        elif operation == 2:
            found = await read(dut, address) & mask
            assert found == data, f"register {address:#x} is {found} instead of {data}"
        elif operation == 3:
            while await read(dut, address) & mask != data:
                pass
        elif operation == 4:
            cocotb.start_soon(send(dut, "command", lines("cyclone.command")))
            for stream in ["x", "y", "u"]:
                # The memories send all points for each window.
                cocotb.start_soon(send(dut, stream, lines(f"cyclone.{stream}") * len(points)))
        elif operation == 6:
            await sums
        else:
            raise ValueError(f"cyclone.host.hex: there is no operation {operation}")
