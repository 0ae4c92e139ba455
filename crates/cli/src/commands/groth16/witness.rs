//! `witness`: calculates a witness, or says whether one satisfies a circuit.

use std::io::Write;

use bucketwheel_groth16::check_witness;

#[cfg(feature = "witness")]
use super::calculate::calculate;
use super::{circuit, in_file, witness_of};
#[cfg(not(feature = "witness"))]
use crate::args::WitnessCalculateArgs;
use crate::args::{WitnessArgs, WitnessCheckArgs, WitnessCommand};
use crate::error::Error;
use crate::files;
use crate::runtime::Context;

/// Does what is asked for with a witness.
///
/// # Errors
/// For files that cannot be used, if the witness does not satisfy the circuit, or if cancelled.
pub fn run(args: &WitnessArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    match (&args.what, &args.calculate) {
        (Some(WitnessCommand::Check(args)), _) => check(args, context, out),
        (Some(WitnessCommand::Calculate(args)), _) | (None, Some(args)) => calculate(args, context, out),
        (None, None) => unreachable!("the parser asks for one of them"),
    }
}

/// A build that cannot run circuits.
#[cfg(not(feature = "witness"))]
#[derive(Debug, thiserror::Error)]
#[error(
    "{} cannot be run: this build has no WebAssembly compiler; expected one with the feature witness, which is \
     on by default: cargo install --path crates/cli",
    .0.display()
)]
struct NoCompiler(std::path::PathBuf);

#[cfg(not(feature = "witness"))]
fn calculate(args: &WitnessCalculateArgs, _: Context<'_>, _: &mut dyn Write) -> Result<(), Error> {
    Err(crate::error::own(NoCompiler(args.circuit.clone())))
}

fn check(args: &WitnessCheckArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let circuit_file = files::map_as(&args.circuit.path, "an .r1cs file, a circuit")?;
    let witness = files::map_as(&args.witness.path, "a .wtns file, a witness")?;
    let bar = context.bar_of("check", &args.witness.path);
    let constraints = args.threads.pool()?.install(|| {
        let circuit = circuit(&args.circuit.path, &circuit_file)?;
        let witness = witness_of(&args.witness.path, &witness)?;
        check_witness(&circuit, &witness, context.cancel, &bar).map_err(in_file(&args.witness.path))?;
        Ok::<_, Error>(circuit.header.constraints)
    })?;
    drop(bar);
    writeln!(out, "OK: the witness satisfies all {constraints} constraints")?;
    Ok(())
}
