#!/usr/bin/env python3
"""Checks the words of comments and documents: spelling, and phrases that readers stumble over (CONTRIBUTING.md, Words).

    tools/words.py            # every file that git knows
    tools/words.py FILE...    # the phrases in these files

`typos` checks spelling, with typos.toml. If no `typos` of the right version is on the path, pip installs it in target/words.
Prints one line for each finding and exits with status 1.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPOS = "1.52.0"

# A phrase that names no noun, and what to write instead.
PHRASES = {
    r"\bbut for\b": "write \"except\"",
    r"\bwhoever\b": "name who does it",
    r"\bthose (?:of|that|which|who|with|in|for|from)\b": "repeat the noun",
    r"\bthat of\b": "repeat the noun",
    r"\bthe one (?:that|which|of|with)\b": "name the thing",
    r"\bone that (?:is|are|has)\b": "name the thing",
    r"\bnone of so many\b": "say of what",
    r"\bso many (?:bits|bytes|cycles|points|windows)\b": "say how many, or \"this number of\"",
    r"\bas far as is known\b": "say \"so far\"",
    r"\bwhat there is of\b": "name the thing",
    r"\bof what(?:ever)?\b": "name the thing",
}
# A comment on an item starts with a verb or a noun phrase.
STARTS = re.compile(r"^(?:Whether|What|Those|Whoever|Whatever|As many|One that)\b")

# Tables that programs write: the modules of hdl/README.md, the papers' tables of docs/.
GENERATED = re.compile(r"^<!-- (?:lists\.py|reproduce:)")
GENERATED_END = re.compile(r"^<!-- (?:to here|end)")
FENCE = re.compile(r"^\s*(```|~~~)")
# Whole lines of comments in C, C++ and JavaScript.
BLOCK = re.compile(r"^\s*(/\*+|\*|//)\s?(.*)")
SLASHES = re.compile(r"^\s*(//)\s?(.*)")
HASH = re.compile(r"^\s*(#)\s(.*)")
COMMENTS = {
    ".rs": re.compile(r"^\s*(///|//!|//)\s?(.*)"),
    ".sv": SLASHES,
    ".go": SLASHES,
    ".py": HASH,
    ".sh": HASH,
    **dict.fromkeys((".h", ".c", ".cpp", ".js", ".mjs", ".ts"), BLOCK),
}


def prose(path: Path) -> list[tuple[int, str, bool]]:
    """Returns the numbered lines of words in a file, and whether one documents an item."""
    comment = COMMENTS.get(path.suffix)
    found, inside, generated, before = [], False, False, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = ""
        if comment:
            match = comment.match(line)
            if not match:
                before = ""
                continue
            mark, line = match[1], match[2]
        generated = (generated or GENERATED.match(line) is not None) and not GENERATED_END.match(line)
        if FENCE.match(line):
            inside = not inside
        elif not inside and not generated:
            found.append((number, line, mark in ("///", "//!") and before != mark))
        before = mark
    return found


def phrases(path: Path) -> list[str]:
    """Returns a line for each phrase in a file that names no noun."""
    errors = []
    for number, line, starts in prose(path):
        # Code and quotations may say anything.
        text = re.sub(r"`[^`]*`|\"[^\"]*\"", "``", line)
        where = f"{path.relative_to(ROOT)}:{number}"
        for phrase, advice in PHRASES.items():
            for match in re.finditer(phrase, text, re.IGNORECASE):
                errors.append(f"{where}: \"{match[0]}\": {advice}")
        if starts and (match := STARTS.match(text)):
            errors.append(f"{where}: starts with \"{match[0]}\": start with a verb or a noun (\"True if\")")
    return errors


def speller() -> str | None:
    """Returns the program `typos` of the right version, which pip installs if it is missing; None if that fails."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "words"
    own = target / "bin" / "typos"
    for program in (shutil.which("typos"), str(own) if own.exists() else None):
        if program:
            version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
            if TYPOS in version.stdout.split():
                return program
    try:
        subprocess.run([sys.executable, "-m", "venv", target], check=True, capture_output=True)
        pip = [target / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", f"typos=={TYPOS}"]
        subprocess.run(pip, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return str(own)


def main(arguments: list[str]) -> int:
    """Checks phrases, and without arguments spelling; returns the exit status."""
    if arguments:
        files = [Path(argument).resolve() for argument in arguments]
    else:
        names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        files = [ROOT / name for name in names.split("\0") if Path(name).suffix in (*COMMENTS, ".md")]
    errors = [line for file in files if file.exists() and file.name != "CHANGELOG.md" for line in phrases(file)]
    print(*errors, sep="\n", end="\n" if errors else "", file=sys.stderr)
    status = 1 if errors else 0
    if not arguments:
        program = speller()
        if program is None:
            print(f"skipped: spelling; pip install typos=={TYPOS} adds what checks it")
        else:
            status |= subprocess.run([program, "--format", "brief"], cwd=ROOT, check=False).returncode != 0
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
