//! A key that is loaded, and its proofs as rapidsnark's texts.

use std::ffi::c_ulong;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use bucketwheel_groth16::file::{FileError, ProofJson, Wtns, Zkey, ZkeyHeader};
use bucketwheel_groth16::{Bn254, Error as Groth16Error, PairingCurve, Proof, ProveOptions, Prover};
use memmap2::Mmap;
use self_cell::self_cell;

use crate::error::Error;
use crate::threads;

/// The longest proof, with its NUL: rapidsnark's number.
pub const PROOF_SIZE: c_ulong = 810;

/// The longest text of so many public signals, as rapidsnark tells it. With its NUL, except for none: see
/// [`public_room`].
pub fn public_size(signals: usize) -> c_ulong {
    // A header may say any number.
    (signals as c_ulong).saturating_mul(82).saturating_add(4)
}

/// The room that the text of so many public signals takes, with its NUL. For none, this is one byte more than rapidsnark
/// tells.
pub fn public_room(signals: usize) -> c_ulong {
    public_size(signals).max(NO_SIGNALS.len() as c_ulong + 1)
}

/// Text that rapidsnark writes for no public signals.
const NO_SIGNALS: &str = "null";

/// Bytes of a key.
pub enum KeyBytes {
    /// In the caller's buffer, which outlives the prover.
    Borrowed(&'static [u8]),
    /// In a file.
    Mapped(Mmap),
}

impl KeyBytes {
    /// Maps a file.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn map(path: &Path) -> Result<Self, Error> {
        let map = || {
            // Asked before opening: opening a pipe would wait for its writer.
            if !path.metadata()?.is_file() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
            }
            let file = File::open(path)?;
            // SAFETY: the one thing to fear is another process that changes the file meanwhile: this shows as other
            // numbers, which harm no memory, or ends this process if the file gets shorter.
            unsafe { Mmap::map(&file) }
        };
        map().map(KeyBytes::Mapped).map_err(|source| Error::File { path: path.into(), source })
    }
}

impl Deref for KeyBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            KeyBytes::Borrowed(bytes) => bytes,
            KeyBytes::Mapped(map) => map,
        }
    }
}

type ZkeyProver<'a> = Prover<Bn254, Zkey<'a, Bn254>>;

self_cell! {
    /// A key and the prover that borrows it.
    struct KeyAndProver {
        owner: KeyBytes,
        #[covariant]
        dependent: ZkeyProver,
    }
}

/// A key, ready to prove with: as often as there are witnesses, from any number of threads at once.
pub struct Loaded(KeyAndProver);

/// Any thread may have it, and many at once.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Loaded>();
};

/// A proof and its public signals as text.
pub struct Texts {
    pub proof: String,
    pub public: String,
}

impl Loaded {
    /// Checks a key, but not whether its points are on the curve.
    ///
    /// # Errors
    /// [`Error::Key`], [`Error::Forked`].
    pub fn new(bytes: KeyBytes) -> Result<Self, Error> {
        threads::check()?;
        KeyAndProver::try_new(bytes, |bytes| {
            Zkey::parse(bytes).map_err(Groth16Error::from).and_then(Prover::new).map_err(Error::Key)
        })
        .map(Loaded)
    }

    fn prover(&self) -> &ZkeyProver<'_> {
        self.0.borrow_dependent()
    }

    /// The public signals of a proof.
    pub fn public(&self) -> usize {
        self.prover().key().header.public
    }

    /// Proves, on the threads of rayon's global pool.
    ///
    /// # Errors
    /// [`Error::Witness`]; [`Error::Key`] if its points are damaged; [`Error::Engine`], [`Error::Forked`].
    pub fn prove(&self, witness: &[u8]) -> Result<Texts, Error> {
        threads::check()?;
        let prove = || {
            let witness = Wtns::parse(witness)?;
            if witness.curve() != Bn254::ID {
                let source = FileError::OtherCurve { expected: Bn254::ID, found: witness.curve() };
                return Err(Groth16Error::from(source));
            }
            self.prover().prove(&witness.to_vec()?, ProveOptions::new())
        };
        let proven = prove().map_err(|error| match error {
            Groth16Error::DamagedKey { .. } => Error::Key(error),
            Groth16Error::Engine(_) | Groth16Error::OutOfMemory { .. } => Error::Engine(error),
            error => Error::Witness(error),
        })?;
        Ok(Texts { proof: proof_text(&proven.proof), public: public_text(&proven.public) })
    }
}

/// A proof as rapidsnark writes it.
fn proof_text(proof: &Proof<Bn254>) -> String {
    compact(&ProofJson::encode(proof).without_curve())
}

/// Public signals as rapidsnark writes them.
fn public_text(signals: &[impl ToString]) -> String {
    let signals: Vec<String> = signals.iter().map(ToString::to_string).collect();
    match signals.is_empty() {
        true => NO_SIGNALS.into(),
        false => compact(&signals),
    }
}

/// JSON without spaces.
fn compact(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("strings and lists, into memory")
}

/// Number of public signals of a key, by its header.
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

    use super::*;

    /// Each number as long as there are any.
    #[test]
    fn no_text_is_longer_than_it_may_be() {
        let (x, y) = (-Fq::ONE, Fq2::new(-Fq::ONE, -Fq::ONE));
        let (point, b) = (G1Affine::new_unchecked(x, x), G2Affine::new_unchecked(y, y));
        let text = proof_text(&Proof { a: point, b, c: point });
        assert_eq!(text.matches(&x.to_string()).count(), 8);
        assert!((text.len() as c_ulong) < PROOF_SIZE, "{}", text.len());
        for signals in [0, 1, 2, 100] {
            let text = public_text(&vec![-Fr::ONE; signals]);
            assert!((text.len() as c_ulong) < public_room(signals), "{signals}: {}", text.len());
        }
    }

    #[test]
    fn keys_that_hide_nothing_are_refused() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../groth16/tests/data/bn254/power.zkey");
        let mut key = std::fs::read(path).unwrap();
        // Section 2: lengths, primes and counts; alpha1, beta1, beta2, gamma2; delta1.
        key[40 + 84 + 6 * 64..][..64].fill(0);
        let error = Loaded::new(KeyBytes::Borrowed(key.leak())).err().expect("refused");
        assert!(error.to_string().starts_with("the key: delta1 is the point at infinity"), "{error}");
    }
}
