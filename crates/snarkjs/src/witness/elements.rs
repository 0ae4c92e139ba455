//! Elements of a field in the memory of circom 1.

use num_bigint::BigUint;

use super::interface::{bytes, VALUE_BYTES};

/// Number of bytes of an element: a small value, flags, a large value.
pub const ELEMENT_BYTES: usize = 8 + VALUE_BYTES;
/// Flag of an element whose large value counts.
const LONG: u32 = 1 << 31;
/// Flag of an element whose large value is in Montgomery form.
const MONTGOMERY: u32 = 1 << 30;

/// The form of field elements in the memory of circom 1.
#[derive(Clone)]
pub struct Elements {
    /// The field's modulus.
    pub prime: BigUint,
    /// The inverse of Montgomery's factor, 2^256.
    inverse: BigUint,
}

impl Elements {
    /// Returns the form for the field of a prime.
    pub fn new(prime: BigUint) -> Self {
        let exponent = &prime - 2u8;
        let inverse = (BigUint::from(1u8) << (8 * VALUE_BYTES)).modpow(&exponent, &prime);
        Elements { prime, inverse }
    }

    /// Returns an element. It is not below the prime if the circuit is damaged.
    pub fn decode(&self, bytes: &[u8; ELEMENT_BYTES]) -> BigUint {
        let (words, _) = bytes.as_chunks();
        let [small, flags] = [0, 1].map(|i| u32::from_le_bytes(words[i]));
        let large = || BigUint::from_bytes_le(&bytes[8..]);
        match (flags & LONG != 0, flags & MONTGOMERY != 0) {
            (true, true) => large() * &self.inverse % &self.prime,
            (true, false) => large(),
            (false, _) => match small as i32 {
                small @ 0.. => BigUint::from(small as u32),
                negative => &self.prime - negative.unsigned_abs(),
            },
        }
    }

    /// Returns the bytes of an integer below the prime.
    pub fn encode(&self, value: &BigUint) -> [u8; ELEMENT_BYTES] {
        let mut encoded = [0; ELEMENT_BYTES];
        let negative = &self.prime - value;
        let small = i32::try_from(value).ok();
        let small = small.or_else(|| i32::try_from(&negative).ok().map(|negative| -negative));
        match small {
            Some(small) => encoded[..4].copy_from_slice(&small.to_le_bytes()),
            None => {
                encoded[4..8].copy_from_slice(&LONG.to_le_bytes());
                encoded[8..].copy_from_slice(&bytes(value));
            }
        }
        encoded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CURVES;

    #[test]
    fn elements_of_all_lengths() {
        for curve in CURVES {
            let prime = BigUint::from_bytes_le(curve.order());
            let elements = Elements::new(prime.clone());
            let small = [0u32, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].map(BigUint::from);
            let negative = small[1..].iter().map(|value| &prime - value);
            let values = small.iter().cloned().chain(negative).chain([&prime / 3u8]);
            for value in values {
                let encoded = elements.encode(&value);
                assert_eq!(elements.decode(&encoded), value);
                // The same value in the long form, and in the long Montgomery form.
                let long = |flags: u32, value: &BigUint| {
                    let mut encoded = [0; ELEMENT_BYTES];
                    encoded[4..8].copy_from_slice(&flags.to_le_bytes());
                    encoded[8..].copy_from_slice(&bytes(value));
                    elements.decode(&encoded)
                };
                assert_eq!(long(LONG, &value), value);
                let montgomery = (&value << (8 * VALUE_BYTES)) % &prime;
                assert_eq!(long(LONG | MONTGOMERY, &montgomery), value);
            }
            let flags = |value: &BigUint| elements.encode(value)[7];
            assert_eq!([&small[2], &small[3]].map(flags), [0, 0x80]);
        }
    }
}
