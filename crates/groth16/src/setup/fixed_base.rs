//! Many multiples of one point: tables of its small multiples, window by window, and batched affine additions.
//!
//! A scalar is the sum of signed digits `d_j 2^(w j)`, so that its multiple is a sum of one table entry for each
//! window. All multiples of a batch take their windows in step, and the additions of a step share one inversion
//! (Montgomery's trick): about six multiplications each, half the cost of a mixed addition.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{batch_inversion, AdditiveGroup, Field, PrimeField};
use bucketwheel::MontgomeryWords;

use crate::parallel;

/// Multiples that are computed together: they stay in the cache.
const BATCH: usize = 1 << 10;

/// Widest window whose tables stay in the caches.
const MAX_WINDOW: u32 = 16;

/// The tables of one point.
pub struct FixedBase<G: SWCurveConfig<ScalarField: MontgomeryWords>> {
    window: u32,
    /// For each window j the multiples `d 2^(w j)` for d from 1 to `2^(w - 1)`.
    tables: Vec<Vec<Affine<G>>>,
}

impl<G: SWCurveConfig<ScalarField: MontgomeryWords>> FixedBase<G> {
    /// Returns the tables that are best for `count` multiples.
    pub fn new(base: Affine<G>, count: usize) -> Self {
        let cost = |window: &u32| windows::<G>(*window) * (count + (1 << (window - 1)));
        let window = (2..=MAX_WINDOW).min_by_key(cost).unwrap_or(MAX_WINDOW);
        let mut bases = vec![base.into_group()];
        for _ in 1..windows::<G>(window) {
            let mut next = bases[bases.len() - 1];
            for _ in 0..window {
                next.double_in_place();
            }
            bases.push(next);
        }
        let bases = CurveGroup::normalize_batch(&bases);
        let tables = parallel::map(bases.len(), |i| table(bases[i], 1 << (window - 1)));
        FixedBase { window, tables }
    }

    /// Returns the multiples by these scalars, on all threads of the current pool.
    pub fn multiples(&self, scalars: &[G::ScalarField]) -> Vec<Affine<G>> {
        let mut multiples = vec![Affine::identity(); scalars.len()];
        parallel::chunks(&mut multiples, BATCH, |batch, multiples| {
            self.batch(multiples, &scalars[batch * BATCH..][..multiples.len()]);
        });
        multiples
    }

    fn batch(&self, sums: &mut [Affine<G>], scalars: &[G::ScalarField]) {
        let mut scalars: Vec<_> = scalars.iter().map(|scalar| scalar.to_integer()).collect();
        let mut carries = vec![false; scalars.len()];
        let mut summands = vec![Affine::identity(); scalars.len()];
        let mut adder = Adder::default();
        for table in &self.tables {
            for ((scalar, carry), summand) in scalars.iter_mut().zip(&mut carries).zip(&mut summands) {
                let bits = (scalar.as_ref()[0] & ((1 << self.window) - 1)) as i64 + i64::from(*carry);
                *scalar >>= self.window;
                *carry = bits > table.len() as i64;
                let digit = if *carry { bits - (1 << self.window) } else { bits };
                *summand = match digit {
                    0 => Affine::identity(),
                    1.. => table[digit as usize - 1],
                    _ => -table[digit.unsigned_abs() as usize - 1],
                };
            }
            adder.add(sums, &summands);
        }
    }
}

/// Returns the number of digits of a scalar. The last digit has room for a carry.
fn windows<G: SWCurveConfig<ScalarField: MontgomeryWords>>(window: u32) -> usize {
    (G::ScalarField::MODULUS_BIT_SIZE + 1).div_ceil(window) as usize
}

/// Returns the multiples from 1 to `count`, a power of two. Multiples up to k, and the k-th multiple, give the
/// multiples up to 2 k.
fn table<G: SWCurveConfig<ScalarField: MontgomeryWords>>(base: Affine<G>, count: usize) -> Vec<Affine<G>> {
    let mut table = Vec::with_capacity(count);
    table.push(base);
    let mut adder = Adder::default();
    while table.len() < count {
        let known = table.len();
        let last = vec![table[known - 1]; known];
        table.extend_from_within(..);
        adder.add(&mut table[known..], &last);
    }
    table
}

/// Adds pairs of affine points with one inversion for all.
#[derive(Default)]
struct Adder<F> {
    denominators: Vec<F>,
}

impl<F: Field> Adder<F> {
    /// Adds each summand to its sum.
    fn add<G: SWCurveConfig<BaseField = F>>(&mut self, sums: &mut [Affine<G>], summands: &[Affine<G>]) {
        self.denominators.clear();
        self.denominators.extend(sums.iter().zip(summands).map(|(sum, summand)| summand.x - sum.x));
        // Denominators of 0 stay 0.
        batch_inversion(&mut self.denominators);
        for ((sum, summand), inverse) in sums.iter_mut().zip(summands).zip(&self.denominators) {
            if summand.is_zero() {
                continue;
            }
            if sum.is_zero() {
                *sum = *summand;
            } else if inverse.is_zero() {
                // A doubling, or opposite points.
                *sum = (*sum + summand).into_affine();
            } else {
                let slope = (summand.y - sum.y) * inverse;
                let x = slope.square() - sum.x - summand.x;
                let y = slope * (sum.x - x) - sum.y;
                *sum = Affine::new_unchecked(x, y);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::short_weierstrass::Projective;
    use ark_std::UniformRand;
    use rand_chacha::rand_core::SeedableRng;

    /// Compares multiples with multiplication by doubling and adding.
    fn compare<G: SWCurveConfig<ScalarField: MontgomeryWords>>(counts: &[usize]) {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let base = Projective::<G>::rand(&mut rng).into_affine();
        for &count in counts {
            let tables = FixedBase::new(base, count);
            let one = G::ScalarField::ONE;
            let top = one.double().pow([u64::from(G::ScalarField::MODULUS_BIT_SIZE) - 1]);
            let half = (-one) / one.double();
            let mut scalars =
                vec![G::ScalarField::ZERO, one, -one, top, -top, half, half + one, one.double()];
            for bit in 0..u64::from(tables.window) + 2 {
                let power = one.double().pow([bit]);
                scalars.extend([power - one, power, power + one, -power]);
            }
            scalars.extend((0..100).map(|_| G::ScalarField::rand(&mut rng)));
            let expected: Vec<_> = scalars.iter().map(|scalar| (base * scalar).into_affine()).collect();
            assert_eq!(tables.multiples(&scalars), expected, "window {}", tables.window);
        }
        let infinity = FixedBase::<G>::new(Affine::identity(), 10).multiples(&[G::ScalarField::ONE]);
        assert!(infinity[0].is_zero());
    }

    #[test]
    fn multiples_of_bn254() {
        compare::<ark_bn254::g1::Config>(&[0, 1, 30, 500, 10_000]);
        compare::<ark_bn254::g2::Config>(&[100]);
    }

    #[test]
    fn multiples_of_bls12_381() {
        compare::<ark_bls12_381::g1::Config>(&[100, 10_000]);
        compare::<ark_bls12_381::g2::Config>(&[0, 100]);
    }

    #[test]
    fn more_than_a_batch() {
        let base = Affine::<ark_bn254::g1::Config>::generator();
        let scalars: Vec<_> = (0..3 * BATCH as u64 + 5).map(ark_bn254::Fr::from).collect();
        let multiples = FixedBase::new(base, scalars.len()).multiples(&scalars);
        let mut expected = Projective::<ark_bn254::g1::Config>::default();
        for multiple in multiples {
            assert_eq!(multiple, expected);
            expected += base;
        }
    }
}
