//! A loaded key, and its proofs as texts in rapidsnark's form.

use std::ffi::c_ulong;
use std::path::Path;

use bucketwheel_circuit::{self as circuit, check_fork, Access, KeyPoints, Source};
use bucketwheel_groth16::file::{zkey_curve, FileError, ProofJson, ZkeyHeader};
use bucketwheel_groth16::{Bn254, CurveId, ProveOptions};

use crate::error::Error;

/// Size of the longest proof with its NUL: rapidsnark's number.
pub const PROOF_SIZE: c_ulong = 810;

/// Returns rapidsnark's size for the text of this number of public signals, with its NUL. Without signals, the size
/// leaves out the NUL: see [`public_room`].
pub fn public_size(signals: usize) -> c_ulong {
    // A header may state any number, so the product saturates.
    (signals as c_ulong).saturating_mul(82).saturating_add(4)
}

/// Returns the bytes of the longest text of this number of public signals, with its NUL. Without signals, this is one
/// byte more than rapidsnark's size.
pub fn public_room(signals: usize) -> c_ulong {
    public_size(signals).max(NO_SIGNALS.len() as c_ulong + 1)
}

/// Text that rapidsnark writes if a circuit has no public signals.
const NO_SIGNALS: &str = "null";

/// Maps a key.
///
/// # Errors
/// [`Error::File`].
pub fn map(path: &Path) -> Result<Source, Error> {
    Source::open(path, Access::Map).map_err(|source| Error::File { path: path.into(), source })
}

/// A loaded key. It proves any number of witnesses, from any number of threads at once.
pub struct Prover(circuit::Loaded);

/// A proof and its public signals as text.
pub(crate) struct Texts {
    pub proof: String,
    pub public: String,
}

impl Prover {
    /// Checks a key, except whether its points are on the curve.
    ///
    /// # Errors
    /// [`Error::Key`], [`Error::Forked`].
    pub(crate) fn new(key: Source) -> Result<Self, Error> {
        check_fork()?;
        // Accepts only BN254, even if the prover has other curves.
        let found = zkey_curve(&key).map_err(|error| Error::Key(error.into()))?;
        if found != CurveId::Bn254 {
            return Err(Error::Key(FileError::OtherCurve { expected: CurveId::Bn254, found }.into()));
        }
        let loaded = circuit::Loaded::new(key)?;
        loaded.circuit().prepare(KeyPoints::InKey)?;
        Ok(Prover(loaded))
    }

    /// Returns the number of public signals of a proof.
    pub(crate) fn public(&self) -> usize {
        self.0.circuit().info().public
    }

    /// Makes a proof, on the threads of rayon's global pool.
    ///
    /// # Errors
    /// [`Error::Witness`]; [`Error::Key`] if the key's points are damaged; [`Error::Engine`], [`Error::Forked`],
    /// [`Error::Circuit`].
    pub(crate) fn prove(&self, witness: &[u8]) -> Result<Texts, Error> {
        let proven = self.0.prove(&self.0.values(witness)?, ProveOptions::new())?;
        Ok(Texts { proof: proof_text(proven.proof), public: public_text(&proven.public) })
    }
}

/// Returns a proof in rapidsnark's form.
fn proof_text(proof: ProofJson) -> String {
    compact(&proof.without_curve())
}

/// Returns public signals, decimals, in rapidsnark's form.
fn public_text(signals: &[String]) -> String {
    match signals.is_empty() {
        true => NO_SIGNALS.into(),
        false => compact(&signals),
    }
}

/// Returns JSON without spaces.
fn compact(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("strings and lists, into memory")
}

/// Returns the number of public signals of a key, by its header.
///
/// # Errors
/// [`Error::Key`].
pub fn public_signals(key: &[u8]) -> Result<usize, Error> {
    let header = ZkeyHeader::<Bn254>::read(key).map_err(|error| Error::Key(error.into()))?;
    Ok(header.public)
}

#[cfg(test)]
mod tests {
    use ark_bn254::{Fq, Fq2, Fr, G1Affine, G2Affine};
    use ark_ff::Field;
    use bucketwheel_groth16::Proof;

    use super::*;

    /// Each number is as long as possible.
    #[test]
    fn no_text_is_longer_than_it_may_be() {
        let (x, y) = (-Fq::ONE, Fq2::new(-Fq::ONE, -Fq::ONE));
        let (point, b) = (G1Affine::new_unchecked(x, x), G2Affine::new_unchecked(y, y));
        let text = proof_text(ProofJson::encode(&Proof::<Bn254> { a: point, b, c: point }));
        assert_eq!(text.matches(&x.to_string()).count(), 8);
        assert!((text.len() as c_ulong) < PROOF_SIZE, "{}", text.len());
        for signals in [0, 1, 2, 100] {
            let text = public_text(&vec![(-Fr::ONE).to_string(); signals]);
            assert!((text.len() as c_ulong) < public_room(signals), "{signals}: {}", text.len());
        }
    }

    #[test]
    fn keys_that_hide_nothing_are_refused() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254/power.zkey");
        let mut key = std::fs::read(path).unwrap();
        // Section 2: lengths, primes and counts; alpha1, beta1, beta2, gamma2; delta1.
        key[40 + 84 + 6 * 64..][..64].fill(0);
        let error = Prover::new(Source::of(key)).err().expect("refused");
        assert!(error.to_string().starts_with("the key: delta1 is the point at infinity"), "{error}");
    }
}
