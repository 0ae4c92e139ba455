//! `import`: circuits of other tools.

use std::io::Write;

use ark_ff::{BigInt, PrimeField};
use bucketwheel_groth16::jsnark::{import, ImportError};
use bucketwheel_groth16::{with_curve, PairingCurve};

use super::in_file;
use crate::args::{ImportArgs, ImportCommand, ImportJsnarkArgs};
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::visible;
use crate::runtime::Context;

/// Imports a circuit.
///
/// # Errors
/// For files that cannot be used, outputs that cannot be written, or if cancelled.
pub fn run(args: &ImportArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    match &args.what {
        ImportCommand::Jsnark(args) => with_curve!(args.curve, E => jsnark::<E>(args, context, out))?,
    }
}

fn jsnark<E: PairingCurve<ScalarField: PrimeField<BigInt = BigInt<4>>>>(
    args: &ImportJsnarkArgs,
    context: Context<'_>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let circuit = files::map_as(&args.circuit, "an .arith file, a circuit of jsnark")?;
    let inputs = files::map_as(&args.inputs, "an .in file, a circuit's inputs")?;
    let bar = context.bar_of("import", &args.circuit);
    let mut r1cs = Output::create(&args.r1cs)?;
    let mut wtns = Output::create_private(&args.wtns)?;
    let imported =
        r1cs.stream(|file| match import::<E, _>(&circuit, &inputs, file, context.cancel, &bar) {
            Ok(imported) => Ok(Ok(imported)),
            Err(ImportError::Jsnark(error)) => Ok(Err(error)),
            Err(ImportError::Output(error)) => Err(error),
        })?;
    drop(bar);
    context.check()?;
    let imported = imported.map_err(|error| {
        let path = if error.in_inputs { &args.inputs } else { &args.circuit };
        in_file(path)(error)
    })?;
    wtns.stream(|file| imported.write_wtns::<E, _>(file).map(drop))?;
    r1cs.finish()?;
    wtns.finish()?;
    let (constraints, values) = (imported.constraints, imported.witness.len());
    let (r1cs, wtns) = (visible(args.r1cs.display()), visible(args.wtns.display()));
    writeln!(out, "{} circuit of {constraints} constraints: {r1cs}", E::ID)?;
    writeln!(out, "witness of {values} values: {wtns}")?;
    Ok(())
}
