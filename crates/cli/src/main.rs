//! The `bucketwheel` command.

use std::process::ExitCode;

use bucketwheel_cli::args::{Args, Command};
use bucketwheel_cli::error::EXIT_USAGE;
use bucketwheel_cli::files::guard;
use bucketwheel_cli::help::parse;
use bucketwheel_cli::output::{be_quiet, tell};
use bucketwheel_cli::{interrupt, profile, run, stages, Error};

fn main() -> ExitCode {
    guard::install();
    let args = match parse(std::env::args_os().collect()) {
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
    if args.quiet {
        be_quiet();
    }
    // The log of `serve` has its own form.
    if args.verbose && !matches!(args.command, Command::Serve(_)) {
        stages::show();
    }
    // `tune` compares with the defaults.
    if !matches!(args.command, Command::Tune(_)) {
        profile::install()?;
    }
    run(args, &interrupt::install()?, &mut std::io::stdout().lock())
}
