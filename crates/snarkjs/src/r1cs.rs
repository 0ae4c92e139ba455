//! A circuit's constraints, `.r1cs`, after iden3's specification of the format.
//!
//! | section | content |
//! |---|---|
//! | 1 | bytes of r: u32, r, wires: u32, outputs: u32, public inputs: u32, private inputs: u32, labels: u64, constraints: u32 |
//! | 2 | for each constraint A, B and C with `A w * B w = C w`: number of terms: u32, then wire: u32 and coefficient each |
//! | 3 | the label of each wire: u64; not needed here |
//! | 4, 5 | custom gates of other proof systems and their uses: number: u32, then these; may be absent |
//!
//! Wire 0 is the constant 1; outputs, public and private inputs follow in this order. Coefficients are canonical
//! integers below r.
//!
//! The constant, the outputs and the public inputs are always among the wires. The number of private inputs comes
//! from the source: circom drops the wires of private inputs that no constraint uses, but still counts them. Many
//! versions of circom write sections 4 and 5 into every file; a circuit has custom gates if one of the numbers is not
//! 0.

use ark_ec::pairing::Pairing;
use ark_ff::BigInt;

use super::element::words;
use super::sections::{Reader, Sections};
use super::{FileError, FileWarning, Kind, Montgomery, Section};
use crate::{curve_of_order, with_pairing, CurveId};

pub(super) const HEADER: Section = Section { id: 1, name: "header" };
pub(super) const CONSTRAINTS: Section = Section { id: 2, name: "constraints" };
pub(super) const LABELS: Section = Section { id: 3, name: "labels of wires" };
const CUSTOM_GATES: [Section; 2] =
    [Section { id: 4, name: "custom gates" }, Section { id: 5, name: "uses of custom gates" }];

/// Number of bytes of a coefficient.
const VALUE_BYTES: usize = 32;
/// Number of bytes of a term: wire and coefficient.
const TERM_BYTES: usize = 4 + VALUE_BYTES;

/// Header of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct R1csHeader {
    /// The curve whose order is the modulus of the circuit.
    pub curve: CurveId,
    /// The length of a witness, including the constant 1.
    pub wires: usize,
    /// The number of outputs.
    pub outputs: usize,
    /// The number of public inputs.
    pub public_inputs: usize,
    /// The number of private inputs in the circuit's source. circom drops the wires of private inputs that no
    /// constraint uses.
    pub private_inputs: usize,
    /// The number of signals in the circuit's source, before simplification.
    pub labels: u64,
    /// The number of constraints.
    pub constraints: usize,
}

impl R1csHeader {
    /// Returns the number of public signals, wires 1 to this number: outputs, then public inputs.
    /// The [example](crate::R1cs) uses it.
    pub fn public(&self) -> usize {
        self.outputs + self.public_inputs
    }

    /// Returns the size of the domain of a Groth16 key: a row for each constraint, the constant and each public
    /// signal. The [example](crate::R1cs) uses it.
    pub fn domain_size(&self) -> usize {
        (self.constraints + self.public() + 1).next_power_of_two()
    }
}

/// A circuit whose constraints stay bytes of the file.
///
/// ```
/// use std::io::Cursor;
///
/// use ark_ff::BigInt;
/// use bucketwheel_snarkjs::{write_r1cs, CurveId, R1cs, R1csHeader, R1csWriter};
///
/// // Wires 1, square (public), root (private): root * root = square.
/// let header = R1csHeader {
///     curve: CurveId::Bn254,
///     wires: 3,
///     outputs: 1,
///     public_inputs: 0,
///     private_inputs: 1,
///     labels: 3,
///     constraints: 1,
/// };
/// let (square, root) = ([(1, BigInt::from(1u64))], [(2, BigInt::from(1u64))]);
/// let file = write_r1cs(Cursor::new(Vec::new()), &header, [[&root[..], &root[..], &square[..]]])?.into_inner();
/// let circuit = R1cs::parse(&file)?;
/// assert!(circuit.warnings().is_empty() && !circuit.constraint_bytes().is_empty());
/// assert_eq!((circuit.header.public(), circuit.header.domain_size()), (1, 4));
/// let constraint = circuit.constraints().next().expect("a constraint");
/// assert_eq!((constraint.a.len(), constraint.c.terms().next()), (1, Some(square[0])));
/// assert_eq!(circuit.blocks(1).len(), 1);
///
/// // A writer that learns the header at the end.
/// let mut writer = R1csWriter::new(Cursor::new(Vec::new()), CurveId::Bn254)?;
/// writer.constraint([root.into_iter(), root.into_iter(), square.into_iter()])?;
/// assert_eq!(R1cs::parse(&writer.finish(&header)?.into_inner())?.header, header);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct R1cs<'a> {
    /// Counts.
    pub header: R1csHeader,
    warning: Option<FileWarning>,
    constraints: &'a [u8],
}

