//! The independent libraries, each on the calling thread alone.

use std::time::Duration;

use ark_bls12_381::{G1Affine, G1Projective};
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{CurveConfig, VariableBaseMSM};
use ark_ff::{BigInt, PrimeField};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use blst::min_pk::{AggregatePublicKey, PublicKey};
use blst::{blst_p1_affine, MultiPoint, BLST_ERROR};
use bucketwheel::Curve;

use super::kzg::COMPRESSED_BYTES;
use super::REPETITIONS;
use crate::error::Error;
use crate::format::encode_scalars;
use crate::measure::median;
use crate::runtime::Context;

/// The scalars of a curve as integers.
pub type Integer<C> = <<C as CurveConfig>::ScalarField as PrimeField>::BigInt;

/// A library's name and its MSM: the time and the sum.
pub type Peer<C> =
    (&'static str, fn(&[Affine<C>], &[Integer<C>], Context<'_>) -> Result<(Duration, Projective<C>), Error>);

/// arkworks' variable-base MSM.
pub fn arkworks<C: Curve>(
    points: &[Affine<C>],
    scalars: &[Integer<C>],
    context: Context<'_>,
) -> Result<(Duration, Projective<C>), Error> {
    median(REPETITIONS, || {
        context.check()?;
        Ok(Projective::<C>::msm_bigint(points, scalars))
    })
}

/// blst's MSM, for points of arkworks.
pub fn blst(
    points: &[G1Affine],
    scalars: &[BigInt<4>],
    context: Context<'_>,
) -> Result<(Duration, G1Projective), Error> {
    let read = |point: &G1Affine| {
        let mut bytes = Vec::new();
        point.serialize_uncompressed(&mut bytes).expect("memory takes all bytes");
        PublicKey::deserialize(&bytes)
    };
    let (time, sum) = Blst::new(points.iter().map(read), scalars)?.time(context)?;
    let sum = G1Affine::deserialize_compressed(&sum[..]);
    let sum =
        sum.map_err(|error| Error::Peer { peer: "blst", reason: format!("its sum is no point: {error}") })?;
    Ok((time, sum.into()))
}

/// blst's MSM over G1 of BLS12-381; built for one thread.
pub struct Blst {
    points: Vec<blst_p1_affine>,
    scalars: Vec<u8>,
}

impl Blst {
    /// Bits of the longest scalar.
    const SCALAR_BITS: usize = 255;

    /// Reads compressed points, whose scalars these are.
    pub fn from_compressed(points: &[[u8; COMPRESSED_BYTES]], scalars: &[BigInt<4>]) -> Result<Self, Error> {
        Self::new(points.iter().map(|bytes| PublicKey::uncompress(bytes)), scalars)
    }

    /// blst calls points of G1 public keys, where these are small, and reads them so without any unsafe code.
    fn new(
        points: impl Iterator<Item = Result<PublicKey, BLST_ERROR>>,
        scalars: &[BigInt<4>],
    ) -> Result<Self, Error> {
        let points = points.map(|point| point.map(blst_p1_affine::from)).collect::<Result<_, _>>();
        let points = points.map_err(|error| Error::Peer {
            peer: "blst",
            reason: format!("it refuses a point: {error:?}"),
        })?;
        let mut bytes = Vec::new();
        encode_scalars(scalars, &mut bytes)?;
        Ok(Blst { points, scalars: bytes })
    }

    /// The time and the compressed sum.
    pub fn time(&self, context: Context<'_>) -> Result<(Duration, [u8; COMPRESSED_BYTES]), Error> {
        let (time, sum) = median(REPETITIONS, || {
            context.check()?;
            Ok::<_, Error>(self.points.mult(&self.scalars, Self::SCALAR_BITS))
        })?;
        Ok((time, AggregatePublicKey::from(sum).to_public_key().compress()))
    }
}
