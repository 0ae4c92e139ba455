//! The `bucketwheel` command.

use std::io::Write;
use std::process::ExitCode;

use bucketwheel_cli::args::{Args, Command};
use bucketwheel_cli::{interrupt, profile, run, Error};
use clap::Parser;

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = start(args);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Who closed the pipe has read enough.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if standard error is gone too.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn start(args: Args) -> Result<(), Error> {
    // What is tuned is compared with the defaults.
    if !matches!(args.command, Command::Tune(_)) {
        profile::install()?;
    }
    run(args, &interrupt::install()?, &mut std::io::stdout().lock())
}
