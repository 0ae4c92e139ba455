"""Files that the package writes appear whole or not at all, whatever happens."""

import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import bucketwheel as bw
from bucketwheel import groth16

COUNT = 20000


@pytest.fixture(scope="module")
def tables():
    """Returns points whose tables differ, and the bytes of each table."""
    return [bw.Bases(bw.generate(COUNT, curve="bn254", seed=seed)[0], curve="bn254", copies=2) for seed in range(3)]


@pytest.fixture(scope="module")
def contents(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for index, table in enumerate(tables):
        table.write_table(folder / str(index))
    return {(folder / str(index)).read_bytes() for index in range(len(tables))}


def test_threads_share_a_path(tables, contents, tmp_path):
    path, done = tmp_path / "table", threading.Event()
    tables[0].write_table(path)

    def write(table):
        for _ in range(5):
            table.write_table(path)

    def read():
        count = 0
        while not done.is_set():
            assert path.read_bytes() in contents
            count += 1
        return count

    with ThreadPoolExecutor(4) as pool:
        reader = pool.submit(read)
        writers = [pool.submit(write, table) for table in tables]
        try:
            for writer in writers:
                writer.result()
        finally:
            done.set()
        assert reader.result() > 0
    assert os.listdir(tmp_path) == ["table"]


def test_what_a_killed_process_leaves(tables, tmp_path):
    # The name of the partial file that earlier versions used for this process.
    (tmp_path / f"table.{os.getpid()}.part").write_bytes(b"")
    tables[0].write_table(tmp_path / "table")
    script = """
import bucketwheel as bw
table = bw.Bases(bw.generate(20000, curve="bn254")[0], curve="bn254", copies=2)
print("ready", flush=True)
while True:
    table.write_table("table")
"""
    for delay in (0, 0.003, 0.01, 0.03):
        with subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(delay)
            process.kill()
        assert len(bw.Bases.open(tmp_path / "table")) == COUNT
    tables[0].write_table(tmp_path / "table")
    assert sorted(os.listdir(tmp_path)) == ["table", f"table.{os.getpid()}.part"]


def test_permissions_and_links(tables, groth16_files, tmp_path):
    circuit = groth16_files["bn254"] / "power.r1cs"
    for write in (tables[0].write_table, lambda path: groth16.setup(circuit, path)):
        path, link = tmp_path / "file", tmp_path / "link"
        for mode in (0o600, 0o640, 0o666):
            path.write_bytes(b"")
            path.chmod(mode)
            write(path)
            assert stat.S_IMODE(path.stat().st_mode) == mode
        link.symlink_to("file")
        path.write_bytes(b"")
        write(link)
        assert link.is_symlink() and path.stat().st_size > 0
        link.unlink()
    assert os.listdir(tmp_path) == ["file"]


def test_devices_pipes_and_sockets(tables, contents, tmp_path):
    tables[0].write_table("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(OSError, match="No space left"):
        tables[0].write_table("/dev/full")
    pipe, address = tmp_path / "pipe", tmp_path / "socket"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool, socket.socket(socket.AF_UNIX) as listener:
        reader = pool.submit(pipe.read_bytes)
        tables[0].write_table(pipe)
        assert reader.result() in contents
        listener.bind(str(address))
        listener.listen()
        reader = pool.submit(lambda: listener.accept()[0].makefile("rb").read())
        tables[0].write_table(address)
        assert reader.result() in contents
    assert stat.S_ISFIFO(pipe.stat().st_mode) and stat.S_ISSOCK(address.stat().st_mode)


def test_errors_leave_the_file(tables, groth16_files, tmp_path):
    path = tmp_path / "table"
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limits[1]))
        with pytest.raises(OSError, match="File too large") as error:
            tables[0].write_table(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert error.value.filename == str(path)
    with pytest.raises(FileNotFoundError):
        tables[0].write_table(tmp_path / "none" / "table")
    with pytest.raises(IsADirectoryError):
        tables[0].write_table(tmp_path)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["table"]
    circuit = tmp_path / "circuit"
    circuit.write_bytes((groth16_files["bn254"] / "power.r1cs").read_bytes())
    with pytest.raises(bw.ArgumentError, match="is the same file as the input"):
        groth16.setup(circuit, tmp_path / "." / "circuit")


def test_the_temporary_folder_is_not_needed(tmp_path):
    script = """
import bucketwheel as bw
bw.Bases([(1, 2)], curve="bn254").write_table("table")
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path / "none")}
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, check=True)
    assert os.listdir(tmp_path) == ["table"]
