//! The common part of the versions of circom's interface.

use ark_ff::BigInt;
use num_bigint::BigUint;

use super::WitnessError;
use crate::{curve_of_order, CurveId};

/// Number of bytes of a value: both fields have 256 bits.
pub const VALUE_BYTES: usize = 32;

/// A circuit that calculates one witness: call [`start`](Self::start), then [`set`](Self::set) for all inputs, then
/// read the values.
pub trait Interface {
    /// Returns the modulus of the field.
    fn prime(&self) -> &BigUint;

    /// Prepares the circuit for its inputs.
    fn start(&mut self) -> Result<(), WitnessError>;

    /// Returns the number of values of all inputs together.
    fn needed(&mut self) -> Result<usize, WitnessError>;

    /// Returns the number of values of an input.
    fn length(&mut self, signal: &str) -> Result<Length, WitnessError>;

    /// Sets a value of an input. The circuit computes when it has the last value.
    fn set(&mut self, signal: &str, index: usize, value: &BigUint) -> Result<(), WitnessError>;

    /// Returns the number of values of the witness.
    fn values(&mut self) -> Result<usize, WitnessError>;

    /// Returns a value of the witness.
    fn value(&mut self, index: usize) -> Result<BigUint, WitnessError>;
}

/// Number of values of an input, if the circuit returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The input has this number of values.
    Of(usize),
    /// The circuit does not have the input, or the input has no values.
    NoInput,
    /// The circuit does not return the number.
    Untold,
}

/// Returns the curve whose order is the modulus of a circuit.
pub fn curve(prime: &BigUint) -> Result<CurveId, WitnessError> {
    curve_of_order(&prime.to_bytes_le()).ok_or(WitnessError::Prime)
}

/// Returns circom's hash of a signal: FNV-1a of 64 bits.
pub fn hash64(signal: &str) -> u64 {
    let step = |hash: u64, unit: u16| (hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3);
    signal.encode_utf16().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Returns the two halves of a signal's hash.
pub fn hash(signal: &str) -> (i32, i32) {
    let hash = hash64(signal);
    ((hash >> 32) as i32, hash as i32)
}

/// Returns the bytes of an integer below 2^256.
pub fn bytes(value: &BigUint) -> [u8; VALUE_BYTES] {
    let mut bytes = [0; VALUE_BYTES];
    for (bytes, digit) in bytes.chunks_exact_mut(8).zip(value.iter_u64_digits()) {
        bytes.copy_from_slice(&digit.to_le_bytes());
    }
    bytes
}

/// Returns the words of an integer below 2^256.
pub fn words(value: &BigUint) -> BigInt<4> {
    let mut digits = value.iter_u64_digits();
    BigInt(std::array::from_fn(|_| digits.next().unwrap_or(0)))
}
