//! The commands, one per file.

pub mod bench;
pub mod bench_table;
pub mod check;
pub mod cluster;
pub mod compare;
pub mod convert;
pub mod demo;
pub mod eip2537;
pub mod explore;
pub mod generate;
pub mod groth16;
pub mod info;
pub mod kzg;
pub mod msm;
pub mod msmac;
pub mod schedule;
pub mod serve;
pub mod shell;
pub mod simulate;
mod simulator;
pub mod table;
pub mod tune;

use std::io::Write;
use std::sync::Arc;

use bucketwheel::Cancel;

use crate::args::formats::KzgCommand;
use crate::args::{Args, BenchCommand, Command, ImportCommand, R1csCommand};
use crate::error::{own, Error};
use crate::files::check_distinct;
use crate::profile::Place;
use crate::runtime::{Context, ProgressArg, Reporter};

/// Runs a command and writes its results to `out`, or to standard error if one of its outputs is standard output.
///
/// # Errors
/// [`Error::SameFile`] before anything else, and the command's errors.
pub fn run(args: Args, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let profile = Place::find();
    let mut files = args.command.files(profile.path());
    let is_out_taken = files.take_streams(&args.command).map_err(own)?;
    check_distinct(&files.inputs, &files.outputs)?;
    let progress = if args.quiet { ProgressArg::None } else { args.progress };
    let reporter = Arc::new(Reporter::new(progress));
    let context = Context { cancel, reporter: &reporter };
    let mut errors: Box<dyn Write> =
        if args.quiet { Box::new(std::io::sink()) } else { Box::new(std::io::stderr()) };
    let out = if is_out_taken { &mut *errors } else { out };
    match &args.command {
        Command::Generate(args) => generate::run(args, context, out),
        Command::Msm(args) => msm::run(args, context, out),
        Command::Table(args) => table::run(args, context, out),
        Command::Setup(args) => groth16::setup::run(args, context, out),
        Command::Prove(args) => groth16::prove::run(args, context, out),
        Command::Verify(args) => groth16::verify::run(args, out),
        Command::Witness(args) => groth16::witness::run(args, context, out),
        Command::Serve(args) => serve::run(args, context, out),
        Command::Zkey(args) => groth16::zkey::run(args, context, out),
        Command::R1cs(R1csCommand::Info(args)) => groth16::r1cs::info(args, out),
        Command::Import(ImportCommand::Jsnark(args)) => groth16::import::jsnark(args, context, out),
        Command::Bench(BenchCommand::Msm(args)) => bench::run(args, context, out),
        Command::Bench(BenchCommand::Table(args)) => bench_table::run(args, context, out),
        Command::Compare(args) => compare::run(args, context, out),
        Command::Schedule(args) => schedule::run(args, context, out),
        Command::Simulate(args) => simulate::run(args, context, out),
        Command::Explore(args) => explore::run(args, context, out),
        Command::Msmac(args) => msmac::run(args, out),
        Command::Convert(args) => convert::run(args, context, out),
        Command::Check(args) => check::run(args, context, out),
        Command::Eip2537(args) => eip2537::run(args, context, out),
        Command::Kzg(KzgCommand::Commit(args)) => kzg::commit(args, context, out),
        Command::Cluster(args) => cluster::run(args),
        Command::Tune(args) => tune::run(args, context, out),
        Command::Info(args) => info::run(args, out),
        Command::Demo(args) => demo::run(args, context, out),
        Command::Completions(args) => shell::completions(args, out),
        Command::Man(args) => shell::man(args, out),
    }
}
