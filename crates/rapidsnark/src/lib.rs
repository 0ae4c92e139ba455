//! rapidsnark's C library, `librapidsnark`, with the prover of Bucketwheel.
//!
//! The library has the ten functions of `include/prover.h` and `include/verifier.h`; these headers state the contract
//! with C. docs/c.md has a program and the differences from rapidsnark. The type of a prover says who owns it:
//! `Option<&Prover>` is shared, `Option<Box<Prover>>` is given or taken. Other pointers are raw: a call turns them into
//! slices and buffers with `border`, and its error into a code and a message. The remaining code is safe.
//!
//! # Where changes go
//! - A function: here, and in its header in `include/`.
//! - A code of the interface: `codes.rs`.
//! - Pointers, messages and panics: `border.rs`.
//! - The work behind the functions: `prover.rs` and `verifier.rs`.

#![warn(missing_docs)]
// rapidsnark's functions have this number of arguments.
#![allow(clippy::too_many_arguments)]

mod border;
mod codes;
mod error;
mod prover;
mod verifier;

use std::ffi::{c_char, c_int, c_ulong, c_void};

pub use codes::*;
pub use prover::Prover;

use border::{Buffer, Message, Place};
use bucketwheel_circuit::Source;
use error::Error;

const KEY: &str = "zkey buffer";
const KEY_FILE: &str = "zkey file's name";
const PROVER: &str = "prover object";
const PROOF: [&str; 2] = ["proof buffer", "proof size"];
const PUBLIC: [&str; 2] = ["public buffer", "public size"];

/// Returns the size of a buffer for the public signals of a key in memory.
///
/// # Safety
/// - `zkey_buffer` is NULL or points to `zkey_size` bytes, which nobody changes or frees during the call.
/// - `public_size` is NULL or points to a number, and `error_msg` is NULL or points to `error_msg_maxsize` bytes; nobody else uses
///   these during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_public_size_for_zkey_buf(
    zkey_buffer: *const c_void,
    zkey_size: c_ulong,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let tell = || {
        // SAFETY: `zkey_buffer` points to `zkey_size` bytes, whose slice ends with this call, and `public_size` to a
        // number that only this call uses.
        let (key, size) =
            unsafe { (border::bytes(zkey_buffer, zkey_size, KEY)?, Place::new(public_size, PUBLIC[1])?) };
        tell_public_size(key, size)
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(tell, Error::code)
}

/// Returns the size of a buffer for the public signals of a key in a file.
///
/// # Safety
/// - `zkey_fname` is NULL or points to a name that ends with a NUL, which nobody changes or frees during the call.
/// - `public_size` is NULL or points to a number, and `error_msg` is NULL or points to `error_msg_maxsize` bytes; nobody else uses
///   these during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_public_size_for_zkey_file(
    zkey_fname: *const c_char,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let tell = || {
        // SAFETY: `zkey_fname` points to a name that ends with a NUL, which is used within this call, and `public_size`
        // to a number that only this call uses.
        let (path, size) =
            unsafe { (border::path(zkey_fname, KEY_FILE)?, Place::new(public_size, PUBLIC[1])?) };
        tell_public_size(&prover::map(path)?, size)
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(tell, Error::code)
}

fn tell_public_size(key: &[u8], size: Place<c_ulong>) -> Result<c_int, Error> {
    size.set(prover::public_size(prover::public_signals(key)?));
    Ok(PROVER_OK)
}

/// Returns the size of a buffer for a proof.
///
/// # Safety
/// - `proof_size` is NULL or points to a number, which nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_proof_size(proof_size: *mut c_ulong) {
    // SAFETY: `proof_size` is NULL or points to a number that only this call uses.
    let size = unsafe { Place::new(proof_size, PROOF[1]) };
    // The function has no way to report that the pointer is NULL.
    if let Ok(size) = size {
        size.set(prover::PROOF_SIZE);
    }
}

