//! Tries to break Bucketwheel until the time is over: `torture all --seconds 3600`. It prints each failure as the
//! command line that repeats it.
//!
//! # Where changes go
//! - Another way to break it: a file here, and its `Runner` and its share of the time in `main.rs`.
//! - The independent arithmetic that sums are compared with: `reference.rs`; random points and scalars: `inputs.rs`.
//! - Damaged files: `files.rs`; the properties of their parsers: `crates/properties`; of two tables in memory: `tables.rs`.
//! - The line that repeats a failure: `drive.rs`.
//! - Faulty keys: `keys.rs`; clients that misbehave: `sockets.rs`.

#![forbid(unsafe_code)]

mod callbacks;
mod drive;
mod files;
mod inputs;
mod keys;
mod kills;
mod lies;
mod reference;
mod shared;
mod sockets;
mod sums;
mod tables;
mod vectors;
mod writers;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Parser, ValueEnum};

use drive::Session;
use shared::THREADS;

/// Tries to break Bucketwheel until the time is over.
#[derive(Parser, Debug)]
struct Args {
    /// Tests to run
    #[arg(value_enum, default_value = "all")]
    runner: Runner,
    /// Seconds to run for
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Seed of the random choices [default: the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Run only this case
    #[arg(long)]
    case: Option<u64>,
    /// The command to kill and to connect to [default: the command beside this program]
    #[arg(long)]
    command: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    /// Random sums against a second arithmetic
    Sums,
    /// Damaged files of every format
    Files,
    /// Proving keys with faults by construction
    Keys,
    /// Commands that are killed, asked to end, find the disk full, or lose a part of an input
    Kills,
    /// Programs in C and Python that write one file from many threads, and are killed
    Writers,
    /// Progress and cancellation that misbehave
    Callbacks,
    /// Clients that misbehave, against a server on this machine
    Sockets,
    /// Test vectors of other projects, from the folder that BUCKETWHEEL_VECTORS names
    Vectors,
    /// Workers of a cluster that lie, on Ray (docs/cluster.md); not part of `all`
    Lies,
    /// All of these except lies, one after the other
    All,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
    let session = Session { seed: args.seed.unwrap_or_else(clock), case: args.case };
    match run(&args, &session) {
        Ok(counts) => {
            println!("torture: {}; nothing found", counts.join(", "));
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the requested runners. Returns the numbers of cases, by runner.
fn run(args: &Args, session: &Session) -> Result<Vec<String>, String> {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global().map_err(|error| error.to_string())?;
    drive::keep_panics();
    println!("torture: --seed {}", session.seed);
    let mut counts = Vec::new();
    // Damaged files run many times a second, and have their own tests.
    for (runner, percent) in [
        (Runner::Sums, 45),
        (Runner::Callbacks, 15),
        (Runner::Files, 5),
        (Runner::Keys, 5),
        (Runner::Kills, 15),
        (Runner::Writers, 5),
        (Runner::Sockets, 10),
        (Runner::Vectors, 0),
        (Runner::Lies, 0),
    ] {
        // Ray takes longer to start than the time of the other runners, and some machines lack Ray.
        if runner == Runner::Lies && args.runner != runner {
            continue;
        }
        if ![runner, Runner::All].contains(&args.runner) {
            continue;
        }
        let percent = if args.runner == Runner::All { percent } else { 100 };
        let time = Duration::from_millis(args.seconds * 10 * percent);
        let count = match runner {
            Runner::Sums => sums::run(session, time),
            Runner::Callbacks => callbacks::run(session, time),
            Runner::Files => files::run(session, time),
            Runner::Keys => keys::run(session, time),
            Runner::Kills => kills::run(session, time, command(args)?),
            Runner::Writers => writers::run(session, time),
            Runner::Sockets => sockets::run(session, time, &command(args)?),
            Runner::Vectors => vectors::run(),
            Runner::Lies => lies::run(session, time),
            Runner::All => continue,
        }?;
        counts.push(count);
    }
    Ok(counts)
}

/// Returns the tested command, as a path that is valid in every directory.
fn command(args: &Args) -> Result<PathBuf, String> {
    let beside = || std::env::current_exe().map(|program| program.with_file_name("bucketwheel"));
    let command = match &args.command {
        Some(path) => path.clone(),
        None => beside().map_err(|error| error.to_string())?,
    };
    command.canonicalize().map_err(|error| {
        format!("{}: {error}: build the command, or name it with --command", command.display())
    })
}
