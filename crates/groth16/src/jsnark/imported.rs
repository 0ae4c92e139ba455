//! Result of an import.

use std::io::{self, Seek, Write};

use ark_ff::BigInt;
use bucketwheel::MontgomeryWords;

use crate::file::{write_r1cs, write_wtns, R1csHeader};
use crate::PairingCurve;

/// A circuit and its witness.
#[derive(Clone, Debug)]
pub struct Imported<F> {
    /// Number of outputs: variables 1 and on.
    pub outputs: usize,
    /// Number of public inputs: the variables after the outputs.
    pub public_inputs: usize,
    /// Number of private inputs: the variables after those.
    pub private_inputs: usize,
    /// A, B and C of each constraint: terms of a variable and a coefficient.
    pub constraints: Vec<[Vec<(u32, F)>; 3]>,
    /// The values of all variables, the constant 1 first.
    pub witness: Vec<F>,
}

impl<F: MontgomeryWords<BigInt = BigInt<4>>> Imported<F> {
    /// Writes the constraints as `.r1cs`.
    ///
    /// # Errors
    /// The output's.
    pub fn write_r1cs<E: PairingCurve<ScalarField = F>, W: Write + Seek>(&self, out: W) -> io::Result<W> {
        let header = R1csHeader {
            curve: E::ID,
            wires: self.witness.len(),
            outputs: self.outputs,
            public_inputs: self.public_inputs,
            private_inputs: self.private_inputs,
            labels: self.witness.len() as u64,
            constraints: self.constraints.len(),
        };
        let canonical = |terms: &Vec<(u32, F)>| -> Vec<_> {
            terms.iter().map(|(variable, coefficient)| (*variable, coefficient.to_integer())).collect()
        };
        write_r1cs(
            out,
            &header,
            self.constraints.iter().map(|constraint| constraint.each_ref().map(canonical)),
        )
    }

    /// Writes the witness as `.wtns`.
    ///
    /// # Errors
    /// The output's.
    pub fn write_wtns<E: PairingCurve<ScalarField = F>, W: Write + Seek>(&self, out: W) -> io::Result<W> {
        let values: Vec<_> = self.witness.iter().map(|value| value.to_integer()).collect();
        write_wtns(out, E::ID, &values)
    }
}
