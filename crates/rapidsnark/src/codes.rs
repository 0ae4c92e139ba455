//! The codes that calls return, as the headers have them.

use std::ffi::c_int;

/// The call has succeeded.
pub const PROVER_OK: c_int = 0;
/// It has failed: `error_msg` has the reason.
pub const PROVER_ERROR: c_int = 1;
/// A buffer is too small: both sizes are the required sizes.
pub const PROVER_ERROR_SHORT_BUFFER: c_int = 2;
/// The witness is not of the key's circuit.
pub const PROVER_INVALID_WITNESS_LENGTH: c_int = 3;

/// The proof holds.
pub const VERIFIER_VALID_PROOF: c_int = 0;
/// It does not.
pub const VERIFIER_INVALID_PROOF: c_int = 1;
/// Something cannot be read: `error_msg` has the reason.
pub const VERIFIER_ERROR: c_int = 2;
