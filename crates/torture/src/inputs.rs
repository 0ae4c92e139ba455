//! Points and scalars that are likely to reveal errors, and their sum.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use ark_ff::{BitIteratorBE, PrimeField, UniformRand, Zero};
use bucketwheel::{Curve, CurveId, GroupId, Scalars};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use rand::Rng;

use crate::reference::{self, Group, Point};
use crate::shared::Random;

/// Returns the groups of the engine's curves that the reference has.
pub fn groups() -> impl Iterator<Item = (CurveId, GroupId)> {
    let groups_of = |&curve: &CurveId| curve.groups().iter().map(move |&group| (curve, group));
    let groups = CurveId::ALL.iter().flat_map(groups_of).filter(|&(_, group)| group != GroupId::Pair);
    // The reference has pairs of coefficients, and bls24-315-g2 four.
    groups.filter(|&(curve, group)| curve.coefficients(group) <= 2)
}

/// Evaluates `$body` for the configuration of the group `$group`, one of [`groups`].
macro_rules! with_group {
    ($group:expr, $config:ident => $body:expr) => {{
        let (curve, group) = $group;
        bucketwheel::with_curve!(curve, group, $config => $body).expect("the build has all curves")
    }};
}
pub(crate) use with_group;

/// Points, each a known multiple of one of a few bases.
pub struct Inputs<C: Curve> {
    pub points: Vec<Affine<C>>,
    bases: Vec<Affine<C>>,
    /// The base and the factor of each point.
    terms: Vec<(usize, BigInt)>,
    group: Group,
}

impl<C: Curve> Inputs<C> {
    /// Returns `n` points: all distinct or only a few distinct ones, small multiples or large ones, negatives and
    /// infinity included. With `outside`, some points have any order on the curve, also a very small order.
    pub fn random(n: usize, outside: bool, rng: &mut Random) -> Self {
        let mut bases = vec![Affine::<C>::generator()];
        if outside {
            let any = on_curve::<C>(rng);
            // A point whose order divides the cofactor: infinity if the cofactor is 1; the order may be 2 if the
            // cofactor is even.
            let small = times(&any, C::ScalarField::MODULUS);
            let smaller = times(&small, [1 << rng.gen_range(0..3)]);
            bases.extend([any, small, smaller]);
        }
        let distinct = match rng.gen_range(0..4) {
            0 => rng.gen_range(1..=5),
            1 => rng.gen_range(1..=64),
            _ => n,
        }
        .clamp(1, n.max(1));
        let pool: Vec<Vec<(BigInt, Projective<C>)>> =
            bases.iter().map(|base| multiples(base, distinct, rng)).collect();
        let (negatives, infinities) =
            ([0.0, 0.1, 0.5][rng.gen_range(0..3)], [0.0, 0.0, 0.05, 0.9][rng.gen_range(0..4)]);
        let shuffled = rng.gen();
        let (mut terms, mut points) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for i in 0..n {
            let base = rng.gen_range(0..bases.len());
            let (factor, point) =
                &pool[base][if shuffled { rng.gen_range(0..distinct) } else { i % distinct }];
            let (factor, point) = match () {
                () if rng.gen_bool(infinities) => (BigInt::ZERO, Projective::zero()),
                () if rng.gen_bool(negatives) => (-factor, -*point),
                () => (factor.clone(), *point),
            };
            terms.push((base, factor));
            points.push(point);
        }
        let points = Projective::normalize_batch(&points);
        Inputs { points, bases, terms, group: Group::of::<C>() }
    }

    /// Returns the sum of the points times these scalars, by the second arithmetic.
    pub fn sum(&self, scalars: &[BigUint]) -> Point {
        let mut factors = vec![BigInt::ZERO; self.bases.len()];
        for ((base, factor), scalar) in self.terms.iter().zip(scalars) {
            factors[*base] += factor * BigInt::from(scalar.clone());
        }
        // The first base is the generator, so its factor counts modulo the order.
        factors[0] %= BigInt::from(self.group.order.clone());
        let terms = self.bases.iter().zip(&factors);
        terms.fold(None, |sum, (base, factor)| {
            self.group.add(&sum, &self.group.multiple(&reference::point(base), factor))
        })
    }
}

/// Returns the point in the reference's form.
pub fn affine<C: Curve>(point: Projective<C>) -> Point {
    reference::point(&point.into_affine())
}

/// Returns a point on the curve, most likely outside of the prime-order subgroup if the curve has other points.
fn on_curve<C: Curve>(rng: &mut Random) -> Affine<C> {
    loop {
        let x = C::BaseField::rand(rng);
        if let Some(point) = Affine::<C>::get_point_from_x_unchecked(x, rng.gen()) {
            return point;
        }
    }
}

/// Returns a multiple of any point. arkworks' own multiplication may halve the factor, which is valid only in the
/// subgroup.
fn times<C: Curve>(point: &Affine<C>, factor: impl AsRef<[u64]>) -> Affine<C> {
    let mut sum = Projective::<C>::zero();
    for bit in BitIteratorBE::new(factor) {
        sum.double_in_place();
        if bit {
            sum += point;
        }
    }
    sum.into_affine()
}

