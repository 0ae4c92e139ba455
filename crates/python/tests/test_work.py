"""Other threads, signals and progress during a call."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import bucketwheel as bw

COUNT = 1 << 19


@pytest.fixture(scope="module")
def long():
    """Returns a sum that takes a while, and its scalars."""
    generator = np.frombuffer(bytes(bw.Point("bn254", "g1", 1, 2)), dtype=np.uint64)
    bases = bw.Bases(np.tile(generator, (COUNT, 1)), curve="bn254")
    scalars = np.random.default_rng(1).integers(0, 1 << 60, size=(COUNT, 4), dtype=np.uint64)
    return bases, scalars


def after(seconds, call):
    timer = threading.Timer(seconds, call)
    timer.start()
    return timer


def test_a_signal_stops_it(long):
    bases, scalars = long
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # A process may have started with the signal ignored, as a shell's background jobs do.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = after(0.1, interrupt)
    with pytest.raises(KeyboardInterrupt):
        while True:
            bases.msm(scalars, threads=1)
    took = time.monotonic() - sent[0]
    timer.join()
    print(f"interrupted after {1000 * took:.0f} ms")
    # The interruption takes a tenth of a second on an idle machine.
    assert took < 1
    assert not bases.msm(scalars).infinity


def test_other_threads_go_on(long):
    bases, scalars = long
    count, done = 0, threading.Event()

    def compute():
        bases.msm(scalars)
        done.set()

    thread = threading.Thread(target=compute)
    thread.start()
    while not done.is_set():
        time.sleep(0.001)
        count += 1
    thread.join()
    assert count > 10


def test_many_threads_share_bases(long):
    bases = bw.Bases([(1, 2)] * 100, curve="bn254")
    with ThreadPoolExecutor(8) as pool:
        sums = list(pool.map(lambda k: bases.msm([k] * 100), range(100)))
    assert sums == [bases.msm([k] * 100) for k in range(100)]


def test_progress(long):
    bases, scalars = long
    told = []
    bases.msm(scalars, progress=lambda done, total: told.append((done, total)), threads=1)
    assert told and all(0 <= done <= total for done, total in told)
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]

    class Bar:
        n, total = 0, None

        def update(self, n):
            self.n += n

    bar = Bar()
    bases.msm(scalars, progress=bar)
    assert bar.n == bar.total


def test_what_progress_raises_stops_it(long):
    bases, scalars = long

    def stop(done, total):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        bases.msm(scalars, progress=stop, threads=1)


def test_a_stream_is_of_one_thread_at_a_time(long):
    _, scalars = long
    points = np.tile(np.frombuffer(bytes(bw.Point("bn254", "g1", 1, 2)), dtype=np.uint64), (COUNT, 1))
    stream = bw.Stream("bn254", points=COUNT)

    def update(_):
        try:
            stream.update(points, scalars)
        except bw.Error as error:
            return str(error)

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(update, range(2)))
    assert len(stream) == COUNT * results.count(None)
    assert all(result is None or "another thread" in result for result in results)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_forked_is_told():
    script = """
import os, bucketwheel as bw
bases, point = bw.Bases([(1, 2)], curve="bn254"), bw.Point("bn254", "g1", 1, 2)
child = os.fork()
if child == 0:
    for call in (lambda: bases.msm([1]), lambda: bw.Stream("bn254"), lambda: point.to_bytes("gnark")):
        try:
            call()
            os._exit(2)
        except bw.Error as error:
            if "spawn" not in str(error):
                os._exit(1)
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
bases.msm([1])
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
