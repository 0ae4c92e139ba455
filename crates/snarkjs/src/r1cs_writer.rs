//! Writes an `.r1cs`, constraint by constraint.

use std::io::{self, Seek, Write};

use ark_ff::BigInt;

use super::element::write_words;
use super::r1cs::{CONSTRAINTS, HEADER, LABELS};
use super::sections::{count_bytes, invalid, SectionWriter, Start};
use super::{Kind, R1csHeader};
use crate::CurveId;

/// The terms of a linear combination: wires and canonical coefficients.
pub type Terms = [(u32, BigInt<4>)];

/// Writes a circuit. Each constraint is `[A, B, C]`. The number of constraints must be the header's, and their wires
/// and coefficients must be in range. Wires get their own numbers as labels.
///
/// The [example](crate::R1cs) uses it.
///
/// # Errors
/// The output's errors; `InvalidInput` if the number of constraints differs, or if a number does not fit.
pub fn write_r1cs<W: Write + Seek, T: AsRef<Terms>>(
    out: W,
    header: &R1csHeader,
    constraints: impl IntoIterator<Item = [T; 3]>,
) -> io::Result<W> {
    let mut file = R1csWriter::new(out, header.curve)?;
    for constraint in constraints {
        file.constraint(constraint.each_ref().map(|terms| terms.as_ref().iter().copied()))?;
    }
    file.finish(header)
}

/// Writer of a circuit whose header is known only after all constraints.
pub struct R1csWriter<W> {
    file: SectionWriter<W>,
    header: Start,
    section: Start,
    constraints: usize,
    /// Number of bytes of a constraint.
    bytes: Vec<u8>,
}

impl<W: Write + Seek> R1csWriter<W> {
    /// Starts a circuit over a curve's scalar field. The [example](crate::R1cs) uses it.
    ///
    /// # Errors
    /// The output's errors.
    pub fn new(out: W, curve: CurveId) -> io::Result<Self> {
        let mut file = SectionWriter::new(out, Kind::R1cs, 3)?;
        let unknown = R1csHeader {
            curve,
            wires: 0,
            outputs: 0,
            public_inputs: 0,
            private_inputs: 0,
            labels: 0,
            constraints: 0,
        };
        let header = file.start(HEADER)?;
        file.write_all(&header_bytes(&unknown)?)?;
        file.end(header)?;
        let section = file.start(CONSTRAINTS)?;
        Ok(R1csWriter { file, header, section, constraints: 0, bytes: Vec::new() })
    }

    /// Appends a constraint: terms of A, B and C, a wire and a canonical coefficient each.
    /// The [example](crate::R1cs) uses it.
    ///
    /// # Errors
    /// The output's errors; `InvalidInput` if there are 2^32 terms or more.
    pub fn constraint(
        &mut self,
        combinations: [impl ExactSizeIterator<Item = (u32, BigInt<4>)>; 3],
    ) -> io::Result<()> {
        self.bytes.clear();
        for terms in combinations {
            self.bytes.extend_from_slice(&count_bytes(terms.len())?);
            for (wire, coefficient) in terms {
                self.bytes.extend_from_slice(&wire.to_le_bytes());
                write_words(&coefficient.0, &mut self.bytes);
            }
        }
        self.constraints += 1;
        self.file.write_all(&self.bytes)
    }

    /// Ends the circuit. The curve in the header is the curve that the writer started with.
    /// The [example](crate::R1cs) uses it.
    ///
    /// # Errors
    /// The errors of [`write_r1cs`].
    pub fn finish(mut self, header: &R1csHeader) -> io::Result<W> {
        if self.constraints != header.constraints {
            let (found, expected) = (self.constraints, header.constraints);
            return Err(invalid(format!("{found} constraints: expected {expected}")));
        }
        self.file.end(self.section)?;
        let labels = self.file.start(LABELS)?;
        (0..header.wires as u64).try_for_each(|label| self.file.write_all(&label.to_le_bytes()))?;
        self.file.end(labels)?;
        self.file.overwrite(self.header, &header_bytes(header)?)?;
        self.file.finish()
    }
}

fn header_bytes(header: &R1csHeader) -> io::Result<Vec<u8>> {
    let order = header.curve.order();
    let mut bytes = count_bytes(order.len())?.to_vec();
    bytes.extend_from_slice(order);
    for count in [header.wires, header.outputs, header.public_inputs, header.private_inputs] {
        bytes.extend_from_slice(&count_bytes(count)?);
    }
    bytes.extend_from_slice(&header.labels.to_le_bytes());
    bytes.extend_from_slice(&count_bytes(header.constraints)?);
    Ok(bytes)
}
