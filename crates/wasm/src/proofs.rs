//! Groth16 proofs with a loaded circuit.

use bucketwheel::Cancel;
use bucketwheel_circuit::{Error as CircuitError, Fault, Loaded, Proven, Source};
use bucketwheel_groth16::file::FileError;
use bucketwheel_groth16::{Error as Groth16Error, ProveOptions, TextClaim, TextVerifier};
use serde_json::json;

use crate::error::Error;
use crate::host::Ear;

/// Loads a circuit from a `.zkey`.
///
/// # Errors
/// For bytes that are not a key.
pub fn load(key: Vec<u8>) -> Result<Loaded, Error> {
    Ok(Loaded::new(Source::of(key))?)
}

/// Returns the properties of a circuit that its key states, as JSON.
///
/// # Errors
/// No error is known.
pub fn info(circuit: &Loaded) -> Result<Vec<u8>, Error> {
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

/// Returns the verifying key as JSON.
///
/// # Errors
/// For a key whose points are not in their groups.
pub fn verifying_key(circuit: &Loaded) -> Result<Vec<u8>, Error> {
    Ok(circuit.circuit().verifying_key()?.to_text().into_bytes())
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

/// Returns the proof and the public signals as JSON.
///
/// # Errors
/// For a witness that is not one of this circuit, and if the host stops the work.
pub fn prove(circuit: &Loaded, witness: &[u8]) -> Result<Vec<u8>, Error> {
    with_witness(circuit, witness, |values, options| circuit.prove(values, options)).map(text)
}

/// Returns the scalars of the points H as integers.
///
/// # Errors
/// As for [`prove`].
pub fn quotient(circuit: &Loaded, witness: &[u8]) -> Result<Vec<u8>, Error> {
    let scalars =
        with_witness(circuit, witness, |values, options| circuit.circuit().quotient(values, options))?;
    Ok(scalars.iter().flat_map(|scalar| scalar.0).flat_map(u64::to_le_bytes).collect())
}

/// Returns the result of [`prove`], from sums that were computed elsewhere.
///
/// # Errors
/// As for [`prove`], and for sums of another length.
pub fn prove_from(circuit: &Loaded, witness: &[u8], sums: &[u8]) -> Result<Vec<u8>, Error> {
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
pub enum Verdict {
    /// The proof holds.
    Holds = 1,
    /// The proof does not hold.
    DoesNotHold = 2,
    /// A point of the proof is not in its group.
    OutsideOfGroup = 3,
}

/// Verifies a proof.
///
/// # Errors
/// For texts that cannot be read, and other numbers of public signals than the key's.
pub fn verify(key: &[u8], public: &[u8], proof: &[u8]) -> Result<Verdict, Error> {
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
