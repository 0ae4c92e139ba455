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

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::{Field, PrimeField, Zero};
use bucketwheel_lanes::{each, Backend, LaneField, OutOfLine, MAX_LANES};
use num_bigint::{BigInt, BigUint, Sign};

use crate::curve::{known, to_coordinates, CoordinateField, Curve};
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
    let finite = || points.iter().enumerate().filter(|(_, point)| !point.is_zero());
    let coordinates: Vec<_> = finite().map(|(_, point)| to_coordinates(point)).collect();
    let subgroup = subgroup && !C::cofactor_is_one();
    let test = known::<C>().and_then(|known| known.membership.as_ref()).filter(|_| subgroup);
    let image = |test: &Membership<C::BaseField>, point: &Affine<C>| {
        test.image(&point.x, &point.y).map(|coordinate| coordinate.to_words())
    };
    let images: Vec<_> = test.iter().flat_map(|test| finite().map(|(_, point)| image(test, point))).collect();
    let examination = Examination {
        a: (!C::COEFF_A.is_zero()).then(|| C::COEFF_A.to_words()),
        b: C::COEFF_B.to_words(),
        points: &coordinates,
        images: test.map(|test| (&images[..], &test.eigenvalue[..])),
    };
    let failure = C::BaseField::engine(backend)?.examine(&examination);
    if failure.is_none() && subgroup && test.is_none() {
        // A curve that the engine knows no test of.
        let mut outside = finite().filter(|(_, point)| !point.is_in_correct_subgroup_assuming_on_curve());
        return Ok(outside.next().map(|(index, _)| (index, Failure::Subgroup)));
    }
    let index = |nth: usize| finite().nth(nth).expect("one that was looked at").0;
    Ok(failure.map(|(nth, failure)| (index(nth), failure)))
}

/// Looks at the points in lanes.
pub(crate) fn examine<L: LaneField>(
    lanes: L,
    examination: &Examination<'_, L::Words>,
) -> Option<(usize, Failure)> {
    Examine { lanes: OutOfLine::of(lanes), examination }.run()
}

struct Examine<'a, L: LaneField> {
    lanes: OutOfLine<L>,
    examination: &'a Examination<'a, L::Words>,
}

impl<L: LaneField> Examine<'_, L> {
    /// Takes a point per lane at a time; lanes without a point repeat the last one.
    fn run(self) -> Option<(usize, Failure)> {
        let Examine { lanes, examination: curve } = self;
        let constants = (curve.a.map(|a| lanes.splat(a)), lanes.splat(curve.b));
        let mut first = 0;
        while first < curve.points.len() {
            let point = load(lanes, curve.points, first);
            let on_curve = satisfied(lanes, &point, &constants);
            let in_subgroup = match curve.images {
                None => u32::MAX,
                Some((images, eigenvalue)) => {
                    equals(lanes, &multiple(lanes, &point, eigenvalue), &load(lanes, images, first))
                }
            };
            let failed = !(on_curve & in_subgroup) & u32::MAX >> (32 - L::LANES);
            if failed != 0 {
                let lane = failed.trailing_zeros();
                let failure = if on_curve >> lane & 1 == 0 { Failure::Curve } else { Failure::Subgroup };
                return Some((first + lane as usize, failure));
            }
            first += L::LANES;
        }
        None
    }
}

/// The lanes in which `y^2 = x^3 + a x + b`.
fn satisfied<L: LaneField>(lanes: L, [x, y]: &[L::Vec; 2], (a, b): &(Option<L::Vec>, L::Vec)) -> u32 {
    let (mut right, mut left, mut cube) = (*x, *y, *x);
    lanes.square(x, &mut right);
    if let Some(a) = a {
        right = lanes.reduce(&lanes.add(&lanes.lift(&right), &lanes.lift(a)));
    }
    lanes.mul(&right, L::as_factor(x), &mut cube);
    lanes.square(y, &mut left);
    let cube = lanes.reduce(&lanes.lift(&cube));
    let right = lanes.add(&lanes.lift(&cube), &lanes.lift(b));
    lanes.zero_lanes(&lanes.reduce(&lanes.sub(&lanes.lift(&left), &right)))
}

/// One point per lane.
fn load<L: LaneField>(lanes: L, points: &[Coordinates<L::Words>], first: usize) -> [L::Vec; 2] {
    let last = points.len() - 1;
    each!(|i| {
        let words: [L::Words; MAX_LANES] =
            each!(|lane| points[if first + lane < last { first + lane } else { last }][i]);
        lanes.encode(&words)
    })
}

/// X, Y, Z with `x = X / Z^2` and `y = Y / Z^3`, all reduced where they are doubles.
pub(crate) type Jacobian<L> = [<L as LaneField>::Vec; 3];

/// A multiple of finite points on a curve with a = 0; Z is 0 in lanes that met an exception.
fn multiple<L: LaneField>(lanes: L, [x, y]: &[L::Vec; 2], digits: &[i8]) -> Jacobian<L> {
    let negative = lanes.reduce(&lanes.negate(&lanes.lift(y), u32::MAX >> (32 - L::LANES)));
    let mut sum = [*x, *y, lanes.one()];
    for (i, &digit) in digits.iter().enumerate() {
        let signed = if digit < 0 { &negative } else { y };
        if i == 0 {
            sum[1] = *signed;
            continue;
        }
        sum = double(lanes, &sum, None);
        if digit != 0 {
            sum = add(lanes, &sum, [x, signed]);
        }
    }
    sum
}

