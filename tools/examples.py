#!/usr/bin/env python3
"""Checks that each public function of the library crates has an example, or that its documentation links to one.

    tools/examples.py            # all library crates
    tools/examples.py CRATE...   # these folders of crates/

A link leads to an item, a module or a crate whose own documentation has an example. Prints one line for each function without
either and exits with status 1.

Reads the text of the sources and relies on rustfmt: items of a module start in the first column, and methods four columns to the
right. In macros it takes every documented `pub fn` to be public.
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Crates whose documentation people read. The faces for C, Python, JavaScript and the command are documented elsewhere.
CRATES = ("ark", "bucketwheel", "circuit", "dynamic", "formats", "groth16", "hardware", "lanes", "server", "snarkjs", "transform",
          "whole-file")

QUALIFIERS = r"(?:(?:const|async|unsafe|extern \"C\") )*"
FUNCTION = re.compile(rf"(pub )?{QUALIFIERS}fn (\w+)")
TYPE = re.compile(r"pub (?:unsafe )?(struct|enum|union|trait|type) (\w+)")
IMPL = re.compile(r"(?:unsafe )?impl(?:<.*?>)? (?:\w+::)*(\w+)(?:<.*>)?(?: where.*)? \{$|impl(?:<.*?>)? (?:\w+::)*(\w+)(?:<.*>)?$")
MODULE = re.compile(r"(pub )?(?:pub\(.*\) )?mod (\w+);")
USE = re.compile(r"(pub )?(?:pub\(.*\) )?use (.*);")
EXAMPLE = re.compile(r"^\s*```(?:rust)?(?:,?(?:no_run|should_panic|compile_fail|edition\d+))*$")
MACRO = "macro"
LINK = re.compile(r"\[`?([^\]`]+)`?\](?:\(([^)\s]+)\))?")


@dataclass
class Item:
    """A function, a type, a trait, a module or a crate, with the lines of its documentation."""

    path: Path
    line: int
    name: str
    docs: list[str]
    is_function: bool = False
    owner: str = ""
    is_hidden: bool = False
    in_macro: bool = False

    def has_example(self) -> bool:
        """True if the documentation has a block of Rust."""
        inside = False
        for line in self.docs:
            if line.lstrip().startswith("```"):
                if not inside and EXAMPLE.match(line):
                    return True
                inside = not inside
        return False

    def links(self) -> list[str]:
        """Returns the paths that the documentation links to."""
        text = " ".join(self.docs)
        return [(match[2] or match[1]).strip("`").partition("#")[0] for match in LINK.finditer(text)]


@dataclass
class Source:
    """A file: a module, and its items."""

    path: Path
    head: Item
    items: list[Item] = field(default_factory=list)
    public: set[str] = field(default_factory=set)
    modules: dict[str, bool] = field(default_factory=dict)
    uses: list[tuple[bool, str]] = field(default_factory=list)


def statement(lines: list[str], number: int) -> str:
    """Returns the statement that starts at a line, up to its semicolon, as one line."""
    text = ""
    for line in lines[number:]:
        text += line.split("//")[0].strip() + " "
        if ";" in line:
            break
    return text.strip()


def read(path: Path) -> Source:
    """Reads a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head = [line[3:] for line in lines if line.startswith("//!")]
    source = Source(path, Item(path, 1, path.stem if path.stem != "mod" else path.parent.name, head))
    docs: list[str] = []
    attributes = ""
    block = ("", "")
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("///"):
            docs.append(text[3:])
            continue
        if text.startswith("#[") or text.startswith("//"):
            attributes += text
            continue
        column = len(line) - len(line.lstrip())
        hidden = "doc(hidden)" in attributes or "cfg(test)" in attributes
        is_macro = block[0] == MACRO
        if column == 0 and text and not text.startswith((")", ">", "where", "{")):
            block = ("", "")
            if match := FUNCTION.match(line):
                source.items.append(Item(path, number + 1, match[2], docs, True, "", hidden))
                if match[1]:
                    source.public.add(match[2])
            elif match := TYPE.match(line):
                source.items.append(Item(path, number + 1, match[2], docs, False, "", hidden))
                source.public.add(match[2])
                block = (match[1], match[2])
            elif match := MODULE.match(line):
                source.modules[match[2]] = bool(match[1]) and not hidden
            elif match := USE.match(statement(lines, number)):
                source.uses.append((bool(match[1]) and not hidden, match[2]))
            elif line.startswith("macro_rules!"):
                block = (MACRO, MACRO)
            elif " for " not in line.split(" where ")[0] and (match := IMPL.match(line)) and not hidden:
                block = ("impl", match[1] or match[2])
        elif is_macro and docs and (match := TYPE.match(text)):
            source.items.append(Item(path, number + 1, match[2], docs, False, "", hidden))
            source.public.add(match[2])
            block = (MACRO, match[2])
        elif (column == 4 and block[1] or is_macro and docs) and (match := FUNCTION.match(text)):
            if block[0] == "trait" or match[1]:
                source.items.append(Item(path, number + 1, match[2], docs, True, block[1], hidden, is_macro))
        docs, attributes = [], ""
    return source


