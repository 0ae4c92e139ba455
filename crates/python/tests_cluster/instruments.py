"""Counts the bytes that pass through the coordinator, ends nodes, and checks sums over points that repeat."""

import os
import signal
from pathlib import Path

import numpy as np
import ray

import bucketwheel as bw
from bucketwheel import _native
from bucketwheel.cluster import engine
from bucketwheel.points import curve_of


class Traffic:
    """Counts the bytes that this process sends to workers and receives from them: arguments, objects and answers."""

    def __init__(self, replace=setattr):
        self.bytes = 0
        call, share, answer = engine.call, engine.share, engine.answer

        def counted_call(worker, method, *arguments):
            values = [one for one in arguments if not isinstance(one, ray.ObjectRef)]
            self.bytes += len(ray.cloudpickle.dumps((method, values))) + 64 * (len(arguments) - len(values))
            return call(worker, method, *arguments)

        def counted_share(array):
            self.bytes += array.nbytes
            return share(array)

        def counted_answer(task, *most):
            found = answer(task, *most)
            self.bytes += len(found)
            return found

        replace(engine, "call", counted_call)
        replace(engine, "share", counted_share)
        replace(engine, "answer", counted_answer)

    def take(self):
        """Returns the bytes since the last call."""
        found, self.bytes = self.bytes, 0
        return found


def kill_node(node):
    """Ends a node's raylet and its workers at once, as the end of a machine does."""
    raylet = node.all_processes["raylet"][0].process.pid
    children = [raylet]
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of the program, in parentheses, may contain spaces.
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == raylet:
            children.append(int(stat.parent.name))
    for process in children:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def scalars_of_seed(curve, seed, first, count):
    """Returns some scalars of a seed, from a number on."""
    return _native.generate_scalars(first, count, curve, seed, "uniform")


def sum_of_repeated(points, distinct, count, curve, seed):
    """Returns the sum over ``count`` points, which are ``distinct`` points again and again, and the scalars of a seed. A
    point that repeats takes the sum of its scalars."""
    columns = np.zeros((distinct, curve_of(curve).scalar_bytes // 4), dtype=np.uint64)
    for first in range(0, count, distinct):
        columns += np.frombuffer(scalars_of_seed(curve, seed, first, distinct), dtype="<u4").reshape(columns.shape)
    whole = columns.astype(object)
    sums = sum(whole[:, column] << 32 * column for column in range(columns.shape[1])) % curve_of(curve).order
    width = curve_of(curve).scalar_bytes
    return bw.Bases(points, curve=curve).msm(b"".join(int(one).to_bytes(width, "little") for one in sums))
