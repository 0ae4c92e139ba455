//! `r1cs`: shows the content of a circuit.

use std::io::Write;

use bucketwheel_groth16::snarkjs_name;
use serde::Serialize;

use super::{circuit, texts};
use crate::args::R1csInfoArgs;
use crate::error::Error;
use crate::files;
use crate::output::{self, visible};

#[derive(Serialize)]
struct Info {
    curve: &'static str,
    /// The length of a witness.
    wires: usize,
    outputs: usize,
    public_inputs: usize,
    private_inputs: usize,
    /// Number of signals in the source.
    labels: u64,
    constraints: usize,
    /// Number of terms of A, B and C in all constraints.
    terms: [usize; 3],
    /// Size of the domain of a Groth16 key for the circuit.
    domain_size: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// Shows a circuit's size.
///
/// # Errors
/// For unusable circuits.
pub fn info(args: &R1csInfoArgs, out: &mut dyn Write) -> Result<(), Error> {
    let map = files::map_as(&args.circuit.path, "an .r1cs file, a circuit")?;
    let circuit = circuit(&args.circuit.path, &map)?;
    let header = circuit.header;
    let mut terms = [0; 3];
    for constraint in circuit.constraints() {
        for (sum, part) in terms.iter_mut().zip([constraint.a, constraint.b, constraint.c]) {
            *sum += part.len();
        }
    }
    let info = Info {
        curve: snarkjs_name(header.curve),
        wires: header.wires,
        outputs: header.outputs,
        public_inputs: header.public_inputs,
        private_inputs: header.private_inputs,
        labels: header.labels,
        constraints: header.constraints,
        terms,
        domain_size: header.domain_size(),
        warnings: texts(circuit.warnings()),
    };
    if args.output.json {
        return output::json(out, &info);
    }
    let Info { curve, wires, outputs, public_inputs, private_inputs, labels, constraints, .. } = info;
    writeln!(out, "{}: a circuit for {curve}", visible(args.circuit.path.display()))?;
    writeln!(out, "  constraints   {constraints}, domain of 2^{}", info.domain_size.ilog2())?;
    writeln!(out, "  wires         {wires}, of {labels} signals in the source")?;
    writeln!(out, "  outputs       {outputs}")?;
    writeln!(out, "  inputs        {public_inputs} public, {private_inputs} private")?;
    writeln!(out, "  terms         {} in A, {} in B, {} in C", terms[0], terms[1], terms[2])?;
    Ok(())
}
