"""A proof whose key is larger than each node's memory: `tools/cluster.sh proof [--log-size N] [--limit MIB]`.

Prints the expected seconds and bytes first. Then it makes a chain of squares and its key, and starts nodes on this
machine, each in a control group that bounds its memory. Workers read the key's points; the first node, with the
coordinator, also computes the quotient. The proof is verified.
"""

import argparse
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path

os.environ["RAY_AUTH_MODE"] = "token"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_worker_niceness="0")

import ray
from chain import CIRCUIT_BYTES, KEY_BYTES, WITNESS_BYTES, make_key
from limits import Limits
from ray.cluster_utils import Cluster

import bucketwheel as bw
import bucketwheel.cluster as cluster

SHARD = 1 << 18
"""Number of points of a shard, which bounds the memory of a worker beside its points."""
STORE = 200 << 20
"""Bytes of a node's object store."""
SMALL = 18
"""Binary logarithm of the constraints of the proof that the estimate comes from."""


def drop_pages(path):
    """Drops a file's pages from memory, so that each node reads them from the disk and they count for the node."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def estimate(log_size):
    """Returns the expected seconds of the key and of the proof, from a small proof in this process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.monotonic()
        make_key(SMALL, folder)
        made = time.monotonic()
        bw.groth16.Prover(folder / "circuit.zkey").prove(folder / "witness.wtns")
        return (made - started) * 2 ** (log_size - SMALL), (time.monotonic() - made) * 2 ** (log_size - SMALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log-size", type=int, default=22, help="2^N - 2 constraints, at least 2^18 - 2")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--limit", type=int, default=1400, help="MiB of each node, less than the key has")
    parser.add_argument("--hold", action="store_true", help="workers hold the key's points, in twice the bytes, instead of reading them for each proof")
    parser.add_argument("--folder", type=Path, help="folder for the files, which stay there and are used again")
    given = parser.parse_args()
    count = 1 << given.log_size
    if given.limit << 20 >= KEY_BYTES * count:
        parser.error(f"--limit {given.limit}: expected less than {KEY_BYTES * count >> 20}, because the key has {KEY_BYTES * count >> 20} MiB")
    making, proving = estimate(given.log_size)
    print(f"2^{given.log_size} - 2 constraints, {given.nodes} nodes of this machine with {given.limit} MiB each: ", end="")
    print(f"about {making:.0f} s to make the circuit and its key, {(CIRCUIT_BYTES + WITNESS_BYTES + KEY_BYTES) * count / 1e9:.1f} GB of disk; ", end="")
    print(f"about {proving:.0f} s for a proof in one process", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.folder or Path(temporary)) / f"chain-{given.log_size}"
        if not (folder / "circuit.zkey").exists():
            folder.mkdir(parents=True)
            started = time.monotonic()
            make_key(given.log_size, folder)
            print(f"made the key in {time.monotonic() - started:.0f} s", flush=True)
        drop_pages(folder / "circuit.zkey")
        try:
            limits = Limits(given.nodes, given.limit << 20)
        except OSError as error:
            print(f"skipped: this process cannot make control groups that bound memory: {error}")
            return 0
        try:
            return prove(folder, given, limits)
        finally:
            limits.close()


def prove(folder, given, limits):
    """Proves on nodes that the limits bound, and prints time and memory of each."""
    node = {"num_cpus": 1, "object_store_memory": STORE}
    nodes = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    for index in range(1, given.nodes):
        limits.enter(index)
        nodes.add_node(**node)
    limits.enter(0)
    ray.init(address=nodes.address, log_to_driver=False)
    try:
        started = time.monotonic()
        with cluster.Prover(folder / "circuit.zkey", hold=given.hold, shards=max(given.nodes, (1 << given.log_size) // SHARD), num_cpus=1) as prover:
            read, reading = time.monotonic() - started, limits.peaks()
            found = prover.prove(folder / "witness.wtns")
        proving = limits.peaks()
        holds = bw.groth16.verify(folder / "verification_key.json", found.public, found.proof)
        print(f"started the workers in {read:.1f} s, proved in {found.report.seconds:.1f} s; {found.report.duplicates} shards repeated")
        for number, peaks in enumerate(zip(reading, proving)):
            print(f"node {number}: at most {peaks[0] >> 20} MiB private and shared before the proof, {peaks[1] >> 20} MiB while it proved")
        ended = limits.ended()
        print(f"the kernel ended {ended} processes; the proof {'holds' if holds else 'does not hold'}", flush=True)
        return 0 if holds and not ended else 1
    finally:
        ray.shutdown()
        nodes.shutdown()


if __name__ == "__main__":
    sys.exit(main())
