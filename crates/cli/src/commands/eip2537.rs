//! `eip2537`: Ethereum's precompiles for sums on BLS12-381, as EIP-2537 has them.

use std::io::Write;
use std::path::Path;

use ark_ec::short_weierstrass::Affine;
use ark_ec::CurveGroup;
use ark_ff::PrimeField;
use bucketwheel::{with_curve, Bases, Cancel, Check, Curve, CurveId, GroupId, Msm, Scalars};

use crate::args::formats::{Eip2537Args, Operation};
use crate::error::Error;
use crate::files;
use crate::format::{decode, encode, Failure, FormatId, PointError};
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
    let output = call(args.operation, &unhex(&text)?, context.cancel)?;
    let digits: String = output.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "0x{digits}")?;
    Ok(())
}

/// The bytes of hexadecimal digits, with or without 0x.
///
/// # Errors
/// [`InputError::Digit`], [`InputError::Odd`].
pub fn unhex(text: &[u8]) -> Result<Vec<u8>, InputError> {
    let text = text.trim_ascii();
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    let value = |(index, &digit): (usize, &u8)| {
        let found = char::from(digit);
        found.to_digit(16).map(|value| value as u8).ok_or(InputError::Digit { index, found })
    };
    let values = digits.iter().enumerate().map(value).collect::<Result<Vec<_>, _>>()?;
    match values.len() % 2 {
        0 => Ok(values.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()),
        _ => Err(InputError::Odd { digits: values.len() }),
    }
}

/// The precompile as a function of bytes.
///
/// # Errors
/// [`InputError`] for what the precompile refuses, or if cancelled.
pub fn call(operation: Operation, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let group = match operation {
        Operation::G1Msm | Operation::G1Add => GroupId::G1,
        Operation::G2Msm | Operation::G2Add => GroupId::G2,
    };
    with_curve!(CurveId::Bls12_381, group, C => match operation {
        Operation::G1Msm | Operation::G2Msm => msm::<C>(group, input, cancel),
        Operation::G1Add | Operation::G2Add => add::<C>(group, input),
    })?
}

fn add<C: Curve>(group: GroupId, input: &[u8]) -> Result<Vec<u8>, Error> {
    let codec = FormatId::Eip2537.format().codec(CurveId::Bls12_381, group).expect("the format's curve");
    let expected = 2 * codec.bytes(group);
    if input.len() != expected {
        return Err(InputError::Length { actual: input.len(), expected, multiple: false }.into());
    }
    let points: Vec<Affine<C>> = decode(&codec, input, Check::Curve).map_err(refused)?;
    encode::<C>(&codec, &[(points[0] + points[1]).into_affine()]).map_err(refused)
}

fn msm<C: Curve>(group: GroupId, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let codec = FormatId::Eip2537.format().codec(CurveId::Bls12_381, group).expect("the format's curve");
    let expected = codec.bytes(group) + SCALAR_BYTES;
    if input.is_empty() {
        return Err(InputError::Empty.into());
    }
    if !input.len().is_multiple_of(expected) {
        return Err(InputError::Length { actual: input.len(), expected, multiple: true }.into());
    }
    let pairs = || input.chunks(expected).map(|pair| pair.split_at(codec.bytes(group)));
    let points: Vec<u8> = pairs().flat_map(|(point, _)| point).copied().collect();
    let points: Vec<Affine<C>> = decode(&codec, &points, Check::Subgroup).map_err(refused)?;
    // In the subgroup, scalars count modulo its order.
    let scalars: Vec<_> =
        pairs().map(|(_, scalar)| C::ScalarField::from_be_bytes_mod_order(scalar)).collect();
    let sum = Msm::new().cancel(cancel).run(&Bases::new(&points)?, Scalars::Field(&scalars))?;
    encode::<C>(&codec, &[sum.into_affine()]).map_err(refused)
}

fn refused(failure: Failure) -> Error {
    match failure {
        Failure::Point(index, reason) => InputError::Point { index, reason }.into(),
        Failure::Engine(error) => error.into(),
    }
}
