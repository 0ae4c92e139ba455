# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds the crates of the repository, the targets of each, and the file of each module."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from rust import Module, Reader


class Unreadable(Exception):
    """The reader does not understand a file; the text says where."""


@dataclass(eq=False)
class Scope:
    """A module in its crate."""

    file: Path
    module: Module
    parent: "Scope | None"
    crate: "Crate"
    root: "Scope" = None
    children: dict[str, "Scope"] = field(default_factory=dict)


@dataclass(eq=False)
class Crate:
    name: str  # as Rust paths spell it
    folder: Path
    dependencies: dict[str, str]  # the name in Rust paths, the package's name
    package: str
    library: Scope | None = None
    roots: list[Scope] = field(default_factory=list)
    macros: dict[str, Path] = field(default_factory=dict)  # all its macros
    exported: dict[str, Path] = field(default_factory=dict)  # macros at the crate's root, by `#[macro_export]`


class Workspace:
    """All crates below a folder, with the modules of all their targets."""

    def __init__(self, manifests: list[Path]):
        self.files: dict[Path, Module] = {}
        self.crates: dict[str, Crate] = {}  # by package
        for manifest in manifests:
            self._crate(manifest)

    def _crate(self, path: Path):
        manifest = tomllib.loads(path.read_text())
        if "package" not in manifest:
            return
        folder, package = path.parent, manifest["package"]["name"]
        tables = [manifest, *manifest.get("target", {}).values()]
        names = {}
        for table in tables:
            for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
                for name, value in table.get(kind, {}).items():
                    renamed = value.get("package", name) if isinstance(value, dict) else name
                    names[name.replace("-", "_")] = renamed
        library = manifest.get("lib", {})
        name = library.get("name", package).replace("-", "_")
        crate = self.crates[package] = Crate(name, folder, names, package)

        def existing(*patterns: str) -> list[Path]:
            return [file for pattern in patterns for file in sorted(folder.glob(pattern))]

        libraries = existing(library.get("path", "src/lib.rs"))
        kinds = ["src/main.rs", "src/bin/*.rs", "src/bin/*/main.rs", "build.rs"]
        kinds += ["examples/*.rs", "examples/*/main.rs", "benches/*.rs", "tests/*.rs", "tests/*/main.rs"]
        others = existing(*kinds)
        for kind in ("bin", "example", "bench", "test"):
            others += [folder / target["path"] for target in manifest.get(kind, []) if "path" in target]
        for file in libraries:
            crate.library = self._scope(file, crate, None, file.parent)
        crate.roots = [self._scope(file, crate, None, file.parent) for file in dict.fromkeys(others)]

    def _read(self, file: Path) -> Module:
        if file not in self.files:
            try:
                self.files[file] = Reader(file.read_text()).root
            except (KeyError, IndexError) as error:
                raise Unreadable(f"{file}: its brackets do not match, or its grammar is unknown ({error!r})") from error
        return self.files[file]

    def _scope(self, file: Path, crate: Crate, parent: Scope | None, folder: Path, module: Module | None = None) -> Scope:
        """Returns the module of a file, or of a part of it, with all modules below. `folder` has their files."""
        module = module or self._read(file)
        scope = Scope(file, module, parent, crate)
        scope.root = parent.root if parent else scope
        crate.macros |= dict.fromkeys(module.macros | module.exported, file)
        crate.exported |= dict.fromkeys(module.exported, file)
        for name, child in module.children.items():
            if isinstance(child, Module):
                scope.children[name] = self._scope(file, crate, scope, folder / name, child)
                continue
            if child is not None:
                candidates = [(file.parent / child).resolve()]
                below = candidates[0].parent
            else:
                candidates = [folder / f"{name}.rs", folder / name / "mod.rs"]
                below = folder / name
            found = [candidate for candidate in candidates if candidate.exists()]
            if found:
                scope.children[name] = self._scope(found[0], crate, scope, below)
            elif not re.search(rf"mod {name};", file.read_text()):
                raise Unreadable(f"{file}: no file has the module `{name}`")
        return scope


def manifests_of(root: Path) -> list[Path]:
    """Returns the manifests of the workspace, of `bench`, `bench/arkworks`, `fuzz`, `hdl/host` and `tools/bochs`."""
    members = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["members"]
    folders = [*members, "bench", "bench/arkworks", "fuzz", "hdl/host", "hdl/host/fpga", "tools/bochs"]
    return [root / folder / "Cargo.toml" for folder in folders if (root / folder / "Cargo.toml").exists()]