/// Returns multiples of a point, all small or of any size.
fn multiples<C: Curve>(base: &Affine<C>, count: usize, rng: &mut Random) -> Vec<(BigInt, Projective<C>)> {
    let mut walk = (BigInt::ZERO, Projective::<C>::zero());
    let bits = [1, 64][rng.gen_range(0..2)];
    let steps: Vec<_> = (0..8)
        .map(|_| {
            let factor = rng.gen::<u64>() >> (64 - bits);
            (BigInt::from(factor), times(base, [factor]))
        })
        .collect();
    let grows = bits == 64;
    (0..count)
        .map(|i| {
            let (factor, step) = &steps[rng.gen_range(0..steps.len())];
            // 200 doublings make factors as long as the order.
            if grows && i < 200 {
                walk = (walk.0.clone() * 2, walk.1.double());
            }
            walk = (&walk.0 + factor, walk.1 + step);
            walk.clone()
        })
        .collect()
}

/// Type of the scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Field,
    Integers,
    U64,
    U32,
    U16,
    U8,
    Bool,
}

/// The same small numbers in all types of scalars.
type Words = (Vec<u64>, Vec<u32>, Vec<u16>, Vec<u8>, Vec<bool>);

/// Scalars in one of the engine's forms, and as integers.
pub struct Vector<F: PrimeField> {
    pub values: Vec<BigUint>,
    form: Form,
    field: Vec<F>,
    integers: Vec<F::BigInt>,
    words: Words,
}

impl<F: PrimeField> Vector<F> {
    /// Returns `n` scalars of a distribution that may reveal errors.
    pub fn random(n: usize, rng: &mut Random) -> Self {
        use Form::{Bool, Field, Integers, U16, U32, U64, U8};
        let form = [Field, Field, Field, Integers, Integers, U64, U32, U16, U8, Bool][rng.gen_range(0..10)];
        let order: BigUint = F::MODULUS.into();
        let bits = match form {
            Field | Integers => order.bits(),
            U64 => 64,
            U32 => 32,
            U16 => 16,
            U8 => 8,
            Bool => 1,
        };
        let kind = rng.gen_range(0..9);
        let (equal, short) = (nasty(&order, rng), rng.gen_range(1..=bits));
        let one = || BigUint::one();
        let values: Vec<BigUint> = (0..n)
            .map(|i| match if kind == 8 { rng.gen_range(0..8) } else { kind } {
                0 => BigUint::from(rng.gen_range(0..=2u8)),
                1 => &order - BigUint::from(rng.gen_range(1..=3u8)),
                2 => equal.clone(),
                3 => below(&order, rng) >> (order.bits() - short),
                4 => one() << rng.gen_range(0..bits),
                5 => (one() << rng.gen_range(0..bits)) - 1u8,
                6 if i % 2 == 1 => nasty(&order, rng),
                _ => below(&order, rng),
            })
            .map(|value| (value % (one() << bits)) % &order)
            .collect();
        let word = |value: &BigUint| value.iter_u64_digits().next().unwrap_or_default();
        let words: Vec<u64> = values.iter().map(word).collect();
        Vector {
            form,
            field: values.iter().cloned().map(F::from).collect(),
            integers: values.iter().map(|value| F::from(value.clone()).into_bigint()).collect(),
            words: (
                words.clone(),
                words.iter().map(|&word| word as u32).collect(),
                words.iter().map(|&word| word as u16).collect(),
                words.iter().map(|&word| word as u8).collect(),
                words.iter().map(|&word| word == 1).collect(),
            ),
            values,
        }
    }

    /// Returns all scalars.
    pub fn scalars(&self) -> Scalars<'_, F> {
        self.part(0..self.values.len())
    }

    /// Returns some of the scalars.
    pub fn part(&self, range: std::ops::Range<usize>) -> Scalars<'_, F> {
        match self.form {
            Form::Field => Scalars::Field(&self.field[range]),
            Form::Integers => Scalars::Integers(&self.integers[range]),
            Form::U64 => Scalars::U64(&self.words.0[range]),
            Form::U32 => Scalars::U32(&self.words.1[range]),
            Form::U16 => Scalars::U16(&self.words.2[range]),
            Form::U8 => Scalars::U8(&self.words.3[range]),
            Form::Bool => Scalars::Bool(&self.words.4[range]),
        }
    }
}

/// Returns a number below the order.
fn below(order: &BigUint, rng: &mut Random) -> BigUint {
    let words: Vec<u32> = (0..order.bits() / 32 + 2).map(|_| rng.gen()).collect();
    BigUint::new(words) % order
}

/// Returns a number close to a fraction of the order where shortcuts begin: halves, or places that carries of windows
/// reach.
fn nasty(order: &BigUint, rng: &mut Random) -> BigUint {
    let around = order / [1u32, 2, 3, 4][rng.gen_range(0..4)];
    match rng.gen_range(0..3) {
        0 => (around + rng.gen_range(0..4u8)) % order,
        1 => around - rng.gen_range(0..4u8),
        _ => order >> rng.gen_range(0..order.bits()),
    }
}

/// Returns a random number of points: 0, 1, 2, odd numbers, up to `most`; usually few.
pub fn size(most: usize, rng: &mut Random) -> usize {
    match rng.gen_range(0..8) {
        0 => rng.gen_range(0..=3),
        1..=3 => rng.gen_range(0..=33.min(most)),
        4..=6 => rng.gen_range(0..=500.min(most)),
        _ => rng.gen_range(0..=most),
    }
}
