"""The cluster that a process joins: never one that nobody has named. Failing takes seconds."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bucketwheel as bw

PROGRAM = """
import logging, sys, time
import bucketwheel as bw, bucketwheel.cluster as cluster
logging.basicConfig(format="%(name)s: %(message)s", level=logging.INFO)
point = bytes(bw.Point("bn254", "g1", 1, 2))
started = time.monotonic()
try:
    with cluster.Bases.put(point * 4, curve="bn254", shards=1, workers=1, num_cpus=1, address=ADDRESS) as bases:
        assert bases.msm([1, 2, 3, 4]).point == bw.Bases(point, curve="bn254").msm([10])
    print("joined", cluster.connect())
    import ray
    print("nodes", len(ray.nodes()), ray.nodes()[0]["NodeManagerAddress"])
except cluster.JoinError as error:
    assert isinstance(error, (bw.Error, ConnectionError))
    print("refused", error)
print("seconds", time.monotonic() - started)
"""


def run(settings, folder, address=None):
    """Returns the output of a process that asks for a cluster."""
    program = [sys.executable, "-c", PROGRAM.replace("ADDRESS", repr(address))]
    done = subprocess.run(program, env=settings, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = dict(line.partition(" ")[::2] for line in done.stdout.splitlines())
    return found, done.stderr


def test_a_cluster_that_nobody_named_is_not_joined(three_nodes, alone, tmp_path):
    """Ray has a file of the machine's current cluster, which any user of the machine may have written."""
    folder = f"{alone['RAY_TMPDIR']}/ray"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/ray_current_cluster", "w") as file:
        file.write(three_nodes.address)
    before = {name: value for name, value in os.environ.items() if name.startswith("RAY_AUTH")}
    found, said = run({**alone, **before}, tmp_path)
    assert found["joined"] != three_nodes.address
    assert found["nodes"] == "1 127.0.0.1" and found["joined"].startswith("127.0.0.1:")
    assert "bucketwheel.cluster: started a Ray cluster at 127.0.0.1:" in said
    # The cluster's files were in a folder of its own, and are gone.
    assert os.listdir(alone["RAY_TMPDIR"]) == ["ray"]


@pytest.mark.parametrize("named", ["argument", "RAY_ADDRESS"])
def test_a_cluster_that_is_named_is_joined(three_nodes, alone, tmp_path, named):
    token = {name: value for name, value in os.environ.items() if name.startswith("RAY_AUTH")}
    settings = {**alone, **token}
    if named == "RAY_ADDRESS":
        settings["RAY_ADDRESS"] = three_nodes.address
    found, said = run(settings, tmp_path, three_nodes.address if named == "argument" else None)
    assert found["joined"] == three_nodes.address
    assert f"joins the Ray cluster at {three_nodes.address} ({'address=' if named == 'argument' else named})" in said


def test_what_cannot_be_joined_is_refused_in_seconds(three_nodes, alone, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent, socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        cases = {
            three_nodes.address: "refuses this process' token",
            f"127.0.0.1:{silent.getsockname()[1]}": "no cluster answers at 127.0.0.1:.* within",
            f"127.0.0.1:{nobody.getsockname()[1]}": "no program answers at 127.0.0.1:.* refused",
            "auto": "expected HOST:PORT, or local",
            "ray://127.0.0.1:10001": "expected HOST:PORT, or local",
            "127.0.0.1": "expected HOST:PORT, or local",
        }
        for address, what in cases.items():
            settings = {**alone, "RAY_ADDRESS": address, "HOME": str(tmp_path)}
            found, _ = run(settings, tmp_path)
            assert "joined" not in found
            assert re.search(what, found["refused"]), address
            assert float(found["seconds"]) < 30, address
    started = time.monotonic()
    found, _ = run({**alone, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "cd" * 32}, tmp_path, three_nodes.address)
    assert "refuses this process' token: expected its token in RAY_AUTH_TOKEN" in found["refused"]
    assert time.monotonic() - started < 30


def test_the_line_of_the_readme(three_nodes, alone, tmp_path):
    """The program works as written, on a cluster that it starts; a cluster that refuses it is reported in seconds."""
    text = (Path(__file__).parents[3] / "README.md").read_text()
    (line,) = (line for line in text.splitlines() if "`python -c 'import bucketwheel.cluster" in line)
    program = line.split("'")[1]
    count = 50
    points, scalars = bw.generate(count, curve="bls12-381")
    header = (1).to_bytes(4, "little") + bytes([1, 1, 1, 0]) + count.to_bytes(8, "little") + bytes(40)
    (tmp_path / "p.bin").write_bytes(b"BWPOINTS" + header + points)
    (tmp_path / "s.bin").write_bytes(b"BWSCALAR" + header[:5] + b"\0" + header[6:] + scalars)
    expected = bw.Bases(points, curve="bls12-381").msm(scalars)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=alone, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1:] == [str(expected.x)], done.stderr
    started = time.monotonic()
    refused = {**alone, "RAY_ADDRESS": three_nodes.address, "HOME": str(tmp_path)}
    done = subprocess.run(command, env=refused, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "JoinError: the cluster at 127.0.0.1:" in done.stderr
    assert time.monotonic() - started < 30
