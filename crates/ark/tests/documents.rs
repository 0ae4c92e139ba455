//! The documents show the programs that cargo compiles.

use std::fs;

/// Returns the content of a file of the repository.
fn read(path: &str) -> String {
    fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Returns the first block of a document in one language, without its fences.
fn block<'a>(document: &'a str, language: &str) -> &'a str {
    let rest = document.split(&format!("```{language}\n")).nth(1).unwrap();
    rest.split("```").next().unwrap()
}

/// docs/rust.md shows the example `groth16` as it was before its author changed one line.
#[test]
fn the_document_has_the_example() {
    let document = read("docs/rust.md");
    let example = read("crates/ark/examples/groth16.rs").replace("_0_6::", "::");
    let program = example.split_once("\n\n").unwrap().1;
    let lines: Vec<&str> = block(&document, "diff").lines().collect();
    let changed = |mark| lines.iter().filter_map(move |line| line.strip_prefix(mark)).collect::<Vec<_>>();
    let (removed, added) = (changed("-use "), changed("+use "));
    assert_eq!((removed.len(), added.len()), (1, 1), "{lines:?}");
    let before = block(&document, "rust");
    assert_eq!(before.matches(removed[0]).count(), 1, "{before}");
    let [before, after] = [before.replace(removed[0], added[0]), program.to_owned()].map(|program| {
        // The changed line stands elsewhere among the imports.
        let mut lines: Vec<String> = program.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    });
    assert_eq!(before, after);
}

/// README.md shows the program of the engine's front page, which is a documentation test.
#[test]
fn the_readme_has_the_front_page() {
    let front = read("crates/bucketwheel/src/lib.rs");
    let front: Vec<&str> = front.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim).collect();
    for line in block(&read("README.md"), "rust").lines() {
        assert!(front.contains(&line), "{line}");
    }
}
