//! Keys and circuits of a curve that only their files name: object-safe traits, compiled here and not again by those who call
//! them.
//!
//! ```
//! use bucketwheel_groth16::file::Wtns;
//! use bucketwheel_groth16::{dynamic, ProveOptions, TextClaim, TextVerifier};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bn254");
//! let file = std::fs::read(format!("{folder}/power.zkey"))?;
//! let witness = std::fs::read(format!("{folder}/power.wtns"))?;
//! let key = dynamic::key(&file)?;
//! let verifier = TextVerifier::new(key.verifying_key()?.to_text().as_bytes())?;
//! let proven = key.prover()?.prove(&Wtns::parse(&witness)?.to_vec()?, ProveOptions::new())?;
//! let claim = TextClaim { public: proven.public.as_bytes(), proof: proven.proof.as_bytes() };
//! assert!(verifier.first_bad(&[claim])?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{self, Seek, Write};

use ark_ec::AffineRepr;
use ark_ff::BigInt;
use bucketwheel::{Cancel, MontgomeryWords, Progress};

use crate::file::{
    public_to_json, zkey_curve, FileWarning, Matrix, ProofJson, Ptau, R1cs, VerifyingKeyJson, Zkey,
};
use crate::jsnark::{self, ImportError, Imported};
use crate::setup::Setup;
use crate::{with_curve, CurveId, Error, PairingCurve, ProveOptions, Prover, Trace};

/// A place that a file is written to.
pub trait Place: Write + Seek {}

impl<W: Write + Seek> Place for W {}

/// Counts of a key.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct KeyInfo {
    /// The length of a witness, the constant 1 included.
    pub signals: usize,
    /// Number of public signals, the constant not included.
    pub public: usize,
    /// The size of the domain, a power of two.
    pub domain_size: usize,
    /// Rows of the matrices that the circuit's constraints take.
    pub constraints: usize,
    /// Entries of the matrix A that are not zero.
    pub coefficients_a: usize,
    /// Those of the matrix B.
    pub coefficients_b: usize,
    /// Signals that no right factor has: their points in B are infinity.
    pub signals_without_b: usize,
    /// Contributions to the ceremony, if the key says so.
    pub contributions: Option<u32>,
}

