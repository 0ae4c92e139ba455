# SPDX-License-Identifier: MIT OR Apache-2.0
"""Benches of whole cards in cocotb. The memories are cocotbext-axi's AxiRam, which shares no code with hdl/tb's."""

import logging
import random
from collections.abc import Iterator

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam, AxiRamRead, AxiReadBus

import lists
from blocks import WORD, check_sum, lines

BEAT = 64
# Registers of all cards (docs/hardware.md, The card).
IDENTITY, CONTROL, STATUS, TASK, ADDRESSES, COUNTERS = 0x000, 0x008, 0x00C, 0x010, 0x020, 0x050
START = 1
RUNNING, DRAINING, DONE = 1, 2, 4


def pauses(rng: random.Random) -> Iterator[bool]:
    """Yields for each cycle if a channel waits: for a few cycles, or for as long as a memory's latency."""
    while True:
        for paused in [True] * rng.choice([0, 1, 3, 40]) + [False] * rng.randint(1, 30):
            yield paused


class Ports:
    """A card's ports, each found by its name.

    cocotb_bus looks for optional signals, such as WSTRB, in a list of the module's signals. Verilator 5.006 lists copies of the ports:
    values that are written there are lost. With the ports' names from the source, nothing asks Verilator for its list.
    """

    def __init__(self, dut, card: str) -> None:
        self._dut = dut
        self._names = lists.PORT.findall(lists.head_of(card))

    def __dir__(self) -> list[str]:
        return self._names

    def __getattr__(self, name: str):
        return getattr(self._dut, name)


class Card:
    """A card with a host at its registers and a memory at each port."""

    def __init__(self, dut, name: str, writing: list[str], reading: list[str]) -> None:
        rng = random.Random(377)
        ports = Ports(dut, name)
        self.dut = dut
        # Each access writes a line at the level `info`.
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.WARNING)
        self.host = AxiLiteMaster(AxiLiteBus.from_prefix(ports, "s_axi", case_insensitive=False), dut.clk_i, dut.rst_i)
        self.memories = {}
        for port in writing:
            memory = AxiRam(AxiBus.from_prefix(ports, f"m_axi_{port}", case_insensitive=False), dut.clk_i, dut.rst_i, size=1 << 20)
            self.memories[port] = memory
            channels = [memory.write_if.aw_channel, memory.write_if.w_channel, memory.write_if.b_channel]
            channels += [memory.read_if.ar_channel, memory.read_if.r_channel]
            for channel in channels:
                channel.set_pause_generator(pauses(rng))
        for port in reading:
            memory = AxiRamRead(AxiReadBus.from_prefix(ports, f"m_axi_{port}", case_insensitive=False), dut.clk_i, dut.rst_i, size=1 << 20)
            self.memories[port] = memory
            for channel in [memory.ar_channel, memory.r_channel]:
                channel.set_pause_generator(pauses(rng))

    async def start(self) -> None:
        """Starts the clocks, the core's slower than the shell's, and resets the card."""
        self.dut.rst_i.value = 1
        cocotb.start_soon(Clock(self.dut.clk_i, 4, "ns").start())
        cocotb.start_soon(Clock(self.dut.core_clk_i, 5, "ns").start())
        await ClockCycles(self.dut.clk_i, 12)
        self.dut.rst_i.value = 0
        assert await self.read(IDENTITY) == int.from_bytes(b"CARD", "big")

    async def read(self, address: int) -> int:
        """Reads a register, which must exist."""
        answer = await self.host.read(address, 4)
        assert answer.resp == 0, f"register {address:#x}"
        return int.from_bytes(answer.data, "little")

    async def write(self, address: int, word: int) -> None:
        """Writes a register, which must exist."""
        answer = await self.host.write(address, word.to_bytes(4, "little"))
        assert answer.resp == 0, f"register {address:#x}"

    async def counter(self, number: int) -> int:
        """Returns one of the card's counters."""
        low, high = [await self.read(COUNTERS + 8 * number + offset) for offset in (0, 4)]
        return high << 32 | low

    async def run(self, task: list[int], addresses: list[int]) -> None:
        """Waits until the card is idle, writes a task's registers, starts the task and waits until it is done."""
        await self.ended()
        for i, word in enumerate(task):
            await self.write(TASK + 4 * i, word)
        for i, address in enumerate(addresses):
            await self.write(ADDRESSES + 8 * i, address)
        await self.write(CONTROL, START)
        status = await self.ended()
        assert status == DONE, f"status {status:#x}"

    async def ended(self) -> int:
        """Waits until no task runs and the card does not drain; returns the status."""
        while (status := await self.read(STATUS)) & (RUNNING | DRAINING):
            await ClockCycles(self.dut.clk_i, 200)
        return status

    def beats(self, port: str, address: int, count: int) -> list[int]:
        """Returns beats of a memory."""
        content = self.memories[port].read(address, count * BEAT)
        return [int.from_bytes(content[at : at + BEAT], "little") for at in range(0, len(content), BEAT)]


def packed(numbers: list[int], bits: int) -> bytes:
    """Returns numbers one behind the other without gaps."""
    return b"".join(number.to_bytes(bits // 8, "little") for number in numbers)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cyclone_card(dut) -> None:
    """Checks the sums of all windows of an MSM. Digits of the first windows are equal, so conflicts go through the ring."""
    commands, sums = lines("cyclone.command"), lines("cyclone.sum")
    coordinates = {port: [x for _, x in lines(f"cyclone.{port}")] for port in ["x", "y", "u"]}
    points, windows, block_words = len(coordinates["x"]), len(sums), 4
    # None of the addresses is a multiple of 4 KiB.
    at = {"commands": 0xF40, "x": 0x40, "y": 0x1FC0, "u": 0x80, "sums": 0x40FC0, "ring": 0x3DC0}
    card = Card(dut, "cyclone_card", ["host", "spill"], ["x", "y", "u"])
    card.memories["host"].write(at["commands"], packed([word for _, word in commands], 512))
    for port, numbers in coordinates.items():
        card.memories[port].write(at[port], packed(numbers, WORD))
    await card.start()
    blocks = -(-points // block_words) + 1
    await card.run([points, windows, blocks], list(at.values()))
    beats = card.beats("host", at["sums"], 4 * windows)
    for window, (_, point) in enumerate(sums):
        check_sum(beats[4 * window : 4 * window + 4], point, f"window {window}")
    read = [await card.counter(number) for number in (1, 2, 3)]
    assert read == [len(commands), windows * -(-points * WORD // 512), 4 * windows]
    back, spilled = [await card.counter(number) for number in (7, 8)]
    assert back == spilled > 0
    dut._log.warning("%d cycles, %d beats of conflicts", await card.counter(0), spilled)