impl<'a> R1cs<'a> {
    /// Reads a circuit and checks all of it. Costs one pass over the bytes, on the calling thread.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError`] for the first error; [`FileError::Unsupported`] for custom gates.
    pub fn parse(file: &'a [u8]) -> Result<Self, FileError> {
        let sections = Sections::parse(file, Kind::R1cs)?;
        CUSTOM_GATES.into_iter().try_for_each(|gates| check_custom_gates(&sections, gates))?;
        let header = parse_header(&sections)?;
        // Labels take 8 bytes a wire, but may be absent. A number alone must not cause memory for all wires.
        if header.wires > file.len() {
            return Err(FileError::Number {
                what: "the number of wires".into(),
                found: header.wires as u64,
                expected: format!("at most one for each of the file's {} bytes", file.len()),
            });
        }
        let constraints = sections.get(CONSTRAINTS)?;
        let checked: Result<(), FileError> =
            with_pairing!(header.curve, E => check::<<E as Pairing>::ScalarField>(constraints, &header))?;
        checked?;
        Ok(R1cs { header, warning: sections.warning, constraints })
    }

    /// Returns warnings for the owner of the file. The [example](Self) uses it.
    pub fn warnings(&self) -> Vec<FileWarning> {
        self.warning.into_iter().collect()
    }

    /// Returns the bytes of the constraints. The [example](Self) uses it.
    pub fn constraint_bytes(&self) -> &'a [u8] {
        self.constraints
    }

    /// Returns the constraints, in order. The [example](Self) uses it.
    pub fn constraints(&self) -> Constraints<'a> {
        Constraints { rest: self.constraints, count: self.header.constraints }
    }

    /// Returns the constraints in blocks of `len`, for several threads. Costs a look at the length of each
    /// constraint. The [example](Self) uses it.
    ///
    /// # Panics
    /// If `len` is 0.
    pub fn blocks(&self, len: usize) -> Vec<Constraints<'a>> {
        let mut all = self.constraints();
        let block = |_| {
            let block = Constraints { rest: all.rest, count: len.min(all.count) };
            all.by_ref().take(len).for_each(drop);
            block
        };
        (0..self.header.constraints.div_ceil(len)).map(block).collect()
    }
}

/// Checks that a section has no custom gates. Like snarkjs' reader, it refuses a section that is too short for its
/// count.
fn check_custom_gates(sections: &Sections<'_>, gates: Section) -> Result<(), FileError> {
    let Some(bytes) = sections.find(gates) else { return Ok(()) };
    match Reader::new(bytes).u32(&gates.to_string())? {
        0 => Ok(()),
        count => Err(FileError::Unsupported {
            found: format!("the circuit has custom gates, {count} in {gates}"),
            expected: "constraints of rank 1 only; compile the circuit for Groth16",
        }),
    }
}

