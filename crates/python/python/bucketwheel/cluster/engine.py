"""The only file of this package that knows Ray: processes on machines, data between them, and answers as bytes.

This process unpickles nothing that a worker sends. It takes an answer as the bytes in which Ray carries it, and only if
Ray's mark says ``bytes``. It refuses results of other types and exceptions, which Ray pickles, without reading them
(docs/cluster.md). To use another engine, write another file with these names. Names of nodes are up to 64 lower-case
letters, digits and hyphens, because answers carry them (:mod:`.answers`).
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Iterable, Sequence

import numpy as np
import ray
from ray._private.worker import global_worker
from ray.core.generated.common_pb2 import ErrorType
from ray.exceptions import RayError
from ray.experimental import get_local_object_locations
from ray.util import client
from ray.util.placement_group import placement_group, remove_placement_group
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy, PlacementGroupSchedulingStrategy

from . import answers
from .answers import MOST_BYTES, AnswerError
from .errors import JoinError, PlacementError

__all__ = [
    "Cancelled",
    "Group",
    "Lost",
    "Node",
    "answer",
    "call",
    "cancel",
    "connect",
    "end",
    "here",
    "is_cancelled",
    "nodes",
    "put",
    "read",
    "share",
    "spawn",
    "wait",
]

CONNECT_SECONDS = 5.0
"""Seconds in which an address must accept a connection."""
JOIN_SECONDS = 10.0
"""Seconds in which a cluster must accept this process' token."""
READ_SECONDS = 600.0
"""Seconds in which an object must arrive from another node."""
ANSWER_SECONDS = 30.0
"""Seconds in which a long answer must arrive."""
RAW = b"RAW"
"""Ray's mark of ``bytes``. An object with additional data, for example of Ray's debugger, has another mark."""
PROBE = """import sys
from ray._raylet import GcsClient
GcsClient(address=sys.argv[1]).internal_kv_get(b"session_name", namespace=b"session", timeout=5)"""
"""Program that asks the cluster at an address for its name. Ray may wait for the answer without bound, so the program
runs in a separate process."""

logger = logging.getLogger("bucketwheel.cluster")
_raylet: Any = import_module("ray._raylet")


class Lost(Exception):
    """The worker of a task ended, and Ray does not repeat the task."""


class Cancelled(Exception):
    """A task was cancelled, or its worker reports so."""


# Connections to a cluster.


def connect(address: str | None = None) -> str:
    """Connects this process to a cluster, and returns the address.

    If ``ray.init`` has joined a cluster before, this is the cluster. Otherwise it is the cluster at ``address``
    (``HOST:PORT``), or at the address in ``RAY_ADDRESS``; otherwise a new cluster on this machine alone. The function
    never joins a cluster that nobody has named.
    """
    if not ray.is_initialized():
        named = address or os.environ.get("RAY_ADDRESS") or "local"
        _start() if named == "local" else _join(named, "address=" if address else "RAY_ADDRESS")
    elif client.ray.is_connected():
        raise JoinError("Ray Client pickles answers: expected a process on a node of the cluster, and no ray:// address")
    found = str(ray.get_runtime_context().gcs_address)
    if address not in (None, "local", found, _named.get(found)):
        raise JoinError(f"this process has joined the cluster at {found}: expected no other address, but found {address}")
    _shield()
    return found


_named: dict[str, str] = {}
"""Names that were used to join addresses."""


def _join(address: str, origin: str) -> None:
    if not re.fullmatch(r"[^\s:/]+:\d{1,5}|\[[0-9a-fA-F:.]+\]:\d{1,5}", address):
        raise JoinError(f"the address {address!r} ({origin}): expected HOST:PORT, or local for a cluster of this machine alone")
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise JoinError(f"no program answers at {address} ({origin}): {error}: expected a running cluster; check host and port") from None
    known = "RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH, with RAY_AUTH_MODE=token"
    try:
        probe = subprocess.run([sys.executable, "-P", "-c", PROBE, address], capture_output=True, text=True, timeout=JOIN_SECONDS)
    except subprocess.TimeoutExpired:
        message = f"no cluster answers at {address} ({origin}) within {JOIN_SECONDS:g} s: expected a running cluster; check host and port"
        raise JoinError(message) from None
    if "AuthenticationError" in probe.stderr:
        raise JoinError(f"the cluster at {address} ({origin}) refuses this process' token: expected its token in {known}")
    if probe.returncode:
        reason = (probe.stderr.strip().splitlines() or ["no reason"])[-1]
        raise JoinError(f"the cluster at {address} ({origin}) cannot be joined: {reason}")
    logger.warning("joins the Ray cluster at %s (%s)", address, origin)
    _read_settings()
    try:
        ray.init(address=address)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        raise JoinError(f"the cluster at {address} ({origin}) cannot be joined: {error}") from None
    _named[str(ray.get_runtime_context().gcs_address)] = address


