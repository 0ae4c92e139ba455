"""Control groups that bound the memory of the nodes of one machine (Linux, versions 1 and 2)."""

import os
import threading
import time
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


class Limits:
    """A control group for each node, inside this process' group. The kernel bounds the memory of a group's processes
    together: private memory, shared memory and pages of files. It drops pages of files, or else ends a process.

    This process joins the first group. A process that it starts joins the group that this process is in.
    """

    def __init__(self, count, most):
        lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
        paths = {kind: path.strip("/") for _, kinds, path in lines for kind in kinds.split(",")}
        self._is_second = "memory" not in paths
        self._parent = ROOT / paths[""] if self._is_second else ROOT / "memory" / paths["memory"]
        self._groups = [self._parent / f"bucketwheel-{os.getpid()}-{index}" for index in range(count)]
        for group in self._groups:
            group.mkdir()
        self.enter(0)
        if self._is_second:
            # A group whose processes have all moved into inner groups may give these groups limits.
            (self._parent / "cgroup.subtree_control").write_text("+memory")
        for group in self._groups:
            (group / ("memory.max" if self._is_second else "memory.limit_in_bytes")).write_text(str(most))
        self._peaks, self._stop = [0] * count, threading.Event()
        self._watcher = threading.Thread(target=self._watch)
        self._watcher.start()

    def enter(self, index):
        """Moves this process into a group."""
        (self._groups[index] / "cgroup.procs").write_text("0")

    def _watch(self):
        while not self._stop.wait(0.02):
            self._peaks = [max(peak, used) for peak, used in zip(self._peaks, map(self._used, self._groups))]

    def _used(self, group):
        return sum(_number(group / "memory.stat", name) for name in ("anon" if self._is_second else "rss", "shmem"))

    def peaks(self):
        """Returns the most bytes of private and shared memory in each group since the last call."""
        found, self._peaks = self._peaks, [0] * len(self._groups)
        return found

    def ended(self):
        """Returns the number of processes that the kernel has ended."""
        return sum(_number(group / ("memory.events" if self._is_second else "memory.oom_control"), "oom_kill") for group in self._groups)

    def close(self):
        """Removes the groups, once their processes have ended."""
        self._stop.set()
        self._watcher.join()
        if self._is_second:
            (self._parent / "cgroup.subtree_control").write_text("-memory")
        (self._parent / "cgroup.procs").write_text("0")
        end = time.monotonic() + 30
        for group in self._groups:
            while (group / "cgroup.procs").read_text() and time.monotonic() < end:
                time.sleep(0.1)
            group.rmdir()


def _number(file, name):
    """Returns a number by its name."""
    return next(int(line.split()[1]) for line in file.read_text().splitlines() if line.split()[0] == name)
