# SPDX-License-Identifier: MIT OR Apache-2.0
"""The graph of imports of all Rust files: of the workspace, `bench`, `bench/arkworks`, `fuzz`, `hdl/host` and `tools/bochs`.

    python3 tools/graph              # fails on circles of more than three files and on arrows up without a reason
    python3 tools/graph list         # prints all circles and all arrows up
    python3 tools/graph edges FILE   # prints the files that a file names, and the files that name it
    python3 tools/graph dot          # prints the files of the circles for Graphviz
    python3 tools/graph write        # draws the crates in ARCHITECTURE.md

An edge is a private `use` or an inline path, outside of `#[cfg(test)]`. It goes to the file that defines the item, whatever
re-exports it passes. `mod` and `pub use` are not edges. A file that re-exports a name and uses it itself has an edge.
"""

import re
import sys
from pathlib import Path

from crates import Unreadable, Workspace, manifests_of
from resolve import Edge, edges_of
from rooms import Rooms, broken, components

ROOT = Path(__file__).resolve().parents[2]


def crate_of(file: Path) -> str:
    """Returns the folder of a file's crate, without `crates/`, `tools/` or `hdl/`."""
    parts = file.relative_to(ROOT).parts
    return parts[1] if parts[0] in ("crates", "tools", "hdl") else parts[0]


def picture(edges: list[Edge]) -> str:
    """Returns the crates in Mermaid, without tests. An arrow that follows from others is left out."""
    arrows: dict[str, set[str]] = {}
    tests = {"tests", "examples", "benches"}
    for edge in edges:
        source, target = crate_of(edge.source), crate_of(edge.target)
        # Tests and examples may need crates above their own.
        if source != target and not tests & {*edge.source.parts, *edge.target.parts}:
            arrows.setdefault(source, set()).add(target)

    def reached(crate: str) -> set[str]:
        found = set()
        for other in arrows.get(crate, ()):
            found |= {other} | reached(other)
        return found

    lines = ["```mermaid", "flowchart TD"]
    for source in sorted(arrows):
        longer = set().union(*(reached(other) for other in arrows[source]))
        lines += [f"    {source} --> {target}" for target in sorted(arrows[source] - longer)]
    return "\n".join([*lines, "```"])


def with_picture(edges: list[Edge]) -> str:
    """Returns ARCHITECTURE.md with the crates drawn anew."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    drawn = f"<!-- crates -->\n{picture(edges)}\n<!-- /crates -->"
    return re.sub(r"<!-- crates -->\n.*?<!-- /crates -->", lambda _: drawn, text, flags=re.DOTALL)


def main(arguments: list[str]) -> int:
    """Runs a command; returns the exit status."""
    command = arguments[0] if arguments else "check"
    try:
        workspace = Workspace(manifests_of(ROOT))
        edges = edges_of(workspace)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 1

    def arrow(edge: Edge) -> str:
        source, target = edge.source.relative_to(ROOT), edge.target.relative_to(ROOT)
        return f"{source}:{edge.line} -> {target} ({edge.path})"

    circles = components(list(workspace.files), edges)
    if command == "check":
        lines = broken(ROOT, workspace, edges)
        if with_picture(edges) != (ROOT / "ARCHITECTURE.md").read_text():
            lines.append("ARCHITECTURE.md draws other crates than there are: `python3 tools/graph write` draws them")
        print("\n".join(lines), end="\n" if lines else "", file=sys.stderr)
        return 1 if lines else 0
    if command == "list":
        for part in circles:
            print(f"{len(part)} files:", *(file.relative_to(ROOT) for file in part))
        print(*map(arrow, Rooms(ROOT).up(edges)), sep="\n")
    elif command == "edges" and len(arguments) == 2:
        file = Path(arguments[1]).resolve()
        print(*(arrow(edge) for edge in edges if file in (edge.source, edge.target)), sep="\n")
    elif command == "dot":
        print("digraph circles {")
        for part in circles:
            for edge in edges:
                if edge.source in part and edge.target in part:
                    print(f'  "{edge.source.relative_to(ROOT)}" -> "{edge.target.relative_to(ROOT)}" [label="{edge.path}"]')
        print("}")
    elif command == "write":
        (ROOT / "ARCHITECTURE.md").write_text(with_picture(edges))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
