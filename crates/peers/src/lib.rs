//! The independent libraries that `bucketwheel demo` compares with: MSMs by arkworks and by blst, each on the calling
//! thread alone. They have their own crate because the command is optimised for size, and they are optimised for speed.
//!
//! # Where changes go
//! - Another library: its [`Peer`] here, and its use in `crates/cli/src/commands/demo/`.
//! - Another curve of arkworks: a line in [`arkworks()`].
//! - The measured part of a call: [`Peer::run`]; its inputs are converted before it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::fmt::Debug;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveConfig, CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField};
use blst::min_pk::{AggregatePublicKey, PublicKey};
use blst::{blst_p1_affine, MultiPoint, BLST_ERROR};
use bucketwheel::{Curve, CurveId, Error, Points};

/// Number of bytes of a compressed point of BLS12-381.
pub const COMPRESSED_BYTES: usize = 48;

/// An MSM by some library over points of G1. Points and sum have the form of [`Points::integers`]. Scalars are
/// integers below the order, in little-endian words.
pub trait Peer {
    /// Returns the library's name.
    fn name(&self) -> &'static str;

    /// Computes the sum; this call is measured.
    fn run(&mut self);

    /// Returns the sum of the last run.
    fn sum(&self) -> Vec<u8>;
}

/// The scalars of a curve as integers.
type Integer<C> = <<C as CurveConfig>::ScalarField as PrimeField>::BigInt;

/// Returns arkworks' variable-base MSM; `None` for a curve that is not compared.
///
/// # Errors
/// For bytes that are not points.
pub fn arkworks(curve: CurveId, points: &[u8], scalars: &[u8]) -> Result<Option<Box<dyn Peer>>, Error> {
    Ok(Some(match curve {
        CurveId::Bls12_381 => Arkworks::<ark_bls12_381::g1::Config>::boxed(points, scalars)?,
        CurveId::Bls12_377 => Arkworks::<ark_bls12_377::g1::Config>::boxed(points, scalars)?,
        CurveId::Bn254 => Arkworks::<ark_bn254::g1::Config>::boxed(points, scalars)?,
        _ => return Ok(None),
    }))
}

struct Arkworks<C: Curve> {
    points: Vec<Affine<C>>,
    scalars: Vec<Integer<C>>,
    sum: Projective<C>,
}

impl<C: Curve<BaseField: PrimeField>> Arkworks<C> {
    fn boxed(points: &[u8], scalars: &[u8]) -> Result<Box<dyn Peer>, Error> {
        let points = Points::<C>::integers(points)?;
        let point = |index| points.get(index).ok_or(Error::CoordinateRange { index });
        let points = (0..points.len()).map(point).collect::<Result<_, _>>()?;
        let integer = |bytes: &[u8]| {
            let mut integer = Integer::<C>::default();
            for (word, bytes) in integer.as_mut().iter_mut().zip(bytes.chunks_exact(8)) {
                *word = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
            }
            integer
        };
        let scalars = scalars.chunks_exact(size_of::<Integer<C>>()).map(integer).collect();
        Ok(Box::new(Arkworks::<C> { points, scalars, sum: Projective::ZERO }))
    }
}

impl<C: Curve<BaseField: PrimeField>> Peer for Arkworks<C> {
    fn name(&self) -> &'static str {
        "arkworks"
    }

    fn run(&mut self) {
        self.sum = Projective::<C>::msm_bigint(&self.points, &self.scalars);
    }

    fn sum(&self) -> Vec<u8> {
        let zero = (C::BaseField::ZERO, C::BaseField::ZERO);
        let (x, y) = self.sum.into_affine().xy().unwrap_or(zero);
        [x, y].iter().flat_map(|coordinate| coordinate.into_bigint().to_bytes_le()).collect()
    }
}

/// blst's MSM over G1 of BLS12-381; built for one thread.
pub struct Blst {
    points: Vec<blst_p1_affine>,
    scalars: Vec<u8>,
    sum: Option<AggregatePublicKey>,
}

/// blst refuses the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(BLST_ERROR);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "it refuses a point: ")?;
        self.0.fmt(f)
    }
}

impl Blst {
    /// Number of bits of the longest scalar.
    const SCALAR_BITS: usize = 255;

    /// Reads compressed points with blst's own reader.
    ///
    /// # Errors
    /// For the first point that blst refuses.
    pub fn compressed(points: &[[u8; COMPRESSED_BYTES]], scalars: &[u8]) -> Result<Self, Refused> {
        Self::new(points.iter().map(|bytes| PublicKey::uncompress(bytes)), scalars)
    }

    /// Reads points other than infinity.
    ///
    /// # Errors
    /// For the first point that blst refuses.
    pub fn integers(points: &[u8], scalars: &[u8]) -> Result<Self, Refused> {
        let read = |point: &[u8]| PublicKey::deserialize(&reversed(point));
        Self::new(points.chunks_exact(2 * COMPRESSED_BYTES).map(read), scalars)
    }

    /// blst calls points of G1 public keys in the variant with small keys, and reads them without unsafe code.
    fn new(
        points: impl Iterator<Item = Result<PublicKey, BLST_ERROR>>,
        scalars: &[u8],
    ) -> Result<Self, Refused> {
        let points = points.map(|point| point.map(blst_p1_affine::from)).collect::<Result<_, _>>();
        Ok(Blst { points: points.map_err(Refused)?, scalars: scalars.into(), sum: None })
    }

    /// Returns the sum of the last run in the bytes of published commitments.
    pub fn compressed_sum(&self) -> [u8; COMPRESSED_BYTES] {
        self.point().compress()
    }

    fn point(&self) -> PublicKey {
        self.sum.as_ref().expect("asked for after a run").to_public_key()
    }
}

/// Returns both coordinates of a point with their bytes reversed.
fn reversed(point: &[u8]) -> Vec<u8> {
    point.chunks_exact(COMPRESSED_BYTES).flat_map(|coordinate| coordinate.iter().rev()).copied().collect()
}

impl Peer for Blst {
    fn name(&self) -> &'static str {
        "blst"
    }

    fn run(&mut self) {
        self.sum = Some(self.points.mult(&self.scalars, Self::SCALAR_BITS).into());
    }

    fn sum(&self) -> Vec<u8> {
        reversed(&self.point().serialize())
    }
}
