//! Writes an `.r1cs`, constraint by constraint.

use std::io::{self, Seek, Write};

use ark_ff::BigInt;

use super::element::write_words;
use super::r1cs::{CONSTRAINTS, HEADER, LABELS};
use super::sections::{count_bytes, invalid, SectionWriter};
use super::{Kind, R1csHeader};

/// The terms of a linear combination: wires and canonical coefficients.
pub type Terms = [(u32, BigInt<4>)];

/// Writes a circuit. Each constraint is `[A, B, C]`; there are as many as the header says, and their wires and
/// coefficients are in range. Wires get their own numbers as labels.
///
/// # Errors
/// The output's; of the kind `InvalidInput` if there are more or fewer constraints, or if a number does not fit.
pub fn write_r1cs<W: Write + Seek, T: AsRef<Terms>>(
    out: W,
    header: &R1csHeader,
    constraints: impl IntoIterator<Item = [T; 3]>,
) -> io::Result<W> {
    let mut file = SectionWriter::new(out, Kind::R1cs, 3)?;
    let order = header.curve.order();
    file.section(HEADER, |out| {
        out.write_all(&count_bytes(order.len())?)?;
        out.write_all(&order)?;
        for count in [header.wires, header.outputs, header.public_inputs, header.private_inputs] {
            out.write_all(&count_bytes(count)?)?;
        }
        out.write_all(&header.labels.to_le_bytes())?;
        out.write_all(&count_bytes(header.constraints)?)
    })?;
    file.section(CONSTRAINTS, |out| {
        let mut bytes = Vec::new();
        let mut count = 0;
        for constraint in constraints {
            bytes.clear();
            for terms in &constraint {
                let terms = terms.as_ref();
                bytes.extend_from_slice(&count_bytes(terms.len())?);
                for (wire, coefficient) in terms {
                    bytes.extend_from_slice(&wire.to_le_bytes());
                    write_words(&coefficient.0, &mut bytes);
                }
            }
            out.write_all(&bytes)?;
            count += 1;
        }
        match count == header.constraints {
            true => Ok(()),
            false => Err(invalid(format!("{count} constraints: expected {}", header.constraints))),
        }
    })?;
    file.section(LABELS, |out| {
        (0..header.wires as u64).try_for_each(|label| out.write_all(&label.to_le_bytes()))
    })?;
    file.finish()
}
