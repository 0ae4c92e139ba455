//! The split of scalars four ways in G2 of the BLS12 curves, for sums of few points: half the doublings of a split two ways.
//!
//! The Frobenius map psi between twist and curve acts on G2 as z, the parameter of the curve: `psi(P) = [z] P`, where z has 64
//! bits and the order 255 (Galbraith, Lin, Scott, *Endomorphisms for Faster Elliptic Curve Cryptography on a Large Class of
//! Curves*). The [endomorphism](super::endomorphism) acts as `z^2 - 1`, so the halves of a scalar need a division by z each:
//! with `k1 = a0 + a1 z` and `k2 = b0 + b1 z`,
//! `k1 + k2 (z^2 - 1) = (a0 - b0) + (a1 - b1) z + b0 z^2 + b1 z^3`.
//!
//! In G2 of BN254, psi acts as 6 z^2, which has 127 bits. Four short parts need a lattice there.

use ark_ff::Field;
use num_bigint::{BigInt, Sign};

use super::endomorphism::Endomorphism;
use super::membership::Membership;
use crate::engine::single::Map;

/// Parts of a scalar.
pub(crate) const QUARTERS: usize = 4;

/// The map psi and its eigenvalue z.
#[derive(Debug)]
pub struct Quarters<F> {
    pub(crate) map: Map<F>,
    z: i128,
}

impl<F: Field> Quarters<F> {
    /// Returns the split, if the map of the subgroup test has an eigenvalue z of at most 64 bits, and the endomorphism has the
    /// eigenvalue `z^2 - 1`.
    pub(super) fn of(membership: &Membership<F>, endomorphism: &Endomorphism<F>) -> Option<Self> {
        let digits = &membership.eigenvalue;
        if digits.len() > 65 {
            return None;
        }
        let z = digits.iter().fold(0, |z, &digit| 2 * z + i128::from(digit));
        let lambda = BigInt::from(z) * z - 1;
        let is_square = lambda == BigInt::from_biguint(Sign::Plus, endomorphism.split.lambda.clone());
        is_square.then_some(Quarters { map: membership.map, z })
    }

    /// Returns the parts of a scalar from its halves: signed integers of 66 bits.
    pub(crate) fn parts(&self, halves: [i128; 2]) -> [i128; QUARTERS] {
        let [[a0, a1], [b0, b1]] = halves.map(|half| {
            // A half has 127 bits with its sign.
            let low = (half + self.z.abs() / 2).rem_euclid(self.z.abs()) - self.z.abs() / 2;
            [low, (half - low) / self.z]
        });
        [a0 - b0, a1 - b1, b0, b1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::known;
    use crate::curve::Curve;
    use crate::scalars::Magnitude;
    use ark_ff::{One, PrimeField, UniformRand, Zero};
    use rand::rngs::StdRng;
    use rand::SeedableRng;

    fn integer<F: PrimeField>(value: i128) -> F {
        let magnitude = F::from(value.unsigned_abs());
        if value < 0 {
            -magnitude
        } else {
            magnitude
        }
    }

    fn parts_add_up<C: Curve>() {
        let known = known::<C>().expect("known properties");
        let quarters = known.quarters.as_ref().expect("four parts");
        let split = &known.endomorphism.as_ref().expect("an endomorphism").split;
        let z: C::ScalarField = integer(quarters.z);
        let rng = &mut StdRng::seed_from_u64(1);
        let half = C::ScalarField::from(2u64).inverse().expect("odd order");
        let mut scalars = vec![C::ScalarField::zero(), C::ScalarField::one(), z, z.square(), half, half - z];
        scalars.extend((0..2000).map(|_| C::ScalarField::rand(rng)));
        for scalar in scalars.iter().flat_map(|&k| [k, -k]) {
            let words = scalar.into_bigint();
            let halves = split.parts(&Magnitude { words, negative: false }).map(|half| {
                let words = half.words.as_ref();
                let value = (u128::from(words[1]) << 64 | u128::from(words[0])) as i128;
                if half.negative {
                    -value
                } else {
                    value
                }
            });
            let parts = quarters.parts(halves);
            assert!(parts.iter().all(|part| part.unsigned_abs() >> 65 == 0), "{parts:?}");
            let sum = parts
                .iter()
                .rev()
                .fold(C::ScalarField::zero(), |sum, &part| sum * z + integer::<C::ScalarField>(part));
            assert_eq!(sum, scalar);
        }
    }

    #[test]
    fn parts_add_up_to_the_scalar() {
        parts_add_up::<ark_bls12_381::g2::Config>();
        parts_add_up::<ark_bls12_377::g2::Config>();
    }

    #[test]
    fn other_groups_have_none() {
        assert!(known::<ark_bn254::g2::Config>().expect("known properties").quarters.is_none());
        assert!(known::<ark_bls12_381::g1::Config>().expect("known properties").quarters.is_none());
    }
}