/// The double, on a curve with this coefficient a, or none for 0: 3 products, 4 squares. X and Y are reduced.
pub(crate) fn double<L: LaneField>(lanes: L, [x, y, z]: &Jacobian<L>, a: Option<&L::Vec>) -> Jacobian<L> {
    let mut square = *x;
    lanes.square(x, &mut square);
    let mut slope = lanes.reduce(&lanes.add(&lanes.lift(&twice(lanes, &square)), &lanes.lift(&square)));
    if let Some(a) = a {
        let (mut zz, mut zzzz, mut term) = (*z, *z, *z);
        lanes.square(z, &mut zz);
        lanes.square(&zz, &mut zzzz);
        lanes.mul(&zzzz, L::as_factor(a), &mut term);
        slope = lanes.reduce(&lanes.add(&lanes.lift(&slope), &lanes.lift(&term)));
    }
    let mut yy = *y;
    lanes.square(y, &mut yy);
    let yy = twice(lanes, &yy);
    let mut s = *x;
    lanes.mul(x, L::as_factor(&yy), &mut s);
    let s = twice(lanes, &s);
    let mut x3 = *x;
    lanes.square(&slope, &mut x3);
    let s_sum = lanes.lift(&s);
    let x3 = lanes.reduce(&lanes.sub(&lanes.sub(&lanes.lift(&x3), &s_sum), &s_sum));
    let (mut y3, mut yyyy) = (*y, *y);
    lanes.mul(&slope, &lanes.factor(&lanes.sub(&s_sum, &lanes.lift(&x3))), &mut y3);
    lanes.square(&yy, &mut yyyy);
    let y3 = lanes.reduce(&lanes.sub(&lanes.lift(&y3), &lanes.lift(&twice(lanes, &yyyy))));
    let mut yz = *y;
    lanes.mul(y, L::as_factor(z), &mut yz);
    [x3, y3, twice(lanes, &yz)]
}

/// `2 v`, reduced.
fn twice<L: LaneField>(lanes: L, v: &L::Vec) -> L::Vec {
    let sum = lanes.lift(v);
    lanes.reduce(&lanes.add(&sum, &sum))
}

/// The sum with an affine point other than itself, which is the caller's to know: 8 products, 3 squares.
pub(crate) fn add<L: LaneField>(lanes: L, [x1, y1, z1]: &Jacobian<L>, [x2, y2]: [&L::Vec; 2]) -> Jacobian<L> {
    let [h, slope] = differences(lanes, [x1, y1, z1], [x2, y2]);
    let (mut hh, mut hhh, mut v) = (h, h, h);
    lanes.square(&h, &mut hh);
    lanes.mul(&h, L::as_factor(&hh), &mut hhh);
    lanes.mul(x1, L::as_factor(&hh), &mut v);
    let mut x3 = slope;
    lanes.square(&slope, &mut x3);
    let less = lanes.reduce(&lanes.add(&lanes.lift(&twice(lanes, &v)), &lanes.lift(&hhh)));
    let x3 = lanes.reduce(&lanes.sub(&lanes.lift(&x3), &lanes.lift(&less)));
    let (mut y3, mut y1_hhh, mut z3) = (h, h, h);
    lanes.mul(&slope, &lanes.factor(&lanes.sub(&lanes.lift(&v), &lanes.lift(&x3))), &mut y3);
    lanes.mul(y1, L::as_factor(&hhh), &mut y1_hhh);
    let y3 = lanes.reduce(&lanes.sub(&lanes.lift(&y3), &lanes.lift(&y1_hhh)));
    lanes.mul(z1, L::as_factor(&h), &mut z3);
    [x3, y3, z3]
}

/// `x2 z1^2 - x1` and `y2 z1^3 - y1`: 0 where the points are the same.
pub(crate) fn differences<L: LaneField>(
    lanes: L,
    [x1, y1, z1]: [&L::Vec; 3],
    [x2, y2]: [&L::Vec; 2],
) -> [L::Vec; 2] {
    let (mut zz, mut zzz, mut x, mut y) = (*z1, *z1, *x1, *y1);
    lanes.square(z1, &mut zz);
    lanes.mul(z1, L::as_factor(&zz), &mut zzz);
    lanes.mul(x2, L::as_factor(&zz), &mut x);
    lanes.mul(y2, L::as_factor(&zzz), &mut y);
    [
        lanes.reduce(&lanes.sub(&lanes.lift(&x), &lanes.lift(x1))),
        lanes.reduce(&lanes.sub(&lanes.lift(&y), &lanes.lift(y1))),
    ]
}

/// The lanes in which the points are the same, and finite.
fn equals<L: LaneField>(lanes: L, [x1, y1, z1]: &Jacobian<L>, [x2, y2]: &[L::Vec; 2]) -> u32 {
    let [x, y] = differences(lanes, [x1, y1, z1], [x2, y2]);
    lanes.zero_lanes(&x) & lanes.zero_lanes(&y) & !lanes.zero_lanes(&lanes.reduce(&lanes.lift(z1)))
}
