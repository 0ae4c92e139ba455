//! Numbers and points in the form of the RTL's tests and vectors.

use ark_bls12_377::g1::Config as Edwards;
use ark_bls12_377::{Fq as Fq377, G1TEAffine, G1TEProjective};
use ark_ec::twisted_edwards::TECurveConfig;
use ark_ec::CurveGroup;
use ark_ff::{AdditiveGroup, PrimeField, Zero};
use num_bigint::BigUint;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub fn random() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(377)
}

pub fn below(bound: &BigUint, rng: &mut impl Rng) -> BigUint {
    // Some more bits than the bound, so that the remainder is nearly uniform.
    let words = (0..bound.bits() / 32 + 3).map(|_| rng.gen()).collect();
    BigUint::new(words) % bound
}

/// The form of a block's elements: times a power of two, or canonical.
#[derive(Clone, Copy)]
pub enum Form {
    Montgomery,
    Plain,
}

impl Form {
    pub fn factor<F: PrimeField>(self) -> F {
        match self {
            Self::Montgomery => F::from(2u32).pow([word::<F>()]),
            Self::Plain => F::ONE,
        }
    }

    pub fn encode<F: PrimeField>(self, x: F) -> BigUint {
        (x * self.factor::<F>()).into_bigint().into()
    }
}

pub fn word<F: PrimeField>() -> u64 {
    (u64::from(F::MODULUS_BIT_SIZE) + 2).next_multiple_of(64)
}

pub fn edwards_sum(found: [Fq377; 4], expected: G1TEProjective) -> Result<(), String> {
    let [x, y, z, t] = found;
    let same = !z.is_zero()
        && x * expected.z == expected.x * z
        && y * expected.z == expected.y * z
        && x * y == z * t;
    same.then_some(()).ok_or_else(|| format!("({x} : {y} : {z} : {t}) is not {expected}"))
}

/// Returns x, y and u = 2 d x y, the second point of a mixed addition.
pub fn extended_affine(q: G1TEProjective) -> [Fq377; 3] {
    let q: G1TEAffine = q.into_affine();
    [q.x, q.y, Edwards::COEFF_D.double() * q.x * q.y]
}
