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
use ark_ff::{One, Zero};

use crate::file::Group;
use crate::{Error, PairingCurve, Proof, VerifyingKey};

pub use text::{BadClaim, TextClaim, TextCurve, TextVerifier};

/// A key for many verifications.
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey<E: Pairing> {
    alpha: E::G1Affine,
    /// The Miller loop's coefficients of -beta.
    beta: E::G2Prepared,
    /// The Miller loop of alpha and -beta. The exponentiation comes with a proof's own.
    alpha_beta: E::TargetField,
    /// The coefficients of -gamma.
    gamma: E::G2Prepared,
    /// The coefficients of -delta.
    delta: E::G2Prepared,
    ic: Vec<E::G1Affine>,
}

impl<E: PairingCurve> PreparedVerifyingKey<E> {
    /// Prepares a key once for all verifications. Costs a Miller loop.
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

    /// Points of the constant 1 and of these public signals.
    fn points_of(&self, public: &[E::ScalarField]) -> Result<(E::G1Affine, &[E::G1Affine]), Error> {
        let signals = |expected| Error::PublicSignals { expected, found: public.len() };
        let (&constant, ic) = self.ic.split_first().ok_or_else(|| signals(0))?;
        match ic.len() == public.len() {
            true => Ok((constant, ic)),
            false => Err(signals(ic.len())),
        }
    }

    /// Returns true if the proof of these public signals holds. Costs three Miller loops, one final exponentiation,
    /// and an MSM over the public signals.
    ///
    /// # Errors
    /// [`Error::PublicSignals`] if there are more or fewer than the key has points for.
    pub fn verify(&self, public: &[E::ScalarField], proof: &Proof<E>) -> Result<bool, Error> {
        self.verify_with(public, E::G1::zero(), proof)
    }

    /// [`verify`](Self::verify) with a point that is added to the sum over the public signals: gnark's commitments.
    ///
    /// # Errors
    /// As for [`verify`](Self::verify).
    pub fn verify_with(
        &self,
        public: &[E::ScalarField],
        committed: E::G1,
        proof: &Proof<E>,
    ) -> Result<bool, Error> {
        let (constant, ic) = self.points_of(public)?;
        let sum = E::G1Curve::sum(ic, public)? + constant + committed;
        let g2 = [E::prepare(proof.b), self.gamma.clone(), self.delta.clone()];
        let product = E::miller_loops(&[proof.a, sum.into_affine(), proof.c], &g2);
        Ok(is_one::<E>(product * self.alpha_beta))
    }
}

/// True if pairings whose Miller loops have this product, which is not 0, have the product 1.
fn is_one<E: PairingCurve>(product: E::TargetField) -> bool {
    E::exponentiate(product).is_some_and(|product| product.is_one())
}

/// Returns true if the proof of these public signals holds, by a key that is used once; see
/// [`PreparedVerifyingKey::verify`].
///
/// # Errors
/// [`Error::PublicSignals`] if there are more or fewer than the key has points for.
pub fn verify<E: PairingCurve>(
    key: &VerifyingKey<E>,
    public: &[E::ScalarField],
    proof: &Proof<E>,
) -> Result<bool, Error> {
    PreparedVerifyingKey::new(key).verify(public, proof)
}
