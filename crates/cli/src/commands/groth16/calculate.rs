//! `witness calculate`: runs a circuit's WebAssembly.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bucketwheel_groth16::file::{main_signals, snarkjs_name, write_wtns};
use bucketwheel_groth16::witness::{Calculator, Inputs, Witness};

use super::symbols::map_symbols;
use super::{in_file, MAX_JSON};
use crate::args::WitnessCalculateArgs;
use crate::error::Error;
use crate::files::{self, destination, Output};
use crate::inputs::check_memory;
use crate::output::{tell, visible};
use crate::runtime::Context;

/// Largest number of bytes of memory for a byte of JSON: a value of 32 bytes for a digit and its comma, in a list
/// that grows by doubling.
const OF_JSON: usize = 48;

/// Writes the witness of a circuit for some inputs.
///
/// # Errors
/// For unusable files, for inputs without a witness, and cancellation.
pub fn calculate(
    args: &WitnessCalculateArgs,
    context: Context<'_>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let limits = Calculator::new()
        .memory_limit((args.memory as usize) << 20)
        .time_limit(Duration::from_secs(args.timeout.into()));
    let witness = witness_of_inputs(&args.circuit, &args.inputs, args.sym.as_deref(), limits, context)?;
    let mut file = Output::create_private(destination(&args.out))?;
    file.stream(|file| write_wtns(file, witness.curve, &witness.values).map(drop))?;
    file.finish()?;
    let (curve, values) = (snarkjs_name(witness.curve), witness.values.len());
    writeln!(out, "{curve} witness of {values} values: {}", visible(args.out.display()))?;
    Ok(())
}

/// Returns the witness of a circuit for some inputs, within the limits of a calculator.
///
/// # Errors
/// For unusable files, for inputs without a witness, and cancellation.
pub fn witness_of_inputs(
    circuit_path: &Path,
    inputs_path: &Path,
    sym: Option<&Path>,
    limits: Calculator,
    context: Context<'_>,
) -> Result<Witness, Error> {
    let circuit = files::map_as(circuit_path, "a circuit's .wasm file, made by circom")?;
    let inputs = files::map_at_most(inputs_path, MAX_JSON, "a JSON file, the circuit's inputs")?;
    check_memory(inputs.len().saturating_mul(OF_JSON))?;
    let inputs = Inputs::from_json(&inputs).map_err(in_file(inputs_path))?;
    let symbols = map_symbols(sym, circuit_path)?;
    let names = symbols.and_then(|symbols| main_signals(&symbols).ok()).unwrap_or_default();
    let bar = Arc::new(context.bar_of("calculate", circuit_path).steps(1));
    let calculator = limits
        .cancel(context.cancel)
        .names(Arc::new(names))
        .progress(bar.clone())
        // The circuit's messages are not a result.
        .log(|line| tell(line));
    let witness = calculator.calculate(&circuit, &inputs).map_err(|error| {
        let path = if error.is_about_inputs() { inputs_path } else { circuit_path };
        in_file(path)(error)
    })?;
    bar.clear();
    Ok(witness)
}