/// A proving key: a [`Zkey`].
pub trait DynKey<'a> {
    /// The curve.
    fn curve(&self) -> CurveId;

    /// The size of the domain, a power of two.
    fn domain_size(&self) -> usize;

    /// What the file's owner should know.
    fn warnings(&self) -> Vec<FileWarning>;

    /// The counts. Takes a look at each coefficient and each point of B.
    fn info(&self) -> KeyInfo;

    /// As [`Zkey::verifying_key`].
    ///
    /// # Errors
    /// As there.
    fn verifying_key(&self) -> Result<VerifyingKeyJson, Error>;

    /// As [`Zkey::check_points`].
    ///
    /// # Errors
    /// As there.
    fn check_points(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error>;

    /// As [`Zkey::check_agreement`].
    ///
    /// # Errors
    /// As there.
    fn check_agreement(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error>;

    /// As [`Ptau::check_powers`] of this file, as far as the key needs them.
    ///
    /// # Errors
    /// As there, and as [`Ptau::parse`].
    fn check_powers(&self, ptau: &[u8], cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error>;

    /// As [`Zkey::check_circuit`], with the powers of this file.
    ///
    /// # Errors
    /// As there, and as [`Ptau::parse`].
    fn check_circuit(
        &self,
        circuit: &R1cs<'_>,
        ptau: &[u8],
        cancel: &Cancel,
        progress: &dyn Progress,
    ) -> Result<(), Error>;

    /// As [`Prover::new`].
    ///
    /// # Errors
    /// As there.
    fn prover(self: Box<Self>) -> Result<Box<dyn DynProver + 'a>, Error>;
}

/// A [`Prover`].
pub trait DynProver: Send + Sync {
    /// As [`Prover::prove`].
    ///
    /// # Errors
    /// As there.
    fn prove(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<ProvenText, Error>;
}

/// A proof as texts, and what belongs to it.
#[derive(Clone, Debug)]
pub struct ProvenText {
    /// The proof, a `proof.json`.
    pub proof: String,
    /// The public signals, a `public.json`.
    pub public: String,
    /// Stages of the proof on the threads over time.
    pub trace: Trace,
}

/// A [`Setup`].
pub trait DynSetup {
    /// As [`Setup::write_zkey`].
    ///
    /// # Errors
    /// As there.
    fn write_zkey(&self, out: &mut dyn Place, cancel: &Cancel, progress: &dyn Progress) -> io::Result<()>;

    /// As [`Setup::verifying_key`].
    fn verifying_key(&self) -> VerifyingKeyJson;
}

/// Counts of a circuit of jsnark, and its witness: [`Imported`].
pub trait DynCircuit {
    /// Number of constraints.
    fn constraints(&self) -> usize;

    /// Number of values of the witness.
    fn values(&self) -> usize;

    /// As [`Imported::write_wtns`].
    ///
    /// # Errors
    /// As there.
    fn write_wtns(&self, out: &mut dyn Place) -> io::Result<()>;
}

/// The key of a `.zkey` file ([`Zkey::parse`]).
///
/// # Errors
/// As there; [`Error::MissingCurve`].
pub fn key<'a>(file: &'a [u8]) -> Result<Box<dyn DynKey<'a> + 'a>, Error> {
    with_curve!(zkey_curve(file)?, E => Ok(Box::new(Zkey::<E>::parse(file)?) as Box<dyn DynKey<'a> + 'a>))?
}

/// Draws a key for a circuit ([`Setup::new`]), or makes that of a seed ([`Setup::insecure_seed`]).
///
/// # Errors
/// As there; [`Error::MissingCurve`].
pub fn setup<'a>(circuit: R1cs<'a>, insecure_seed: Option<u64>) -> Result<Box<dyn DynSetup + 'a>, Error> {
    with_curve!(circuit.header.curve, E => {
        let setup = match insecure_seed {
            None => Setup::<E>::new(circuit),
            Some(seed) => Setup::insecure_seed(circuit, seed),
        };
        Ok(Box::new(setup?) as Box<dyn DynSetup + 'a>)
    })?
}

/// Imports a circuit of jsnark and writes its constraints ([`jsnark::import`]). The outer error is the output's.
///
/// # Errors
/// [`Error::Jsnark`]; [`Error::MissingCurve`].
pub fn import_jsnark(
    curve: CurveId,
    circuit: &[u8],
    inputs: &[u8],
    r1cs: &mut dyn Place,
    cancel: &Cancel,
    progress: &dyn Progress,
) -> io::Result<Result<Box<dyn DynCircuit>, Error>> {
    let imported = with_curve!(curve, E => match jsnark::import::<E, _>(circuit, inputs, r1cs, cancel, progress) {
        Ok(imported) => Ok(Ok(Box::new(Over::<E>(imported)) as Box<dyn DynCircuit>)),
        Err(ImportError::Jsnark(error)) => Ok(Err(error.into())),
        Err(ImportError::Output(error)) => Err(error),
    });
    imported.unwrap_or_else(|missing| Ok(Err(missing.into())))
}

impl<'a, E: PairingCurve> DynKey<'a> for Zkey<'a, E> {
    fn curve(&self) -> CurveId {
        E::ID
    }

    fn domain_size(&self) -> usize {
        self.header.domain_size
    }

    fn warnings(&self) -> Vec<FileWarning> {
        self.warnings()
    }

    fn info(&self) -> KeyInfo {
        let (signals, public) = (self.header.signals, self.header.public);
        let rows = self.coefficients.iter().map(|entry| entry.constraint as usize + 1).max().unwrap_or(0);
        let coefficients_a = self.coefficients.iter().filter(|entry| entry.matrix == Matrix::A).count();
        KeyInfo {
            signals,
            public,
            domain_size: self.header.domain_size,
            // The last rows bind the public signals.
            constraints: rows.saturating_sub(public + 1),
            coefficients_a,
            coefficients_b: self.coefficients.len() - coefficients_a,
            signals_without_b: self.b1.iter().filter(AffineRepr::is_zero).count(),
            contributions: self.contributions,
        }
    }

    fn verifying_key(&self) -> Result<VerifyingKeyJson, Error> {
        Ok(VerifyingKeyJson::encode(&self.verifying_key()?))
    }

    fn check_points(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        self.check_points(cancel, progress)
    }

    fn check_agreement(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        self.check_agreement(cancel, progress)
    }

    fn check_powers(&self, ptau: &[u8], cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        Ptau::<E>::parse(ptau)?.check_powers(self.header.domain_size.ilog2(), cancel, progress)
    }

    fn check_circuit(
        &self,
        circuit: &R1cs<'_>,
        ptau: &[u8],
        cancel: &Cancel,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        self.check_circuit(circuit, &Ptau::parse(ptau)?, cancel, progress)
    }

    fn prover(self: Box<Self>) -> Result<Box<dyn DynProver + 'a>, Error> {
        Ok(Box::new(Prover::new(*self)?))
    }
}

impl<E: PairingCurve> DynProver for Prover<E, Zkey<'_, E>> {
    fn prove(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<ProvenText, Error> {
        let proven = self.prove(witness, options)?;
        Ok(ProvenText {
            proof: ProofJson::encode(&proven.proof).to_text(),
            public: public_to_json(&proven.public),
            trace: proven.trace,
        })
    }
}

impl<E: PairingCurve> DynSetup for Setup<'_, E> {
    fn write_zkey(&self, out: &mut dyn Place, cancel: &Cancel, progress: &dyn Progress) -> io::Result<()> {
        self.write_zkey(out, cancel, progress).map(drop)
    }

    fn verifying_key(&self) -> VerifyingKeyJson {
        VerifyingKeyJson::encode(&self.verifying_key())
    }
}

/// A circuit over the scalars of a curve.
struct Over<E: PairingCurve>(Imported<E::ScalarField>);

impl<E: PairingCurve<ScalarField: MontgomeryWords<BigInt = BigInt<4>>>> DynCircuit for Over<E> {
    fn constraints(&self) -> usize {
        self.0.constraints
    }

    fn values(&self) -> usize {
        self.0.witness.len()
    }

    fn write_wtns(&self, out: &mut dyn Place) -> io::Result<()> {
        self.0.write_wtns::<E, _>(out).map(drop)
    }
}
