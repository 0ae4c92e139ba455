"""The crates in each part of the packages: a bill of materials (CycloneDX) and a report of licences."""

import functools
import json
import re
import tomllib
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from common import PARTS, ROOT, SHARED, STATIC, TIME, VERSION, WORKSPACE, Part, text_of

LICENCE_FILE = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|UNLICENSE|NOTICE)([-._].*)?$", re.IGNORECASE)
# The name of the file that has a licence's text, where a crate offers several.
WORDS = {
    "Apache-2.0": "APACHE",
    "Apache-2.0 WITH LLVM-exception": "APACHE",
    "BSD-2-Clause": "BSD",
    "BSD-3-Clause": "BSD",
    "ISC": "ISC",
    "MIT": "MIT",
    "Unicode-3.0": "UNICODE",
    "Zlib": "ZLIB",
}
# Rust's libraries, and the C library in static programs; rustc has their files, and no list of crates.
RUST = "Rust's standard library"
MUSL = "musl"


@dataclass(frozen=True, order=True)
class Crate:
    """A crate of a certain version."""

    name: str
    version: str


@dataclass
class Bill:
    """The crates that are linked into a part, and the crates that each of them uses."""

    part: Part
    uses: dict[Crate, set[Crate]] = field(default_factory=dict)


def bill(part: Part) -> Bill:
    """Asks cargo which crates are linked into a part. Macros and build scripts are not."""
    tree = text_of(
        "cargo",
        "tree",
        "--locked",
        "--package",
        part.crate,
        "--features",
        ",".join(part.features),
        "--target",
        part.target,
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "depth",
        "--format",
        " {p}",
    )
    found = Bill(part)
    path: list[Crate] = []
    for line in tree.splitlines():
        depth, name, version = line.split()[:3]
        crate = Crate(name, version.removeprefix("v"))
        del path[int(depth) :]
        found.uses.setdefault(crate, set())
        if path:
            found.uses[path[-1]].add(crate)
        path.append(crate)
    return found


@functools.cache
def metadata() -> dict[Crate, dict[str, Any]]:
    """Returns what cargo knows of each crate, and what Cargo.lock has of it."""
    found = text_of(
        "cargo",
        "metadata",
        "--locked",
        "--all-features",
        "--format-version",
        "1",
        "--filter-platform",
        STATIC,
        "--filter-platform",
        SHARED,
    )
    packages = json.loads(found)["packages"]
    known = {Crate(package["name"], package["version"]): package for package in packages}
    for locked in tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]:
        if package := known.get(Crate(locked["name"], locked["version"])):
            package["checksum"] = locked.get("checksum")
    return known


def expression(crate: Crate) -> str:
    """Returns the SPDX expression of a crate; a slash is an old form of OR."""
    found: str | None = metadata()[crate]["license"]
    if not found:
        raise SystemExit(f"{crate.name} {crate.version} states no licence; expected an SPDX expression in its Cargo.toml")
    return found.replace("/", " OR ")


def choose(text: str, allowed: tuple[str, ...]) -> tuple[str, ...] | None:
    """Returns the licences of an SPDX expression that together permit its use, or None if these licences do not.

    AND binds more strongly than OR; of alternatives, the first one in `allowed` is chosen.
    """
    tokens = re.findall(r"[()]|[^()\s]+(?: WITH \S+)?", text)

    def either() -> tuple[str, ...] | None:
        options = [both()]
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            options.append(both())
        found = [option for option in options if option]
        return min(found, key=lambda option: [allowed.index(name) for name in option], default=None)

    def both() -> tuple[str, ...] | None:
        options = [one()]
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            options.append(one())
        return tuple(name for option in options for name in option or ()) if all(options) else None

    def one() -> tuple[str, ...] | None:
        name = tokens.pop(0)
        if name == "(":
            inner = either()
            tokens.pop(0)
            return inner
        return (name,) if name in allowed else None

    return either()


def chosen(crate: Crate) -> tuple[str, ...]:
    """Returns the licences under which packages contain a crate: the first ones that deny.toml allows."""
    found = choose(expression(crate), allowed())
    if not found:
        raise SystemExit(f"{crate.name} {crate.version} has licence {expression(crate)}; deny.toml allows none of its alternatives")
    return found


@functools.cache
def allowed() -> tuple[str, ...]:
    """Returns the licences that the policy of the repository allows."""
    return tuple(tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))["licenses"]["allow"])


