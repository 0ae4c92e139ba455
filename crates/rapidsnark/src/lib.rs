//! rapidsnark's C library, `librapidsnark`, with the prover of Bucketwheel.
//!
//! The ten functions of `include/prover.h` and `include/verifier.h`, which say what they promise to C; docs/c.md has
//! a program, and what is not as it is with rapidsnark. Everything unsafe is here and in `border`: a call turns its
//! pointers into slices there, and its error into a code and a message. What is behind is safe.

#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]
// They are as many as rapidsnark's have.
#![allow(clippy::too_many_arguments)]

mod border;
mod codes;
mod error;
mod prover;
mod verifier;

use std::ffi::{c_char, c_int, c_ulong, c_void};

pub use codes::*;

use border::{Buffer, Message, Size};
use bucketwheel_circuit::Source;
use error::Error;
use prover::Loaded;

const KEY: &str = "zkey buffer";
const KEY_FILE: &str = "zkey file's name";
const PROVER: &str = "prover object";
const PROOF: [&str; 2] = ["proof buffer", "proof size"];
const PUBLIC: [&str; 2] = ["public buffer", "public size"];

/// The size of a buffer for the public signals of a key in memory.
///
/// # Safety
/// Each pointer is null or points to what `prover.h` says: `zkey_buffer` to `zkey_size` bytes, `public_size` to a number,
/// `error_msg` to `error_msg_maxsize` bytes. Nobody else uses them during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_public_size_for_zkey_buf(
    zkey_buffer: *const c_void,
    zkey_size: c_ulong,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || {
            let key = unsafe { border::bytes(zkey_buffer, zkey_size, KEY) }?;
            let size = unsafe { Size::new(public_size, PUBLIC[1]) }?;
            tell_public_size(key, size)
        },
        Error::code,
    )
}

/// The size of a buffer for the public signals of a key in a file.
///
/// # Safety
/// As for [`groth16_public_size_for_zkey_buf`]; `zkey_fname` points to a name that ends with a NUL.
#[no_mangle]
pub unsafe extern "C" fn groth16_public_size_for_zkey_file(
    zkey_fname: *const c_char,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || {
            let path = unsafe { border::path(zkey_fname, KEY_FILE) }?;
            let size = unsafe { Size::new(public_size, PUBLIC[1]) }?;
            tell_public_size(&prover::map(path)?, size)
        },
        Error::code,
    )
}

fn tell_public_size(key: &[u8], size: Size) -> Result<c_int, Error> {
    size.set(prover::public_size(prover::public_signals(key)?));
    Ok(PROVER_OK)
}

/// The size of a buffer for a proof.
///
/// # Safety
/// `proof_size` is null or points to a number, which nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_proof_size(proof_size: *mut c_ulong) {
    // SAFETY: the caller's promise. There is nobody to tell that it is null.
    if let Ok(size) = unsafe { Size::new(proof_size, PROOF[1]) } {
        size.set(prover::PROOF_SIZE);
    }
}

/// Loads a key that is in memory, and stays there.
///
/// # Safety
/// Each pointer is null or points to what `prover.h` says. The `zkey_size` bytes at `zkey_buffer` are neither changed nor
/// freed before the prover is destroyed.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_create(
    prover_object: *mut *mut c_void,
    zkey_buffer: *const c_void,
    zkey_size: c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || unsafe { create(prover_object, || Ok(Source::of(border::bytes(zkey_buffer, zkey_size, KEY)?))) },
        Error::code,
    )
}

/// Loads a key from a file, which the prover keeps mapped.
///
/// # Safety
/// Each pointer is null or points to what `prover.h` says; `zkey_file_path` to a name that ends with a NUL.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_create_zkey_file(
    prover_object: *mut *mut c_void,
    zkey_file_path: *const c_char,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || unsafe { create(prover_object, || prover::map(border::path(zkey_file_path, KEY_FILE)?)) },
        Error::code,
    )
}

/// # Safety
/// `prover_object` is null or points to a pointer, which is the call's.
unsafe fn create(
    prover_object: *mut *mut c_void,
    key: impl FnOnce() -> Result<Source, Error>,
) -> Result<c_int, Error> {
    if prover_object.is_null() {
        return Err(Error::Null(PROVER));
    }
    let loaded = Box::new(Loaded::new(key()?)?);
    // SAFETY: the caller's promise; where it lies is not believed to be aligned.
    unsafe { prover_object.write_unaligned(Box::into_raw(loaded).cast()) };
    Ok(PROVER_OK)
}

