"""Ray, which no other file of this package knows: processes on machines, data between them, and answers as bytes.

Nothing that a worker says is unpickled in this process. An answer is taken as the bytes in which Ray carries it, and only if Ray's mark
says ``bytes``; results of other types and exceptions, which Ray pickles, are refused unread (docs/cluster.md). Another engine is
another file with these names.
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
"""How long an address may take to accept a connection."""
JOIN_SECONDS = 10.0
"""How long a cluster may take to say that it takes this process' token."""
READ_SECONDS = 600.0
"""How long an object may take to come from another node."""
ANSWER_SECONDS = 30.0
"""How long a long answer may take to come."""
RAW = b"RAW"
"""Ray's mark of ``bytes``; a mark of anything besides, as Ray's debugger has it, is another one."""
PROBE = """import sys
from ray._raylet import GcsClient
GcsClient(address=sys.argv[1]).internal_kv_get(b"session_name", namespace=b"session", timeout=5)"""
"""Program that asks the cluster at an address for its name. Ray may wait for that without bound, so it has a process of its own."""

logger = logging.getLogger("bucketwheel.cluster")
_raylet: Any = import_module("ray._raylet")


class Lost(Exception):
    """A task whose worker ended and that Ray does not repeat."""


class Cancelled(Exception):
    """A task that was cancelled, or whose worker says so."""


# The cluster.


def connect(address: str | None = None) -> str:
    """Connects this process to a cluster, and returns the address.

    The cluster is the one that ``ray.init`` has joined before; else the one at ``address`` (``HOST:PORT``), or at the address in
    ``RAY_ADDRESS``; else one of this machine alone, which is started. No cluster is joined that nobody has named.
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
"""Names by which addresses were joined."""


def _join(address: str, origin: str) -> None:
    if not re.fullmatch(r"[^\s:/]+:\d{1,5}|\[[0-9a-fA-F:.]+\]:\d{1,5}", address):
        raise JoinError(f"the address {address!r} ({origin}): expected HOST:PORT, or local for a cluster of this machine alone")
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise JoinError(f"nobody answers at {address} ({origin}): {error}: expected a running cluster; check host and port") from None
    known = "RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH, with RAY_AUTH_MODE=token"
    try:
        probe = subprocess.run([sys.executable, "-P", "-c", PROBE, address], capture_output=True, text=True, timeout=JOIN_SECONDS)
    except subprocess.TimeoutExpired:
        message = f"no cluster answers at {address} ({origin}) within {JOIN_SECONDS:g} s: expected a running one; check host and port"
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
    """Starts a cluster that only this process' user reaches: on the loopback interface, with a token, its files in a private folder."""
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    known = {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys()
    if not known and not (Path.home() / ".ray" / "auth_token").exists():
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    _read_settings()
    # Sockets in it have names of a hundred characters at most.
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
    """Has Ray read its settings again, which it read when it was imported: its token may be newer."""
    _raylet.Config.initialize("")


class _NoLoads:
    """Ray's pickle without its half that runs what workers send."""

    def __init__(self, pickle: Any) -> None:
        self._pickle = pickle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pickle, name)

    def loads(self, *_: Any, **__: Any) -> None:
        raise AnswerError("a worker sent a pickle, which this process does not read")


def _shield() -> None:
    """Closes the two ways by which Ray unpickles what nobody asked for: exceptions of tasks whose results nobody reads, to print
    them, and the descriptions of objects in other memories ("direct transport"). A task of Ray itself is left alone."""
    if global_worker.mode != ray.SCRIPT_MODE:
        return
    global_worker.raise_errors = lambda *_: logger.debug("a task failed whose result nobody reads")
    if not isinstance(_raylet.ray_pickle, _NoLoads):
        _raylet.ray_pickle = _NoLoads(_raylet.ray_pickle)


@dataclass(frozen=True)
class Node:
    """What a node has."""

    cpus: float
    store: int
    """Bytes of its object store."""


def nodes() -> dict[str, Node]:
    """Returns the nodes that are there."""
    found = {node["NodeID"]: node["Resources"] for node in ray.nodes() if node["Alive"]}
    return {name: Node(has.get("CPU", 0), int(has.get("object_store_memory", 0))) for name, has in found.items()}


def here() -> str:
    """Returns this process' node."""
    return str(ray.get_runtime_context().get_node_id())


# Data.