def texts(crate: Crate, licence: str) -> list[str]:
    """Returns the texts in a crate's folder that a licence asks to be passed on, notices included."""
    folder = Path(metadata()[crate]["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and LICENCE_FILE.match(path.name))
    notices = [path for path in files if path.name.upper().startswith(("NOTICE", "COPYRIGHT"))]
    files = [path for path in files if path not in notices]
    named = [path for path in files if WORDS[licence] in path.name.upper()]
    general = [
        path
        for path in files
        if not any(word in path.name.upper() for word in {*WORDS.values(), "UNLICENSE", "BOOST", "BSL", "CC0"})
    ]
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in (named or general) + notices]


def rust() -> tuple[str, str]:
    """Returns the version of rustc, and the version of the musl that its static programs contain."""
    version = text_of("rustc", "--version").split()[1]
    library = Path(text_of("rustc", "--print", "sysroot").strip(), "lib/rustlib", STATIC, "lib/self-contained/libc.a").read_bytes()
    # musl has its version in a string beside the words that its loader prints.
    musl = re.search(rb"\0(1\.\d+\.\d+)\0", library)
    return version, musl[1].decode() if musl else "unknown"


def report(bills: list[Bill]) -> str:
    """Returns the report of licences: for each licence, its texts and the crates that have them."""
    crates = sorted({crate for found in bills for crate in found.uses if not is_own(crate)})
    groups: dict[str, dict[str, list[Crate]]] = {}
    readable: dict[str, str] = {}
    for crate in crates:
        for licence in chosen(crate):
            for text in texts(crate, licence) or [""]:
                # The same text with other line breaks is one text.
                key = " ".join(text.split())
                readable.setdefault(key, text)
                groups.setdefault(licence, {}).setdefault(key, []).append(crate)
    version, musl = rust()
    lines = [
        f"Licences of the software in the packages of Bucketwheel {VERSION}",
        "",
        f"Bucketwheel itself: {WORKSPACE['license']}, in LICENSE-MIT and LICENSE-APACHE.",
        f"{RUST} {version}: MIT OR Apache-2.0, copyright The Rust Project contributors.",
        f"{MUSL} {musl}, in the command: MIT, copyright Rich Felker and others.",
        "",
        f"{len(crates)} crates have the licences below. Of a crate's alternatives, the packages use the first one in this list.",
        "",
        *(f"{sum(map(len, groups[licence].values())):6} {licence}" for licence in allowed() if licence in groups),
    ]
    for licence in allowed():
        for key, users in sorted(groups.get(licence, {}).items(), key=lambda item: -len(item[1])):
            lines += ["", "=" * 100, f"{licence}: " + ", ".join(f"{crate.name} {crate.version}" for crate in users), ""]
            if key:
                lines.append(readable[key])
                continue
            lines.append("These crates contain no text of the licence. Their authors:")
            lines += [f"- {crate.name}: {', '.join(metadata()[crate]['authors']) or 'not stated'}" for crate in users]
    return "\n".join(lines) + "\n"


def is_own(crate: Crate) -> bool:
    """True for a crate of this workspace."""
    return metadata()[crate]["source"] is None


def cyclonedx(found: Bill) -> str:
    """Returns the bill of materials of a part as JSON of CycloneDX 1.5."""
    main = Crate(found.part.crate, VERSION)
    reference = {crate: f"pkg:cargo/{crate.name}@{crate.version}" for crate in found.uses}

    def component(crate: Crate) -> dict[str, Any]:
        known = metadata()[crate]
        entry = {
            "type": "library",
            "bom-ref": reference[crate],
            "name": crate.name,
            "version": crate.version,
            "licenses": [{"expression": expression(crate)}],
            "purl": reference[crate],
        }
        if known["description"]:
            entry["description"] = " ".join(known["description"].split())
        if known.get("checksum"):
            entry["hashes"] = [{"alg": "SHA-256", "content": known["checksum"]}]
        return entry

    version, musl = rust()
    system: list[dict[str, Any]] = [
        {
            "type": "library",
            "bom-ref": "rust-std",
            "name": RUST,
            "version": version,
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        }
    ]
    if found.part.target == STATIC:
        system.append({"type": "library", "bom-ref": "musl", "name": MUSL, "version": musl, "licenses": [{"expression": "MIT"}]})
    edges = {reference[crate]: sorted(reference[used] for used in uses) for crate, uses in found.uses.items()}
    edges[reference[main]] += [entry["bom-ref"] for entry in system]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"{reference[main]}?{sorted(edges)}?{TIME}").urn,
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(TIME, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": component(main)
            | {"type": "application" if found.part.name == "bucketwheel" else "library", "name": found.part.name},
        },
        "components": [component(crate) for crate in sorted(found.uses) if crate != main] + system,
        "dependencies": [{"ref": name, "dependsOn": uses} for name, uses in sorted(edges.items())],
    }
    return json.dumps(document, indent=1) + "\n"


def write(folder: Path) -> None:
    """Writes LICENSES.txt and a bill of materials for each part into a folder."""
    bills = [bill(part) for part in PARTS]
    (folder / "LICENSES.txt").write_text(report(bills), encoding="utf-8")
    for found in bills:
        (folder / f"{found.part.name}-{VERSION}.cdx.json").write_text(cyclonedx(found), encoding="utf-8")
