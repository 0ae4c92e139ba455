//! Seeded scalars of each distribution.

use crate::cell::Distribution;
use ark_ff::PrimeField;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// The first `count` scalars of the sequence that `seed` determines.
pub fn generate<F: PrimeField>(distribution: Distribution, seed: u64, count: usize) -> Vec<F> {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    // A stream that the points do not use.
    rng.set_stream(u64::MAX - distribution as u64);
    let equal = F::rand(&mut rng);
    let draw = || match distribution {
        Distribution::Uniform => F::rand(&mut rng),
        Distribution::ZeroOne => F::from(rng.next_u32() & 1),
        Distribution::Small => F::from(rng.next_u32() & 0xffff),
        Distribution::Sparse if rng.next_u32() % 10 != 0 => F::ZERO,
        Distribution::Sparse => F::rand(&mut rng),
        Distribution::Equal => equal,
    };
    std::iter::repeat_with(draw).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_bn254::Fr;
    use ark_ff::{AdditiveGroup, Field};
    use clap::ValueEnum;
    use std::collections::HashSet;

    const COUNT: usize = 10_000;

    fn draw(distribution: Distribution) -> Vec<Fr> {
        generate(distribution, 1, COUNT)
    }

    fn distinct(scalars: &[Fr]) -> usize {
        scalars.iter().collect::<HashSet<_>>().len()
    }

    #[test]
    fn every_distribution_is_reproducible() {
        for &distribution in Distribution::value_variants() {
            let scalars = draw(distribution);
            assert_eq!(scalars.len(), COUNT);
            assert_eq!(scalars[..64], generate::<Fr>(distribution, 1, 64));
            assert_ne!(scalars[..64], generate::<Fr>(distribution, 2, 64));
        }
    }

    #[test]
    fn uniform_scalars_fill_the_field() {
        let scalars = draw(Distribution::Uniform);
        assert_eq!(distinct(&scalars), COUNT);
        let widest = scalars.iter().map(|s| s.into_bigint().0[3]).max();
        assert!(widest > Some(Fr::MODULUS.0[3] / 100 * 99));
    }

    #[test]
    fn zero_one_scalars_are_both_in_balance() {
        let scalars = draw(Distribution::ZeroOne);
        let ones = scalars.iter().filter(|&&s| s == Fr::ONE).count();
        let zeros = scalars.iter().filter(|&&s| s == Fr::ZERO).count();
        assert_eq!(zeros + ones, COUNT);
        assert!((4_700..5_300).contains(&ones), "{ones} ones");
    }

    #[test]
    fn small_scalars_have_16_bits() {
        let scalars = draw(Distribution::Small);
        let widest = scalars.iter().map(|s| s.into_bigint()).max();
        assert!(widest < Some((1u64 << 16).into()) && widest > Some(65_000u64.into()));
    }

    #[test]
    fn sparse_scalars_are_nine_tenths_zero() {
        let scalars = draw(Distribution::Sparse);
        let zeros = scalars.iter().filter(|&&s| s == Fr::ZERO).count();
        assert!((8_800..9_200).contains(&zeros), "{zeros} zeros");
        assert_eq!(distinct(&scalars), COUNT - zeros + 1);
    }

    #[test]
    fn equal_scalars_are_one_value() {
        assert_eq!(distinct(&draw(Distribution::Equal)), 1);
    }
}
