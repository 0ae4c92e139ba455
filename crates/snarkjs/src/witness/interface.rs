//! What the versions of circom's interface have in common.

use ark_ff::BigInt;
use num_bigint::BigUint;

use super::WitnessError;
use crate::{curve_of_order, CurveId};

/// The bytes of a value: both fields have 256 bits.
pub const VALUE_BYTES: usize = 32;

/// A circuit to calculate one witness with: [`start`](Self::start), [`set`](Self::set) for all inputs, then the values.
pub trait Interface {
    /// The field's modulus.
    fn prime(&self) -> &BigUint;

    /// Makes the circuit ready for its inputs.
    fn start(&mut self) -> Result<(), WitnessError>;

    /// Number of values that all inputs take together.
    fn needed(&mut self) -> Result<usize, WitnessError>;

    /// Number of values that an input takes.
    fn length(&mut self, signal: &str) -> Result<Length, WitnessError>;

    /// Sets a value of an input. The circuit computes when it has the last one.
    fn set(&mut self, signal: &str, index: usize, value: &BigUint) -> Result<(), WitnessError>;

    /// Number of values of the witness.
    fn values(&mut self) -> Result<usize, WitnessError>;

    /// A value of the witness.
    fn value(&mut self, index: usize) -> Result<BigUint, WitnessError>;
}

/// Number of values that an input takes, as far as the circuit tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// This number.
    Of(usize),
    /// The circuit has no such input, or one without values.
    NoInput,
    /// The circuit does not tell.
    Untold,
}

/// The curve whose order a circuit computes modulo.
pub fn curve(prime: &BigUint) -> Result<CurveId, WitnessError> {
    curve_of_order(&prime.to_bytes_le()).ok_or(WitnessError::Prime)
}

/// The hash by which circom finds a signal: FNV-1a of 64 bits.
pub fn hash64(signal: &str) -> u64 {
    let step = |hash: u64, unit: u16| (hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3);
    signal.encode_utf16().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The two halves of a signal's hash.
pub fn hash(signal: &str) -> (i32, i32) {
    let hash = hash64(signal);
    ((hash >> 32) as i32, hash as i32)
}

/// The bytes of an integer below 2^256.
pub fn bytes(value: &BigUint) -> [u8; VALUE_BYTES] {
    let mut bytes = [0; VALUE_BYTES];
    for (bytes, digit) in bytes.chunks_exact_mut(8).zip(value.iter_u64_digits()) {
        bytes.copy_from_slice(&digit.to_le_bytes());
    }
    bytes
}

/// The words of an integer below 2^256.
pub fn words(value: &BigUint) -> BigInt<4> {
    let mut digits = value.iter_u64_digits();
    BigInt(std::array::from_fn(|_| digits.next().unwrap_or(0)))
}
