# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads one Rust file: its tokens, and the modules, imports, items and paths that they make.

The reader is not a compiler. It knows enough of the grammar to skip items under `#[cfg(test)]` and to find the end of
an item.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<comment>/\*)
  | (?P<text>(?:b|c)?r(?P<hashes>\#*)".*?"(?P=hashes) | (?:b|c)?"(?:\\.|[^"\\])*" | b?'(?:\\.[^']*|[^'\\])')
  | (?P<lifetime>'[A-Za-z_]\w*)
  | (?P<name>(?:r\#)?[A-Za-z_]\w*)
  | (?P<number>\d\w*(?:\.\d\w*)?)
  | (?P<sign>::|->|=>|.)
    """,
    re.VERBOSE | re.DOTALL,
)
OPEN, CLOSE = set("([{"), set(")]}")
ITEMS = {"fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules"}


@dataclass
class Token:
    kind: str  # name, text, number, lifetime or sign
    text: str
    line: int


def tokens_of(source: str) -> list[Token]:
    """Returns the tokens of a file without comments."""
    found, at, line = [], 0, 1
    while at < len(source):
        match = TOKEN.match(source, at)
        end, kind = match.end(), match.lastgroup
        if kind == "hashes":
            kind = "text"
        if kind == "comment":
            depth = 1
            while depth and end < len(source):
                two = source[end : end + 2]
                depth += (two == "/*") - (two == "*/")
                end += 2 if two in ("/*", "*/") else 1
        elif kind != "space":
            found.append(Token(kind, match.group().removeprefix("r#") if kind == "name" else match.group(), line))
        line += source.count("\n", at, end)
        at = end
    return found


@dataclass
class Import:
    """A leaf of a `use`: the path, the name that it gets here, and whether others see that name."""

    path: tuple[str, ...]
    name: str  # "*" for a glob, "_" for a trait without a name
    public: bool
    line: int


@dataclass
class Module:
    """A module of a file, inline modules included."""

    children: dict[str, "Module | str | None"] = field(default_factory=dict)  # inline, `#[path]`, or a file of its own
    imports: list[Import] = field(default_factory=list)
    items: set[str] = field(default_factory=set)
    macros: set[str] = field(default_factory=set)
    exported: set[str] = field(default_factory=set)  # macros at the root of the crate
    generated: set[str] = field(default_factory=set)  # names that a macro may define
    paths: set[tuple[tuple[str, ...], int]] = field(default_factory=set)  # inline paths, single names, "macro!"


def is_test(tokens: list[Token]) -> bool:
    """True if an attribute's tokens (between its brackets) leave the item to test builds alone."""
    texts = [token.text for token in tokens]
    if texts[:1] == ["test"] and len(texts) == 1:
        return True
    if texts[:2] != ["cfg", "("]:
        return False

    def test_only(at: int) -> tuple[bool, int]:
        name, at = texts[at], at + 1
        if at < len(texts) and texts[at] == "=":
            return False, at + 2
        if at >= len(texts) or texts[at] != "(":
            return name == "test", at
        parts, at = [], at + 1
        while texts[at] != ")":
            part, at = test_only(at)
            parts.append(part)
            at += texts[at] == ","
        return (any(parts) if name == "all" else bool(parts) and all(parts) if name == "any" else False), at + 1

    return test_only(2)[0]


class Reader:
    """Reads the tokens of a file into modules."""

    def __init__(self, source: str):
        self.tokens = tokens_of(source)
        self.pairs = self._pairs()
        self.root = Module()
        if not self._tests_itself():
            self._items(0, len(self.tokens), self.root)

    def _pairs(self) -> dict[int, int]:
        stack, pairs = [], {}
        for at, token in enumerate(self.tokens):
            if token.kind == "sign" and token.text in OPEN:
                stack.append(at)
            elif token.kind == "sign" and token.text in CLOSE and stack:
                pairs[stack.pop()] = at
        return pairs

    def _text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _tests_itself(self) -> bool:
        """True if the file starts with `#![cfg(test)]`."""
        at = 0
        while self._text(at) == "#" and self._text(at + 1) == "!" and self._text(at + 2) == "[":
            end = self.pairs[at + 2]
            if is_test(self.tokens[at + 3 : end]):
                return True
            at = end + 1
        return False

    def _end(self, at: int, stop: int) -> int:
        """Returns the index after the item or statement that starts at `at`."""
        ends_with_body = None
        while at < stop:
            text = self._text(at)
            if self.tokens[at].kind == "name" and ends_with_body is None:
                if text in ("const", "static", "type", "use", "let") and self._text(at + 1) not in ("fn", "unsafe"):
                    ends_with_body = False
                elif text in ("fn", "impl", "trait", "struct", "enum", "union", "mod", "extern", "macro_rules"):
                    ends_with_body = True
            if self.tokens[at].kind == "sign":
                if text in (";", ","):
                    if text == ";" or ends_with_body is None:
                        return at + 1
                if text in CLOSE:
                    return at
                if text in OPEN:
                    generic = text == "{" and self._text(at - 1) == "<"
                    at = self.pairs.get(at, stop)
                    if text == "{" and not generic and ends_with_body is not False:
                        return at + 1
            at += 1
        return stop

    def _items(self, at: int, stop: int, module: Module):
        """Reads the items of a module."""
        while at < stop:
            at, test, path, exported = self._attributes(at, stop)
            if at >= stop:
                return
            end = max(self._end(at, stop), at + 1)
            if not test:
                self._item(at, end, module, path, exported)
            at = end

    def _attributes(self, at: int, stop: int) -> tuple[int, bool, str | None, bool]:
        test, path, exported = False, None, False
        while at < stop and self._text(at) == "#":
            opening = at + (2 if self._text(at + 1) == "!" else 1)
            if self._text(opening) != "[":
                break
            end = self.pairs[opening]
            inner = self.tokens[opening + 1 : end]
            test = test or is_test(inner)
            texts = [token.text for token in inner]
            if texts[:2] == ["path", "="]:
                path = texts[2].strip('"')
            exported = exported or texts[:1] == ["macro_export"]
            at = end + 1
        return at, test, path, exported

    def _item(self, at: int, end: int, module: Module, path: str | None, exported: bool):
        start = at
        public = self._text(at) == "pub"
        if public:
            at += 1
            if self._text(at) == "(":
                # `pub(self)` and `pub(in self)` are private.
                public = self._text(self.pairs[at] - 1) != "self"
                at = self.pairs[at] + 1
        if self._text(at) == "use":
            module.imports += self._use(at + 1, public)
            return
        word = at
        while self._text(word) in ("async", "unsafe", "extern", "default", "const") and word + 1 < end:
            if self._text(word) == "const" and self._text(word + 1) not in ("fn", "unsafe", "extern", "async"):
                break
            word += 1
            if self.tokens[word].kind == "text":
                word += 1
        kind, name = self._text(word), self._text(word + 1)
        if kind == "macro_rules":
            name = self._text(word + 2)
            (module.exported if exported else module.macros).add(name)
            self._generated(word + 3, end, module)
            self._body(word + 3, end, module)
        elif kind == "mod":
            if self._text(word + 2) == "{":
                child = module.children[name] = Module()
                self._items(word + 3, self.pairs[word + 2], child)
            else:
                module.children[name] = path
        elif kind in ITEMS and self.tokens[word + 1].kind == "name":
            module.items.add(name)
            self._body(word + 2, end, module)
        else:
            if self._text(start + 1) == "!":
                module.generated |= {token.text for token in self.tokens[start + 2 : end] if token.kind == "name"}
            self._body(start, end, module)

    def _generated(self, at: int, end: int, module: Module):
        """Notes the names of items in a macro's text, and the macros that it exports."""
        for i in range(at, end - 1):
            if self._text(i) == "macro_rules" and self._text(i - 2) == "macro_export" and self.tokens[i + 2].kind == "name":
                module.exported.add(self._text(i + 2))
            if self._text(i) in ITEMS and self.tokens[i + 1].kind == "name":
                module.generated.add(self._text(i + 1))

    def _body(self, at: int, stop: int, module: Module):
        """Reads the inside of an item: imports and paths."""
        nested: list[int] = []  # ends of modules inside a macro, which `super` counts

        def outside(path: tuple[str, ...]) -> tuple[str, ...]:
            for _ in nested:
                path = (path[1:] or ("self",)) if path[:1] == ("super",) else path
            return path

        while at < stop:
            while nested and at >= nested[-1]:
                nested.pop()
            token = self.tokens[at]
            if token.text == "#" and self._text(at + 1) in ("[", "!"):
                after, test, _, _ = self._attributes(at, stop)
                at = self._end(after, stop) if test else max(after, at + 1)
                continue
            before = self.tokens[at - 1]
            absolute = token.text == "::" and before.kind != "name" and before.text != ">"
            if not absolute and (token.kind != "name" or before.text in ("::", ".")):
                at += 1
                continue
            if token.text == "use" and self._text(at - 1) != "+":
                leaves = self._use(at + 1, False)
                module.imports += [Import(outside(leaf.path), leaf.name, False, leaf.line) for leaf in leaves]
                at = self._end(at, stop)
                continue
            if token.text == "mod":
                opening = at + 2 + (self._text(at + 1) == "$")
                if self._text(opening) == "{":
                    nested.append(self.pairs[opening])
                    at = opening + 1
                    continue
            path, after = self._path(at, stop)
            path = outside(path)
            if path and self._text(at - 1) not in ("fn", "let", "struct", "enum"):
                # A lower-case name alone counts only if it is called; otherwise it may be a variable or a field.
                if len(path) == 1 and self._text(after) == "!":
                    path = (path[0] + "!",)
                if len(path) > 1 or path[0].endswith("!") or self._text(after) == "(" or path[0][:1].isupper():
                    module.paths.add((path, token.line))
            at = after

    def _path(self, at: int, stop: int) -> tuple[tuple[str, ...], int]:
        """Returns the path that starts here, and the index after it. A leading `::` is its first part."""
        parts = []
        if self._text(at) == "::":
            parts.append("::")
            at += 1
        while at < stop and self.tokens[at].kind == "name":
            parts.append(self._text(at))
            at += 1
            if self._text(at) != "::" or at + 1 >= stop or self.tokens[at + 1].kind != "name":
                break
            at += 1
        return tuple(parts), at

    def _use(self, at: int, public: bool) -> list[Import]:
        """Returns the leaves of a tree of imports."""
        leaves: list[Import] = []

        def tree(at: int, prefix: tuple[str, ...]) -> int:
            line = self.tokens[at].line
            if self._text(at) == "::":
                prefix, at = ("::",), at + 1
            while True:
                text = self._text(at)
                if text == "$":
                    at += 1
                    continue
                if text == "{":
                    end = self.pairs[at]
                    at += 1
                    while at < end:
                        at = tree(at, prefix)
                        at += self._text(at) == ","
                    return end + 1
                if text == "*":
                    leaves.append(Import(prefix, "*", public, line))
                    return at + 1
                if at >= len(self.tokens) or self.tokens[at].kind != "name":
                    return at + 1
                prefix, at = (prefix if text == "self" and prefix else prefix + (text,)), at + 1
                if self._text(at) == "::":
                    at += 1
                    continue
                name = prefix[-1]
                if self._text(at) == "as":
                    name, at = self._text(at + 1), at + 2
                leaves.append(Import(prefix, name, public, line))
                return at

        tree(at, ())
        return leaves
