//! Field elements as canonical little-endian integers, those of an extension coefficient by coefficient.

use ark_ff::{AdditiveGroup, Field, PrimeField};

/// The bytes of an element of the prime field `F`.
fn prime_bytes<F: PrimeField>() -> usize {
    8 * <F::BigInt as ark_ff::BigInteger>::NUM_LIMBS
}

/// The bytes of an element of `F`.
pub fn element_bytes<F: Field>() -> usize {
    F::extension_degree() as usize * prime_bytes::<F::BasePrimeField>()
}

/// Appends an element.
pub fn write<F: Field>(element: &F, out: &mut Vec<u8>) {
    for coefficient in element.to_base_prime_field_elements() {
        for word in coefficient.into_bigint().as_ref() {
            out.extend_from_slice(&word.to_le_bytes());
        }
    }
}

/// Reads an element; `None` if a coefficient is not below the modulus.
pub fn read<F: Field>(bytes: &[u8]) -> Option<F> {
    let mut canonical = true;
    let coefficients = bytes.chunks_exact(prime_bytes::<F::BasePrimeField>()).map(|bytes| {
        read_prime(bytes).unwrap_or_else(|| {
            canonical = false;
            F::BasePrimeField::ZERO
        })
    });
    F::from_base_prime_field_elems(coefficients).filter(|_| canonical)
}

fn read_prime<F: PrimeField>(bytes: &[u8]) -> Option<F> {
    let mut integer = F::BigInt::default();
    for (word, bytes) in integer.as_mut().iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    }
    F::from_bigint(integer)
}
