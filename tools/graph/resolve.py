# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds the file that defines the target of a path, through re-exports, and so the edges between files."""

from dataclasses import dataclass
from pathlib import Path

from crates import Crate, Scope, Workspace


@dataclass(frozen=True)
class Edge:
    """A file names something that another file defines."""

    source: Path
    target: Path
    path: str
    line: int


# The meaning of a path: a module, or the file that defines an item.
Meaning = Scope | Path


def edges_of(workspace: Workspace) -> list[Edge]:
    """Returns the edges between the files of a workspace, the first of each pair of files."""
    edges: dict[tuple[Path, Path], Edge] = {}

    def note(scope: Scope, path: tuple[str, ...], line: int, meanings: set[Meaning]):
        for meaning in meanings:
            target = meaning.file if isinstance(meaning, Scope) else meaning
            if target != scope.file:
                edge = Edge(scope.file, target, "::".join(path), line)
                edges.setdefault((scope.file, target), edge)

    def visit(scope: Scope):
        for leaf in scope.module.imports:
            meanings = resolve(workspace, scope, leaf.path)
            if leaf.name == "*":
                # For a module, the names that the file uses count (below); for an enum, the enum itself counts.
                meanings = {meaning for meaning in meanings if not isinstance(meaning, Scope)}
            if not leaf.public:
                note(scope, leaf.path, leaf.line, meanings)
        for path, line in sorted(scope.module.paths):
            note(scope, path, line, resolve(workspace, scope, path))
        for child in scope.children.values():
            visit(child)

    for crate in workspace.crates.values():
        for scope in [crate.library, *crate.roots]:
            if scope:
                visit(scope)
    return list(edges.values())


def resolve(workspace: Workspace, scope: Scope, path: tuple[str, ...]) -> set[Meaning]:
    """Returns the target of a path in a module; nothing if the workspace does not define it."""
    return _resolve(workspace, scope, path, frozenset())


def _resolve(workspace: Workspace, scope: Scope, path: tuple[str, ...], seen: frozenset) -> set[Meaning]:
    first, rest = path[0].removesuffix("!"), path[1:]
    if first == "Self":
        return set()
    if first == "crate":
        return _below(workspace, scope.root, rest, seen)
    if first in ("self", "super"):
        return _below(workspace, scope, path, seen)
    if first == "::":
        library = _library(workspace, scope.crate, rest[0]) if rest else None
        return _below(workspace, library, rest[1:], seen) if library else set()
    here = _named(workspace, scope, first, seen)
    if here is not None:
        return _inside(workspace, here, rest, seen)
    library = _library(workspace, scope.crate, first)
    if library:
        return _below(workspace, library, rest, seen)
    # A macro by its name alone, from an enclosing module or by `#[macro_use]`.
    macro = scope.crate.macros.get(first)
    return {macro} if macro and path == (f"{first}!",) else set()


def _library(workspace: Workspace, crate: Crate, name: str) -> Scope | None:
    if name == crate.name:
        return crate.library
    other = workspace.crates.get(crate.dependencies.get(name, ""))
    return other.library if other else None


def _below(workspace: Workspace, scope: Scope, path: tuple[str, ...], seen: frozenset) -> set[Meaning]:
    """Returns the target of a path that starts in this module."""
    if not path:
        return {scope}
    if path[0] == "self":
        return _below(workspace, scope, path[1:], seen)
    if path[0] == "super":
        return _below(workspace, scope.parent, path[1:], seen) if scope.parent else set()
    found = _named(workspace, scope, path[0], seen)
    if found is None:
        # A macro defines the item here, because no other module can.
        return {scope}
    return _inside(workspace, found, path[1:], seen)


def _inside(workspace: Workspace, meanings: set[Meaning], path: tuple[str, ...], seen: frozenset) -> set[Meaning]:
    """Returns the target of the rest of a path: inside a module, or in the file of an item."""
    if not path:
        return meanings
    found = set()
    for meaning in meanings:
        if isinstance(meaning, Scope):
            found |= _below(workspace, meaning, path, seen)
        elif not any(isinstance(other, Scope) for other in meanings):
            found.add(meaning)
    return found


def _named(workspace: Workspace, scope: Scope, name: str, seen: frozenset) -> set[Meaning] | None:
    """Returns the targets of a name in a module: an empty set if another repository defines it, None if it is unknown."""
    found: set[Meaning] = set()
    known = (id(scope), name) in seen
    if name in scope.children:
        found.add(scope.children[name])
    if name in scope.module.items or name in scope.module.macros:
        found.add(scope.file)
    if scope.parent is None and name in scope.crate.exported:
        found.add(scope.crate.exported[name])
    if known:
        # An import of this name led here, so the name means a module or an item of the same name, or nothing.
        return found
    seen = seen | {(id(scope), name)}
    for leaf in scope.module.imports:
        if leaf.name == name:
            found |= _resolve(workspace, scope, leaf.path, seen)
            known = True
    if found or known:
        return found
    for leaf in scope.module.imports:
        if leaf.name == "*":
            for meaning in _resolve(workspace, scope, leaf.path, seen):
                if isinstance(meaning, Scope):
                    found |= _named(workspace, meaning, name, seen) or set()
    if found:
        return found
    return {scope.file} if name in scope.module.generated else None
