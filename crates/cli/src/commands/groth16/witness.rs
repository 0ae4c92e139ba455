//! `witness`: calculates a witness, or says whether one satisfies a circuit.

use std::io::Write;
use std::time::Duration;

use bucketwheel::Cancel;
use bucketwheel_groth16::check_witness;
use bucketwheel_groth16::file::{write_wtns, R1cs, Wtns};
use bucketwheel_groth16::witness::{Calculator, Inputs};

use super::{in_file, MAX_JSON};
use crate::args::{WitnessArgs, WitnessCalculateArgs, WitnessCheckArgs, WitnessCommand};
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::{tell, visible};
use crate::runtime::{pool, Bar};

/// Does what is asked for with a witness.
///
/// # Errors
/// For files that cannot be used, if the witness does not satisfy the circuit, or if cancelled.
pub fn run(args: &WitnessArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    match (&args.what, &args.calculate) {
        (Some(WitnessCommand::Check(args)), _) => check(args, cancel, out),
        (Some(WitnessCommand::Calculate(args)), _) | (None, Some(args)) => calculate(args, cancel, out),
        (None, None) => unreachable!("the parser asks for one of them"),
    }
}

fn calculate(args: &WitnessCalculateArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let circuit = files::map_as(&args.circuit, "a circuit's .wasm file, made by circom")?;
    let inputs = files::map_at_most(&args.inputs, MAX_JSON, "a JSON file, the circuit's inputs")?;
    let inputs = Inputs::from_json(&inputs).map_err(in_file(&args.inputs))?;
    let calculator = Calculator::new()
        .memory_limit((args.memory as usize) << 20)
        .time_limit(Duration::from_secs(args.timeout.into()))
        .cancel(cancel)
        // What the circuit says is not a result.
        .log(|line| tell(line));
    let witness = calculator.calculate(&circuit, &inputs).map_err(|error| {
        let path = if error.is_about_inputs() { &args.inputs } else { &args.circuit };
        in_file(path)(error)
    })?;
    let mut file = Output::create_private(&args.out)?;
    file.stream(|file| write_wtns(file, witness.curve, &witness.values).map(drop))?;
    file.finish()?;
    let (curve, values) = (witness.curve, witness.values.len());
    writeln!(out, "{curve} witness of {values} values: {}", visible(args.out.display()))?;
    Ok(())
}

fn check(args: &WitnessCheckArgs, cancel: &Cancel, out: &mut dyn Write) -> Result<(), Error> {
    let circuit = files::map_as(&args.circuit, "an .r1cs file, a circuit")?;
    let witness = files::map_as(&args.witness, "a .wtns file, a witness")?;
    let bar = Bar::of(&args.witness);
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
