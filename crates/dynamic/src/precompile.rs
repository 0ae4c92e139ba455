//! Ethereum's precompiles for sums on BLS12-381 (EIP-2537): from the bytes of a call to the bytes of its result.

use ark_bls12_381::{g1, g2};
use ark_ec::CurveGroup;
use ark_ff::PrimeField;
use bucketwheel::{Bases, Cancel, Check, Curve, CurveId, Error as EngineError, GroupId, Msm, Scalars};
use bucketwheel_formats::{decode, encode, Codec, Failure, FormatId, PointError};

/// Number of bytes of a scalar, a big-endian integer that need not be below the order.
const SCALAR_BYTES: usize = 32;

/// A precompile.
///
/// ```
/// use bucketwheel::Cancel;
/// use bucketwheel_dynamic::precompile::{call, CallError, Precompile};
///
/// // Infinity, which is zeros, times 5.
/// let mut input = [0; 160];
/// input[159] = 5;
/// assert_eq!(call(Precompile::G1Msm, &input, &Cancel::new())?, [0; 128]);
/// assert!(matches!(call(Precompile::G1Add, &input, &Cancel::new()), Err(CallError::Length { expected: 256, .. })));
/// # Ok::<(), CallError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precompile {
    /// A multi-scalar multiplication in G1.
    G1Msm,
    /// A multi-scalar multiplication in G2.
    G2Msm,
    /// The sum of two points of G1's curve.
    G1Add,
    /// The sum of two points of G2's curve.
    G2Add,
}

/// A call that a precompile refuses, or an error of the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
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
    /// The engine's error.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Runs a precompile: from the bytes of a call to the bytes of its result. Points of sums are checked to be in the prime-order
/// subgroup, points of additions to be on the curve, as the EIP demands. The [example](Precompile) uses it.
///
/// # Errors
/// [`CallError`] for input that the precompile refuses; the engine's errors.
pub fn call(precompile: Precompile, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, CallError> {
    match precompile {
        Precompile::G1Msm => msm::<g1::Config>(GroupId::G1, input, cancel),
        Precompile::G2Msm => msm::<g2::Config>(GroupId::G2, input, cancel),
        Precompile::G1Add => add::<g1::Config>(GroupId::G1, input),
        Precompile::G2Add => add::<g2::Config>(GroupId::G2, input),
    }
}

/// The format's only curve.
const CURVE: CurveId = CurveId::Bls12_381;

/// Returns the encoding of points of G1 or G2.
fn codec(group: GroupId) -> Codec {
    FormatId::Eip2537.format().codec(CURVE, group).expect("the format's curve")
}

fn add<C: Curve>(group: GroupId, input: &[u8]) -> Result<Vec<u8>, CallError> {
    let codec = codec(group);
    let expected = 2 * codec.bytes(CURVE, group);
    if input.len() != expected {
        return Err(CallError::Length { actual: input.len(), expected, multiple: false });
    }
    let points = decode::<C>(&codec, input, Check::None).map_err(refused)?;
    // Two points are too few for the check in lanes.
    if let Some(index) = points.iter().position(|point| !point.is_on_curve()) {
        return Err(CallError::Point { index, reason: PointError::NotOnCurve });
    }
    let sum = points[0] + points[1];
    encode(&codec, &[sum.into_affine()]).map_err(refused)
}

fn msm<C: Curve>(group: GroupId, input: &[u8], cancel: &Cancel) -> Result<Vec<u8>, CallError> {
    let codec = codec(group);
    let point_bytes = codec.bytes(CURVE, group);
    let expected = point_bytes + SCALAR_BYTES;
    if input.is_empty() {
        return Err(CallError::Empty);
    }
    if !input.len().is_multiple_of(expected) {
        return Err(CallError::Length { actual: input.len(), expected, multiple: true });
    }
    let pairs = || input.chunks(expected).map(|pair| pair.split_at(point_bytes));
    let points: Vec<u8> = pairs().flat_map(|(point, _)| point).copied().collect();
    let points = decode::<C>(&codec, &points, Check::Subgroup).map_err(refused)?;
    // The points are in the subgroup, so scalars count modulo the order.
    let scalars: Vec<_> =
        pairs().map(|(_, scalar)| C::ScalarField::from_be_bytes_mod_order(scalar)).collect();
    let sum = Msm::new().cancel(cancel).run(&Bases::new(&points)?, Scalars::Field(&scalars))?;
    encode(&codec, &[sum.into_affine()]).map_err(refused)
}

fn refused(failure: Failure) -> CallError {
    match failure {
        Failure::Point(index, reason) => CallError::Point { index, reason },
        Failure::Engine(error) => error.into(),
    }
}
