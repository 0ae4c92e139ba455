//! Whether points lie on the curve and in its subgroup of prime order r, in lanes.
//!
//! The subgroup's test is by an endomorphism sigma that acts on the subgroup as a short eigenvalue:
//! `sigma(P) = [lambda] P`, 127 doublings where [r] P takes 254. (Bowe, "Faster subgroup checks for BLS12-381", eprint
//! 2019/814; Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves", 2021/1130;
//! El Housni, Guillevic, Piellard, "Co-factor clearing and subgroup membership testing on pairing-friendly curves",
//! 2022/352.) Why it suffices:
//!
//! - G1 of the BLS curves: sigma is `(x, y) -> (beta x, y)` with `sigma^2 + sigma + 1 = 0`, and the smaller eigenvalue
//!   is `lambda = z^2 - 1` with `lambda^2 + lambda + 1 = r`. So `[r] P = (sigma^2 + sigma + 1) P = 0`.
//! - G2: sigma is the Frobenius map between twist and curve, `sigma^2 - t sigma + p = 0`, and `lambda = t - 1`. So
//!   `[p + 1 - t] P = 0`, where `p + 1 - t` is r for BN254 and h1 r for the BLS curves. The order of P also divides that
//!   of the curve, h2 r, and h1 and h2 have no common divisor.
//! - G1 of BN254 is the whole curve.
//!
//! The ladder needs no exceptions. A point of order r does not meet any, since it is added to multiples of itself by
//! 2, 3, ..., 2^128. Where any other point does, Z becomes 0 and remains so: the formulas multiply it.

use std::any::TypeId;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::{Field, PrimeField, Zero};
use bucketwheel_lanes::{Backend, LaneField, MAX_LANES};
use num_bigint::{BigInt, BigUint, Sign};

use crate::curve::{to_coordinates, CoordinateField, Curve, Reduced};
use crate::endomorphism::Endomorphism;
use crate::layout::Coordinates;
use crate::Error;

/// The endomorphism `(x, y) -> (u x, v y)`, after the conjugation of both coordinates in G2, and its eigenvalue.
#[derive(Debug)]
pub struct Membership<F> {
    image: [F; 2],
    conjugate: bool,
    /// The eigenvalue in digits -1, 0 and 1, the leading one first.
    eigenvalue: Vec<i8>,
}

impl<F: CoordinateField> Membership<F> {
    /// The test of the first group; none if it is the whole curve.
    pub(crate) fn of_g1<C: Curve<BaseField = F>>(endomorphism: &Endomorphism<F>) -> Option<Self> {
        let image = [endomorphism.beta, F::ONE];
        let eigenvalue = digits(&endomorphism.split.lambda.clone().into());
        (!C::cofactor_is_one()).then_some(Membership { image, conjugate: false, eigenvalue })
    }

    /// The test of the second group, `D`, of the pairing with `C`.
    pub(crate) fn of_g2<C: Curve, D: Curve<BaseField = F, ScalarField = C::ScalarField>>() -> Option<Self>
    where
        C::BaseField: PrimeField,
        F: Field<BasePrimeField = C::BaseField>,
    {
        let (p, r): (BigUint, BigUint) = (C::BaseField::MODULUS.into(), C::ScalarField::MODULUS.into());
        let (p, r) = (BigInt::from(p), BigInt::from(r));
        // t - 1 is p modulo r, and short.
        let remainder = &p % &r;
        let eigenvalue = if &remainder * 2 > r { remainder - &r } else { remainder };
        // With b' = C^6 b, sigma takes x to C^2 (x / C^2)^p, and y to C^3 (y / C^3)^p.
        let quotient = F::from_base_prime_field(C::COEFF_B) / D::COEFF_B;
        let power = |divisor: u32| {
            let exponent: BigInt = (&p - 1) / divisor;
            quotient.pow(exponent.magnitude().to_u64_digits())
        };
        Some(Membership { image: [power(3), power(2)], conjugate: true, eigenvalue: digits(&eigenvalue) })
    }

