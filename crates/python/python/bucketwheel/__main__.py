"""``python -m bucketwheel``: sums and proofs without the command.

These are three of the subcommands of ``bucketwheel`` (docs/command.md), with the same files and exit codes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Callable, Sequence

from . import __version__, _native, groth16
from .bases import Bases
from .errors import Error


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a subcommand. Returns its exit code: 0, or 1 after one line about the error; wrong arguments raise ``SystemExit``."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except (Error, OSError, MemoryError) as error:
        print(f"error: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("error: cancelled", file=sys.stderr)
        return 130
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bucketwheel", description=__doc__.split("\n\n")[1])
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=about, description=about)
        one.set_defaults(run=run)
        return one

    one = command("msm", _msm, "print the sum of points, each times its scalar, as JSON")
    one.add_argument("points", help="a file of points, in any format of docs/formats.md")
    one.add_argument("scalars", help="a file of scalars")
    one.add_argument("--check", choices=("none", "curve", "subgroup"), default="curve", help="check the points [default: curve]")

    one = command("prove", _prove, "write a Groth16 proof and its public signals, as snarkjs does")
    one.add_argument("key", help="a proving key, a .zkey file")
    one.add_argument("witness", nargs="?", help="a .wtns file; or use --wasm and --input")
    one.add_argument("proof", help="the file of the proof")
    one.add_argument("public", help="the file of the public signals")
    one.add_argument("--wasm", help="the circuit's WebAssembly, which calculates the witness")
    one.add_argument("--input", help="the circuit's inputs, a JSON file")

    one = command("verify", _verify, "tell whether a Groth16 proof holds")
    one.add_argument("key", help="a verification_key.json, or a key of ark-groth16")
    one.add_argument("public", help="the file of the public signals")
    one.add_argument("proof", help="the file of the proof")
    return parser


def _msm(given: argparse.Namespace) -> int:
    bases = Bases.open(given.points, check=given.check)
    sums = bases.msm_pair(given.scalars) if bases.group == "pair" else (bases.msm(given.scalars),)
    for point in sums:
        infinity = {"infinity": True} if point.infinity else {"x": point.x, "y": point.y}
        print(json.dumps({"curve": point.curve, "group": point.group, **infinity}))
    return 0


def _prove(given: argparse.Namespace) -> int:
    proof, public = groth16.Prover(given.key).prove(given.witness, inputs=given.input, wasm=given.wasm)
    for path, value in ((given.proof, proof), (given.public, public)):
        _native.write_file(path, json.dumps(value, indent=1).encode() + b"\n", False)
    return 0


def _verify(given: argparse.Namespace) -> int:
    if groth16.verify(given.key, Path(given.public), Path(given.proof)):
        print("OK: the proof holds")
        return 0
    print("error: the proof does not hold", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