def _start() -> None:
    """Starts a cluster that only the user of this process reaches: on the loopback interface, with a token, and with
    its files in a private folder."""
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    known = {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys()
    if not known and not (Path.home() / ".ray" / "auth_token").exists():
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    _read_settings()
    # Names of sockets in this folder may have a hundred characters at most.
    place = os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()
    folder = tempfile.mkdtemp(prefix="bw-", dir=place if len(place) <= 24 else "/tmp")
    atexit.register(_end, folder)
    try:
        ray.init(address="local", include_dashboard=False, _node_ip_address="127.0.0.1", _temp_dir=folder)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        raise JoinError(f"no cluster can be started on this machine: {error}") from None
    logger.info("started a Ray cluster at %s", ray.get_runtime_context().gcs_address)


def _end(folder: str) -> None:
    ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def _read_settings() -> None:
    """Makes Ray read its settings again, because the token may be newer than Ray's import."""
    _raylet.Config.initialize("")


class _NoLoads:
    """Ray's pickle without the half that runs what workers send."""

    def __init__(self, pickle: Any) -> None:
        self._pickle = pickle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pickle, name)

    def loads(self, *_: Any, **__: Any) -> None:
        raise AnswerError("a worker sent a pickle, which this process does not read")


def _shield() -> None:
    """Closes the two ways in which Ray unpickles unread data: exceptions of tasks whose results nobody reads, which Ray
    prints, and the descriptions of objects in other memories ("direct transport"). Tasks of Ray itself stay
    unchanged."""
    if global_worker.mode != ray.SCRIPT_MODE:
        return
    global_worker.raise_errors = lambda *_: logger.debug("a task failed, and nobody reads its result")
    if not isinstance(_raylet.ray_pickle, _NoLoads):
        _raylet.ray_pickle = _NoLoads(_raylet.ray_pickle)


@dataclass(frozen=True)
class Node:
    """The resources of a node."""

    cpus: float
    store: int
    """Bytes of the node's object store."""


def nodes() -> dict[str, Node]:
    """Returns the nodes that are alive."""
    found = {node["NodeID"]: node["Resources"] for node in ray.nodes() if node["Alive"]}
    return {name: Node(has.get("CPU", 0), int(has.get("object_store_memory", 0))) for name, has in found.items()}


def here() -> str:
    """Returns the node of this process."""
    return str(ray.get_runtime_context().get_node_id())


# Data between processes.


def put(data: Any) -> Any:
    """Puts bytes into this node's object store; the reference names them for :func:`read`."""
    return ray.put(bytes(data))


def share(array: Any) -> Any:
    """Puts an array into this node's object store. A call that gets the reference receives the array, which the
    processes of its node share."""
    return ray.put(array)


def read(reference: Any, start: int, size: int) -> Any:
    """Reads the bytes of an object that this package has put, in place."""
    return np.frombuffer(_raw(reference, None, READ_SECONDS), dtype=np.uint8)[start : start + size]


def _raw(reference: Any, most: int | None, seconds: float) -> Any:
    """Returns an object's bytes as Ray carries them. The package takes objects from Ray only here. The function checks
    type and length before it looks at a byte, because ``ray.get`` would unpickle an object that is not ``bytes``."""
    try:
        (found,) = global_worker.core_worker.get_objects([reference], round(1000 * seconds))
    except RayError as error:
        raise Lost(type(error).__name__) from None
    data, mark = found[0], bytes(found[1] or b"")
    if mark != RAW:
        _refuse(mark)
    data = memoryview(b"" if data is None else data)
    if most is not None and data.nbytes > most:
        raise AnswerError(f"an answer of {data.nbytes} bytes: expected at most {most}")
    return data


def _refuse(mark: bytes) -> None:
    """Describes an object that is not ``bytes``, by Ray's mark."""
    number = int(mark) if mark.isdigit() and len(mark) < 4 else -1
    name = ErrorType.Name(number) if number in ErrorType.values() else None
    if name is None:
        shown = mark[:20].decode("ascii", "replace")
        raise AnswerError(f"a Python object, or an object of unknown kind ({shown!r}): expected bytes")
    if name == "TASK_EXECUTION_EXCEPTION":
        raise AnswerError("an exception, pickled: expected bytes")
    if name == "TASK_CANCELLED":
        raise Cancelled
    raise Lost(name)


