//! The arguments of `completions` and `man`, and the examples at the end of each help.

use std::fmt::Write;
use std::path::PathBuf;

use clap::builder::{StyledStr, Styles};
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The folder, which must exist
    pub folder: PathBuf,
}

/// Returns the examples of a command, for the end of its help. A test parses them.
pub fn example(lines: &[&str]) -> StyledStr {
    let mut text = headed(if lines.len() == 1 { "Example" } else { "Examples" });
    for line in lines {
        // Writing into a string does not fail.
        let _ = write!(text, "\n  bucketwheel {line}");
    }
    text.into()
}

/// Returns a heading in clap's style.
pub fn headed(heading: &str) -> String {
    let style = *Styles::default().get_header();
    format!("{style}{heading}:{style:#}")
}
