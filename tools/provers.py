#!/usr/bin/env python3
"""Runs the test suites of provers over arkworks on our types, from the registry's sources.

    tools/provers.py            # all suites
    tools/provers.py NAME...    # suites whose names start so: ark-groth16, ark-poly-commit-0.6, ...

It needs cargo, and the registry or its copy on this machine. For each prover, it copies the sources from cargo's folder to
target/provers, and adds `bucketwheel-ark` to the manifest. In tests and documentation, the curves' imports become imports from
`bucketwheel-ark`. No other line of the sources changes. All suites are members of one cargo workspace, so that the engine is
compiled once.

The tests of Ligero in `ark-poly-commit` 0.5 and 0.6 are left out: they need a crate that is not published, and have no curve.
Tests on CP6-782, a curve that the engine lacks, stay arkworks' tests. `taceo-groth16` 0.2.1 and later demand arkworks'
own point types in `prove`, so two of its four tests stay arkworks' tests, too; bench/arkworks proves with 0.2.0 on our types.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "target" / "provers"

# Crate, version, module of `bucketwheel-ark`, and the number of imports that change.
SUITES = [
    ("ark-groth16", "0.4.0", "v0_4", 1),
    ("ark-groth16", "0.5.0", "v0_5", 3),
    ("ark-groth16", "0.6.0", "v0_6", 3),
    ("ark-poly-commit", "0.4.0", "v0_4", 18),
    ("ark-poly-commit", "0.5.0", "v0_5", 19),
    ("ark-poly-commit", "0.6.0", "v0_6", 19),
    ("taceo-groth16", "0.2.2", "v0_6", 2),
]

# The crate that the tests of Ligero import.
UNPUBLISHED = "ark_pcs_bench_templates"
CURVES = "bn254|bls12_381|bls12_377|bw6_761"
PAIRINGS = "Bn254|Bls12_381|Bls12_377|BW6_761"

MANIFEST = """\
[workspace]
resolver = "2"
members = [{members}]

[profile.dev]
opt-level = 1
debug = false
incremental = false

[profile.dev.package]
bucketwheel = {{ opt-level = 3 }}
"""


def sources(crate: str, version: str) -> Path:
    """Returns cargo's folder with the sources of a crate, which cargo fetches if need be."""
    folder = FOLDER / "sources" / f"{crate}-{version}"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src" / "lib.rs").write_text("")
    (folder / "Cargo.toml").write_text(
        '[workspace]\n[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n'
        f'[dependencies]\n{crate} = "={version}"\n'
    )
    metadata = subprocess.check_output(["cargo", "metadata", "--quiet", "--format-version", "1"], cwd=folder)
    packages = json.loads(metadata)["packages"]
    [manifest] = [p["manifest_path"] for p in packages if (p["name"], p["version"]) == (crate, version)]
    return Path(manifest).parent


def with_our_curves(text: str, module: str) -> tuple[str, int]:
    """Returns a source whose pairings, and points of the first group of BLS12-377, are ours, and the number of changes."""
    ours = f"bucketwheel_ark::{module}::"
    # A test that names pairings for which arkworks' own types are demanded.
    kept = re.compile(r"proof_matches_ark_groth16::<.*>\(\);")
    changes = 0

    def change(pattern: str, replacement: str, line: str) -> str:
        nonlocal changes
        line, count = re.subn(pattern, replacement, line)
        changes += count
        return line

    lines = []
    for line in text.splitlines(keepends=True):
        if not kept.search(line):
            line = change(rf"\bark_(?:{CURVES})::({PAIRINGS})\b", rf"{ours}\1", line)
            line = change(rf"use ark_({CURVES})::\{{({PAIRINGS}), Fr\}};", rf"use {ours}\2; use ark_\1::Fr;", line)
            line = change(rf"use ark_({CURVES})::\{{Fr, ({PAIRINGS})\}};", rf"use {ours}\2; use ark_\1::Fr;", line)
            point = rf"type G1Affine = {ours}Affine<ark_bls12_377::g1::Config>;"
            line = change(r"use ark_bls12_377::G1Affine;", point, line)
        lines.append(line)
    return "".join(lines), changes


def manifest(text: str, crate: str, version: str, module: str) -> str:
    """Returns the manifest of a member: a name of its own, our crate, and no benchmarks, because packages may lack their sources."""
    parts = re.split(r"(?m)^(?=\[)", text)
    kept = [part for part in parts if not part.startswith(("[[bench]]", "[profile", "[dev-dependencies.criterion]"))]
    text = "".join(kept).replace(f'name = "{crate}"', f'name = "{crate}-{version.replace(".", "-")}"', 1)
    if not any(part.startswith("[lib]") for part in parts):
        text += f'\n[lib]\nname = "{crate.replace("-", "_")}"\n'
    feature = module.replace("v", "ark-")
    path = json.dumps(str(ROOT / "crates" / "ark"))
    return f'{text}\n[dev-dependencies.bucketwheel-ark]\npath = {path}\ndefault-features = false\nfeatures = ["{feature}"]\n'


def copy(crate: str, version: str, module: str, expected: int) -> None:
    """Copies a prover with our curves."""
    name = f"{crate}-{version}"
    source, target = sources(crate, version), FOLDER / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("benches", "Cargo.lock", "Cargo.toml.orig"))
    total = 0
    for path in [*target.glob("src/**/*.rs"), *target.glob("tests/**/*.rs")]:
        text, changes = with_our_curves(path.read_text(encoding="utf-8"), module)
        if UNPUBLISHED in text:
            text = ""
        path.write_text(text, encoding="utf-8")
        total += changes
    if total != expected:
        raise SystemExit(f"tools/provers.py: {name} has {total} imports of our curves; expected {expected}")
    path = target / "Cargo.toml"
    path.write_text(manifest(path.read_text(encoding="utf-8"), crate, version, module), encoding="utf-8")


def main(names: list[str]) -> int:
    """Runs the suites; returns the exit status."""
    chosen = [suite for suite in SUITES if not names or any(f"{suite[0]}-{suite[1]}".startswith(name) for name in names)]
    if not chosen:
        print(f"tools/provers.py: no suite is named {' '.join(names)}", file=sys.stderr)
        return 2
    for suite in chosen:
        copy(*suite)
    members = ", ".join(f'"{crate}-{version}"' for crate, version, *_ in chosen)
    (FOLDER / "Cargo.toml").write_text(MANIFEST.format(members=members))
    # One command, so that the engine is compiled once for all suites. As in crates of a registry, lints are no errors.
    environment = os.environ | {"RUSTFLAGS": f"{os.environ.get('RUSTFLAGS', '')} --cap-lints=allow".strip()}
    command = ["cargo", "test", "--workspace", "--no-fail-fast", "--target-dir", "target"]
    return subprocess.run(command, cwd=FOLDER, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
