//! Groth16 in snarkjs' JSON: proofs and verifying keys.

use ark_ec::pairing::Pairing;

use crate::PairingCurve;

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
    /// The [example](crate::VerifyingKeyJson) uses it.
    pub fn is_in_groups(&self) -> bool {
        let in_g1 =
            |point: &E::G1Affine| point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve();
        let in_g2 = self.b.is_on_curve() && self.b.is_in_correct_subgroup_assuming_on_curve();
        in_g1(&self.a) && in_g2 && in_g1(&self.c)
    }
}

/// A key that verifies the proofs of one circuit. All points are in their groups: readers check it.
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

impl<E: Pairing> VerifyingKey<E> {
    /// Returns the number of public signals. The [example](crate::Zkey) uses it.
    pub fn public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }
}
