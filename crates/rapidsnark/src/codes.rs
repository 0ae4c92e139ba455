//! The codes that calls return, with the headers' numbers.

use std::ffi::c_int;

/// The call succeeded.
pub const PROVER_OK: c_int = 0;
/// The call failed; `error_msg` has the reason.
pub const PROVER_ERROR: c_int = 1;
/// A buffer is too small; both sizes are now the required sizes.
pub const PROVER_ERROR_SHORT_BUFFER: c_int = 2;
/// The witness belongs to another circuit than the key.
pub const PROVER_INVALID_WITNESS_LENGTH: c_int = 3;

/// The proof holds.
pub const VERIFIER_VALID_PROOF: c_int = 0;
/// The proof does not hold.
pub const VERIFIER_INVALID_PROOF: c_int = 1;
/// An argument cannot be read; `error_msg` has the reason.
pub const VERIFIER_ERROR: c_int = 2;
