//! `witness`: whether a witness satisfies a circuit.

use std::io::Write;

use bucketwheel::Cancel;
use bucketwheel_groth16::check_witness;
use bucketwheel_groth16::file::{R1cs, Wtns};

use super::in_file;
use crate::args::{WitnessArgs, WitnessCheckArgs, WitnessCommand};
use crate::error::Error;
use crate::files;
use crate::runtime::{pool, Bar};

/// Does what is asked for with a witness.
///
/// # Errors
/// For files that cannot be used, if the witness does not satisfy the circuit, or if cancelled.
pub fn run(args: &WitnessArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    match &args.what {
        WitnessCommand::Check(args) => check(args, cancel, out),
    }
}

fn check(args: &WitnessCheckArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let circuit = files::map_as(&args.circuit, "an .r1cs file, a circuit")?;
    let witness = files::map_as(&args.witness, "a .wtns file, a witness")?;
    let bar = Bar::new(&args.witness.display().to_string());
    let constraints = pool(args.threads)?.install(|| {
        let circuit = R1cs::parse(&circuit).map_err(in_file(&args.circuit))?;
        let witness = Wtns::parse(&witness).map_err(in_file(&args.witness))?;
        check_witness(&circuit, &witness, cancel, &bar).map_err(in_file(&args.witness))?;
        Ok::<_, Error>(circuit.header.constraints)
    })?;
    drop(bar);
    writeln!(out, "OK: the witness satisfies all {constraints} constraints")?;
    Ok(())
}
