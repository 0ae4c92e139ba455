#!/usr/bin/env python3
"""Checks the relative links of every Markdown file: the file is there, and the anchor is one of its headings.

    tools/links.py [FILE...]        # all Markdown files that git knows, by default

Prints one line for each broken link and exits with status 1. Links to other sites are left alone.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")


def prose(text: str) -> list[tuple[int, str]]:
    """Returns the numbered lines outside of fenced blocks."""
    lines, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            lines.append((number, line))
    return lines


def anchors(text: str) -> set[str]:
    """Returns the anchors of a file, made from its headings as GitHub makes them."""
    found: set[str] = set()
    for _, line in prose(text):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        unique, count = name, 0
        while unique in found:
            count += 1
            unique = f"{name}-{count}"
        found.add(unique)
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def broken(path: Path) -> list[str]:
    """Returns a line for each link of a file that leads nowhere."""
    errors = []
    # A link may be wrapped at a space of its text, so the text is searched as one; code spans are blanked.
    lines = prose(path.read_text(encoding="utf-8"))
    text = "\n".join(re.sub(r"`[^`]*`", "``", line) for _, line in lines)
    for match in LINK.finditer(text):
        target = match[1]
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        number = lines[text.count("\n", 0, match.start())][0]
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        where = f"{path.relative_to(ROOT)}:{number}: {target}"
        if not file.exists():
            errors.append(f"{where}: expected a file or folder at {name}; correct the link")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            errors.append(f"{where}: expected a heading of {file.relative_to(ROOT)} with this anchor; correct the link")
    return errors


def main(arguments: list[str]) -> int:
    """Checks files; returns the exit status."""
    if arguments:
        files = [Path(argument).resolve() for argument in arguments]
    else:
        names = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True)
        files = [ROOT / name for name in names.stdout.split("\0") if name and (ROOT / name).exists()]
    errors = [line for file in files for line in broken(file)]
    print(*errors, sep="\n", end="\n" if errors else "", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
