//! Result of an import.

use std::io::{self, Seek, Write};

use ark_ff::BigInt;
use bucketwheel::MontgomeryWords;

use crate::file::write_wtns;
use crate::PairingCurve;

/// Counts of a circuit, and its witness.
#[derive(Clone, Debug)]
pub struct Imported<F> {
    /// Number of outputs: variables 1 and on.
    pub outputs: usize,
    /// Number of public inputs: the variables after the outputs.
    pub public_inputs: usize,
    /// Number of private inputs: the variables after the public inputs.
    pub private_inputs: usize,
    /// Number of constraints.
    pub constraints: usize,
    /// The values of all variables, the constant 1 first.
    pub witness: Vec<F>,
}

impl<F: MontgomeryWords<BigInt = BigInt<4>>> Imported<F> {
    /// Writes the witness as `.wtns`. The [example](crate::jsnark) uses it.
    ///
    /// # Errors
    /// The output's errors.
    pub fn write_wtns<E: PairingCurve<ScalarField = F>, W: Write + Seek>(&self, out: W) -> io::Result<W> {
        let values: Vec<_> = self.witness.iter().map(|value| value.to_integer()).collect();
        write_wtns(out, E::ID, &values)
    }
}