def put(data: Any) -> Any:
    """Puts bytes into this node's object store; the reference names them for :func:`read`."""
    return ray.put(bytes(data))


def share(array: Any) -> Any:
    """Puts an array into this node's object store; a call that gets the reference has the array, which its node's processes share."""
    return ray.put(array)


def read(reference: Any, start: int, size: int) -> Any:
    """Reads bytes of what this package has put, in place."""
    return np.frombuffer(_raw(reference, None, READ_SECONDS), dtype=np.uint8)[start : start + size]


def _raw(reference: Any, most: int | None, seconds: float) -> Any:
    """Takes an object's bytes as Ray carries them. This is the only place where this package takes anything from Ray, and it checks
    type and length before it looks at a byte: ``ray.get`` would unpickle what is no ``bytes``."""
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
    """Says what an object is that is no ``bytes``, by Ray's mark of it."""
    number = int(mark) if mark.isdigit() and len(mark) < 4 else -1
    name = ErrorType.Name(number) if number in ErrorType.values() else None
    if name is None:
        shown = mark[:20].decode("ascii", "replace")
        raise AnswerError(f"an object of Python, or of nobody knows what ({shown!r}): expected bytes")
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
            # A task says it: Ray would pickle it.
            self._error = error

    def call(self, method: str, *arguments: Any) -> bytes:
        """Returns a method's answer, or the answer that it failed."""
        try:
            if self._error is not None:
                raise self._error
            return answers.encode(getattr(self._served, method)(*arguments))
        except Exception as error:
            return answers.encode(answers.failed(error))


class Group:
    """Workers with cores and memory of their own, over all nodes."""

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
            # Ray starts a worker again, and gives it again the tasks that it had.
            options = {"num_cpus": num_cpus, "memory": memory, "max_restarts": -1, "max_task_retries": -1}
            return ray.remote(Host).options(scheduling_strategy=place, **options).remote(kind, arguments[index])

        self.workers = [start(index) for index in range(count)]

    def restart(self, worker: int) -> None:
        """Ends a worker's process; Ray starts it again, with nothing of what its memory had."""
        ray.kill(self.workers[worker], no_restart=False)

    def close(self) -> None:
        """Ends all workers."""
        for worker in self.workers:
            end(worker)
        remove_placement_group(self._group)


def spawn(kind: Callable[..., Any], arguments: Sequence[Any], node: str, *, threads: int = 1, retries: int = 0) -> Any:
    """Starts a worker on a node, or on another one once that has gone. It claims no cores. Its tasks run in so many threads, and are
    repeated so often if their process ends."""
    place = NodeAffinitySchedulingStrategy(node, soft=True)
    options = {"num_cpus": 0, "max_concurrency": threads, "max_restarts": -1, "max_task_retries": retries}
    return ray.remote(Host).options(scheduling_strategy=place, **options).remote(kind, arguments)


def end(worker: Any) -> None:
    """Ends a worker."""
    ray.kill(worker)


def call(worker: Any, method: str, *arguments: Any) -> Any:
    """Has a worker run a method, and returns the task."""
    return worker.call.remote(method, *arguments)


def wait(tasks: Iterable[Any], seconds: float | None) -> list[Any]:
    """Waits until some task is done, and returns those that are."""
    listed = list(tasks)
    if not listed or not ray.wait(listed, num_returns=1, timeout=seconds, fetch_local=False)[0]:
        return []
    done: list[Any] = ray.wait(listed, num_returns=len(listed), timeout=0, fetch_local=False)[0]
    return done


def answer(task: Any, most: int = MOST_BYTES) -> bytes:
    """Returns the answer of a task that is done. What is no answer of at most ``most`` bytes is an :class:`AnswerError`."""
    place = get_local_object_locations([task]).get(task, {})
    # Asked first: to be read, an object is brought to this node. Short answers come with their task and are in no store.
    if (place.get("object_size") or 0) > most + len(RAW) or (most <= MOST_BYTES and place.get("node_ids")):
        raise AnswerError(f"an answer of {place.get('object_size')} bytes: expected at most {most}")
    return bytes(_raw(task, most, ANSWER_SECONDS))


def cancel(task: Any) -> None:
    """Asks a task's worker to stop."""
    ray.cancel(task)


def is_cancelled() -> bool:
    """True if the task of this process was cancelled."""
    return bool(ray.get_runtime_context().is_canceled())
