"""Folders, the version, and the parts of the workspace that packages contain."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
# Output of `make packages`, and the environment of Python with its tools.
FOLDER = BUILT / "packages"
TOOLS = BUILT / "packages-tools"

WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
VERSION = WORKSPACE["version"]

# The command is static. Libraries share their process's libc: glibc 2.28 (2018) or later.
STATIC = "x86_64-unknown-linux-musl"
SHARED = "x86_64-unknown-linux-gnu"
GLIBC = "2.28"


@dataclass(frozen=True)
class Part:
    """A crate of the workspace as it is in packages."""

    name: str
    description: str
    crate: str
    target: str
    features: tuple[str, ...] = ()


COMMAND = Part("bucketwheel", "The command", "bucketwheel-cli", STATIC, ("serve",))
LIBRARY = Part("libbucketwheel", "The library for C", "bucketwheel-capi", SHARED, ("witness",))
RAPIDSNARK = Part("librapidsnark", "rapidsnark's library for C", "bucketwheel-rapidsnark", SHARED)
PYTHON = Part("bucketwheel-python", "The Python package", "bucketwheel-python", SHARED, ("cards", "witness"))
PARTS = (COMMAND, LIBRARY, RAPIDSNARK, PYTHON)


def text_of(*command: str | Path) -> str:
    """Runs a program in the root of the repository, and returns its standard output."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


# The time of all files in packages: the last commit, so that packing twice makes the same bytes.
TIME = int(os.environ.get("SOURCE_DATE_EPOCH") or text_of("git", "log", "-1", "--format=%ct"))


def run(*command: str | Path, **variables: str) -> None:
    """Runs a program in the root of the repository, with environment variables added."""
    subprocess.run(command, cwd=ROOT, check=True, env=os.environ | variables)


def timed(name: str, work: Callable[..., T], *arguments: object) -> T:
    """Calls a function, and prints the time that it took."""
    begin = monotonic()
    result = work(*arguments)
    seconds = monotonic() - begin
    print(f"packages: {seconds / 60:4.1f} min  {name}", file=sys.stderr, flush=True)
    return result
