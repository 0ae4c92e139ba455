//! Every proof is verified: ours by arkworks, all others by ours.

use super::kind::Prover;
use super::workload::Workload;
use anyhow::{Context, Result, ensure};
use ark_groth16::Groth16;
use bucketwheel_groth16::file::{ProofJson, VerifyingKeyJson, public_from_json};
use bucketwheel_groth16::{PairingCurve, verify, with_pairing};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Files that a prover writes.
pub struct Products {
    pub folder: PathBuf,
}

impl Products {
    pub fn proof(&self) -> PathBuf {
        self.folder.join("proof.json")
    }

    pub fn public(&self) -> PathBuf {
        self.folder.join("public.json")
    }

    /// Verifying key of provers that do not use the workload's key.
    pub fn verifying_key(&self) -> PathBuf {
        self.folder.join("verification_key.json")
    }

    /// Removes an earlier proof, so that it cannot pass for a later one.
    pub fn clear(&self) -> Result<()> {
        fs::create_dir_all(&self.folder)?;
        for path in [self.proof(), self.public()] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns an error if the proof does not hold or belongs to other public signals.
    pub fn check(&self, prover: Prover, workload: &Workload) -> Result<()> {
        with_pairing!(workload.curve, E => self.check_on::<E>(prover, workload))?
    }

    fn check_on<E: PairingCurve>(&self, prover: Prover, workload: &Workload) -> Result<()> {
        let read = |path: PathBuf| fs::read(&path).with_context(|| path.display().to_string());
        let proof = ProofJson::parse(&read(self.proof())?)?.decode::<E>()?;
        let public = public_from_json::<E::ScalarField>(&read(self.public())?)?;
        let decimals: Vec<_> = public.iter().map(ToString::to_string).collect();
        ensure!(decimals == workload.public, "other public signals than the witness has");
        let key = match prover {
            Prover::Gnark => VerifyingKeyJson::parse(&read(self.verifying_key())?)?.decode::<E>()?,
            _ => workload.verifying_key.decode::<E>()?,
        };
        let holds = match prover {
            Prover::Bucketwheel | Prover::Little => {
                let key = ark_groth16::VerifyingKey::<E> {
                    alpha_g1: key.alpha_g1,
                    beta_g2: key.beta_g2,
                    gamma_g2: key.gamma_g2,
                    delta_g2: key.delta_g2,
                    gamma_abc_g1: key.ic,
                };
                let proof = ark_groth16::Proof { a: proof.a, b: proof.b, c: proof.c };
                Groth16::<E>::verify_proof(&key.into(), &proof, &public)?
            }
            _ => verify(&key, &public, &proof)?,
        };
        ensure!(holds, "the proof does not hold");
        Ok(())
    }
}
