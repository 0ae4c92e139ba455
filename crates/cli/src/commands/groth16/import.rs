//! `import`: circuits of other tools.

use std::io::Write;

use bucketwheel_circuit::setup::import_jsnark;
use bucketwheel_groth16::{snarkjs_name, Error as Groth16Error};

use super::in_file;
use crate::args::ImportJsnarkArgs;
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::visible;
use crate::runtime::Context;

/// Imports a circuit of jsnark.
///
/// # Errors
/// For unusable files, unwritable outputs, and cancellation.
pub fn jsnark(args: &ImportJsnarkArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let circuit = files::map_as(&args.circuit, "an .arith file, a circuit of jsnark")?;
    let inputs = files::map_as(&args.inputs, "an .in file, a circuit's inputs")?;
    let bar = context.bar_of("import", &args.circuit);
    let mut r1cs = Output::create(&args.r1cs)?;
    let mut wtns = Output::create_private(&args.wtns)?;
    let imported =
        r1cs.stream(|file| import_jsnark(args.curve, &circuit, &inputs, file, context.cancel, &bar))?;
    drop(bar);
    context.check()?;
    let imported = imported.map_err(|error| {
        let in_inputs = matches!(&error, Groth16Error::Jsnark(error) if error.in_inputs);
        in_file(if in_inputs { &args.inputs } else { &args.circuit })(error)
    })?;
    wtns.stream(|file| imported.write_wtns(file))?;
    r1cs.finish()?;
    wtns.finish()?;
    let (constraints, values) = (imported.constraints(), imported.values());
    let (r1cs, wtns) = (visible(args.r1cs.display()), visible(args.wtns.display()));
    writeln!(out, "{} circuit of {constraints} constraints: {r1cs}", snarkjs_name(args.curve))?;
    writeln!(out, "witness of {values} values: {wtns}")?;
    Ok(())
}