fn parse_header(sections: &Sections<'_>) -> Result<R1csHeader, FileError> {
    let mut reader = Reader::new(sections.get(HEADER)?);
    let what = HEADER.to_string();
    let order = reader.prime(&what)?;
    let curve = curve_of_order(order).ok_or(FileError::Prime { what: "groups' order" })?;
    let mut count = || reader.u32(&what).map(|count| count as usize);
    let [wires, outputs, public_inputs, private_inputs] = [count()?, count()?, count()?, count()?];
    let labels = reader.u64(&what)?;
    let constraints = reader.u32(&what)? as usize;
    reader.end(|| what.clone())?;
    let named = 1 + outputs as u64 + public_inputs as u64;
    if named > wires as u64 {
        return Err(FileError::Number {
            what: "the number of wires".into(),
            found: wires as u64,
            expected: format!("at least {named}, for the constant, outputs and public inputs"),
        });
    }
    Ok(R1csHeader { curve, wires, outputs, public_inputs, private_inputs, labels, constraints })
}

/// Checks the lengths, wires and coefficients of all constraints.
fn check<F: Montgomery>(bytes: &[u8], header: &R1csHeader) -> Result<(), FileError> {
    let mut reader = Reader::new(bytes);
    for constraint in 0..header.constraints {
        for name in ["A", "B", "C"] {
            let what = || format!("{name} of constraint {constraint}");
            let terms = reader.bytes(4, what)?;
            let terms = u32::from_le_bytes(std::array::from_fn(|i| terms[i]));
            let terms = reader.bytes(u64::from(terms) * TERM_BYTES as u64, what)?;
            for (term, bytes) in terms.chunks_exact(TERM_BYTES).enumerate() {
                let (wire, _) = read_term(bytes);
                if wire as usize >= header.wires {
                    let what = format!("the wire of term {term} in {}", what());
                    let expected = format!("less than {}", header.wires);
                    return Err(FileError::Number { what, found: wire.into(), expected });
                }
                if !F::is_reduced(&bytes[4..]) {
                    return Err(FileError::Unreduced {
                        what: format!("the coefficient of term {term} in {}", what()),
                    });
                }
            }
        }
    }
    reader.end(|| format!("the {} constraints", header.constraints))
}

/// A constraint: the product of `a` and `b` equals `c`.
#[derive(Clone, Copy, Debug)]
pub struct Constraint<'a> {
    /// The left factor.
    pub a: LinearCombination<'a>,
    /// The right factor.
    pub b: LinearCombination<'a>,
    /// The product.
    pub c: LinearCombination<'a>,
}

/// A sum of wires, each times a coefficient. A wire may occur more than once.
#[derive(Clone, Copy, Debug)]
pub struct LinearCombination<'a>(&'a [u8]);

impl<'a> LinearCombination<'a> {
    /// Returns the number of terms. The [example](crate::R1cs) uses it.
    pub fn len(&self) -> usize {
        self.0.len() / TERM_BYTES
    }

    /// Returns true if there are no terms; the combination is then 0. The [example](crate::R1cs) uses it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the terms: an index into the witness, and a coefficient, which is a canonical integer.
    /// The [example](crate::R1cs) uses it.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (u32, BigInt<4>)> + use<'a> {
        self.0.chunks_exact(TERM_BYTES).map(read_term)
    }
}

fn read_term(bytes: &[u8]) -> (u32, BigInt<4>) {
    let wire = u32::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    (wire, BigInt(words(&bytes[4..])))
}

/// The constraints of a circuit, in order.
#[derive(Clone, Debug)]
pub struct Constraints<'a> {
    /// Bytes of the remaining constraints, which are checked already.
    rest: &'a [u8],
    count: usize,
}

impl<'a> Constraints<'a> {
    fn linear_combination(&mut self) -> LinearCombination<'a> {
        let (terms, rest) = self.rest.split_at(4);
        let terms = u32::from_le_bytes(std::array::from_fn(|i| terms[i])) as usize;
        let (terms, rest) = rest.split_at(terms * TERM_BYTES);
        self.rest = rest;
        LinearCombination(terms)
    }
}

impl<'a> Iterator for Constraints<'a> {
    type Item = Constraint<'a>;

    fn next(&mut self) -> Option<Constraint<'a>> {
        self.count = self.count.checked_sub(1)?;
        let mut next = || self.linear_combination();
        Some(Constraint { a: next(), b: next(), c: next() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for Constraints<'_> {}