/// Proves, also while other threads do with the same prover.
///
/// # Safety
/// Each pointer is null or points to what `prover.h` says: `prover_object` to what one of the two functions above has made
/// and nobody has destroyed, `wtns_buffer` to `wtns_size` bytes, `proof_buffer` and `public_buffer` to as many as
/// `proof_size` and `public_size` say.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_prove(
    prover_object: *mut c_void,
    wtns_buffer: *const c_void,
    wtns_size: c_ulong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulong,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || {
            let prover = unsafe { prover_object.cast::<Loaded>().as_ref() }.ok_or(Error::Null(PROVER))?;
            unsafe {
                prove(prover, wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, public_size)
            }
        },
        Error::code,
    )
}

/// # Safety
/// As for [`groth16_prover_prove`].
unsafe fn prove(
    prover: &Loaded,
    wtns_buffer: *const c_void,
    wtns_size: c_ulong,
    proof_buffer: *mut c_char,
    proof_size: *mut c_ulong,
    public_buffer: *mut c_char,
    public_size: *mut c_ulong,
) -> Result<c_int, Error> {
    // SAFETY: the caller's promise, here and below.
    let witness = unsafe { border::bytes(wtns_buffer, wtns_size, "witness buffer") }?;
    let proof = unsafe { Buffer::new(proof_buffer, proof_size, PROOF) }?;
    let public = unsafe { Buffer::new(public_buffer, public_size, PUBLIC) }?;
    let (need_proof, need_public) = (prover::PROOF_SIZE, prover::public_room(prover.public()));
    let short = || {
        let error = Error::ShortBuffer {
            proof: proof.size.get(),
            public: public.size.get(),
            need_proof,
            need_public,
        };
        proof.size.set(need_proof);
        public.size.set(need_public);
        error
    };
    // Before the work, and by the longest texts: that a proof happens to be shorter is no promise for the next one.
    if proof.size.get() < need_proof || public.size.get() < need_public {
        return Err(short());
    }
    let texts = prover.prove(witness)?;
    if !proof.has_room(&texts.proof) || !public.has_room(&texts.public) {
        return Err(short());
    }
    // SAFETY: they have room.
    unsafe {
        proof.write(&texts.proof);
        public.write(&texts.public);
    }
    Ok(PROVER_OK)
}

/// Frees a prover.
///
/// # Safety
/// `prover_object` is null or what one of the two functions above has made; nobody uses it any more.
#[no_mangle]
pub unsafe extern "C" fn groth16_prover_destroy(prover_object: *mut c_void) {
    // SAFETY: nobody is told anything.
    unsafe { Message::new(std::ptr::null_mut(), 0) }.report(
        || {
            if !prover_object.is_null() {
                // SAFETY: the caller's promise.
                drop(unsafe { Box::from_raw(prover_object.cast::<Loaded>()) });
            }
            Ok(PROVER_OK)
        },
        Error::code,
    );
}

/// Loads a key that is in memory, proves once, and forgets the key.
///
/// # Safety
/// As for [`groth16_prover_create`] and [`groth16_prover_prove`]; the key may go after the call.
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
    // SAFETY: the caller's promise, here and below. The prover is gone before the key may go.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || unsafe {
            let key = Source::of(border::bytes(zkey_buffer, zkey_size, KEY)?);
            let prover = Loaded::new(key)?;
            prove(&prover, wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, public_size)
        },
        Error::code,
    )
}

/// Loads a key from a file, proves once, and forgets the key.
///
/// # Safety
/// As for [`groth16_prover_create_zkey_file`] and [`groth16_prover_prove`].
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
    // SAFETY: the caller's promise, here and below.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || unsafe {
            let prover = Loaded::new(prover::map(border::path(zkey_file_path, KEY_FILE)?)?)?;
            prove(&prover, wtns_buffer, wtns_size, proof_buffer, proof_size, public_buffer, public_size)
        },
        Error::code,
    )
}

/// Returns `VERIFIER_VALID_PROOF` if the proof of these public signals holds.
///
/// # Safety
/// Each pointer is null or points to what `verifier.h` says: `error_msg` to `error_msg_maxsize` bytes, the others to
/// texts that end with a NUL. Nobody changes them during the call.
#[no_mangle]
pub unsafe extern "C" fn groth16_verify(
    proof: *const c_char,
    inputs: *const c_char,
    verification_key: *const c_char,
    error_msg: *mut c_char,
    error_msg_maxsize: c_ulong,
) -> c_int {
    // SAFETY: the caller's promise, here and below.
    unsafe { Message::new(error_msg, error_msg_maxsize) }.report(
        || {
            let proof = unsafe { border::text(proof, "proof") }?;
            let inputs = unsafe { border::text(inputs, "inputs") }?;
            let key = unsafe { border::text(verification_key, "verification key") }?;
            match verifier::verify(proof, inputs, key)? {
                true => Ok(VERIFIER_VALID_PROOF),
                false => Ok(VERIFIER_INVALID_PROOF),
            }
        },
        |_| VERIFIER_ERROR,
    )
}
