#!/usr/bin/env python3
"""Compares two builds of this project, in turn: of a commit, and of the working tree (or of a second commit).

    bench/builds/compare.py sums REVISION [REVISION]       MSMs on prepared points, and whether the sums agree
    bench/builds/compare.py calls REVISION [REVISION]      MSMs on files, each by a process that starts with cold memory
    bench/builds/compare.py proofs REVISION [REVISION]     proofs in the same way
    bench/builds/compare.py threads [REVISION]             one build: two threads, and two processes of one thread
    bench/builds/compare.py beside PROGRAM [REVISION]      one build, and a program that answers as sums.rs does, on its own points

The ratio of a cell is the median of the first build divided by the median of the second build: above 1, the second
build is faster. If the second build is more than two per cent slower in a cell, the cell is measured again, with 31
runs of each build in turn. If it is slower again, the cell counts as slower, and the exit status is 1.

Two processes that share only the machine each compute a whole MSM: this shows the memory bandwidth and the clock that
are left for a second thread.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILDS = ROOT / "target" / "builds"

MANIFEST = """
[package]
name = "sums"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "sums"
path = {main}

[dependencies]
ark-bls12-377 = {{ version = "{arkworks}", features = ["curve"] }}
ark-bls12-381 = "{arkworks}"
ark-bn254 = {{ version = "{arkworks}", features = ["curve"] }}
ark-ec = "{arkworks}"
ark-ff = "{arkworks}"
ark-serialize = "{arkworks}"
ark-std = {{ version = "{arkworks}", features = ["std"] }}
bucketwheel = {{ path = {engine} }}
rand = "0.8"

[profile.release]
codegen-units = 1

[workspace]
"""


def sources(revision):
    """Returns the folder with a commit's files, or the folder of the working tree."""
    if revision is None:
        return ROOT
    name = subprocess.run(
        ["git", "rev-parse", "--verify", "--short", revision + "^{commit}"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    folder = BUILDS / name / "source"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=BUILDS) as unfinished:
            archive = subprocess.Popen(["git", "archive", name], cwd=ROOT, stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", unfinished], stdin=archive.stdout, check=True)
            if archive.wait():
                sys.exit(f"no files of {name}")
            folder.parent.mkdir(exist_ok=True)
            shutil.copytree(unfinished, folder, symlinks=True)
    return folder


def build_sums(revision):
    """Builds the program of sums.rs over a build's engine."""
    source = sources(revision)
    folder = (BUILDS / "tree" if revision is None else source.parent) / "sums"
    folder.mkdir(parents=True, exist_ok=True)
    manifest = (source / "Cargo.toml").read_text()
    arkworks = manifest.split('ark-ec = "')[1].split('"')[0]
    text = MANIFEST.format(
        main=json.dumps(str(HERE / "sums.rs")), engine=json.dumps(str(source / "crates/bucketwheel")), arkworks=arkworks
    )
    (folder / "Cargo.toml").write_text(text)
    shutil.copy(source / "Cargo.lock", folder / "Cargo.lock")
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=folder, check=True)
    return folder / "target/release/sums"


def build_command(revision):
    """Builds the command of a build."""
    source = sources(revision)
    target = (BUILDS / "tree" if revision is None else source.parent) / "command"
    arguments = ["cargo", "build", "--release", "--quiet", "--package", "bucketwheel-cli", "--target-dir", str(target)]
    subprocess.run(arguments, cwd=source, check=True)
    return target / "release/bucketwheel"


class Sums:
    """A build that computes sums."""

    def __init__(self, program, processor=None):
        self.process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=None if processor is None else lambda: os.sched_setaffinity(0, {processor}),
        )

    def ask(self, question):
        self.put(question)
        return self.answer()

    def put(self, question):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()

    def answer(self):
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("a build that computes sums ended")
        return answer.split()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def in_turn(first, second, runs):
    """Returns the milliseconds of both builds, which run alternately, after one run of each that warms up."""
    first(), second()
    pairs = [(first(), second()) for _ in range(runs)]
    return [times for times in zip(*pairs)]


