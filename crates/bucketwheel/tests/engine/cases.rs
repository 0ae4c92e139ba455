//! Cases that every way to a sum must pass: MSMs in memory, over tables and as streams.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{AdditiveGroup, One, PrimeField, Zero};
use bucketwheel::Curve;
use num_bigint::BigUint;
use rand::rngs::StdRng;

use crate::inputs::{any_point, multiple, points, uniform};

/// Points, and a scalar for each.
pub struct Case<C: Curve> {
    pub what: &'static str,
    pub points: Vec<Affine<C>>,
    pub scalars: Vec<C::ScalarField>,
}

/// Returns cases of `n` points, which repeat `distinct` points of the prime-order subgroup, at least 8.
pub fn edge_cases<C: Curve>(n: usize, distinct: usize, rng: &mut StdRng) -> Vec<Case<C>> {
    let distinct = points::<C>(distinct, rng);
    let uniform: Vec<C::ScalarField> = uniform(n, rng);
    let points_of = |point: &dyn Fn(usize) -> Affine<C>| (0..n).map(point).collect::<Vec<_>>();
    let scalars_of = |scalar: &dyn Fn(usize) -> C::ScalarField| (0..n).map(scalar).collect::<Vec<_>>();
    let (zero, one) = (C::ScalarField::zero(), C::ScalarField::one());
    let sign = |i: usize| i.is_multiple_of(2);

    let many = points_of(&|i| distinct[i % distinct.len()]);
    let repeated = points_of(&|_| distinct[0]);
    let opposite = points_of(&|i| if sign(i) { distinct[7] } else { -distinct[7] });
    let few = points_of(&|i| distinct[i % 3]);
    let with_infinity = points_of(&|i| if i % 7 == 0 { Affine::identity() } else { many[i] });
    let infinity = points_of(&|_| Affine::identity());

    let constant = |value| vec![value; n];
    let mixed = scalars_of(&|i| [zero, one, -one, C::ScalarField::from(i as u64 * 1000), uniform[i]][i % 5]);
    let lengths = scalars_of(&|i| C::ScalarField::from_le_bytes_mod_order(&vec![0xff; i % 32]));
    let signs = scalars_of(&|i| if sign(i) { uniform[0] } else { -uniform[0] });
    let equal = constant(uniform[0]);

    [
        ("zero scalars", &many, &constant(zero)),
        ("scalars one", &many, &constant(one)),
        ("scalars r - 1", &many, &constant(-one)),
        ("equal scalars", &many, &equal),
        ("zero, one, small and large scalars", &many, &mixed),
        ("scalars of every length", &many, &lengths),
        ("one point repeated", &repeated, &uniform),
        ("one point repeated, equal scalars", &repeated, &equal),
        ("one point repeated, opposite scalars", &repeated, &signs),
        ("P and -P", &opposite, &uniform),
        ("P and -P in one bucket", &opposite, &equal),
        ("few distinct points", &few, &uniform),
        ("few distinct points, equal scalars", &few, &equal),
        ("points at infinity", &with_infinity, &uniform),
        ("only infinity", &infinity, &uniform),
    ]
    .map(|(what, points, scalars)| Case { what, points: points.clone(), scalars: scalars.clone() })
    .into()
}

/// Returns `n` points of the curve, and their sum by integers. Most points are outside of the prime-order subgroup if
/// the curve has such points: `r - k` is not `-k` there.
pub fn outside<C: Curve>(n: usize, rng: &mut StdRng) -> (Case<C>, Projective<C>) {
    let mut distinct: Vec<Affine<C>> = (0..40).map(|_| any_point(rng)).collect();
    // A point of order 2, if the curve has one: its double is infinity.
    let order_two = Affine::<C>::new_unchecked(-C::BaseField::one(), C::BaseField::ZERO);
    if order_two.is_on_curve() {
        distinct.extend([order_two; 3]);
    }
    // Points of order 3, if the curve has any: four times such a point is the point again.
    let order_three = Affine::<C>::get_point_from_x_unchecked(C::BaseField::ZERO, true);
    distinct.extend(order_three.filter(|_| C::COEFF_A.is_zero()).into_iter().chain(order_three.map(|p| -p)));
    let points: Vec<Affine<C>> = (0..n).map(|i| distinct[i % distinct.len()]).collect();
    let scalars: Vec<C::ScalarField> = uniform(n, rng);
    let total = |i: usize| -> BigUint {
        scalars.iter().skip(i).step_by(distinct.len()).map(|&scalar| -> BigUint { scalar.into() }).sum()
    };
    let sum = distinct.iter().enumerate().map(|(i, point)| multiple(point, &total(i))).sum();
    (Case { what: "outside of the subgroup", points, scalars }, sum)
}

/// Returns `n` points of two groups. At each of these places both groups have the point at infinity. Behind it, the
/// first group has one more, and behind that, the second group.
pub fn pair<C: Curve, D: Curve>(
    n: usize,
    places: &[usize],
    rng: &mut StdRng,
) -> (Vec<Affine<C>>, Vec<Affine<D>>) {
    let (mut one, mut other) = (points::<C>(n, rng), points::<D>(n, rng));
    for &i in places {
        (one[i], other[i]) = (Affine::identity(), Affine::identity());
        (one[i + 1], other[i + 2]) = (Affine::identity(), Affine::identity());
    }
    (one, other)
}
