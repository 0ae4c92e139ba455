//! `witness`: calculates a witness, or checks a witness against a circuit.

use std::io::Write;

use bucketwheel_groth16::{check_witness_named, Error as Groth16Error, Unsatisfied};
use serde::Serialize;

#[cfg(feature = "witness")]
use super::calculate::calculate;
use super::symbols::map_symbols;
use super::{circuit, export, in_file, witness_of};
use crate::args::export::WitnessExport;
#[cfg(not(feature = "witness"))]
use crate::args::WitnessCalculateArgs;
use crate::args::{WitnessArgs, WitnessCheckArgs, WitnessCommand};
use crate::error::Error;
use crate::runtime::Context;
use crate::{files, output};

/// Runs a command on a witness.
///
/// # Errors
/// For unusable files, a witness that does not satisfy the circuit, and cancellation.
pub fn run(args: &WitnessArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    match (&args.what, &args.calculate) {
        (Some(WitnessCommand::Check(args)), _) => check(args, context, out),
        (Some(WitnessCommand::ExportJson(args) | WitnessCommand::Export(WitnessExport::Json(args))), _) => {
            export::witness(args, out)
        }
        (Some(WitnessCommand::Calculate(args)), _) | (None, Some(args)) => calculate(args, context, out),
        (None, None) => unreachable!("the parser asks for one of them"),
    }
}

/// This build cannot run circuits.
#[cfg(not(feature = "witness"))]
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot run {}: this build has no WebAssembly compiler; build it with the feature witness, which is \
     on by default: cargo install --path crates/cli",
    .0.display()
)]
pub(super) struct NoCompiler(pub std::path::PathBuf);

#[cfg(not(feature = "witness"))]
fn calculate(args: &WitnessCalculateArgs, _: Context<'_>, _: &mut dyn Write) -> Result<(), Error> {
    Err(crate::error::own(NoCompiler(args.circuit.clone())))
}

/// The JSON of a check.
#[derive(Serialize)]
struct Verdict {
    satisfied: bool,
    /// Number of constraints of the circuit.
    constraints: usize,
    /// The first constraint that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsatisfied: Option<Box<Unsatisfied>>,
}

fn check(args: &WitnessCheckArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let circuit_file = files::map_as(&args.circuit.path, "an .r1cs file, a circuit")?;
    let witness = files::map_as(&args.witness.path, "a .wtns file, a witness")?;
    let symbols = map_symbols(args.symbols.path.as_deref(), &args.circuit.path)?;
    let bar = context.bar_of("check", &args.witness.path);
    let (constraints, unsatisfied) = args.threads.pool()?.install(|| {
        let circuit = circuit(&args.circuit.path, &circuit_file)?;
        let witness = witness_of(&args.witness.path, &witness)?;
        let unsatisfied =
            match check_witness_named(&circuit, &witness, symbols.as_deref(), context.cancel, &bar) {
                Ok(()) => None,
                Err(Groth16Error::Unsatisfied(unsatisfied)) => Some(unsatisfied),
                Err(error) => return Err(in_file(&args.witness.path)(error)),
            };
        Ok::<_, Error>((circuit.header.constraints, unsatisfied))
    })?;
    drop(bar);
    let verdict = Verdict { satisfied: unsatisfied.is_none(), constraints, unsatisfied };
    if args.output.json {
        output::json(out, &verdict)?;
    } else if verdict.satisfied {
        writeln!(out, "OK: the witness satisfies all {constraints} constraints")?;
    }
    match verdict.unsatisfied {
        None => Ok(()),
        Some(unsatisfied) => Err(in_file(&args.witness.path)(Groth16Error::Unsatisfied(unsatisfied))),
    }
}
