//! Commands in groups, and suggestions by the number of typing errors, which clap's parser does not have.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use strsim::osa_distance;

use crate::args::shell::headed;
use crate::args::Args;

/// The commands by the user's task, in the order of the help. A test compares this list with the commands.
pub const GROUPS: [(&str, &[&str]); 6] = [
    ("Sums", &["generate", "msm", "table", "kzg", "eip2537", "cluster"]),
    ("Proofs", &["prove", "verify", "witness", "setup", "serve"]),
    ("Files", &["convert", "check", "zkey", "r1cs", "import"]),
    ("Accelerators", &["simulate", "explore", "msmac"]),
    ("Measure", &["bench", "compare", "schedule", "tune", "info", "demo"]),
    ("Shell", &["completions", "help"]),
];

/// Returns the command with its groups.
pub fn command() -> Command {
    let command = Args::command();
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (heading, names) in GROUPS {
        template += &format!("\n{}\n{}\n", headed(heading), list(&command, names));
    }
    template += &format!("\n{}\n{{options}}{{after-help}}", headed("Options"));
    command.help_template(template)
}

/// Returns the lines of these commands, wrapped and coloured by clap.
fn list(all: &Command, names: &'static [&'static str]) -> String {
    let line = |&name: &&'static str| {
        let about = match all.find_subcommand(name) {
            Some(command) => command.get_about().cloned().unwrap_or_default(),
            None => "Show the help of a command".into(),
        };
        Command::new(name).about(about)
    };
    let mut group = Command::new("group")
        .disable_help_subcommand(true)
        .help_template("{subcommands}")
        .subcommands(names.iter().map(line));
    group.render_help().ansi().to_string().trim_end().to_owned()
}

/// Parses the words of a command line, the first of which is the program.
///
/// # Errors
/// clap's error, with a suggestion.
pub fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(&words);
    matches.and_then(|matches| Args::from_arg_matches(&matches)).map_err(|mut error| {
        suggest(&mut error, &command, &words);
        error
    })
}

/// Replaces clap's suggestion by the names with the fewest typing errors. clap prefers long names: `msmac` to `msm`
/// for `mms`.
fn suggest(error: &mut clap::Error, command: &Command, words: &[OsString]) {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let names = words.iter().filter_map(|word| word.to_str());
            let level = names.fold(command, |level, name| level.find_subcommand(name).unwrap_or(level));
            let known = level.get_subcommands().filter(|command| !command.is_hide_set());
            let known =
                known.flat_map(|command| [command.get_name()].into_iter().chain(command.get_all_aliases()));
            let found = nearest(&text(ContextKind::InvalidSubcommand), known);
            if !found.is_empty() {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(found));
            }
        }
        ErrorKind::InvalidValue => {
            let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) else { return };
            let found = nearest(&text(ContextKind::InvalidValue), known.iter().map(String::as_str));
            if let Some(first) = found.into_iter().next() {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(first));
            }
        }
        _ => {}
    }
}

/// Returns the names with the fewest typing errors: at most one, and one more per four characters.
fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<(usize, &str)> = names.map(|name| (osa_distance(word, name), name)).collect();
    let least = found.iter().map(|(errors, _)| *errors).min().unwrap_or(0);
    found.retain(|(errors, name)| *errors == least && least <= 1 + name.len().min(word.len()) / 4);
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}
