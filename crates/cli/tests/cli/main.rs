//! The command line from outside: the tests run the program, and check its output and exit code.

mod bench;
#[cfg(unix)]
mod cluster;
mod compare;
mod convert;
mod damage;
mod demo;
mod eip2537;
mod errors;
mod explore;
mod exports;
mod fuzz;
mod generate;
mod groth16;
mod groth16_making;
mod info;
mod interrupt;
mod kzg;
mod limits;
mod memory;
mod msm;
mod names;
mod outputs;
mod progress;
mod prove;
mod rtl;
mod schedule;
mod setups;
mod shell;
mod shortened;
mod simulate;
mod stream;
mod streams;
mod table;
mod terminal;
mod tune;
mod usage;

use std::path::Path;
use std::process::{Command, Output};

/// Variables of the caller that change the backend or the colours: `CI` colours output even in a dumb terminal.
const VARIABLES: [&str; 5] = ["BUCKETWHEEL_BACKEND", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"];

/// Returns the program in this directory, with the default backend, plans and colours.
fn command(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bucketwheel"));
    command.current_dir(directory).env("BUCKETWHEEL_PROFILE", "none");
    for name in VARIABLES {
        command.env_remove(name);
    }
    command
}

/// Runs a line of arguments; none of them has spaces.
fn run(directory: &Path, line: &str) -> Output {
    command(directory).args(line.split_whitespace()).output().unwrap()
}

/// Returns standard error without the lines of progress that a slow machine shows.
fn errors_of(output: &Output) -> String {
    let text = std::str::from_utf8(&output.stderr).unwrap();
    text.split_inclusive('\n').filter(|line| !line.ends_with(" %\n")).collect()
}

/// Returns the standard output of a run that succeeds and prints nothing else.
fn succeed(directory: &Path, line: &str) -> String {
    let output = run(directory, line);
    let errors = errors_of(&output);
    assert!(output.status.success() && errors.is_empty(), "{line}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the JSON of a run that succeeds.
fn json(directory: &Path, line: &str) -> serde_json::Value {
    serde_json::from_str(&succeed(directory, line)).unwrap()
}

/// Returns the error of a run that must fail: one line, exit code 1, no other output.
fn fail(directory: &Path, line: &str) -> String {
    error_of(&run(directory, line), 1)
}

fn error_of(output: &Output, code: i32) -> String {
    let errors = errors_of(output);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    let message = errors.strip_prefix("error: ").unwrap_or_else(|| panic!("{errors}"));
    assert_eq!(message.trim_end().lines().count(), 1, "{errors}");
    assert!(output.stdout.is_empty());
    message.trim_end().to_owned()
}

/// Returns a temporary directory with `points` and `scalars` of this kind.
fn generated(arguments: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    succeed(directory.path(), &format!("generate {arguments} --points points --scalars scalars"));
    directory
}