    /// The image of a point.
    fn image(&self, x: &F, y: &F) -> [F; 2] {
        let (mut x, mut y) = (*x, *y);
        if self.conjugate {
            x.frobenius_map_in_place(1);
            y.frobenius_map_in_place(1);
        }
        [x * self.image[0], y * self.image[1]]
    }
}

/// A number's nonadjacent form, the leading digit first.
fn digits(number: &BigInt) -> Vec<i8> {
    let mut rest = number.magnitude().clone();
    let mut digits = Vec::new();
    let sign = if number.sign() == Sign::Minus { -1 } else { 1 };
    while rest.bits() > 0 {
        let low = rest.iter_u64_digits().next().unwrap_or(0) % 4;
        let digit = match low {
            1 => 1,
            3 => -1,
            _ => 0,
        };
        match digit {
            1 => rest -= 1u32,
            -1 => rest += 1u32,
            _ => {}
        }
        digits.push(sign * digit);
        rest >>= 1;
    }
    digits.reverse();
    digits
}

/// What is wrong with a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It does not satisfy the equation.
    Curve,
    /// It lies outside of the subgroup.
    Subgroup,
}

impl Failure {
    /// The error for point `index`.
    pub(crate) fn error(self, index: usize) -> Error {
        match self {
            Failure::Curve => Error::NotOnCurve { index },
            Failure::Subgroup => Error::NotInSubgroup { index },
        }
    }
}

/// Finite points to be looked at.
pub struct Examination<'a, W> {
    pub(crate) a: Option<W>,
    pub(crate) b: W,
    pub(crate) points: &'a [Coordinates<W>],
    /// The points' images and the eigenvalue, where membership of the subgroup is in question.
    pub(crate) images: Option<(&'a [Coordinates<W>], &'a [i8])>,
}

/// The first of these points that fails.
pub(crate) fn first_failure<C: Curve>(
    backend: Backend,
    points: &[Affine<C>],
    subgroup: bool,
) -> Result<Option<(usize, Failure)>, Error> {
    let finite: Vec<usize> = (0..points.len()).filter(|&i| !points[i].is_zero()).collect();
    let coordinates: Vec<_> = finite.iter().map(|&i| to_coordinates(&points[i])).collect();
    let membership = C::BaseField::membership(TypeId::of::<C>());
    let test = membership.flatten().filter(|_| subgroup);
    let image = |test: &Membership<C::BaseField>, i: &usize| {
        test.image(&points[*i].x, &points[*i].y).map(|coordinate| coordinate.to_words())
    };
    let images: Vec<_> = test.iter().flat_map(|test| finite.iter().map(|i| image(test, i))).collect();
    let examination = Examination {
        a: (!C::COEFF_A.is_zero()).then(|| C::COEFF_A.to_words()),
        b: C::COEFF_B.to_words(),
        points: &coordinates,
        images: test.map(|test| (&images[..], &test.eigenvalue[..])),
    };
    let failure = C::BaseField::examine(backend, examination)?;
    if failure.is_none() && subgroup && membership.is_none() {
        // A curve that the engine knows no endomorphism of.
        let outside = |i: &&usize| !points[**i].is_in_correct_subgroup_assuming_on_curve();
        return Ok(finite.iter().find(outside).map(|&i| (i, Failure::Subgroup)));
    }
    Ok(failure.map(|(index, failure)| (finite[index], failure)))
}

/// Looks at the points in lanes.
pub(crate) fn examine<L: LaneField>(
    lanes: L,
    examination: &Examination<'_, L::Words>,
) -> Option<(usize, Failure)> {
    let Examination { points, images, .. } = examination;
    (0..points.len()).step_by(L::LANES).find_map(|first| {
        let encode = |points: &[Coordinates<L::Words>], i: usize| {
            // Lanes without a point repeat the last one.
            let word = |lane: usize| points[(first + lane).min(points.len() - 1)][i];
            lanes.encode(&std::array::from_fn::<_, MAX_LANES, _>(word))
        };
        let point = [encode(points, 0), encode(points, 1)];
        let on_curve = on_curve(lanes, examination, &point);
        let inside = images.map_or(u32::MAX, |(images, eigenvalue)| {
            equals(lanes, &multiple(lanes, &point, eigenvalue), &[encode(images, 0), encode(images, 1)])
        });
        let failed = (!(on_curve & inside)).trailing_zeros() as usize;
        let failure = if on_curve >> (failed % 32) & 1 == 0 { Failure::Curve } else { Failure::Subgroup };
        (failed < L::LANES).then_some((first + failed, failure))
    })
}

