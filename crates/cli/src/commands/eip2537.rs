//! `eip2537`: Ethereum's precompiles for sums on BLS12-381, by EIP-2537.

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

/// Number of bytes of a scalar, a big-endian integer that need not be below the order.
const SCALAR_BYTES: usize = 32;
/// Largest number of bytes of an input in hexadecimal: 2^16 pairs in G2, which cost more gas than any block has, and
/// some white space.
const MAX_TEXT: usize = ((2 * 288) << 16) + (1 << 10);
const EXPECTED: &str = "the hexadecimal digits of at most 2^16 pairs";

/// An input that the precompile refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A character is not a hexadecimal digit.
    #[error(
        "digit {index} of the input is {found:?}: expected hexadecimal digits, white space at the ends only"
    )]
    Digit {
        /// Place of the first wrong character, without 0x.
        index: usize,
        /// The wrong character.
        found: char,
    },
    /// The input ends within a byte.
    #[error("{digits} hexadecimal digits: expected an even number")]
    Odd {
        /// Number of digits.
        digits: usize,
    },
    /// The length is not a multiple of a pair's.
    #[error("{actual} bytes of input: expected {}{expected}", if *.multiple { "a multiple of " } else { "" })]
    Length {
        /// Number of bytes.
        actual: usize,
        /// Number of bytes of a pair.
        expected: usize,
        /// True if any multiple of `expected` is allowed.
        multiple: bool,
    },
    /// There are no pairs.
    #[error("the input is empty: expected at least one point and its scalar")]
    Empty,
    /// A point is invalid.
    #[error("point {index} {reason}")]
    Point {
        /// The first invalid point.
        index: usize,
        /// Fault of the point.
        reason: PointError,
    },
}

/// Reads the input, runs the precompile, prints the output.
///
/// # Errors
/// For unreadable input, or input that the precompile refuses.
pub fn run(args: &Eip2537Args, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let text = match &args.file {
        Some(path) => files::read(path, MAX_TEXT, EXPECTED)?,
        None => files::read_from(std::io::stdin().lock(), Path::new("standard input"), MAX_TEXT, EXPECTED)?,
    };
    let output = call(args.operation, &unhex(&text).map_err(own)?, context.cancel)?;
    writeln!(out, "0x{}", hexadecimal(&output))?;
    Ok(())
}

/// Returns the bytes of hexadecimal digits, with or without 0x.
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

/// Runs the precompile on bytes.
///
/// # Errors
/// [`InputError`] for input that the precompile refuses; cancellation.
pub fn call(operation: Operation, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, Error> {
    match operation {
        Operation::G1Msm => msm(GroupId::G1, input, cancel),
        Operation::G2Msm => msm(GroupId::G2, input, cancel),
        Operation::G1Add => add(GroupId::G1, input, cancel),
        Operation::G2Add => add(GroupId::G2, input, cancel),
    }
}

/// Number of bytes of a point of G1 or G2.
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
    // The points are in the subgroup, so scalars count modulo the order.
    let reduced = |(_, scalar): (&[u8], &[u8])| {
        let mut bytes = [0; SCALAR_BYTES];
        bytes.copy_from_slice(&Fr::from_be_bytes_mod_order(scalar).into_bigint().to_bytes_le());
        bytes
    };
    sum(group, &points, Check::Subgroup, &pairs().map(reduced).collect::<Vec<_>>(), cancel)
}

/// Returns the sum of points times scalars. If all scalars are 1, points may be anywhere on the curve: no shortcut
/// that is right only in the subgroup applies to these scalars.
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
