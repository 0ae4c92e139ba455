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
mod text;

use std::ops::Neg;

use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ff::One;

use crate::{Error, PairingCurve};

pub use text::{BadClaim, ClaimPart, TextClaim, TextVerifier};

/// A proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<E: Pairing> {
    /// A, in G1.
    pub a: E::G1Affine,
    /// B, in G2.
    pub b: E::G2Affine,
    /// C, in G1.
    pub c: E::G1Affine,
}

impl<E: PairingCurve> Proof<E> {
    /// Returns true if all points are on their curves and in the prime-order subgroups.
    pub fn is_in_groups(&self) -> bool {
        let in_g1 =
            |point: &E::G1Affine| point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve();
        let in_g2 = self.b.is_on_curve() && self.b.is_in_correct_subgroup_assuming_on_curve();
        in_g1(&self.a) && in_g2 && in_g1(&self.c)
    }
}

/// Key that proofs of one circuit are verified with. All points are in their groups: the readers check that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey<E: Pairing> {
    /// The secret alpha in G1.
    pub alpha_g1: E::G1Affine,
    /// The secret beta in G2.
    pub beta_g2: E::G2Affine,
    /// The secret gamma in G2.
    pub gamma_g2: E::G2Affine,
    /// The secret delta in G2.
    pub delta_g2: E::G2Affine,
    /// Points of the MSM over the constant 1 and the public signals.
    pub ic: Vec<E::G1Affine>,
}

impl<E: PairingCurve> VerifyingKey<E> {
    /// The number of public signals.
    pub fn public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }

    /// Does once what every verification needs. Costs a Miller loop.
    pub fn prepare(&self) -> PreparedVerifyingKey<E> {
        let (alpha, beta): (E::G1Prepared, E::G2Prepared) = (self.alpha_g1.into(), self.beta_g2.neg().into());
        PreparedVerifyingKey {
            alpha: self.alpha_g1,
            alpha_beta: E::miller_loop(alpha, beta.clone()).0,
            beta,
            gamma: self.gamma_g2.neg().into(),
            delta: self.delta_g2.neg().into(),
            ic: self.ic.clone(),
        }
    }
}

/// A key for many verifications.
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey<E: Pairing> {
    alpha: E::G1Affine,
    /// That of -beta.
    beta: E::G2Prepared,
    /// The Miller loop of these two: the exponentiation comes with a proof's own.
    alpha_beta: E::TargetField,
    /// That of -gamma.
    gamma: E::G2Prepared,
    /// That of -delta.
    delta: E::G2Prepared,
    ic: Vec<E::G1Affine>,
}

impl<E: PairingCurve> PreparedVerifyingKey<E> {
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
        let (constant, ic) = self.points_of(public)?;
        let sum = bucketwheel::msm(ic, public)? + constant;
        let (a, sum, c): (E::G1Prepared, E::G1Prepared, E::G1Prepared) =
            (proof.a.into(), sum.into(), proof.c.into());
        let b: E::G2Prepared = proof.b.into();
        let product = E::multi_miller_loop([a, sum, c], [b, self.gamma.clone(), self.delta.clone()]).0;
        Ok(is_one::<E>(product * self.alpha_beta))
    }
}

/// True if pairings whose Miller loops have this product, which is not 0, have the product 1.
fn is_one<E: Pairing>(product: E::TargetField) -> bool {
    E::final_exponentiation(MillerLoopOutput(product)).is_some_and(|product| product.0.is_one())
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
    key.prepare().verify(public, proof)
}
