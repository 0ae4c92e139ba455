//! Prime fields as words: integers and Montgomery forms.

use ark_ff::{BigInt, Fp, MontBackend, MontConfig, PrimeField};

/// A prime field in Montgomery form.
///
/// ```
/// use ark_bn254::Fr;
/// use bucketwheel::MontgomeryWords;
///
/// assert_eq!(Fr::from(7).to_integer().0, [7, 0, 0, 0]);
/// ```
pub trait MontgomeryWords: PrimeField {
    /// Returns the element as an integer, as [`PrimeField::into_bigint`] does. The compiler unrolls that function to
    /// 45,000 lines. The [example](Self) uses it.
    fn to_integer(&self) -> Self::BigInt;

    /// Returns the element of this Montgomery form, which must be below the modulus.
    #[doc(hidden)]
    fn from_montgomery(words: Self::BigInt) -> Self;

    /// Returns the Montgomery forms of these elements, in place.
    #[doc(hidden)]
    fn as_montgomery(elements: &[Self]) -> &[Self::BigInt];
}

impl<P: MontConfig<N>, const N: usize> MontgomeryWords for Fp<MontBackend<P, N>, N> {
    #[inline]
    fn to_integer(&self) -> Self::BigInt {
        self.0.reduce(&P::MODULUS, P::INV)
    }

    #[inline]
    fn from_montgomery(words: Self::BigInt) -> Self {
        Self::new_unchecked(words)
    }

    fn as_montgomery(elements: &[Self]) -> &[Self::BigInt] {
        const { assert!(size_of::<Self>() == size_of::<BigInt<N>>()) };
        const { assert!(align_of::<Self>() == align_of::<BigInt<N>>()) };
        // SAFETY: an element has the size of its words, which are its only field that has any.
        unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) }
    }
}

/// Words of integers and of Montgomery forms.
pub trait Reduce: Copy {
    /// Returns the integer of this Montgomery form, below the modulus m. `inverse` is -1/m modulo 2^64.
    #[doc(hidden)]
    fn reduce(self, modulus: &Self, inverse: u64) -> Self;
}

impl<const N: usize> Reduce for BigInt<N> {
    /// Multiplies by 2^-64 modulo m, `N` times.
    #[inline(always)]
    fn reduce(self, modulus: &Self, inverse: u64) -> Self {
        let (mut words, modulus) = (self.0, &modulus.0);
        for _ in 0..N {
            let factor = words[0].wrapping_mul(inverse);
            let product = |i: usize| u128::from(factor) * u128::from(modulus[i]);
            // The lowest word of the sum is 0.
            let mut carry = (u128::from(words[0]) + product(0)) >> 64;
            for i in 1..N {
                carry += u128::from(words[i]) + product(i);
                words[i - 1] = carry as u64;
                carry >>= 64;
            }
            words[N - 1] = carry as u64;
        }
        BigInt(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_arkworks() {
        fn check<F: MontgomeryWords>() {
            let mut rng = ark_std::test_rng();
            let edges = [F::ZERO, F::ONE, -F::ONE, F::from(u64::MAX)];
            for element in edges.into_iter().chain((0..1000).map(|_| F::rand(&mut rng))) {
                assert_eq!(element.to_integer(), element.into_bigint());
            }
        }
        check::<ark_bls12_381::Fr>();
        check::<ark_bn254::Fr>();
        // A field of six words.
        check::<ark_bls12_381::Fq>();
    }
}
