//! `setup`: makes a proving key for development.

use std::io::Write;

use bucketwheel_circuit::setup::setup;
use bucketwheel_groth16::file::{snarkjs_name, R1cs};

use super::{circuit, in_file};
use crate::args::SetupArgs;
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::{visible, warn};
use crate::runtime::Context;

/// Makes a key, and its verifying key if the user asks for it.
///
/// # Errors
/// For unusable circuits, unwritable outputs, and cancellation.
pub fn run(args: &SetupArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let map = files::map_as(&args.circuit.path, "an .r1cs file, a circuit")?;
    let circuit = circuit(&args.circuit.path, &map)?;
    let (curve, constraints) = (snarkjs_name(circuit.header.curve), circuit.header.constraints);
    args.threads.pool()?.install(|| make(args, circuit, context))?;
    let key = args.out.display();
    warn(format_args!("{key} is for development: its maker can forge proofs"));
    writeln!(out, "{curve} key for {constraints} constraints: {}", visible(key))?;
    Ok(())
}

fn make(args: &SetupArgs, circuit: R1cs<'_>, context: Context<'_>) -> Result<(), Error> {
    let mut key = Output::create(&args.out)?;
    let vkey = args.vkey.as_deref().map(Output::create).transpose()?;
    let bar = context.bar_of("setup", &args.out);
    let setup = setup(circuit, args.insecure_seed).map_err(in_file(&args.circuit.path))?;
    let written = key.stream(|file| setup.write_zkey(file, context.cancel, &bar));
    context.check()?;
    written?;
    if let Some(mut vkey) = vkey {
        vkey.write(setup.verifying_key().to_text().as_bytes())?;
        vkey.finish()?;
    }
    Ok(key.finish_durably()?)
}