# Processes and their tasks.


class Host:
    """The actor: it makes an object, and answers calls of the object's methods in bytes."""

    def __init__(self, kind: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self._error: Exception | None = None
        try:
            self._served = kind(*arguments)
        except Exception as error:
            # A task reports the error later, because Ray would pickle an exception of the constructor.
            self._error = error

    def call(self, method: str, *arguments: Any) -> bytes:
        """Returns a method's answer, or the answer of its failure."""
        try:
            if self._error is not None:
                raise self._error
            return answers.encode(getattr(self._served, method)(*arguments))
        except Exception as error:
            return answers.encode(answers.failed(error))


class Group:
    """Starts workers with their own cores and memory, over all nodes."""

    def __init__(
        self, kind: Callable[..., Any], arguments: Sequence[Sequence[Any]], num_cpus: float, memory: int, seconds: float
    ) -> None:
        count = len(arguments)
        self._group = placement_group([{"CPU": num_cpus, "memory": float(memory)}] * count, strategy="SPREAD")
        if not self._group.wait(seconds):
            remove_placement_group(self._group)
            message = f"{count} workers with {num_cpus:g} cores and {memory} bytes each: the cluster has {ray.available_resources()}"
            raise PlacementError(message + "; expected fewer workers=, cores (num_cpus=) or bytes (memory=), or more nodes")

        def start(index: int) -> Any:
            place = PlacementGroupSchedulingStrategy(self._group, placement_group_bundle_index=index)
            # Ray starts a worker again, and repeats its tasks.
            options = {"num_cpus": num_cpus, "memory": memory, "max_restarts": -1, "max_task_retries": -1}
            return ray.remote(Host).options(scheduling_strategy=place, **options).remote(kind, arguments[index])

        self.workers = [start(index) for index in range(count)]

    def restart(self, worker: int) -> None:
        """Ends a worker's process. Ray starts another process, which has none of the old memory."""
        ray.kill(self.workers[worker], no_restart=False)

    def close(self) -> None:
        """Ends all workers."""
        for worker in self.workers:
            end(worker)
        remove_placement_group(self._group)


def spawn(kind: Callable[..., Any], arguments: Sequence[Any], node: str, *, threads: int = 1, retries: int = 0) -> Any:
    """Starts a worker on a node, or on another node once that node has gone. The worker claims no cores. It runs its
    tasks in ``threads`` threads, and Ray repeats a task up to ``retries`` times if the process ends."""
    place = NodeAffinitySchedulingStrategy(node, soft=True)
    options = {"num_cpus": 0, "max_concurrency": threads, "max_restarts": -1, "max_task_retries": retries}
    return ray.remote(Host).options(scheduling_strategy=place, **options).remote(kind, arguments)


def end(worker: Any) -> None:
    """Ends a worker."""
    ray.kill(worker)


def call(worker: Any, method: str, *arguments: Any) -> Any:
    """Starts a method of a worker, and returns the task."""
    return worker.call.remote(method, *arguments)


def wait(tasks: Iterable[Any], seconds: float | None) -> list[Any]:
    """Waits until a task is done, and returns the finished tasks."""
    listed = list(tasks)
    if not listed or not ray.wait(listed, num_returns=1, timeout=seconds, fetch_local=False)[0]:
        return []
    done: list[Any] = ray.wait(listed, num_returns=len(listed), timeout=0, fetch_local=False)[0]
    return done


def answer(task: Any, most: int = MOST_BYTES) -> bytes:
    """Returns the answer of a finished task. Raises an :class:`AnswerError` unless it is an answer of at most ``most``
    bytes."""
    place = get_local_object_locations([task]).get(task, {})
    # Checks the size first, because reading an object brings it to this node. Short answers come with their task and
    # are in no store.
    if (place.get("object_size") or 0) > most + len(RAW) or (most <= MOST_BYTES and place.get("node_ids")):
        raise AnswerError(f"an answer of {place.get('object_size')} bytes: expected at most {most}")
    return bytes(_raw(task, most, ANSWER_SECONDS))


def cancel(task: Any) -> None:
    """Asks a task's worker to stop."""
    ray.cancel(task)


def is_cancelled() -> bool:
    """Returns true if the task of this process was cancelled."""
    return bool(ray.get_runtime_context().is_canceled())