/// The lanes in which `y^2 = x^3 + a x + b`.
fn on_curve<L: LaneField>(lanes: L, curve: &Examination<'_, L::Words>, [x, y]: &[L::Vec; 2]) -> u32 {
    let r = Reduced(lanes);
    let square = r.square(x);
    let square = curve.a.map_or(square, |a| r.add(&square, &lanes.splat(a)));
    let right = r.add(&r.mul(&square, x), &lanes.splat(curve.b));
    lanes.zero_lanes(&r.sub(&r.square(y), &right))
}

/// X, Y, Z with `x = X / Z^2` and `y = Y / Z^3`, on a curve with a = 0.
type Jacobian<L> = [<L as LaneField>::Vec; 3];

/// A multiple of finite points; Z is 0 in lanes that met an exception.
fn multiple<L: LaneField>(lanes: L, [x, y]: &[L::Vec; 2], digits: &[i8]) -> Jacobian<L> {
    let r = Reduced(lanes);
    let negative = r.sub(&r.zero(), y);
    let signed = |digit: i8| if digit < 0 { &negative } else { y };
    let (first, rest) = digits.split_first().expect("the eigenvalue is not 0");
    let start = [*x, *signed(*first), r.add(&lanes.one(), &r.zero())];
    rest.iter().fold(start, |sum, &digit| {
        let double = double(lanes, &sum);
        if digit == 0 {
            return double;
        }
        add(lanes, &double, [x, signed(digit)])
    })
}

/// The double: 3 products, 4 squares.
fn double<L: LaneField>(lanes: L, [x, y, z]: &Jacobian<L>) -> Jacobian<L> {
    let r = Reduced(lanes);
    let twice = |v: &L::Vec| r.add(v, v);
    let square = r.square(x);
    let slope = r.add(&twice(&square), &square);
    let yy = twice(&r.square(y));
    let s = twice(&r.mul(x, &yy));
    let x3 = r.sub(&r.square(&slope), &twice(&s));
    let y3 = r.sub(&r.mul(&slope, &r.sub(&s, &x3)), &twice(&r.square(&yy)));
    [x3, y3, twice(&r.mul(y, z))]
}

/// The sum with an affine point other than itself, which is the caller's to know: 8 products, 3 squares.
fn add<L: LaneField>(lanes: L, [x1, y1, z1]: &Jacobian<L>, [x2, y2]: [&L::Vec; 2]) -> Jacobian<L> {
    let r = Reduced(lanes);
    let zz = r.square(z1);
    let h = r.sub(&r.mul(x2, &zz), x1);
    let slope = r.sub(&r.mul(y2, &r.mul(z1, &zz)), y1);
    let hh = r.square(&h);
    let hhh = r.mul(&h, &hh);
    let v = r.mul(x1, &hh);
    let x3 = r.sub(&r.sub(&r.square(&slope), &hhh), &r.add(&v, &v));
    let y3 = r.sub(&r.mul(&slope, &r.sub(&v, &x3)), &r.mul(y1, &hhh));
    [x3, y3, r.mul(z1, &h)]
}

/// The lanes in which the points are the same, and finite.
fn equals<L: LaneField>(lanes: L, [x1, y1, z1]: &Jacobian<L>, [x2, y2]: &[L::Vec; 2]) -> u32 {
    let r = Reduced(lanes);
    let zz = r.square(z1);
    let x = r.sub(&r.mul(x2, &zz), x1);
    let y = r.sub(&r.mul(y2, &r.mul(z1, &zz)), y1);
    lanes.zero_lanes(&x) & lanes.zero_lanes(&y) & !lanes.zero_lanes(z1)
}
