//! Circuits of Groth16, on the curves that this build has.

use std::sync::OnceLock;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::AffineRepr;
use ark_ff::BigInt;
use bucketwheel::{Cancel, Curve, Error as EngineError, Points, Progress};
use bucketwheel_groth16::file::{
    FileError, FileWarning, Matrix, ProofJson, Ptau, R1cs, VerifyingKeyJson, Zkey,
};
use bucketwheel_groth16::{
    self as groth16, BadClaim, Error as Groth16Error, PairingCurve, ProveOptions, Prover, TextClaim,
    TextCurve,
};

use crate::circuit::{Circuit, Counts, Info, KeyPoints, Protocol, Proven, Sums};
use crate::error::{Error, Fault};
use crate::fork;
use crate::source::Source;

/// A key on a curve.
pub struct Groth16<'a, E: PairingCurve> {
    key: Zkey<'a, E>,
    prover: OnceLock<Prover<E, Zkey<'a, E>>>,
}

impl<'a, E: PairingCurve> Groth16<'a, E> {
    /// Reads a key and checks all of it except its points.
    pub fn parse(source: &'a Source) -> Result<Self, FileError> {
        Ok(Groth16 { key: Zkey::parse(source)?.held_by(source), prover: OnceLock::new() })
    }

    /// Returns the key for work on all threads. Every method that starts threads takes the key from here, so a forked process gets an
    /// error.
    fn key(&self) -> Result<&Zkey<'a, E>, Error> {
        fork::check()?;
        Ok(&self.key)
    }

    fn prover(&self, points: KeyPoints) -> Result<&Prover<E, Zkey<'a, E>>, Error> {
        let key = self.key()?;
        if self.prover.get().is_none() {
            let make = match points {
                KeyPoints::InKey => Prover::new,
                #[cfg(feature = "sums")]
                KeyPoints::Retained => Prover::retaining,
            };
            // If two threads do this at once, one of the two provers stays.
            let _ = self.prover.set(make(key.clone()).map_err(Error::of(Fault::Key))?);
        }
        Ok(self.prover.get().expect("the prover is set"))
    }

    fn proven(proven: groth16::Proven<E>) -> Proven {
        Proven {
            proof: ProofJson::encode(&proven.proof),
            public: proven.public.iter().map(ToString::to_string).collect(),
            trace: proven.trace,
        }
    }
}

/// Reads powers of tau.
#[cfg(feature = "checks")]
fn powers<E: PairingCurve>(ptau: &[u8]) -> Result<Ptau<'_, E>, Error> {
    Ptau::parse(ptau).map_err(|error| Error::of(Fault::Powers)(error.into()))
}

/// Returns points from their integers.
pub fn points<C: Curve>(bytes: &[u8]) -> Result<Vec<Affine<C>>, Groth16Error> {
    let points = Points::<C>::integers(bytes)?;
    let point = |index| points.get(index).ok_or(EngineError::CoordinateRange { index }.into());
    (0..points.len()).map(point).collect()
}

/// Returns a point from its integers.
fn point<C: Curve>(bytes: &[u8]) -> Result<Projective<C>, Groth16Error> {
    let first = points::<C>(bytes)?.first().copied();
    Ok(first.ok_or(EngineError::CoordinateRange { index: 0 })?.into())
}

impl<E: TextCurve> Circuit for Groth16<'_, E> {
    fn info(&self) -> Info {
        let header = &self.key.header;
        Info {
            protocol: Protocol::Groth16,
            curve: E::ID,
            signals: header.signals,
            public: header.public,
            domain_size: header.domain_size,
            retained_bytes: Prover::retained_bytes(&self.key),
        }
    }

    fn warnings(&self) -> Vec<FileWarning> {
        self.key.warnings()
    }

    fn counts(&self) -> Counts {
        let Zkey { header, coefficients, b1, contributions, .. } = &self.key;
        let rows = coefficients.iter().map(|entry| entry.constraint as usize + 1).max().unwrap_or(0);
        let coefficients_a = coefficients.iter().filter(|entry| entry.matrix == Matrix::A).count();
        Counts {
            signals: header.signals,
            public: header.public,
            domain_size: header.domain_size,
            // The last rows bind the public signals.
            constraints: rows.saturating_sub(header.public + 1),
            coefficients_a,
            coefficients_b: coefficients.len() - coefficients_a,
            signals_without_b: b1.iter().filter(AffineRepr::is_zero).count(),
            contributions: *contributions,
        }
    }

    fn verifying_key(&self) -> Result<VerifyingKeyJson, Error> {
        let key = self.key.verifying_key().map_err(|error| Error::of(Fault::Key)(error.into()))?;
        Ok(VerifyingKeyJson::encode(&key))
    }

    #[cfg(feature = "checks")]
    fn check_points(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        self.key()?.check_points(cancel, progress).map_err(|error| Error::of(Fault::Key)(error.into()))
    }

    #[cfg(feature = "checks")]
    fn check_agreement(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        self.key()?.check_agreement(cancel, progress).map_err(|error| Error::of(Fault::Key)(error.into()))
    }

    #[cfg(feature = "checks")]
    fn check_powers(&self, ptau: &[u8], cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        let log_size = self.key()?.header.domain_size.ilog2();
        let checked = powers::<E>(ptau)?.check_powers(log_size, cancel, progress);
        checked.map_err(|error| Error::of(Fault::Powers)(error.into()))
    }

    #[cfg(feature = "checks")]
    fn check_circuit(
        &self,
        circuit: &R1cs<'_>,
        ptau: &[u8],
        cancel: &Cancel,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let checked = self.key()?.check_circuit(circuit, &powers(ptau)?, cancel, progress);
        checked.map_err(|error| Error::of(Fault::Key)(error.into()))
    }

    fn prepare(&self, points: KeyPoints) -> Result<(), Error> {
        self.prover(points).map(drop)
    }

    #[cfg(feature = "sums")]
    fn prove(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<Proven, Error> {
        let proven =
            self.prover(KeyPoints::InKey)?.prove(witness, options).map_err(Error::of(Fault::Witness))?;
        Ok(Self::proven(proven))
    }

    fn prove_from(
        &self,
        witness: &[BigInt<4>],
        [a, b1, b2, c, h]: &Sums,
        options: ProveOptions<'_>,
    ) -> Result<Proven, Error> {
        let prover = self.prover(KeyPoints::InKey)?;
        let prove = || {
            let sums =
                groth16::Sums { a: point(a)?, b1: point(b1)?, b2: point(b2)?, c: point(c)?, h: point(h)? };
            prover.prove_from(witness, sums, options)
        };
        prove().map(Self::proven).map_err(Error::of(Fault::Witness))
    }

    fn quotient(&self, witness: &[BigInt<4>], options: ProveOptions<'_>) -> Result<Vec<BigInt<4>>, Error> {
        self.prover(KeyPoints::InKey)?.quotient(witness, options).map_err(Error::of(Fault::Witness))
    }

    fn verify(&self, claims: &[TextClaim<'_>]) -> Result<Option<BadClaim>, Error> {
        E::first_bad(self.prover(KeyPoints::InKey)?.verifier(), claims).map_err(Error::of(Fault::Claim))
    }
}
