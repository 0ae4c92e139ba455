//! Groth16 proofs with a circuit that is loaded.

use bucketwheel::Cancel;
use bucketwheel_circuit::{Error as CircuitError, Fault, Loaded, Proven, Source};
use bucketwheel_groth16::{ProveOptions, TextClaim, TextVerifier};
use serde_json::json;

use crate::error::Error;
use crate::host::Ear;

/// Loads a circuit from a `.zkey`.
///
/// # Errors
/// For what is no key.
pub fn load(key: Vec<u8>) -> Result<Loaded, Error> {
    Ok(Loaded::new(Source::of(key))?)
}

/// Properties of a circuit that its key tells.
///
/// # Errors
/// None that is known.
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

/// The verifying key, a JSON.
///
/// # Errors
/// For a key whose points are not in their groups.
pub fn verifying_key(circuit: &Loaded) -> Result<Vec<u8>, Error> {
    Ok(circuit.circuit().verifying_key()?.to_text().into_bytes())
}

/// Runs work on a circuit with a witness, a `.wtns`; the host hears of its progress.
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

/// The proof and the public signals, a JSON.
///
/// # Errors
/// For a witness that is not one of this circuit; if the host stops it.
pub fn prove(circuit: &Loaded, witness: &[u8]) -> Result<Vec<u8>, Error> {
    with_witness(circuit, witness, |values, options| circuit.prove(values, options)).map(text)
}

/// The scalars of the points H, integers.
///
/// # Errors
/// As for [`prove`].
pub fn quotient(circuit: &Loaded, witness: &[u8]) -> Result<Vec<u8>, Error> {
    let scalars =
        with_witness(circuit, witness, |values, options| circuit.circuit().quotient(values, options))?;
    Ok(scalars.iter().flat_map(|scalar| scalar.0).flat_map(u64::to_le_bytes).collect())
}

/// The same as [`prove`], of sums that were computed elsewhere.
///
/// # Errors
/// As for [`prove`]; for sums of another length.
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

/// True if a proof holds.
///
/// # Errors
/// For texts that cannot be read, and other numbers of public signals than the key's.
pub fn verify(key: &[u8], public: &[u8], proof: &[u8]) -> Result<bool, Error> {
    let verifier = TextVerifier::new(key).map_err(CircuitError::of(Fault::Key))?;
    Ok(verifier.first_bad(&[TextClaim { public, proof }])?.is_none())
}
