//! Integers in words of 32 bits, lowest first, in the form of benches.

use ark_ff::{BigInt, PrimeField};

use crate::Fault;

/// Returns the words of an integer.
pub(crate) fn words(limbs: &[u64]) -> impl Iterator<Item = u32> + '_ {
    limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32])
}

/// Returns the integer of these words.
fn integer<const N: usize>(words: &[u32]) -> BigInt<N> {
    BigInt::new(std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32))
}

/// Returns adjacent coordinates, the first one lowest; each is an integer below the prime.
///
/// # Errors
/// [`Fault::NotReduced`].
pub(crate) fn reduced<F: PrimeField<BigInt = BigInt<N>>, const N: usize, const COUNT: usize>(
    words: &[u32],
) -> Result<[BigInt<N>; COUNT], Fault> {
    let all: [BigInt<N>; COUNT] = std::array::from_fn(|i| integer(&words[2 * N * i..2 * N * (i + 1)]));
    match all.iter().all(|x| *x < F::MODULUS) {
        true => Ok(all),
        false => Err(Fault::NotReduced),
    }
}
