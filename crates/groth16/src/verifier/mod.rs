//! Groth16's verifier.
//!
//! A proof `(A, B, C)` of public signals `x_1 ... x_l` holds if
//!
//! ```text
//! e(A, B) = e(alpha, beta) e(IC_0 + x_1 IC_1 + ... + x_l IC_l, gamma) e(C, delta)
//! ```
//!
//! (Groth, "On the size of pairing-based non-interactive arguments", 2016, section 3.2.)

mod many;
pub mod solidity;
mod text;

use ark_ec::pairing::Pairing;
use ark_ec::CurveGroup;
use ark_ff::Zero;

use crate::{Error, Proof, VerifyingCurve, VerifyingKey};

pub use text::{BadClaim, TextClaim, TextCurve, TextVerifier};

/// A key for many verifications.
///
/// ```
/// use bucketwheel_groth16::{Bn254, PreparedVerifyingKey};
/// use bucketwheel_groth16::file::{public_from_json, ProofJson, VerifyingKeyJson};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../snarkjs/tests/data/bn254");
/// let read = |name: &str| std::fs::read(format!("{folder}/{name}.json"));
/// let key = VerifyingKeyJson::parse(&read("verification_key")?)?.decode::<Bn254>()?;
/// let proof = ProofJson::parse(&read("proof")?)?.decode::<Bn254>()?;
/// let public = public_from_json(&read("public")?)?;
///
/// let key = PreparedVerifyingKey::<Bn254>::new(&key);
/// assert!(key.verify(&public, &proof)?);
/// assert!(key.verify_with(&public, Default::default(), &proof)?);
///
/// // Many at once, of which the second one does not hold.
/// let mut wrong = public.clone();
/// wrong[0] += ark_bn254::Fr::from(1);
/// assert_eq!(key.verify_many(&[(&public, proof), (&wrong, proof)])?, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey<E: Pairing> {
    alpha: E::G1Affine,
    /// The Miller loop's coefficients of -beta.
    beta: E::G2Prepared,
    /// Product of the Miller loop of alpha and -beta. The final exponentiation follows with a proof's own loops.
    alpha_beta: E::TargetField,
    /// The coefficients of -gamma.
    gamma: E::G2Prepared,
    /// The coefficients of -delta.
    delta: E::G2Prepared,
    ic: Vec<E::G1Affine>,
}

impl<E: VerifyingCurve> PreparedVerifyingKey<E> {
    /// Prepares a key once for all verifications. Costs a Miller loop. The [example](Self) uses it.
    pub fn new(key: &VerifyingKey<E>) -> Self {
        let [beta, gamma, delta] = [key.beta_g2, key.gamma_g2, key.delta_g2].map(|point| E::prepare(-point));
        PreparedVerifyingKey {
            alpha: key.alpha_g1,
            alpha_beta: E::miller_loops(&[key.alpha_g1], std::slice::from_ref(&beta)),
            beta,
            gamma,
            delta,
            ic: key.ic.clone(),
        }
    }

    /// Returns points of the constant 1 and of these public signals.
    fn points_of(&self, public: &[E::ScalarField]) -> Result<(E::G1Affine, &[E::G1Affine]), Error> {
        let signals = |expected| Error::PublicSignals { expected, found: public.len() };
        let (&constant, ic) = self.ic.split_first().ok_or_else(|| signals(0))?;
        match ic.len() == public.len() {
            true => Ok((constant, ic)),
            false => Err(signals(ic.len())),
        }
    }

    /// Returns true if the proof of these public signals holds. Costs three Miller loops, one final exponentiation,
    /// and an MSM over the public signals. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::PublicSignals`] if there are more or fewer public signals than the key has points for them.
    pub fn verify(&self, public: &[E::ScalarField], proof: &Proof<E>) -> Result<bool, Error> {
        self.verify_with(public, E::G1::zero(), proof)
    }

    /// Verifies as [`verify`](Self::verify) does, with a point that is added to the sum over the public signals, as
    /// gnark's commitments need. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`verify`](Self::verify).
    pub fn verify_with(
        &self,
        public: &[E::ScalarField],
        committed: E::G1,
        proof: &Proof<E>,
    ) -> Result<bool, Error> {
        let (constant, ic) = self.points_of(public)?;
        let sum = E::sum(ic, public)? + constant + committed;
        let g2 = [E::prepare(proof.b), self.gamma.clone(), self.delta.clone()];
        let loops = E::miller_loops(&[proof.a, sum.into_affine(), proof.c], &g2);
        Ok(E::have_product_one(&[loops, self.alpha_beta]))
    }
}

/// Returns true if the proof of these public signals holds, with a key that is used once. See
/// [`PreparedVerifyingKey::verify`].
///
/// The [example](crate::PreparedVerifyingKey) uses it.
///
/// # Errors
/// [`Error::PublicSignals`] if there are more or fewer than the key has points for.
pub fn verify<E: VerifyingCurve>(
    key: &VerifyingKey<E>,
    public: &[E::ScalarField],
    proof: &Proof<E>,
) -> Result<bool, Error> {
    PreparedVerifyingKey::new(key).verify(public, proof)
}
