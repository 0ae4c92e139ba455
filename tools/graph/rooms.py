# SPDX-License-Identifier: MIT OR Apache-2.0
"""The rules that ARCHITECTURE.md states: the order of rooms and the arrows that may run up. Finds what breaks them."""

import re
from pathlib import Path

from crates import Workspace
from resolve import Edge
from rust import tokens_of

# More files than these may not import each other in a circle.
LARGEST_CIRCLE = 3
# A crate of more files than these has its rooms in ARCHITECTURE.md. A smaller crate has no larger circle in any case.
LARGEST_WITHOUT_ROOMS = LARGEST_CIRCLE


def table(text: str, name: str) -> list[list[str]]:
    """Returns the rows of the table between `<!-- name -->` and `<!-- /name -->`, without its head."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", text, re.DOTALL)
    if not found:
        raise SystemExit(f"ARCHITECTURE.md: no table between <!-- {name} --> and <!-- /{name} -->")
    rows = [line.strip().strip("|").split("|") for line in found.group(1).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def components(files: list[Path], edges: list[Edge]) -> list[list[Path]]:
    """Returns the strongly connected components of more than one file (Tarjan's algorithm), the largest first."""
    behind: dict[Path, list[Path]] = {}
    for edge in edges:
        behind.setdefault(edge.source, []).append(edge.target)
    index, low, stack, found = {}, {}, [], []
    for start in files:
        if start in index:
            continue
        index[start] = low[start] = len(index)
        stack.append(start)
        walk = [(start, iter(behind.get(start, ())))]
        while walk:
            file, targets = walk[-1]
            target = next(targets, None)
            if target is None:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[file])
                if low[file] == index[file]:
                    at = stack.index(file)
                    found.append(sorted(stack[at:]))
                    del stack[at:]
            elif target not in index:
                index[target] = low[target] = len(index)
                stack.append(target)
                walk.append((target, iter(behind.get(target, ()))))
            elif target in stack:
                low[file] = min(low[file], index[target])
    return sorted((part for part in found if len(part) > 1), key=lambda part: (-len(part), part))


class Rooms:
    """The order of the rooms of some folders, and the arrows up that have a reason."""

    def __init__(self, root: Path):
        text = (root / "ARCHITECTURE.md").read_text()
        self.root = root
        self.order = {folder: re.findall(r"`([^`]+)`", rooms) for folder, rooms in self._cells(text, "rooms", 2)}
        self.reasons = {}
        for arrow, reason in self._cells(text, "arrows up", 2):
            source, target = re.findall(r"`([^`]+)`", arrow)
            self.reasons[(root / source, root / target)] = reason

    @staticmethod
    def _cells(text: str, name: str, count: int) -> list[tuple[str, ...]]:
        rows = table(text, name)
        wrong = [row for row in rows if len(row) != count or not all(row)]
        if wrong:
            raise SystemExit(f"ARCHITECTURE.md: a row of the table of {name} must have {count} cells: {wrong[0]}")
        return [(row[0].strip("`") if name == "rooms" else row[0], row[1]) for row in rows]

    def level(self, file: Path) -> tuple[str, int] | None:
        """Returns the folder with rooms that a file is in, and the number of its room from the ground."""
        path = file.relative_to(self.root).as_posix()
        for folder, rooms in self.order.items():
            if not path.startswith(folder + "/"):
                continue
            inner = path.removeprefix(folder + "/").removesuffix(".rs")
            fitting = [room for room in rooms if inner == room or inner.startswith(room + "/")]
            if not fitting:
                return folder, -1
            return folder, rooms.index(max(fitting, key=len))
        return None

    def up(self, edges: list[Edge]) -> list[Edge]:
        """Returns the arrows from a room to a room above it."""
        found = []
        for edge in edges:
            source, target = self.level(edge.source), self.level(edge.target)
            if source and target and source[0] == target[0] and 0 <= source[1] < target[1]:
                found.append(edge)
        return sorted(found, key=lambda edge: (edge.source, edge.target))


def layers(root: Path) -> list[str]:
    """Returns the imports that break the engine's two layers: `engine/` knows no arkworks, and other code knows only the backend's name.

    `curve/field.rs`, where they meet, names primes and visits them.
    """
    broken = []
    source = root / "crates/bucketwheel/src"
    for file in sorted(source.rglob("*.rs")):
        inner = file.relative_to(source).as_posix()
        tokens = tokens_of(file.read_text())
        for at, token in enumerate(tokens):
            where = f"{file.relative_to(root)}:{token.line}"
            if token.kind != "name":
                continue
            if inner.startswith("engine/") and re.match(r"ark_[a-z]", token.text):
                broken.append(f"{where}: in engine/, nothing is known of arkworks ({token.text})")
            elif token.text == "bucketwheel_lanes" and not inner.startswith("engine/") and inner != "curve/field.rs":
                if [t.text for t in tokens[at + 1 : at + 4]] != ["::", "Backend", ";"]:
                    broken.append(f"{where}: outside of engine/, only the backend is known of the lanes")
    return broken


def broken(root: Path, workspace: Workspace, edges: list[Edge]) -> list[str]:
    """Returns the broken rules, one line each."""
    rooms, lines = Rooms(root), layers(root)

    def short(file: Path) -> str:
        return file.relative_to(root).as_posix()

    for part in components(list(workspace.files), edges):
        names = [short(file) for file in part]
        if len(part) > LARGEST_CIRCLE:
            lines.append(f"{len(part)} files import each other: {', '.join(names)}")
            inside = [edge for edge in edges if edge.source in part and edge.target in part]
            lines += [f"    {short(e.source)}:{e.line} names {e.path} of {short(e.target)}" for e in sorted(inside, key=str)]
    up = rooms.up(edges)
    for edge in up:
        if (edge.source, edge.target) not in rooms.reasons:
            lines.append(
                f"{short(edge.source)}:{edge.line} names {edge.path} of {short(edge.target)}, a room above: "
                "move it down, or give the reason in ARCHITECTURE.md"
            )
    for source, target in rooms.reasons.keys() - {(edge.source, edge.target) for edge in up}:
        lines.append(f"ARCHITECTURE.md gives a reason for an arrow that there is not: {short(source)} to {short(target)}")
    for file in workspace.files:
        if rooms.level(file) and rooms.level(file)[1] < 0:
            lines.append(f"{short(file)}: no room of ARCHITECTURE.md's table has this file")
    return lines + without_rooms(root, workspace, rooms)


def without_rooms(root: Path, workspace: Workspace, rooms: Rooms) -> list[str]:
    """Returns the folders that the table of rooms should have or should not have, one line each."""
    sources = {(crate.folder / "src").relative_to(root).as_posix(): crate.folder / "src" for crate in workspace.crates.values()}
    lines = [f"ARCHITECTURE.md lists rooms of {name}, where no crate is" for name in rooms.order if name not in sources]
    for name, folder in sources.items():
        count = sum(file.is_relative_to(folder) for file in workspace.files)
        if count > LARGEST_WITHOUT_ROOMS and name not in rooms.order:
            lines.append(f"{name} has {count} files: expected a row with its rooms in ARCHITECTURE.md")
    return lines
