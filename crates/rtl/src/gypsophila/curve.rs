//! The curves of the design, with points in the form of its streams: canonical coordinates, not in Montgomery form.

use ark_bls12_377::{Fq as Fq377, G1TEProjective};
use ark_bn254::{Fq as Fq254, G1Affine, G1Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInt, PrimeField};
use bucketwheel_hardware::Curve;

use crate::coordinates::{reduced, words};
use crate::Fault;

/// A curve of the machine.
pub trait Streamed: CurveGroup<ScalarField: PrimeField> {
    /// The curve.
    const CURVE: Curve;

    /// Returns points in the form of their stream.
    fn encode(points: &[Self]) -> Vec<Vec<u32>>;

    /// Returns a sum in the form of its stream.
    ///
    /// # Errors
    /// [`Fault::NotReduced`], [`Fault::NotOnCurve`].
    fn decode(words: &[u32]) -> Result<Self, Fault>;
}

/// Returns adjacent coordinates, the first one lowest.
fn packed<F: PrimeField<BigInt = BigInt<N>>, const N: usize>(coordinates: [F; 3]) -> Vec<u32> {
    coordinates.iter().flat_map(|x| words(&x.into_bigint().0).collect::<Vec<_>>()).collect()
}

fn elements<F: PrimeField<BigInt = BigInt<N>>, const N: usize, const COUNT: usize>(
    words: &[u32],
) -> Result<[F; COUNT], Fault> {
    let integers = reduced::<F, N, COUNT>(words)?;
    Ok(integers.map(|x| F::from_bigint(x).expect("below the prime")))
}

impl Streamed for G1TEProjective {
    const CURVE: Curve = Curve::Bls12_377;

    fn encode(points: &[Self]) -> Vec<Vec<u32>> {
        Self::normalize_batch(points).iter().map(|p| packed([p.x, p.y, p.x * p.y])).collect()
    }

    /// Returns X, Y, Z, T of extended coordinates.
    fn decode(words: &[u32]) -> Result<Self, Fault> {
        let [x, y, z, t] = elements::<Fq377, 6, 4>(words)?;
        let sum = Self::new_unchecked(x, y, t, z);
        match z != Fq377::from(0u64) && x * y == z * t && sum.into_affine().is_on_curve() {
            true => Ok(sum),
            false => Err(Fault::NotOnCurve),
        }
    }
}

impl Streamed for G1Projective {
    const CURVE: Curve = Curve::Bn254;

    fn encode(points: &[Self]) -> Vec<Vec<u32>> {
        let (zero, one) = (Fq254::from(0u64), Fq254::from(1u64));
        let full = |p: &G1Affine| p.xy().map_or([zero, one, zero], |(x, y)| [x, y, one]);
        Self::normalize_batch(points).iter().map(|p| packed(full(p))).collect()
    }

    /// Returns X, Y, Z with x = X / Z and y = Y / Z.
    fn decode(words: &[u32]) -> Result<Self, Fault> {
        let [x, y, z] = elements::<Fq254, 4, 3>(words)?;
        let zero = Fq254::from(0u64);
        let on_curve = y * y * z == x * x * x + Fq254::from(3u64) * z * z * z;
        match on_curve && (z != zero || y != zero) {
            true => Ok(Self::new_unchecked(x * z, y * z * z, z)),
            false => Err(Fault::NotOnCurve),
        }
    }
}
