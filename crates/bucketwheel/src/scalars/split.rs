//! The split of a scalar that an endomorphism with eigenvalue lambda makes possible: `k P = k1 P + k2 lambda P`, where k1 and k2
//! are half as long as k (Gallant, Lambert, Vanstone, CRYPTO 2001).

use ark_ff::BigInteger;
use num_bigint::{BigInt, BigUint, Sign};

use super::magnitude::Magnitude;

/// Number of parts of a split scalar. A point has this number of images, itself included, and a window has this number of sets of
/// buckets if the points have no images.
pub(crate) const PARTS: usize = 2;

/// Number of 64-bit words of a part. A part is a signed integer of 128 bits.
pub(crate) const PART_WORDS: usize = (u128::BITS / u64::BITS) as usize;

/// Split of scalars, by a short basis of the lattice of all `(x, y)` with `x + y lambda = 0` modulo the order.
#[derive(Debug, PartialEq, Eq)]
pub struct Split {
    pub(crate) lambda: BigUint,
    /// The vectors, modulo 2^128.
    basis: [[u128; PARTS]; PARTS],
    /// Factors that give a scalar's coordinates in the basis: `round(k factor / 2^PRECISION)`.
    factors: [[u64; 3]; PARTS],
    /// The bound of the parts.
    pub(crate) longest: u128,
    /// Number of bits of this bound.
    pub(crate) bits: u32,
}

/// Fraction bits of the factors: three words hold them, and the error for a scalar of 254 bits is below 2^-63.
const PRECISION: usize = 318;

impl Split {
    /// Returns the split for this order and eigenvalue.
    pub fn new(order: &BigUint, lambda: &BigUint) -> Self {
        let (order, eigenvalue) = (BigInt::from(order.clone()), BigInt::from(lambda.clone()));
        let [v, w] = short_basis(&order, &eigenvalue);
        // (k, 0) = c v + d w with c = k w.y / det and d = -k v.y / det, where det is the order or its negative. The
        // factors are made positive, and the vectors are negated to match.
        let determinant = &v[0] * &w[1] - &w[0] * &v[1];
        let turned = |x: &BigInt, sign: Sign| if sign == Sign::Minus { -x } else { x.clone() };
        let coordinates = [turned(&w[1], determinant.sign()), turned(&-&v[1], determinant.sign())];
        let half: BigInt = &order >> 1;
        let factors = coordinates.each_ref().map(|c| {
            let factor = ((c.magnitude() << PRECISION) + half.magnitude()) / order.magnitude();
            let digits = factor.to_u64_digits();
            assert!(digits.len() <= 3, "a factor has three words");
            std::array::from_fn(|i| digits.get(i).copied().unwrap_or(0))
        });
        // A part is at most half of both vectors' coordinates, plus the rounding.
        let bound = (0..PARTS).map(|i| (v[i].magnitude() + w[i].magnitude()) / 2u32 + 1u32).max();
        let longest = wrapped(&BigInt::from(bound.expect("two coordinates")));
        let bits = u128::BITS - longest.leading_zeros();
        assert!(bits < 128, "parts fit a signed integer of 128 bits");
        let signs = coordinates.each_ref().map(BigInt::sign);
        let basis =
            [(v, signs[0]), (w, signs[1])].map(|(vector, sign)| vector.map(|x| wrapped(&turned(&x, sign))));
        Split { lambda: lambda.clone(), basis, factors, longest, bits }
    }

    /// Returns the parts of a scalar that is longer than a part. A shorter scalar is its first part, and the others are 0.
    #[inline(always)]
    pub(crate) fn apply<B: BigInteger>(&self, scalar: Magnitude<B>) -> [Magnitude<B>; PARTS] {
        if scalar.bits() > self.bits {
            return self.parts(&scalar);
        }
        let mut parts = [Magnitude::default(); PARTS];
        parts[0] = scalar;
        parts
    }

    /// Returns the parts of a scalar of at most 254 bits.
    #[inline(always)]
    pub(crate) fn parts<B: BigInteger>(&self, scalar: &Magnitude<B>) -> [Magnitude<B>; PARTS] {
        let words = scalar.words.as_ref();
        let words = [words[0], words[1], words[2], words[3]];
        let coordinates = self.factors.each_ref().map(|factor| coordinate(&words, factor));
        let low = u128::from(words[1]) << 64 | u128::from(words[0]);
        let mut parts = [Magnitude::<B>::default(); PARTS];
        for (i, Magnitude { words, negative }) in parts.iter_mut().enumerate() {
            let mut part = if i == 0 { low } else { 0 };
            for (coordinate, vector) in coordinates.iter().zip(&self.basis) {
                part = part.wrapping_sub(coordinate.wrapping_mul(vector[i]));
            }
            let part = part as i128;
            let magnitude = part.unsigned_abs();
            let words = words.as_mut();
            (words[0], words[1]) = (magnitude as u64, (magnitude >> 64) as u64);
            *negative = scalar.negative ^ (part < 0);
        }
        parts
    }
}

/// Returns `round(scalar factor / 2^PRECISION)`.
#[inline(always)]
fn coordinate(scalar: &[u64; 4], factor: &[u64; 3]) -> u128 {
    let mut product = [0u64; 7];
    for (i, &x) in factor.iter().enumerate() {
        let mut carry = 0;
        for (j, &y) in scalar.iter().enumerate() {
            let sum = u128::from(x) * u128::from(y) + u128::from(product[i + j]) + carry;
            product[i + j] = sum as u64;
            carry = sum >> 64;
        }
        product[i + 4] = carry as u64;
    }
    let (low, high) = (product[PRECISION / 64], u128::from(product[6]) << 64 | u128::from(product[5]));
    let shift = PRECISION % 64;
    let rounding = low >> (shift - 1) & 1;
    (high << (64 - shift) | u128::from(low >> shift)) + u128::from(rounding)
}

/// Returns a short basis of the lattice, by Euclid's algorithm on the order and the eigenvalue. Every remainder r has a
/// t with `r = t lambda`. In the middle of the algorithm, r and t are about as long as the order's root.
fn short_basis(order: &BigInt, lambda: &BigInt) -> [[BigInt; PARTS]; PARTS] {
    let (mut previous, mut current) = ([order.clone(), BigInt::ZERO], [lambda.clone(), -BigInt::from(1)]);
    let step = |previous: &[BigInt; 2], current: &[BigInt; 2]| {
        let quotient = &previous[0] / &current[0];
        [&previous[0] - &quotient * &current[0], &previous[1] - &quotient * &current[1]]
    };
    while &current[0] * &current[0] > *order {
        let next = step(&previous, &current);
        previous = std::mem::replace(&mut current, next);
    }
    let next = step(&previous, &current);
    let longest = |vector: &[BigInt; 2]| vector[0].magnitude().max(vector[1].magnitude()).clone();
    let second = if longest(&next) < longest(&previous) { next } else { previous };
    [current, second]
}

/// Returns `x` modulo 2^128.
fn wrapped(x: &BigInt) -> u128 {
    let digits = x.magnitude().to_u64_digits();
    let digit = |i: usize| u128::from(digits.get(i).copied().unwrap_or(0));
    let magnitude = digit(1) << 64 | digit(0);
    if x.sign() == Sign::Minus {
        magnitude.wrapping_neg()
    } else {
        magnitude
    }
}
