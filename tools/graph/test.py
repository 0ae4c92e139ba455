# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests of the graph: small crates, each with an edge that is easy to miss, or without an edge that is easy to
imagine."""

import tempfile
import unittest
from pathlib import Path

from crates import Unreadable, Workspace
from resolve import edges_of
from rooms import Rooms, components, layers, without_rooms


def write(root: Path, files: dict[str, str]):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Crates(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def graph(self, **files: str):
        """Reads a crate `a` of these files, `b__c` being `b/c.rs`."""
        write(self.root, {f"a/src/{name.replace('__', '/')}.rs": text for name, text in files.items()})
        write(self.root, {"a/Cargo.toml": '[package]\nname = "a"\n[dependencies]\nother-b = { path = "../b" }\n'})
        self.workspace = Workspace(sorted(self.root.glob("*/Cargo.toml")))
        return edges_of(self.workspace)

    def edges(self, **files: str) -> set[str]:
        """Returns the edges of a crate."""

        def name(file: Path) -> str:
            return file.relative_to(self.root).as_posix().removeprefix("a/src/").removesuffix(".rs")

        return {f"{name(edge.source)} {name(edge.target)}" for edge in self.graph(**files)}

    def test_a_circle_through_a_reexport(self):
        edges = self.graph(
            lib="mod one; mod two;",
            one__mod="mod deep; pub use deep::Deep; use crate::two::Two;",
            one__deep="pub struct Deep; use crate::two::Two;",
            two="use crate::one::Deep; pub struct Two;",
        )
        names = {(edge.source.name, edge.target.name) for edge in edges}
        self.assertEqual(names, {("mod.rs", "two.rs"), ("deep.rs", "two.rs"), ("two.rs", "deep.rs")})
        circles = components(list(self.workspace.files), edges)
        self.assertEqual([[file.name for file in part] for part in circles], [["deep.rs", "two.rs"]])

    def test_reexports_by_glob_by_another_name_and_twice(self):
        edges = self.edges(
            lib="mod one; mod two; mod three; pub(crate) use one::*;",
            one="pub use super::two::{Two as Renamed, self as inner};",
            two="pub struct Two; pub fn free() {}",
            three="use crate::Renamed; fn f() { crate::inner::free() }",
        )
        self.assertEqual(edges, {"three two"})

    def test_a_circle_through_an_inline_path(self):
        edges = self.edges(
            lib="mod one; mod two;",
            one="pub fn f() { super::two::g::<u8>() }",
            two="pub fn g<T>() { let x: <u8 as crate::one::Trait>::X = self::h(); crate::one::f() } fn h() {}",
        )
        self.assertEqual(edges, {"one two", "two one"})

    def test_paths_through_an_imported_module(self):
        edges = self.edges(
            lib="mod one; mod two;",
            one__mod="pub mod deep;",
            one__deep="pub fn f() {}",
            two="use crate::one::deep; fn g() { deep::f() }",
        )
        self.assertEqual(edges, {"two one/deep"})

    def test_tests_do_not_count(self):
        edges = self.edges(
            lib="mod one; mod two;",
            one="#[cfg(test)] use crate::two::A;\n#[cfg(all(test, unix))] mod tests { use crate::two::A; }\n"
            "impl X { #[cfg(test)] fn f() { crate::two::g() } }\n#[test] fn t() { crate::two::g() }",
            two="#[cfg(not(test))] use crate::one::X; pub struct A; pub fn g() {}",
        )
        self.assertEqual(edges, {"two one"})

    def test_declarations_and_reexports_do_not_count(self):
        self.assertEqual(self.edges(lib="pub mod one; pub use one::One;", one="pub struct One;"), set())

    def test_a_reexported_name_that_the_file_uses_counts(self):
        edges = self.edges(lib="pub mod one; pub use one::One; fn f(_: One) {}", one="pub struct One;")
        self.assertEqual(edges, {"lib one"})

    def test_a_glob_counts_for_the_names_that_are_used(self):
        edges = self.edges(
            lib="mod one; mod two; mod three; mod four;",
            one="pub use crate::two::*; pub use crate::three::*;",
            two="pub struct Two;",
            three="pub struct Three;",
            four="use crate::one::*; fn f(_: Two) {}",
        )
        self.assertEqual(edges, {"four two"})

    def test_a_function_with_the_name_of_its_module(self):
        edges = self.edges(
            lib="mod one; mod two;",
            one__mod="mod deep; use crate::one::deep::deep; fn f() { deep() }",
            one__deep="pub fn deep() {} pub struct Deep;",
            two="use crate::one::deep::Deep;",
        )
        self.assertEqual(edges, {"one/mod one/deep", "two one/deep"})

    def test_variants_count_for_the_file_of_their_enum(self):
        edges = self.edges(
            lib="mod one; mod two;",
            one="pub enum Kind { A }",
            two="use crate::one::Kind::*; fn f() { A; }",
        )
        self.assertEqual(edges, {"two one"})

    def test_macros(self):
        edges = self.edges(
            lib="#[macro_use] mod one; mod two; mod three; mod four;",
            one="macro_rules! made { () => {} }\n#[macro_export] macro_rules! public { () => { $crate::four::f() } }",
            two="made!(); fn made_up() {}",
            three="use crate::public; fn f() { made(); }",
            four="pub fn f() {}",
        )
        self.assertEqual(edges, {"two one", "three one", "one four"})

    def test_a_macro_that_a_macro_exports_counts_for_its_file(self):
        edges = self.edges(
            lib="#[macro_use] mod one; mod two;",
            one="macro_rules! maker { () => { #[macro_export] macro_rules! made { () => {} } } } maker!();",
            two="fn f() { crate::made!(); }",
        )
        self.assertEqual(edges, {"two one"})

    def test_what_a_macro_defines_counts_for_its_module(self):
        edges = self.edges(
            lib="mod one; mod two; mod three;",
            one="make! { Made }",
            two="use super::one::Made;",
            three="macro_rules! m { ($n:ident) => { mod $n { use super::super::one::Made; } } } m!(x);",
        )
        self.assertEqual(edges, {"two one", "three one"})

    def test_other_crates(self):
        write(self.root, {"b/Cargo.toml": '[package]\nname = "other-b"\n[lib]\npath = "x.rs"\n'})
        write(self.root, {"b/x.rs": "mod y; pub use y::Y;", "b/y.rs": "pub struct Y;"})
        edges = self.edges(lib="use other_b::Y; mod z;", z="fn f() { ::other_b::Y; serde::Y; }", main="use a::z;")
        self.assertEqual(edges, {"lib b/y", "z b/y", "main z"})

    def test_comments_texts_and_brackets_in_them(self):
        edges = self.edges(
            lib="mod one; /* { /* crate::one::f() */ */ // crate::one::f()\n"
            'fn f<\'a>() { "crate::one::f("; r#"{"#; \'{\'; b\'\\\'\'; }',
            one="pub fn f() {}",
        )
        self.assertEqual(edges, set())

    def test_inline_modules_and_paths_to_files(self):
        edges = self.edges(
            lib='mod inner { pub mod one; } #[path = "odd/file.rs"] mod two;',
            inner__one="use super::super::two::Two;",
            odd__file="pub struct Two; mod below;",
            odd__below="use super::Two;",
        )
        self.assertEqual(edges, {"inner/one odd/file", "odd/below odd/file"})

    def test_a_module_without_a_file_is_an_error(self):
        with self.assertRaises(Unreadable):
            self.graph(lib="mod one ;")

    def test_brackets_that_do_not_match_are_an_error(self):
        with self.assertRaises(Unreadable):
            self.graph(lib="use a::{b")


class Order(unittest.TestCase):
    def test_arrows_up_and_files_without_a_room(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            write(
                root,
                {
                    "ARCHITECTURE.md": "<!-- rooms -->\n| folder | rooms |\n|---|---|\n| `a/src` | `low` `high/floor` `high` `lib` |\n"
                    "<!-- /rooms -->\n<!-- arrows up -->\n| arrow | why |\n|---|---|\n| `a/src/low.rs` → `a/src/high/mod.rs` | so |\n"
                    "<!-- /arrows up -->\n",
                    "a/Cargo.toml": '[package]\nname = "a"\n',
                    "a/src/lib.rs": "mod low; mod high; mod odd;",
                    "a/src/low.rs": "use crate::high::{Floor, High};",
                    "a/src/odd.rs": "",
                    "a/src/high/mod.rs": "mod floor; pub use floor::Floor; pub struct High; use crate::low::X;",
                    "a/src/high/floor.rs": "pub struct Floor; use super::High;",
                },
            )
            workspace = Workspace([root / "a/Cargo.toml"])
            rooms = Rooms(root)
            up = [(edge.source.name, edge.target.name) for edge in rooms.up(edges_of(workspace))]
            self.assertEqual(up, [("floor.rs", "mod.rs"), ("low.rs", "floor.rs"), ("low.rs", "mod.rs")])
            self.assertEqual(list(rooms.reasons.values()), ["so"])
            self.assertEqual([f.name for f in workspace.files if rooms.level(f)[1] < 0], ["odd.rs"])

    def test_crates_without_rooms(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            table = "<!-- rooms -->\n| folder | rooms |\n|---|---|\n| `a/src` | `lib` |\n| `gone/src` | `lib` |\n<!-- /rooms -->\n"
            write(root, {"ARCHITECTURE.md": table + "<!-- arrows up -->\n<!-- /arrows up -->\n"})
            for name, modules in (("a", "bcde"), ("few", "bc"), ("many", "bcd")):
                write(root, {f"{name}/Cargo.toml": f'[package]\nname = "{name}"\n', f"{name}/tests/x.rs": ""})
                write(root, {f"{name}/src/lib.rs": "".join(f"mod {module};" for module in modules)})
                write(root, {f"{name}/src/{module}.rs": "" for module in modules})
            workspace = Workspace([root / name / "Cargo.toml" for name in ("a", "few", "many")])
            lines = without_rooms(root, workspace, Rooms(root))
            self.assertEqual([line.split(":")[0] for line in lines], ["ARCHITECTURE.md lists rooms of gone/src, where no crate is", "many/src has 4 files"])

    def test_the_two_layers(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            source = "crates/bucketwheel/src"
            write(
                root,
                {
                    f"{source}/engine/one.rs": "use bucketwheel_lanes::Lanes; // ark_ff\nuse ark_ff::Field;",
                    f"{source}/curve/field.rs": "use bucketwheel_lanes::Visit;",
                    f"{source}/msm.rs": "use bucketwheel_lanes::Backend;\nuse bucketwheel_lanes::Lanes;",
                },
            )
            self.assertEqual([line.split(": ")[0].split("/src/")[1] for line in layers(root)], ["engine/one.rs:2", "msm.rs:2"])


if __name__ == "__main__":
    unittest.main()
