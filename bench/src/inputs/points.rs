//! Distinct random points of the prime-order subgroup.

use ark_ec::CurveGroup;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{AdditiveGroup, UniformRand};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rayon::prelude::*;

/// Points per independent chain.
const CHAIN: usize = 1 << 10;
/// Random points that the chains add from; a power of two.
const TABLE: usize = 1 << 8;

/// The first `count` points of the sequence that `seed` determines.
///
/// Each chain starts at a random point and continues `P <- 2P + T[j]` with a random entry of a table of random
/// points. No short linear relation holds between neighbours, so an adder meets the same cases as with independent
/// points. A step costs a doubling and an addition, whereas an independent point costs a square root and a
/// multiplication by the cofactor.
pub fn generate<C: SWCurveConfig>(seed: u64, count: usize) -> Vec<Affine<C>> {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let table: Vec<Affine<C>> = (0..TABLE).map(|_| Affine::rand(&mut rng)).collect();
    let mut points: Vec<Affine<C>> = (0..count.div_ceil(CHAIN))
        .into_par_iter()
        .flat_map_iter(|index| chain(seed, index, &table))
        .collect();
    points.truncate(count);
    points
}

fn chain<C: SWCurveConfig>(seed: u64, index: usize, table: &[Affine<C>]) -> Vec<Affine<C>> {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    // Stream 0 drew the table.
    rng.set_stream(1 + index as u64);
    let mut point = Projective::rand(&mut rng);
    let chain: Vec<_> = (0..CHAIN)
        .map(|_| {
            point.double_in_place();
            point += table[rng.next_u32() as usize % TABLE];
            point
        })
        .collect();
    Projective::normalize_batch(&chain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::AffineRepr;
    use std::collections::HashSet;

    fn check<C: SWCurveConfig>() {
        let count = 2 * CHAIN + 7;
        let points = generate::<C>(1, count);
        assert_eq!(points.len(), count);
        assert_eq!(points.iter().collect::<HashSet<_>>().len(), count);
        for point in &points {
            assert!(point.is_on_curve() && !point.is_zero());
        }
        for point in points.iter().step_by(97) {
            assert!(point.is_in_correct_subgroup_assuming_on_curve());
        }
        assert_eq!(points[..100], generate::<C>(1, 100));
        assert_ne!(points[..100], generate::<C>(2, 100));
    }

    #[test]
    fn points_are_distinct_valid_and_reproducible() {
        check::<ark_bls12_381::g1::Config>();
        check::<ark_bls12_381::g2::Config>();
        check::<ark_bls12_377::g1::Config>();
        check::<ark_bls12_377::g2::Config>();
        check::<ark_bn254::g1::Config>();
        check::<ark_bn254::g2::Config>();
    }
}
