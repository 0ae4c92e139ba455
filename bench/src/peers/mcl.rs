//! mcl. It takes field elements, so the conversion of scalars is inside the
//! timed region. Its threads need OpenMP, which the crate does not enable;
//! they are replaced by the split that mcl itself makes with OpenMP.

use super::library::{Job, Library, Outcome, split, timed};
use crate::inputs::{AnyInput, Input, encoding};
use anyhow::{Result, ensure};
use ark_ec::short_weierstrass::SWCurveConfig;
use mcl_rust::{CurveType, Fp, Fp2, Fr, G1, G2};
use rayon::ThreadPool;
use std::ops::Range;

pub struct Mcl;

impl Library for Mcl {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        match input {
            AnyInput::Bls12_381G1(input) => job::<G1, _>(CurveType::BLS12_381, input, pool),
            AnyInput::Bls12_381G2(input) => job::<G2, _>(CurveType::BLS12_381, input, pool),
            AnyInput::Bls12_377G1(input) => job::<G1, _>(CurveType::BLS12_377, input, pool),
            AnyInput::Bls12_377G2(input) => job::<G2, _>(CurveType::BLS12_377, input, pool),
            AnyInput::Bn254G1(input) => job::<G1, _>(CurveType::SNARK, input, pool),
            AnyInput::Bn254G2(input) => job::<G2, _>(CurveType::SNARK, input, pool),
        }
        .map(Some)
    }
}

fn job<'a, G: McGroup, C: SWCurveConfig>(
    curve: CurveType,
    input: Input<C>,
    pool: &'a ThreadPool,
) -> Result<Job<'a>> {
    ensure!(mcl_rust::init(curve), "mcl does not know the curve");
    let points: Vec<G> = encoding::encode_points(input.points)
        .chunks_exact(encoding::point_bytes::<C>())
        .map(|bytes| {
            let (x, y) = bytes.split_at(bytes.len() / 2);
            G::from_coordinates(x, y)
        })
        .collect();
    let scalars: Vec<Fr> = encoding::encode_scalars(input.scalars)
        .chunks_exact(encoding::SCALAR_BYTES)
        .map(|bytes| {
            let mut scalar = Fr::zero();
            assert!(scalar.set_little_endian(bytes), "32 bytes fit");
            scalar
        })
        .collect();
    Ok(Box::new(move || {
        let part = |range: Range<usize>| G::msm(&points[range.clone()], &scalars[range]);
        let msm = || split(points.len(), part, |a, b| a.plus(&b));
        let (elapsed, sum) = pool.install(|| timed(msm));
        let coordinates = sum.coordinates();
        let sum = coordinates.unwrap_or_else(|| vec![0; encoding::point_bytes::<C>()]);
        Ok(Outcome { elapsed, sum })
    }))
}

/// Functions of mcl over G1 and G2, which mcl does not unify in a trait.
trait McGroup: Sized + Send + Sync + 'static {
    fn from_coordinates(x: &[u8], y: &[u8]) -> Self;
    /// Returns x and then y; `None` for the point at infinity.
    fn coordinates(&self) -> Option<Vec<u8>>;
    fn msm(points: &[Self], scalars: &[Fr]) -> Self;
    fn plus(&self, other: &Self) -> Self;
}

macro_rules! group {
    ($group:ident, $field:ident) => {
        impl McGroup for $group {
            fn from_coordinates(x: &[u8], y: &[u8]) -> Self {
                Self { x: $field::from_bytes(x), y: $field::from_bytes(y), z: $field::one() }
            }

            fn coordinates(&self) -> Option<Vec<u8>> {
                let mut affine = Self::zero();
                Self::normalize(&mut affine, self);
                let bytes = || [affine.x.serialize(), affine.y.serialize()].concat();
                (!affine.is_zero()).then(bytes)
            }

            fn msm(points: &[Self], scalars: &[Fr]) -> Self {
                let mut sum = Self::zero();
                Self::mul_vec(&mut sum, points, scalars);
                sum
            }

            fn plus(&self, other: &Self) -> Self {
                self + other
            }
        }
    };
}
group!(G1, Fp);
group!(G2, Fp2);

trait Coordinate: Sized {
    fn from_bytes(bytes: &[u8]) -> Self;
    fn one() -> Self;
}

impl Coordinate for Fp {
    fn from_bytes(bytes: &[u8]) -> Self {
        let mut value = Self::zero();
        assert!(value.set_little_endian(bytes), "an encoded element fits");
        value
    }

    fn one() -> Self {
        Self::from_int(1)
    }
}

impl Coordinate for Fp2 {
    fn from_bytes(bytes: &[u8]) -> Self {
        let (real, imaginary) = bytes.split_at(bytes.len() / 2);
        Self { d: [Fp::from_bytes(real), Fp::from_bytes(imaginary)] }
    }

    fn one() -> Self {
        Self { d: [Fp::one(), Fp::zero()] }
    }
}
