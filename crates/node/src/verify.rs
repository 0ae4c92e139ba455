//! Verification of proofs, and checks of witnesses.

use bucketwheel_circuit::Fault;
use bucketwheel_groth16::file::{FileError, R1cs, Wtns};
use bucketwheel_groth16::{check_witness, Error as Groth16Error, TextClaim, TextVerifier};
use napi::bindgen_prelude::{AsyncTask, Uint8Array};
use napi::{Env, Result, Task};
use napi_derive::napi;

use crate::error::{of_groth16, refuse};
use crate::job::Job;
use crate::work;

/// The result of a verification.
#[napi(string_enum)]
pub enum Verdict {
    /// The proof holds.
    Holds,
    /// The proof does not hold.
    DoesNotHold,
    /// A point of the proof is not in its group.
    OutsideOfGroup,
}

/// Verifies a proof. Takes the texts of a `verification_key.json`, a `public.json` and a `proof.json`.
#[napi]
pub fn verify(key: String, public: String, proof: String) -> AsyncTask<Verify> {
    AsyncTask::new(Verify { key, public, proof })
}

/// A verification under way.
pub struct Verify {
    key: String,
    public: String,
    proof: String,
}

impl Verify {
    fn verdict(&self) -> std::result::Result<Verdict, Groth16Error> {
        let verifier = TextVerifier::new(self.key.as_bytes())?;
        let claim = TextClaim { public: self.public.as_bytes(), proof: self.proof.as_bytes() };
        Ok(match verifier.first_bad(&[claim])? {
            None => Verdict::Holds,
            Some(bad) if bad.point.is_some() => Verdict::OutsideOfGroup,
            Some(_) => Verdict::DoesNotHold,
        })
    }
}

impl Task for Verify {
    type Output = Verdict;
    type JsValue = Verdict;

    fn compute(&mut self) -> Result<Verdict> {
        work::run(0, || match self.verdict() {
            // No proof holds by a key with points outside of their groups.
            Err(Groth16Error::File(FileError::Point { .. })) => Ok(Verdict::DoesNotHold),
            verdict => verdict.map_err(|error| refuse(of_groth16(&error, Fault::Claim))),
        })
    }

    fn resolve(&mut self, _env: Env, verdict: Verdict) -> Result<Verdict> {
        Ok(verdict)
    }
}

/// Returns the first constraint of a circuit, an `.r1cs`, that a witness, a `.wtns`, does not satisfy. Copies the bytes of both.
#[napi]
pub fn find_unsatisfied(circuit: Uint8Array, witness: Uint8Array, job: &Job) -> AsyncTask<Check> {
    AsyncTask::new(Check { circuit: circuit.to_vec(), witness: witness.to_vec(), job: job.clone() })
}

/// A check of a witness under way.
pub struct Check {
    circuit: Vec<u8>,
    witness: Vec<u8>,
    job: Job,
}

/// A constraint that does not hold.
#[napi(object)]
pub struct Broken {
    /// Index of the constraint; `None` if the first value of the witness is not 1.
    pub constraint: Option<f64>,
    /// A sentence with the reason.
    pub text: String,
}

impl Task for Check {
    type Output = Option<Broken>;
    type JsValue = Option<Broken>;

    fn compute(&mut self) -> Result<Option<Broken>> {
        let Check { circuit, witness, job } = self;
        let check = || {
            let circuit = R1cs::parse(circuit)?;
            check_witness(&circuit, &Wtns::parse(witness)?, &job.cancel, &*job.steps)
        };
        work::run(0, || match check() {
            Ok(()) => Ok(None),
            Err(Groth16Error::Unsatisfied(unsatisfied)) => {
                let constraint = Some(unsatisfied.constraint as f64);
                Ok(Some(Broken { constraint, text: unsatisfied.to_string() }))
            }
            Err(error @ Groth16Error::WitnessConstant) => {
                Ok(Some(Broken { constraint: None, text: error.to_string() }))
            }
            Err(error) => Err(refuse(of_groth16(&error, Fault::Witness))),
        })
    }

    fn resolve(&mut self, _env: Env, broken: Option<Broken>) -> Result<Option<Broken>> {
        Ok(broken)
    }
}