/// Loads a key from memory that the caller keeps.
///
/// # Safety
/// - `prover_object` is NULL or points to a pointer, and `error_msg` is NULL or points to `error_msg_maxsize` bytes; nobody else
///   uses these during the call.
/// - `zkey_buffer` is NULL or points to `zkey_size` bytes, which nobody changes or frees before the prover is destroyed.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_create(
    prover_object: *mut Option<Box<Prover>>,
    zkey_buffer: *const c_void,
    zkey_size: c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let create = || {
        // SAFETY: `prover_object` points to a pointer that only this call uses, and `zkey_buffer` to `zkey_size` bytes.
        // Only the prover uses the slice, and the bytes outlive the prover.
        let (place, key) =
            unsafe { (Place::new(prover_object, PROVER)?, border::bytes(zkey_buffer, zkey_size, KEY)?) };
        place.set(Some(Box::new(Prover::new(Source::of(key))?)));
        Ok(PROVER_OK)
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(create, Error::code)
}

/// Loads a key from a file, which the prover maps.
///
/// # Safety
/// - `prover_object` is NULL or points to a pointer, and `error_msg` is NULL or points to `error_msg_maxsize` bytes; nobody else
///   uses these during the call.
/// - `zkey_file_path` is NULL or points to a name that ends with a NUL, which nobody changes or frees during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_create_zkey_file(
    prover_object: *mut Option<Box<Prover>>,
    zkey_file_path: *const c_char,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let create = || {
        // SAFETY: `prover_object` points to a pointer that only this call uses, and `zkey_file_path` to a name that
        // ends with a NUL, which is used within this call.
        let (place, path) =
            unsafe { (Place::new(prover_object, PROVER)?, border::path(zkey_file_path, KEY_FILE)?) };
        place.set(Some(Box::new(Prover::new(prover::map(path)?)?)));
        Ok(PROVER_OK)
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(create, Error::code)
}

/// A witness, and the buffers for a proof and its public signals.
struct Claim<'a> {
    witness: &'a [u8],
    proof: Buffer,
    public: Buffer,
}

impl Claim<'_> {
    /// Returns the arguments of a proof.
    ///
    /// # Safety
    /// - `wtns_buffer` is NULL or points to `wtns_size` bytes, which nobody changes or frees as long as the result is used.
    /// - `proof_size` and `public_size` are NULL or point to numbers, `proof_buffer` and `public_buffer` are NULL or
    ///   point to these numbers of bytes; nobody else uses the numbers and the bytes as long as the result is used.
    unsafe fn new(
        wtns_buffer: *const c_void,
        wtns_size: c_ulong,
        proof_buffer: *mut c_char,
        proof_size: *mut c_ulong,
        public_buffer: *mut c_char,
        public_size: *mut c_ulong,
    ) -> Result<Self, Error> {
        // SAFETY: `wtns_buffer` points to `wtns_size` bytes, which nobody changes or frees before. Both buffers have
        // the bytes that their sizes state, which nobody else uses.
        unsafe {
            let witness = border::bytes(wtns_buffer, wtns_size, "witness buffer")?;
            let proof = Buffer::new(proof_buffer, proof_size, PROOF)?;
            Ok(Claim { witness, proof, public: Buffer::new(public_buffer, public_size, PUBLIC)? })
        }
    }

    /// Proves, and writes the texts.
    fn prove(self, prover: &Prover) -> Result<c_int, Error> {
        let Claim { witness, proof, public } = self;
        let (need_proof, need_public) = (prover::PROOF_SIZE, prover::public_room(prover.public()));
        // Checks before the work, and by the longest texts, because a proof that is shorter by chance promises nothing
        // about the next proof.
        let is_short = proof.room() < need_proof || public.room() < need_public;
        let texts = if is_short { None } else { Some(prover.prove(witness)?) };
        match texts {
            Some(texts) if proof.has_room(&texts.proof) && public.has_room(&texts.public) => {
                proof.write(&texts.proof);
                public.write(&texts.public);
                Ok(PROVER_OK)
            }
            _ => {
                let (of_proof, of_public) = (proof.room(), public.room());
                proof.need(need_proof);
                public.need(need_public);
                Err(Error::ShortBuffer { proof: of_proof, public: of_public, need_proof, need_public })
            }
        }
    }
}

/// Makes a proof; other threads may use the same prover meanwhile.
///
/// # Safety
/// - `wtns_buffer` is NULL or points to `wtns_size` bytes, which nobody changes or frees during the call.
/// - `proof_size` and `public_size` are NULL or point to numbers. `proof_buffer` and `public_buffer` are NULL or point to
///   buffers of these sizes in bytes. `error_msg` is NULL or points to `error_msg_maxsize` bytes. Nobody else uses the
///   numbers and buffers during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_prove(
    prover_object: Option<&Prover>,
    wtns_buffer: *const c_void,
    wtns_size: c_ulong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let prove = || {
        let prover = prover_object.ok_or(Error::Null(PROVER))?;
        // SAFETY: all pointers come from this call's arguments, whose contract contains the contract of `Claim::new`.
        // The claim ends with the call.
        unsafe { Claim::new(wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, public_size) }?
            .prove(prover)
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(prove, Error::code)
}