class Cells:
    """A table in Markdown that grows by a line for each cell."""

    def __init__(self, columns, runs, quiet_limit=1.02):
        self.runs, self.limit, self.slower = runs, quiet_limit, []
        print(f"| {columns} | first, ms | second, ms | first over second | spread, % |")
        print("|" + "---|" * (columns.count("|") + 1) + "---:|---:|---:|---:|", flush=True)

    def measure(self, name, first, second):
        times = in_turn(first, second, self.runs)
        medians = [statistics.median(of) for of in times]
        again = ""
        if medians[1] > medians[0] * self.limit:
            times = in_turn(first, second, 31)
            medians = [statistics.median(of) for of in times]
            again = " (31 runs)"
            if medians[1] > medians[0] * self.limit:
                self.slower.append(name)
        # Distance between the quartiles in %, of the build with the larger distance.
        spread = max(
            100 * (quartiles[2] - quartiles[0]) / quartiles[1] for quartiles in (statistics.quantiles(of, n=4) for of in times)
        )
        print(
            f"| {name} | {medians[0]:.2f} | {medians[1]:.2f} | {medians[0] / medians[1]:.3f}{again} | {spread:.1f} |", flush=True
        )

    def end(self):
        for name in self.slower:
            print(f"slower: {name.replace(' | ', ', ')}")
        sys.exit(bool(self.slower))


def sums(arguments):
    programs = [build_sums(revision) for revision in arguments.revisions]
    cells = Cells("curve, group | points | threads | lanes", arguments.runs)
    for threads in arguments.threads:
        # A process with several threads may use all processors.
        processor = max(os.sched_getaffinity(0)) if threads == 1 else None
        for backend in arguments.backends:
            for log_size in arguments.log_sizes:
                for group in arguments.groups:
                    builds = [Sums(program, processor) for program in programs]
                    for build in builds:
                        build.ask(f"prepare {group.replace(',', ' ')} {log_size} {backend} {threads}")
                    seen = set()

                    def run(build):
                        ms, _, total = build.ask("run")
                        seen.add(total)
                        return float(ms)

                    name = group.replace(",", " ").upper()
                    name = f"{name} | 2^{log_size} | {threads} | {backend}"
                    cells.measure(name, lambda: run(builds[0]), lambda: run(builds[1]))
                    if len(seen) != 1:
                        sys.exit(f"the sums differ: {name}")
                    for build in builds:
                        build.end()
    cells.end()


def threads(arguments):
    program = build_sums(arguments.revisions[0])
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:
        sys.exit("there is one processor")
    print("| curve, group | points | lanes | one thread, ms | two threads, times as fast | two processes, times as much |")
    print("|---|---:|---|---:|---:|---:|", flush=True)
    for backend in arguments.backends:
        for log_size in arguments.log_sizes:
            for group in arguments.groups:
                alone, beside, both = builds = [Sums(program, processors[-1]), Sums(program, processors[0]), Sums(program)]
                for build, threads in zip(builds, (1, 1, 2)):
                    build.ask(f"prepare {group.replace(',', ' ')} {log_size} {backend} {threads}")
                times = []
                for _ in range(arguments.runs):
                    # The first of two runs finds the caches as other programs left them, so only the second counts.
                    one, two = ([float(build.ask("run")[0]) for _ in range(2)][1] for build in (alone, both))
                    for _ in range(2):
                        alone.put("run"), beside.put("run")
                        pair = statistics.mean(float(build.answer()[0]) for build in (alone, beside))
                    times.append((one, one / two, 2 * one / pair))
                one, two, processes = (statistics.median(of) for of in zip(*times))
                name = group.replace(",", " ").upper()
                print(f"| {name} | 2^{log_size} | {backend} | {one:.2f} | {two:.3f} | {processes:.3f} |", flush=True)
                for build in builds:
                    build.end()


def beside(arguments):
    program, processor = build_sums(arguments.revisions[0]), max(os.sched_getaffinity(0))
    lanes = " | ".join(f"{backend}, ms | times as fast" for backend in arguments.backends)
    print(f"| curve, group | points | {lanes} | {arguments.program.name}, ms |")
    print("|---|---:|" + "---:|---:|" * len(arguments.backends) + "---:|", flush=True)
    for log_size in arguments.log_sizes:
        for group in arguments.groups:
            ours, theirs = [Sums(program, processor) for _ in arguments.backends], Sums(arguments.program, processor)
            for build, backend in zip([*ours, theirs], [*arguments.backends, "-"]):
                build.ask(f"prepare {group.replace(',', ' ')} {log_size} {backend} 1")
            # The first run warms up.
            rounds = [[float(build.ask("run")[0]) for build in (*ours, theirs)] for _ in range(arguments.runs + 1)]
            *times, peer = (statistics.median(of) for of in zip(*rounds[1:]))
            name = group.replace(",", " ").upper()
            cells = " | ".join(f"{ms:.2f} | {peer / ms:.2f}" for ms in times)
            print(f"| {name} | 2^{log_size} | {cells} | {peer:.2f} |", flush=True)
            for build in (*ours, theirs):
                build.end()


