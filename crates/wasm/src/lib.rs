//! The engine as WebAssembly, for the npm package in `js/`: sums and Groth16 proofs over BN254 or BLS12-381.
//!
//! An instance has one thread; the package runs several instances. Objects that cross the border have numbers: buffers,
//! prepared points, circuits. The host writes into a buffer's memory and names the buffer in a call, so no call takes
//! an address. A call that fails returns 0 and leaves a message ([`take_error`]).
//!
//! # Where changes go
//! - A sum's or a proof's call: `sums.rs` or `proofs.rs`, and its use in `js/engine.mjs`.
//! - Objects behind numbers: `objects.rs`; imports from the host: `host.rs`.
//! - A group: its number in `sums.rs` and in `js/engine.mjs`.
//! - The split of a proof over workers: `js/circuit.mjs`; the workers: `js/pool.mjs` and `js/worker.mjs`.
//! - The module that a host can run, with or without relaxed SIMD, for a curve: `js/detect.mjs`.
//! - An error: `error.rs`.

#![warn(missing_docs)]

mod error;
mod host;
mod objects;
mod proofs;
mod sums;

use bucketwheel::{Backend, Form};

use error::Error;
use objects::{Id, Object};

/// Makes a buffer of zeros.
#[no_mangle]
pub extern "C" fn new_buffer(len: usize) -> Id {
    objects::insert(|| {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| Error::Memory { bytes: len })?;
        bytes.resize(len, 0);
        Ok(Object::Buffer(bytes))
    })
}

/// Returns the address of a buffer's bytes, valid until the next call. Returns 0 if the object is not a buffer.
#[no_mangle]
pub extern "C" fn buffer_address(id: Id) -> usize {
    objects::with_buffer(id, |bytes| bytes.as_ptr() as usize).unwrap_or(0)
}

/// Returns the length of a buffer, or 0 if the object is not a buffer.
#[no_mangle]
pub extern "C" fn buffer_len(id: Id) -> usize {
    objects::with_buffer(id, |bytes| bytes.len()).unwrap_or(0)
}

/// Frees an object of any kind.
#[no_mangle]
pub extern "C" fn free_object(id: Id) {
    objects::remove(id);
}

/// Returns a buffer with the message of the last call that failed, or 0 if no call has failed.
#[no_mangle]
pub extern "C" fn take_error() -> Id {
    objects::take_error()
}

/// Returns the code of the instruction set in use.
#[no_mangle]
pub extern "C" fn backend() -> u32 {
    Backend::detect().code().into()
}

/// Prepares points for sums: affine coordinates in little-endian words of 64 bits, infinity as zeros. Groups are 0 and 1 for G1 and
/// G2 of BN254, 2 and 3 for G1 and G2 of BLS12-381. `montgomery` is 0 for integers, 1 for Montgomery forms.
#[no_mangle]
pub extern "C" fn new_bases(group: u32, points: Id, montgomery: u32) -> Id {
    objects::insert(|| {
        let points = objects::copy_buffer(points)?;
        Ok(Object::Bases(sums::prepare(group, &points, form(montgomery))?.into()))
    })
}

/// Returns a buffer with the sum of prepared points times scalars: affine coordinates, integers, infinity as zeros. Scalars have
/// four little-endian words of 64 bits each.
#[no_mangle]
pub extern "C" fn sum(bases: Id, scalars: Id, montgomery: u32) -> Id {
    objects::insert(|| {
        let bases = objects::bases(bases)?;
        let scalars = objects::copy_buffer(scalars)?;
        Ok(Object::Buffer(bases.sum(&scalars, form(montgomery))?))
    })
}

/// Loads a circuit from a `.zkey`. The buffer is freed: the circuit owns its bytes.
#[no_mangle]
pub extern "C" fn new_circuit(key: Id) -> Id {
    objects::insert(|| Ok(Object::Circuit(proofs::load(objects::take_buffer(key)?)?.into())))
}

/// Returns a buffer with JSON: the properties of a circuit that its key states.
#[no_mangle]
pub extern "C" fn circuit_info(circuit: Id) -> Id {
    objects::insert(|| Ok(Object::Buffer(proofs::info(&*objects::circuit(circuit)?)?)))
}

/// Makes a proof. The witness is a `.wtns`; returns a buffer with `{"proof": ..., "publicSignals": ...}`.
#[no_mangle]
pub extern "C" fn prove(circuit: Id, witness: Id) -> Id {
    objects::insert(|| {
        let (circuit, witness) = (objects::circuit(circuit)?, objects::copy_buffer(witness)?);
        Ok(Object::Buffer(proofs::prove(&circuit, &witness)?))
    })
}

/// Returns a buffer with the scalars of the points H, integers, which a proof needs beside the witness.
#[no_mangle]
pub extern "C" fn quotient(circuit: Id, witness: Id) -> Id {
    objects::insert(|| {
        let (circuit, witness) = (objects::circuit(circuit)?, objects::copy_buffer(witness)?);
        Ok(Object::Buffer(proofs::quotient(&circuit, &witness)?))
    })
}

/// Makes a proof from sums that other instances have computed: over the points A, B in G1, B in G2, C and H, one after
/// the other.
#[no_mangle]
pub extern "C" fn prove_from(circuit: Id, witness: Id, sums: Id) -> Id {
    objects::insert(|| {
        let (circuit, witness) = (objects::circuit(circuit)?, objects::copy_buffer(witness)?);
        Ok(Object::Buffer(proofs::prove_from(&circuit, &witness, &objects::copy_buffer(sums)?)?))
    })
}

/// Verifies a proof by a `verification_key.json`: 1 if it holds, 2 if it does not, 3 if a point of the proof is outside of its
/// group, 0 for an error.
#[no_mangle]
pub extern "C" fn verify(key: Id, public: Id, proof: Id) -> u32 {
    objects::checked(|| {
        let [key, public, proof] = [key, public, proof].map(objects::copy_buffer);
        Ok(proofs::verify(&key?, &public?, &proof?)? as u32)
    })
}

/// Returns a buffer with a circuit's verifying key, a `verification_key.json`.
#[no_mangle]
pub extern "C" fn verifying_key(circuit: Id) -> Id {
    objects::insert(|| Ok(Object::Buffer(proofs::verifying_key(&*objects::circuit(circuit)?)?)))
}

fn form(montgomery: u32) -> Form {
    match montgomery {
        0 => Form::Canonical,
        _ => Form::Montgomery,
    }
}
