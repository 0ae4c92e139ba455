"""A circuit of any size: a chain of squares, with its witness and a key for development."""

import struct
import subprocess
import sys

import numpy as np

from bucketwheel.points import curve_of

CURVE = "bn254"
CIRCUIT_BYTES, WITNESS_BYTES, KEY_BYTES = 128, 32, 5 * 64 + 64 + 2 * 44
"""Bytes of a constraint in each file. In the key: points A, B in G1, C and H of 64 bytes, B in G2 of 128, and two
coefficients."""


def make_chain(log_size, folder):
    """Writes a circuit of squares, all that fit 2^``log_size`` rows, and its witness from 3 on. The last square is public."""
    order, count = curve_of(CURVE).order, (1 << log_size) - 2
    prime, one = order.to_bytes(32, "little"), (1).to_bytes(32, "little")

    def section(number, size):
        return struct.pack("<IQ", number, size)

    # Wire 0 is the constant, wire 1 the last square, and wire 2 the start.
    wires = count + 2
    terms = np.zeros((count, 3), dtype=[("number", "<u4"), ("wire", "<u4"), ("factor", "u1", 32)])
    terms["number"], terms["factor"][..., 0] = 1, 1
    terms["wire"] = 2 + np.arange(count, dtype=np.uint32)[:, None] + [0, 0, 1]
    terms["wire"][-1, 2] = 1
    with open(folder / "circuit.r1cs", "wb") as file:
        file.write(b"r1cs" + struct.pack("<II", 1, 3))
        file.write(section(1, 64) + struct.pack("<I", 32) + prime + struct.pack("<IIIIQI", wires, 1, 0, 1, wires, count))
        file.write(section(2, terms.nbytes))
        terms.tofile(file)
        file.write(section(3, 8 * wires))
        np.arange(wires, dtype="<u8").tofile(file)
    del terms
    with open(folder / "witness.wtns", "wb") as file:
        file.write(b"wtns" + struct.pack("<II", 2, 2) + section(1, 40) + struct.pack("<I", 32) + prime + struct.pack("<I", wires))
        file.write(section(2, 32 * wires) + one)
        last = file.tell()
        file.write(bytes(32))
        value = 3
        for _ in range(count):
            file.write(value.to_bytes(32, "little"))
            value = value * value % order
        file.seek(last)
        file.write(value.to_bytes(32, "little"))


def make_key(log_size, folder):
    """Makes a chain and its key in another process, whose memory is no node's. Removes the circuit."""
    make = "import sys, bucketwheel as bw, json; print(json.dumps(bw.groth16.setup(sys.argv[1], sys.argv[2])))"
    make_chain(log_size, folder)
    done = subprocess.run([sys.executable, "-c", make, folder / "circuit.r1cs", folder / "circuit.zkey"], check=True, capture_output=True)
    (folder / "circuit.r1cs").unlink()
    (folder / "verification_key.json").write_bytes(done.stdout)