def process_ms(command):
    """Returns the milliseconds of a process on one core."""
    start = time.perf_counter()
    subprocess.run(["taskset", "-c", str(max(os.sched_getaffinity(0))), *command], check=True, capture_output=True)
    return 1e3 * (time.perf_counter() - start)


def calls(arguments):
    programs = [build_command(revision) for revision in arguments.revisions]
    cells = Cells("curve, group | points | lanes", arguments.runs)
    with tempfile.TemporaryDirectory() as folder:
        points, scalars = f"{folder}/points", f"{folder}/scalars"
        for log_size in arguments.log_sizes:
            for name in arguments.groups:
                curve, group = name.split(",")
                of = ["--curve", curve, "--group", group]
                inputs = ["--points", points, "--scalars", scalars]
                generate = [programs[0], "generate", *of, "--log-size", str(log_size), "--seed", "1", *inputs]
                subprocess.run(generate, check=True, capture_output=True)
                for backend in arguments.backends:

                    def call(program):
                        return process_ms([program, "msm", *of, "--backend", backend, "--threads", "1", points, scalars])

                    label = f"{curve.upper()} {group.upper()} | 2^{log_size} | {backend}"
                    cells.measure(label, lambda: call(programs[0]), lambda: call(programs[1]))
    cells.end()


def proofs(arguments):
    programs = [build_command(revision) for revision in arguments.revisions]
    keys = sorted(arguments.folder.glob("*/circuit.zkey"))
    if not keys:
        sys.exit(f"{arguments.folder}: no key; tools/circuits.sh --keys makes some")
    cells = Cells("circuit", arguments.runs)
    with tempfile.TemporaryDirectory() as folder:
        for key in keys:
            circuit = key.parent.name
            if arguments.circuits and circuit not in arguments.circuits:
                continue

            def prove(program):
                output = [f"{folder}/proof.json", f"{folder}/public.json"]
                return process_ms([program, "prove", "--threads", "1", key, key.parent / "witness.wtns", *output])

            cells.measure(circuit, lambda: prove(programs[0]), lambda: prove(programs[1]))
    cells.end()


def numbers(text):
    """Parses `10,12,14..16` to a list."""
    parts = [part.split("..") for part in text.split(",")]
    return [number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, function in (("sums", sums), ("calls", calls), ("proofs", proofs), ("threads", threads), ("beside", beside)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        if function is beside:
            command.add_argument("program", type=pathlib.Path, metavar="PROGRAM", help="as constantine.nim here")
        if function in (threads, beside):
            command.add_argument("revisions", nargs="*", metavar="REVISION", help="instead of the working tree")
        else:
            command.add_argument("revisions", nargs="+", metavar="REVISION", help="one, beside the working tree, or two")
        command.add_argument("--runs", type=int, default=7, help="of each build in each cell")
    groups = [f"{curve},{group}" for group in ("g1", "g2") for curve in ("bls12-381", "bls12-377", "bn254")]
    for name, sizes in (("sums", "10,12,14,16,18,20"), ("calls", "16,18"), ("threads", "14,16,18,20"), ("beside", "10,12,14,16,18")):
        command = commands.choices[name]
        command.add_argument("--groups", type=str.split, default=groups[:3] if name == "beside" else groups, help="curves and groups: 'bn254,g1 bls12-381,g2'")
        command.add_argument("--log-sizes", type=numbers, default=numbers(sizes))
        command.add_argument("--backends", type=lambda text: text.split(","), default=["avx512ifma", "avx2"])
    commands.choices["sums"].add_argument("--threads", type=numbers, default=[1])
    command = commands.choices["proofs"]
    command.add_argument("--folder", type=pathlib.Path, default=ROOT / "target/circuits", help="of tools/circuits.sh --keys")
    command.add_argument("--circuits", nargs="*", help="names of workloads")
    arguments = parser.parse_args()
    if len(arguments.revisions) > (1 if arguments.function in (threads, beside) else 2):
        parser.error("two builds at most, and one for `threads` and `beside`")
    if arguments.runs < 2:
        parser.error("--runs: expected at least 2, for their spread")
    arguments.revisions = (arguments.revisions + [None])[:2]
    BUILDS.mkdir(parents=True, exist_ok=True)
    arguments.function(arguments)


if __name__ == "__main__":
    main()
