"""A cluster on this machine, and inputs for it."""

import os
import secrets
import signal
import socket
import tempfile
import time


def free_port():
    """Returns a port of the loopback interface that no process uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


# A cluster asks for a token wherever it is started.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# A server on the loopback interface is the object store of the tests.
S3_PORT = free_port()
os.environ.update(
    AWS_ENDPOINT_URL=f"http://127.0.0.1:{S3_PORT}",
    AWS_ACCESS_KEY_ID="test",
    AWS_SECRET_ACCESS_KEY="test",
    AWS_DEFAULT_REGION="us-east-1",
)
# Beside other load, Ray's workers would wait, and the tests would wait for the workers.
os.environ.setdefault("RAY_worker_niceness", "0")

import pytest

import bucketwheel as bw
from bucketwheel import _native

GENERATORS = {
    ("bn254", "g1"): (1, 2),
    ("bls12-377", "g1"): (
        81937999373150964239938255573465948239988671502647976594219695644855304257327692006745978603320413799295628339695,
        241266749859715473739788878240585681733927191168601896383759122102112907357779751001206799952863815012735208165030,
    ),
    ("bn254", "g2"): (
        (
            10857046999023057135944570762232829481370756359578518086990519993285655852781,
            11559732032986387107991004021392285783925812861821192530917403151452391805634,
        ),
        (
            8495653923123431417604973247489272438418190587263600148770280649306958101930,
            4082367875863433681332203403145435568316851327593401208105741076214120093531,
        ),
    ),
}
STORE = 200 << 20
"""Bytes of a node's object store."""


def points_of(count, curve="bn254", group="g1"):
    """Returns this number of random points, as integers."""
    generator = bytes(bw.Point(curve, group, *GENERATORS[curve, group]))
    return _native.Mask(curve, group, 0x1234567).points(generator * count, bytes(range(32)), 0)


def scalars_of(count, seed=1):
    """Returns this number of scalars of 252 bits, which are below every order."""
    import numpy as np

    scalars = np.random.default_rng(seed).integers(0, 1 << 64, size=(count, 4), dtype=np.uint64)
    scalars[:, 3] >>= np.uint64(12)
    return scalars


@pytest.fixture(autouse=True)
def interruptible():
    """Lets SIGINT interrupt Python: a shell starts its background jobs with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def remove(cluster, node):
    """Removes a node, and returns once the cluster knows."""
    from bucketwheel.cluster import engine

    count = len(cluster.list_all_nodes()) - 1
    cluster.remove_node(node)
    end = time.monotonic() + 60
    while len(engine.nodes()) > count and time.monotonic() < end:
        time.sleep(0.2)


def where(bases, worker):
    """Returns a worker's node and process, as the worker reports them."""
    from bucketwheel.cluster import engine
    from bucketwheel.cluster.answers import Place, decode

    task = engine.call(bases._crew.workers[worker], "where")
    assert engine.wait([task], 60)
    return decode(engine.answer(task), Place)


@pytest.fixture
def alone():
    """Returns the environment of a process without settings for Ray, in which no cluster is visible."""
    # The path is short, because names of sockets may have a hundred characters.
    with tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as folder:
        settings = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
        yield {**settings, "RAY_TMPDIR": folder}


@pytest.fixture(scope="session")
def three_nodes():
    """A cluster of three nodes with a core each; this process is connected to it."""
    import ray
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    for _ in range(2):
        cluster.add_node(**node)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="session")
def bucket():
    """Returns a function that puts an object into a store with S3's protocol, and returns the object's URL."""
    import fsspec
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", S3_PORT)
    server.start()
    files = fsspec.filesystem("s3")
    files.mkdir("sums")

    def put(name, data):
        files.pipe_file(f"sums/{name}", data)
        return f"s3://sums/{name}"

    yield put
    server.stop()


@pytest.fixture
def by_value():
    """Sends the classes of a test's module to workers with their code, because workers cannot import the module."""
    import ray

    registered = []

    def register(module):
        ray.cloudpickle.register_pickle_by_value(module)
        registered.append(module)

    yield register
    for module in registered:
        ray.cloudpickle.unregister_pickle_by_value(module)
