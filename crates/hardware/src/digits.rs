//! Signed digits of scalars, as the hosts and processing elements of all three designs make them.

use crate::Curve;

/// A scalar as an integer, the least significant word first.
pub type Scalar = [u64; 4];

/// Decomposition of scalars into windows of c bits.
///
/// All windows except the last have signed digits `-2^(c-1) <= d < 2^(c-1)`. The last window has the remaining bits,
/// fewer than c, and the carry, and its digit is not negative. So `2^(c-1)` buckets suffice for all windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    width: u32,
    count: u32,
    bias: Scalar,
}

impl Windows {
    /// Largest number of bits of a window.
    pub const MAX_WIDTH: u32 = 24;

    /// Returns windows of `width` bits, 2 to [`MAX_WIDTH`](Self::MAX_WIDTH), for scalars of `bits` bits, at most 255.
    pub(crate) fn new(width: u32, bits: u32) -> Self {
        let count = bits / width + 1;
        let mut bias = [0; 4];
        for bit in (1..count).map(|window| window * width - 1) {
            bias[bit as usize / 64] |= 1 << (bit % 64);
        }
        Windows { width, count, bias }
    }

    /// Returns the bits of a window. The [example](crate::cyclone::Commands) uses it.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of windows. The [example](crate::cyclone::Commands) uses it.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the number of buckets of a window: bucket b is for digits b + 1 and -(b + 1).
    /// The [example](crate::cyclone::Commands) uses it.
    pub fn buckets(&self) -> usize {
        1 << (self.width - 1)
    }

    /// Returns the scalar plus half of the range of every window except the last. Signed digits are then bit fields.
    /// The [example](crate::cyclone::Commands) uses it.
    #[inline(always)]
    pub fn biased(&self, scalar: &Scalar) -> Scalar {
        let mut carry = false;
        std::array::from_fn(|i| {
            let (sum, first) = scalar[i].overflowing_add(self.bias[i]);
            let (sum, second) = sum.overflowing_add(carry.into());
            carry = first | second;
            sum
        })
    }

    /// Returns the bits of a window of a [`biased`](Self::biased) scalar: the digit, plus half of the range except in
    /// the last window. The [example](crate::cyclone::Commands) uses it.
    #[inline(always)]
    pub fn field(&self, biased: &Scalar, window: u32) -> u32 {
        let first = window * self.width;
        let (word, shift) = (first as usize / 64, first % 64);
        let next = biased.get(word + 1).copied().unwrap_or(0);
        let low = biased.get(word).copied().unwrap_or(0);
        let bits = ((u128::from(next) << 64 | u128::from(low)) >> shift) as u32;
        bits & ((1 << self.width) - 1)
    }

    /// Returns the digit of a window of a [`biased`](Self::biased) scalar.
    #[inline(always)]
    pub(crate) fn digit(&self, biased: &Scalar, window: u32) -> i32 {
        let half = if window + 1 < self.count { 1 << (self.width - 1) } else { 0 };
        self.field(biased, window) as i32 - half
    }
}

/// How uniform scalars fall into the buckets of a window: numbers of buckets that are equally likely, each with the probability of
/// one of its buckets. Zero digits have the rest of the probability.
pub(crate) type Spread = [(f64, f64); 2];

impl Windows {
    /// Returns the spread of a window's digits, for scalars below the order of the curve's group.
    pub(crate) fn spread(&self, window: u32, curve: Curve) -> Spread {
        let range = f64::from(self.width).exp2();
        if window + 1 < self.count {
            // The smallest digit has no opposite.
            return [(range / 2.0 - 1.0, 2.0 / range), (1.0, 1.0 / range)];
        }
        // The bits of the last window, with a fraction. The carry rounds them.
        let last = curve.order() / f64::from(window * self.width).exp2();
        let digits = (last - 0.5).max(0.0);
        [(digits.floor(), 1.0 / last), (1.0, digits.fract() / last)]
    }
}

/// Returns the bucket of a digit that is not 0.
#[inline(always)]
pub(crate) fn bucket(digit: i32) -> u32 {
    digit.unsigned_abs() - 1
}

#[cfg(test)]
mod tests {
    use ark_ff::{BigInteger, PrimeField, UniformRand};
    use rand::{rngs::StdRng, SeedableRng};

    use super::*;

    type Fr = ark_bls12_377::Fr;

    fn check(windows: Windows, scalar: Fr) {
        let biased = windows.biased(&scalar.into_bigint().0);
        let mut sum = Fr::from(0u64);
        for window in (0..windows.count()).rev() {
            let digit = windows.digit(&biased, window);
            assert!(digit == 0 || (bucket(digit) as usize) < windows.buckets(), "{digit}");
            assert!(window + 1 < windows.count() || digit >= 0);
            sum *= Fr::from(1u64 << windows.width());
            sum += Fr::from(digit);
        }
        assert_eq!(sum, scalar);
    }

    #[test]
    fn digits_spread_as_stated() {
        let rng = &mut StdRng::seed_from_u64(2);
        let scalars: Vec<_> = (0..20_000).map(|_| Fr::rand(rng).into_bigint().0).collect();
        // The last windows have 13 bits, one bit, the carry, and three bits.
        for width in [16, 12, 11, 5] {
            let windows = Windows::new(width, 253);
            for window in [0, windows.count() - 1] {
                let digits = scalars.iter().map(|scalar| windows.digit(&windows.biased(scalar), window));
                let nonzero = digits.filter(|&digit| digit != 0).count() as f64 / scalars.len() as f64;
                let spread = windows.spread(window, Curve::Bls12_377);
                let expected: f64 = spread.iter().map(|(buckets, each)| buckets * each).sum();
                assert!((nonzero - expected).abs() < 0.02, "{width}, {window}: {nonzero}, {expected}");
            }
        }
    }

    #[test]
    fn digits_make_the_scalar() {
        let rng = &mut StdRng::seed_from_u64(1);
        // 11 and 23 divide 253: the last window has only the carry.
        for width in 2..=Windows::MAX_WIDTH {
            let windows = Windows::new(width, 253);
            let mut half = Fr::from(0u64).into_bigint();
            half.0 = windows.bias;
            let corner = [
                Fr::from(0u64),
                Fr::from(1u64),
                -Fr::from(1u64),
                Fr::from_le_bytes_mod_order(&half.to_bytes_le()),
            ];
            corner.into_iter().for_each(|scalar| check(windows, scalar));
            (0..50).for_each(|_| check(windows, Fr::rand(rng)));
        }
    }
}