/// Frees a prover that no other thread uses. NULL is allowed.
#[no_mangle]
pub extern "C" fn groth16_prover_destroy(prover_object: Option<Box<Prover>>) {
    let destroy = || {
        drop(prover_object);
        Ok(PROVER_OK)
    };
    Message::none().report(destroy, Error::code);
}

/// Loads a key from memory, makes one proof, and frees the key.
///
/// # Safety
/// - `zkey_buffer` is NULL or points to `zkey_size` bytes, and `wtns_buffer` is NULL or points to `wtns_size`; nobody changes or frees
///   these during the call.
/// - `proof_size` and `public_size` are NULL or point to numbers. `proof_buffer` and `public_buffer` are NULL or point to
///   buffers of these sizes in bytes. `error_msg` is NULL or points to `error_msg_maxsize` bytes. Nobody else uses the
///   numbers and buffers during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover(
    zkey_buffer: *const c_void,
    zkey_size: c_ulong,
    wtns_buffer: *const c_void,
    wtns_size: c_ulong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let prove = || {
        // SAFETY: `zkey_buffer` points to `zkey_size` bytes, which nobody changes or frees during the call. Only the
        // prover uses the slice, and it ends with the call.
        let key = unsafe { border::bytes(zkey_buffer, zkey_size, KEY) }?;
        let prover = Prover::new(Source::of(key))?;
        // SAFETY: all pointers come from this call's arguments, whose contract contains the contract of `Claim::new`.
        // The claim ends with the call.
        unsafe { Claim::new(wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, public_size) }?
            .prove(&prover)
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(prove, Error::code)
}

/// Loads a key from a file, makes one proof, and frees the key.
///
/// # Safety
/// - `zkey_file_path` is NULL or points to a name that ends with a NUL, and `wtns_buffer` is NULL or points to `wtns_size` bytes;
///   nobody changes or frees these during the call.
/// - `proof_size` and `public_size` are NULL or point to numbers. `proof_buffer` and `public_buffer` are NULL or point to
///   buffers of these sizes in bytes. `error_msg` is NULL or points to `error_msg_maxsize` bytes. Nobody else uses the
///   numbers and buffers during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_zkey_file(
    zkey_file_path: *const c_char,
    wtns_buffer: *const c_void,
    wtns_size: c_ulong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let prove = || {
        // SAFETY: `zkey_file_path` points to a name that ends with a NUL, which is used within this call.
        let path = unsafe { border::path(zkey_file_path, KEY_FILE) }?;
        let prover = Prover::new(prover::map(path)?)?;
        // SAFETY: all pointers come from this call's arguments, whose contract contains the contract of `Claim::new`.
        // The claim ends with the call.
        unsafe { Claim::new(wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, public_size) }?
            .prove(&prover)
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(prove, Error::code)
}

/// Returns `VERIFIER_VALID_PROOF` if the proof of these public signals holds.
///
/// # Safety
/// - `proof`, `inputs` and `verification_key` are NULL or point to texts that end with a NUL, which nobody changes or frees during the
///   call.
/// - `error_msg` is NULL or points to `error_msg_maxsize` bytes, which nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_verify(
    proof: *const c_char,
    inputs: *const c_char,
    verification_key: *const c_char,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    let verify = || {
        // SAFETY: all three pointers are NULL or point to texts that end with a NUL, which are used within this call.
        let [proof, inputs, key] = unsafe {
            let (proof, inputs) = (border::text(proof, "proof")?, border::text(inputs, "inputs")?);
            [proof, inputs, border::text(verification_key, "verification key")?]
        };
        match verifier::verify(proof, inputs, key)? {
            true => Ok(VERIFIER_VALID_PROOF),
            false => Ok(VERIFIER_INVALID_PROOF),
        }
    };
    // SAFETY: `error_msg` is NULL or points to `error_msg_maxsize` bytes that only this call uses.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(verify, |_| VERIFIER_ERROR)
}
