//! Runs Bucketwheel beside its public peers: interleaved in one run, on the
//! same inputs, with all results compared.

mod args;
mod cell;
mod child;
mod files;
mod groth16;
mod inputs;
mod machine;
mod measure;
mod operations;
mod peers;
mod report;
mod reproduce;
mod results;
mod stats;
mod transforms;

use anyhow::Result;
use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            let message = error.to_string();
            let line = message.lines().next().unwrap_or_default();
            return fail(format!("{} (see --help)", line.trim_start_matches("error: ")));
        }
    };
    match run(args.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(format!("{error:#}")),
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Kernels(args) => operations::kernels(&args).map(drop),
        Command::Adders(args) => operations::adders(&args).map(drop),
        Command::Floor(args) => operations::floor(&args),
        Command::Msm(args) => measure::run(&args),
        Command::Join(args) => report::join(&args),
        Command::Ntt(args) => transforms::run(&args),
        Command::Groth16(args) => groth16::run(&args),
        Command::Serve(args) => groth16::serve(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Setup(args) => groth16::setup(&args),
        Command::Prove(args) => groth16::prove(&args),
        Command::MakeKey(args) => groth16::make_key(&args),
    }
}

fn fail(message: String) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}
