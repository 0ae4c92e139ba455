//! Groth16 proofs with a loaded circuit, from sums of the other module.

use bucketwheel::Cancel;
use bucketwheel_circuit::{Error as CircuitError, Fault, Loaded, Proven, Source};
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::{Error as Groth16Error, ProveOptions, TextClaim, TextVerifier};
use serde_json::json;

use crate::error::Error;
use crate::host::Ear;
use crate::objects::{self, Id, Object};
#[cfg(feature = "threads")]
use crate::threads::make_room;

/// Loads a circuit from a `.zkey`. The buffer is freed: the circuit owns its bytes.
#[no_mangle]
pub extern "C" fn new_circuit(key: Id) -> Id {
    objects::insert(|| Ok(Object::Circuit(Loaded::new(Source::of(objects::take_buffer(key)?))?.into())))
}

/// Returns a buffer with JSON: the properties of a circuit that its key states.
#[no_mangle]
pub extern "C" fn circuit_info(circuit: Id) -> Id {
    objects::insert(|| Ok(Object::Buffer(info(&*objects::circuit(circuit)?)?)))
}

/// Returns the address of a circuit's key, valid until the circuit is freed. Returns 0 if the object is not a circuit.
#[no_mangle]
pub extern "C" fn key_address(circuit: Id) -> usize {
    objects::circuit(circuit).map_or(0, |circuit| circuit.key().as_ptr() as usize)
}

/// Returns the length of a circuit's key, or 0 if the object is not a circuit.
#[no_mangle]
pub extern "C" fn key_len(circuit: Id) -> usize {
    objects::circuit(circuit).map_or(0, |circuit| circuit.key().len())
}

/// Returns a buffer with the scalars of the points H, integers, which a proof needs beside the witness, a `.wtns`.
#[no_mangle]
pub extern "C" fn quotient(circuit: Id, witness: Id) -> Id {
    objects::insert(|| {
        let (circuit, witness) = (objects::circuit(circuit)?, objects::copy_buffer(witness)?);
        Ok(Object::Buffer(quotient_of(&circuit, &witness)?))
    })
}

/// Makes a proof from sums over the points A, B in G1, B in G2, C and H, one after the other. Returns a buffer with
/// `{"proof": ..., "publicSignals": ...}`.
#[no_mangle]
pub extern "C" fn prove_from(circuit: Id, witness: Id, sums: Id) -> Id {
    objects::insert(|| {
        let (circuit, witness) = (objects::circuit(circuit)?, objects::copy_buffer(witness)?);
        Ok(Object::Buffer(assemble(&circuit, &witness, &objects::copy_buffer(sums)?)?))
    })
}

/// Makes a proof with a witness, a `.wtns`, on all threads. Returns a buffer with `{"proof": ..., "publicSignals": ...}`.
#[cfg(feature = "threads")]
#[no_mangle]
pub extern "C" fn prove(circuit: Id, witness: Id) -> Id {
    objects::insert(|| {
        let (circuit, witness) = (objects::circuit(circuit)?, objects::copy_buffer(witness)?);
        make_room(circuit.key().len());
        let proven =
            with_witness(&circuit, &witness, |values, options| circuit.circuit().prove(values, options))?;
        Ok(Object::Buffer(text(proven)))
    })
}

/// Verifies a proof by a `verification_key.json`: 1 if it holds, 2 if it does not, 3 if a point of the proof is outside of its
/// group, 0 for an error.
#[no_mangle]
pub extern "C" fn verify(key: Id, public: Id, proof: Id) -> u32 {
    objects::checked(|| {
        let [key, public, proof] = [key, public, proof].map(objects::copy_buffer);
        Ok(verdict(&key?, &public?, &proof?)? as u32)
    })
}

/// Returns a buffer with a circuit's verifying key, a `verification_key.json`.
#[no_mangle]
pub extern "C" fn verifying_key(circuit: Id) -> Id {
    objects::insert(|| {
        let key = objects::circuit(circuit)?.circuit().verifying_key()?;
        Ok(Object::Buffer(key.to_text().into_bytes()))
    })
}

/// Returns the properties of a circuit that its key states, as JSON.
fn info(circuit: &Loaded) -> Result<Vec<u8>, Error> {
    let info = circuit.circuit().info();
    let text = json!({
        "protocol": info.protocol.name(),
        "curve": info.curve.name(),
        "signals": info.signals,
        "public": info.public,
        "domainSize": info.domain_size,
    });
    Ok(serde_json::to_vec(&text)?)
}

/// Runs work on a circuit with a witness, a `.wtns`, and reports its progress to the host.
fn with_witness<T>(
    circuit: &Loaded,
    witness: &[u8],
    work: impl FnOnce(&[ark_ff::BigInt<4>], ProveOptions<'_>) -> Result<T, CircuitError>,
) -> Result<T, Error> {
    let values = circuit.values(witness)?;
    let cancel = Cancel::new();
    let ear = Ear::new(&cancel);
    Ok(work(&values, ProveOptions::new().cancel(&cancel).progress(&ear))?)
}

/// Returns the scalars of the points H as integers.
fn quotient_of(circuit: &Loaded, witness: &[u8]) -> Result<Vec<u8>, Error> {
    let scalars =
        with_witness(circuit, witness, |values, options| circuit.circuit().quotient(values, options))?;
    let mut bytes = Vec::with_capacity(32 * scalars.len());
    scalars.iter().flat_map(|scalar| scalar.0).for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    Ok(bytes)
}

/// Returns the proof and the public signals as JSON.
fn assemble(circuit: &Loaded, witness: &[u8], sums: &[u8]) -> Result<Vec<u8>, Error> {
    let coordinate = circuit.circuit().info().curve.field_bytes();
    let lens = [2, 2, 4, 2, 2].map(|coordinates| coordinates * coordinate);
    let expected = lens.iter().sum();
    if sums.len() != expected {
        return Err(Error::Sums { found: sums.len(), expected });
    }
    let mut rest = sums;
    let sums = lens.map(|len| {
        let (sum, others) = rest.split_at(len);
        rest = others;
        sum.to_vec()
    });
    with_witness(circuit, witness, |values, options| circuit.prove_from(values, &sums, options)).map(text)
}

fn text(proven: Proven) -> Vec<u8> {
    format!("{{\"proof\":{},\"publicSignals\":{}}}", proven.proof_text(), proven.public_text()).into_bytes()
}

/// The result of a verification, with its number for the host.
#[derive(Clone, Copy)]
enum Verdict {
    /// The proof holds.
    Holds = 1,
    /// The proof does not hold.
    DoesNotHold = 2,
    /// A point of the proof is not in its group.
    OutsideOfGroup = 3,
}

/// Verifies a proof.
fn verdict(key: &[u8], public: &[u8], proof: &[u8]) -> Result<Verdict, Error> {
    let verifier = match TextVerifier::new(key) {
        // No proof holds by a key with points outside of their groups.
        Err(Groth16Error::File(FileError::Point { .. })) => return Ok(Verdict::DoesNotHold),
        verifier => verifier.map_err(CircuitError::of(Fault::Key))?,
    };
    Ok(match verifier.first_bad(&[TextClaim { public, proof }])? {
        None => Verdict::Holds,
        Some(bad) if bad.point.is_some() => Verdict::OutsideOfGroup,
        Some(_) => Verdict::DoesNotHold,
    })
}
