//! Names of files, and names in files, that are not plain text.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::groth16::files;
use crate::{command, error_of, fail, generated};

/// A name that clears the screen, forges a line, has control characters beyond ASCII, writes a part from right to left,
/// has another line separator, and ends with invisible characters.
const EVIL: &str = "a\u{1b}[2J\nOK\u{9b}1m\u{7f}\u{202e}txt\u{2066}\u{2028}\u{200b}\u{e0041}";
const ESCAPED: &str = r"a\u001b[2J\u000aOK\u009b1m\u007f\u202etxt\u2066\u2028\u200b\udb40\udc41";

/// Runs the command with arguments that may have spaces.
fn run_with(at: &Path, arguments: &[&OsStr]) -> Output {
    command(at).args(arguments).output().unwrap()
}

/// Runs a line in which `@` stands for the file of this name.
fn run_on(at: &Path, line: &str) -> Output {
    let words: Vec<_> =
        line.split(' ').map(|word| OsStr::new(if word == "@" { EVIL } else { word })).collect();
    run_with(at, &words)
}

fn text(bytes: &[u8]) -> &str {
    let text = std::str::from_utf8(bytes).unwrap();
    let hidden = |c: char| c.is_control() || EVIL.contains(c) && !c.is_ascii();
    assert!(text.chars().all(|c| c == '\n' || !hidden(c)), "{text:?}");
    text
}

#[test]
#[cfg(unix)]
fn control_characters_are_escaped() {
    let directory = files("bn254");
    let at = directory.path();
    let message = error_of(&run_on(at, "zkey info @"), 1);
    assert!(message.starts_with(&format!("cannot read {ESCAPED}: ")), "{message}");
    fs::copy(at.join("zkey"), at.join(EVIL)).unwrap();
    for line in ["zkey info @", "zkey check @"] {
        let output = run_on(at, line);
        assert!(output.status.success() && text(&output.stdout).contains(ESCAPED), "{output:?}");
    }
    for line in [
        "r1cs info @",
        "prove zkey wtns @ x",
        "zkey export-vkey zkey @",
        "setup r1cs --out @",
        "generate --curve bn254 --size 4 --points @ --scalars scalars",
        "convert --to gnark @ other",
        "check @",
        "msm @ scalars",
        "table @ --out table",
    ] {
        if line.starts_with("r1cs") {
            fs::copy(at.join("r1cs"), at.join(EVIL)).unwrap();
        }
        let output = run_on(at, line);
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout);
        text(&output.stderr);
    }
    let output = run_on(at, "setup r1cs --out @");
    assert!(text(&output.stderr).starts_with(&format!("warning: {ESCAPED} is for development")));
}

/// The parser's own messages are escaped, too.
#[test]
#[cfg(unix)]
fn control_characters_of_arguments_are_escaped() {
    let directory = tempfile::tempdir().unwrap();
    for line in ["check a @", "@", "msm a b --every @ --checkpoint c"] {
        let output = run_on(directory.path(), line);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).starts_with("error: ") && output.stdout.is_empty(), "{output:?}");
    }
}

/// A stranger chooses the names of a circuit's signals.
#[test]
#[cfg(feature = "witness")]
fn control_characters_in_files_are_escaped() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("wasm"), "").unwrap();
    fs::write(at.join("inputs"), r#"{ "a\u001b[2J\nb": null }"#).unwrap();
    let message = fail(at, "witness wasm inputs out");
    assert!(message.contains(r"a\u001b[2J\u000ab"), "{message}");
    text(message.as_bytes());
}

/// Also for files whose names are not UTF-8; errors print the readable part of these names.
#[test]
#[cfg(unix)]
fn results_in_json_are_whole() {
    use std::os::unix::ffi::OsStrExt;
    let directory = generated("--curve bls12-377 --size 4");
    let at = directory.path();
    let (evil, not_text) = (OsStr::new(EVIL), OsStr::from_bytes(b"s\xff"));
    fs::copy(at.join("scalars"), at.join(evil)).unwrap();
    fs::copy(at.join("scalars"), at.join(not_text)).unwrap();
    for options in [&[][..], &["--device", "cyclone", "--window", "5"]] {
        let words = ["msm", "--json", "points", "scalars"].into_iter().chain(options.iter().copied());
        let words: Vec<_> = words.map(OsStr::new).chain([evil, not_text]).collect();
        let output = run_with(at, &words);
        assert!(output.status.success(), "{output:?}");
        let sums: serde_json::Value = serde_json::from_str(text(&output.stdout)).unwrap();
        for (i, name) in ["scalars", EVIL, "s\u{fffd}"].into_iter().enumerate() {
            assert_eq!((&sums[i]["scalars"], &sums[i]["x"]), (&name.into(), &sums[0]["x"]));
        }
    }
    let words = ["table", "--json", "points", "--out"].map(OsStr::new);
    let output = run_with(at, &[&words[..], &[not_text]].concat());
    let table: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(table["table"], "s\u{fffd}");
}

/// Letters of all scripts, marks and symbols stay unchanged.
#[test]
fn what_names_are_made_of_is_kept() {
    use bucketwheel_cli::output::visible;
    let plain = "a b\u{e9}e\u{301}\u{5d0}\u{627}\u{4e2d}\u{3000}\u{1f600}\u{a0}\\\"";
    assert_eq!(visible(plain), plain);
}

/// Unicode's own list of control and format characters, and of separators of lines and paragraphs.
#[test]
fn exactly_what_commands_a_terminal_is_escaped() {
    use bucketwheel_cli::output::visible;
    use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};
    for c in '\0'..=char::MAX {
        let is_shown = visible(c) == c.to_string();
        match c.general_category() {
            Category::Control | Category::Format | Category::LineSeparator | Category::ParagraphSeparator => {
                assert!(!is_shown && visible(c).is_ascii(), "{c:?}")
            }
            // A later Unicode may assign these characters to any category.
            Category::Unassigned => {}
            _ => assert!(is_shown, "{c:?}"),
        }
    }
}
