//! The `bucketwheel` command.

use std::process::ExitCode;

use bucketwheel_cli::args::{Args, Command};
use bucketwheel_cli::error::EXIT_USAGE;
use bucketwheel_cli::files::guard;
use bucketwheel_cli::output::tell;
use bucketwheel_cli::{interrupt, profile, run, Error};
use clap::Parser;

fn main() -> ExitCode {
    guard::install();
    let args = match Args::try_parse() {
        Ok(args) => args,
        // Help, or the version.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            error.render().to_string().lines().for_each(tell);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match start(args) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closed the pipe has read enough.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            tell(format_args!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

fn start(args: Args) -> Result<(), Error> {
    // `tune` compares with the defaults.
    if !matches!(args.command, Command::Tune(_)) {
        profile::install()?;
    }
    run(args, &interrupt::install()?, &mut std::io::stdout().lock())
}
