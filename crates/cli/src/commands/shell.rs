//! `completions` and `man`: completions for shells, and manual pages.

use std::io::Write;
use std::path::Path;

use clap_mangen::roff::{bold, roman, Roff};
use clap_mangen::Man;

use crate::args::shell::{CompletionsArgs, ManArgs};
use crate::error::{Error, EXIT_CODES};
use crate::files::Output;
use crate::help::command;
use crate::output::visible;

/// The environment variables that every command reads.
const VARIABLES: [(&str, &str); 4] = [
    ("BUCKETWHEEL_BACKEND", "The instruction set, unless --backend names one."),
    ("BUCKETWHEEL_PROFILE", "The profile of this machine that `bucketwheel tune` writes, or none."),
    ("NO_COLOR", "Any value turns colours off."),
    ("CLICOLOR, CLICOLOR_FORCE", "0 turns colours off; CLICOLOR_FORCE=1 turns them on without a terminal."),
];

/// Prints the completions for a shell.
///
/// # Errors
/// If `out` cannot be written.
pub fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "bucketwheel", &mut script);
    Ok(out.write_all(&script)?)
}

/// Writes a manual page for each command.
///
/// # Errors
/// If a page cannot be written.
pub fn man(args: &ManArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut command = command().disable_help_subcommand(true);
    command.build();
    let pages = write(command, &args.folder)?;
    writeln!(out, "{pages} manual pages: {}", visible(args.folder.display()))?;
    Ok(())
}

/// Writes the pages of a command and of the commands in it. Returns the number of pages.
fn write(command: clap::Command, folder: &Path) -> Result<usize, Error> {
    let mut pages = 1;
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        pages += write(inner.clone(), folder)?;
    }
    let page = Man::new(command.clone()).source(concat!("bucketwheel ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if command.get_subcommands().any(|inner| !inner.is_hide_set()) {
        page.render_subcommands_section(&mut text)?;
    }
    let mut rest = Roff::new();
    if let Some(examples) = command.get_after_help() {
        rest.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples.to_string().lines().skip(1) {
            rest.text([roman(line)]);
        }
        rest.control("fi", []);
    }
    rest.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_CODES {
        rest.control("TP", []).text([bold(code.to_string())]).text([roman(meaning)]);
    }
    rest.control("SH", ["ENVIRONMENT"]);
    for (name, meaning) in VARIABLES {
        rest.control("TP", []).text([bold(name)]).text([roman(meaning)]);
    }
    rest.to_writer(&mut text)?;
    Output::with(&folder.join(page.get_filename()), &text)?.finish()?;
    Ok(pages)
}
