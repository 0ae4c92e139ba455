//! The `bucketwheel` command.

use std::io::Write;
use std::process::ExitCode;

use bucketwheel_cli::args::Args;
use bucketwheel_cli::{interrupt, run};
use clap::Parser;

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = interrupt::install().and_then(|cancel| run(args, &cancel, &mut std::io::stdout().lock()));
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
