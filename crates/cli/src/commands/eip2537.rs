//! `eip2537`: Ethereum's precompiles for sums on BLS12-381, as EIP-2537 has them.

use std::io::Write;
use std::path::Path;

use ark_bls12_381::Fr;
use ark_ff::{BigInteger, PrimeField};
use bucketwheel::{BasesOptions, Cancel, Check, CurveId, GroupId, Msm};
use bucketwheel_dynamic::{group, groups, AnyPoints, AnyScalars};

use crate::args::formats::{Eip2537Args, Operation};
use crate::error::{own, Error};
use crate::files;
use crate::format::{Codec, Failure, FormatId, PointError};
use crate::output::hexadecimal;
use crate::runtime::Context;

/// The bytes of a scalar, a big-endian integer that need not be below the order.
const SCALAR_BYTES: usize = 32;
/// The most bytes of an input in hexadecimal: 2^16 pairs in G2, whose gas is beyond any block's, and some white space.
const MAX_TEXT: usize = ((2 * 288) << 16) + (1 << 10);
const EXPECTED: &str = "the hexadecimal digits of at most 2^16 pairs";

/// An input that the precompile refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// Not hexadecimal.
    #[error(
        "digit {index} of the input is {found:?}: expected hexadecimal digits, white space at the ends only"
    )]
    Digit {
        /// The first such digit's place, not counting 0x.
        index: usize,
        /// The character that is there.
        found: char,
    },
    /// Half a byte.
    #[error("{digits} hexadecimal digits: expected an even number")]
    Odd {
        /// The digits that there are.
        digits: usize,
    },
    /// A length that is none of pairs.
    #[error("{actual} bytes of input: expected {}{expected}", if *.multiple { "a multiple of " } else { "" })]
    Length {
        /// The bytes that there are.
        actual: usize,
        /// The bytes of a pair.
        expected: usize,
        /// True if a multiple of `expected` will do.
        multiple: bool,
    },
    /// No pairs.
    #[error("the input is empty: expected at least one point and its scalar")]
    Empty,
    /// A point that is none.
    #[error("point {index} {reason}")]
    Point {
        /// The first such point.
        index: usize,
        /// Fault of the point.
        reason: PointError,
    },
}

/// Reads the input, calls the precompile, prints the output.
///
/// # Errors
/// For an input that cannot be read or that the precompile refuses.
pub fn run(args: &Eip2537Args, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let text = match &args.file {
        Some(path) => files::read(path, MAX_TEXT, EXPECTED)?,
        None => files::read_from(std::io::stdin().lock(), Path::new("standard input"), MAX_TEXT, EXPECTED)?,
    };
    let output = call(args.operation, &unhex(&text).map_err(own)?, context.cancel)?;
    writeln!(out, "0x{}", hexadecimal(&output))?;
    Ok(())
}

/// The bytes of hexadecimal digits, with or without 0x.
///
/// # Errors
/// [`InputError::Digit`], [`InputError::Odd`].
pub fn unhex(text: &[u8]) -> Result<Vec<u8>, InputError> {
    let text = text.trim_ascii();
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    if let Some(index) = digits.iter().position(|digit| !digit.is_ascii_hexdigit()) {
        return Err(InputError::Digit { index, found: char::from(digits[index]) });
    }
    hex::decode(digits).map_err(|_| InputError::Odd { digits: digits.len() })
}

/// The precompile as a function of bytes.
///
/// # Errors
/// [`InputError`] for what the precompile refuses, or if cancelled.
pub fn call(operation: Operation, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, Error> {
    match operation {
        Operation::G1Msm => msm(GroupId::G1, input, cancel),
        Operation::G2Msm => msm(GroupId::G2, input, cancel),
        Operation::G1Add => add(GroupId::G1, input, cancel),
        Operation::G2Add => add(GroupId::G2, input, cancel),
    }
}

/// The bytes of a point of G1 or G2.
fn codec(group: GroupId) -> Codec {
    FormatId::Eip2537.format().codec(CurveId::Bls12_381, group).expect("the format's curve")
}

fn add(group: GroupId, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let expected = 2 * codec(group).bytes(group);
    if input.len() != expected {
        return Err(own(InputError::Length { actual: input.len(), expected, multiple: false }));
    }
    let one: [u8; SCALAR_BYTES] = std::array::from_fn(|i| u8::from(i == 0));
    sum(group, input, Check::Curve, &[one; 2], cancel)
}

fn msm(group: GroupId, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let point_bytes = codec(group).bytes(group);
    let expected = point_bytes + SCALAR_BYTES;
    if input.is_empty() {
        return Err(own(InputError::Empty));
    }
    if !input.len().is_multiple_of(expected) {
        return Err(own(InputError::Length { actual: input.len(), expected, multiple: true }));
    }
    let pairs = || input.chunks(expected).map(|pair| pair.split_at(point_bytes));
    let points: Vec<u8> = pairs().flat_map(|(point, _)| point).copied().collect();
    // In the subgroup, scalars count modulo its order.
    let reduced = |(_, scalar): (&[u8], &[u8])| {
        let mut bytes = [0; SCALAR_BYTES];
        bytes.copy_from_slice(&Fr::from_be_bytes_mod_order(scalar).into_bigint().to_bytes_le());
        bytes
    };
    sum(group, &points, Check::Subgroup, &pairs().map(reduced).collect::<Vec<_>>(), cancel)
}

/// The sum of points times scalars. Scalars of 1 may have any points of the curve: nothing is made of such scalars that holds
/// in the subgroup alone.
fn sum(
    id: GroupId,
    points: &[u8],
    check: Check,
    scalars: &[[u8; SCALAR_BYTES]],
    cancel: &Cancel,
) -> Result<Vec<u8>, Error> {
    let (codec, one) = (codec(id), group(CurveId::Bls12_381, id)?);
    let points = one.decode(&codec, points, check).map_err(refused)?;
    let points = [AnyPoints::integers(&points)];
    let bases = groups(CurveId::Bls12_381, id)?.prepare(BasesOptions::new(), &points)?;
    let (sums, _) = bases.run(Msm::new().cancel(cancel), AnyScalars::integers(scalars.as_flattened()))?;
    one.encode(&codec, &sums[0].integers).map_err(refused)
}

fn refused(failure: Failure) -> Error {
    match failure {
        Failure::Point(index, reason) => own(InputError::Point { index, reason }),
        Failure::Engine(error) => error.into(),
    }
}