def names(use: str) -> list[tuple[list[str], str]]:
    """Returns the paths of a `use` and the names they have there."""
    if match := re.match(r"([\w:]*?)(?:::)?\{(.*)\}$", use):
        parts = match[1].split("::") if match[1] else []
        # No public `use` has braces in braces.
        return [(parts + path, name) for part in match[2].split(",") if part.strip() for path, name in names(part.strip())]
    path, _, name = use.partition(" as ")
    parts = path.split("::")
    return [(parts, name or parts[-1])]


class Crate:
    """The files of a crate, and the public items among them."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "src"
        self.sources = {path: read(path) for path in sorted(self.root.rglob("*.rs"))}
        self.public: set[tuple[Path, str]] = set()
        self.published: set[Path] = set()
        self.publish(self.root / "lib.rs")

    def child(self, path: Path, name: str) -> Path | None:
        """Returns the file of a module's child."""
        folder = path.parent if path.stem in ("lib", "mod") else path.with_suffix("")
        return next((file for file in (folder / f"{name}.rs", folder / name / "mod.rs") if file in self.sources), None)

    def publish(self, path: Path) -> None:
        """Makes the public items of a module public."""
        if path in self.published:
            return
        self.published.add(path)
        source = self.sources[path]
        self.public |= {(path, name) for name in source.public}
        for name, is_public in source.modules.items():
            if is_public and (file := self.child(path, name)):
                self.publish(file)
        for is_public, use in source.uses:
            for parts, _ in names(use) if is_public else []:
                self.export(path, parts)

    def export(self, path: Path, parts: list[str]) -> None:
        """Makes an item public that a module names."""
        module = path
        for depth, part in enumerate(parts):
            last = depth == len(parts) - 1
            if part == "self":
                continue
            if part == "crate":
                module = self.root / "lib.rs"
                continue
            if last and part == "*":
                self.publish(module)
                return
            if last and part in self.sources[module].public:
                self.public.add((module, part))
                return
            if file := self.child(module, part):
                module = file
                if last:
                    self.publish(module)
                continue
            for _, use in self.sources[module].uses:
                for found, name in names(use):
                    if name == part and found[0] not in ("std", "core") and found != parts:
                        self.export(module, found + parts[depth + 1:])
                        return
            # A type that a macro makes.
            if last:
                self.public.add((module, part))
            return

    def functions(self) -> list[Item]:
        """Returns the public functions."""
        types = {name for _, name in self.public}

        def is_public(item: Item, own: set[str]) -> bool:
            if item.in_macro or not item.owner:
                return item.in_macro or (item.path, item.name) in self.public
            # The owner is a type of the file, or else a type of the crate with this name.
            return (item.path, item.owner) in self.public if item.owner in own else item.owner in types

        found = []
        for source in self.sources.values():
            own = {item.name for item in source.items if not item.owner}
            found += [item for item in source.items
                      if item.is_function and not item.is_hidden and is_public(item, own)]
        return found

    def targets(self, link: str, item: Item) -> list[Item]:
        """Returns the items that a link may lead to."""
        parts = [part.split("@")[-1].rstrip("()!") for part in link.split("::")]
        name, before = parts[-1], parts[-2] if len(parts) > 1 else ""
        if parts == ["crate"]:
            return [self.sources[self.root / "lib.rs"].head]
        if name == "self":
            return [self.sources[item.path].head]
        if name == "super":
            return [self.sources[item.path.parent / file].head for file in ("mod.rs", "lib.rs")
                    if item.path.parent / file in self.sources]
        if before == "Self":
            before = item.owner
        if name == "Self":
            name = item.owner
        found = []
        for path, source in self.sources.items():
            if source.head.name == name and path.stem != "lib":
                found.append(source.head)
            found += [other for other in source.items
                      if other.name == name and (not other.owner or other.owner == before)]
        return found


def main(arguments: list[str]) -> int:
    """Checks crates; returns the exit status."""
    crates = {name: Crate(ROOT / "crates" / name) for name in CRATES}
    heads = {"bucketwheel_" + name.replace("-", "_"): crate.sources[crate.root / "lib.rs"].head for name, crate in crates.items()}
    heads["bucketwheel"] = heads.pop("bucketwheel_bucketwheel")
    errors = []
    for name in arguments or CRATES:
        for item in crates[name].functions():
            linked = [target for link in item.links() for target in
                      crates[name].targets(link, item) or [head for crate, head in heads.items() if link == crate]]
            if not item.has_example() and not any(target.has_example() for target in linked):
                what = f"{item.owner}::{item.name}" if item.owner else item.name
                errors.append(f"{item.path.relative_to(ROOT)}:{item.line}: {what}: expected an example, or a link to an item with one")
    print(*errors, sep="\n", end="\n" if errors else "", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
