//! Keys that no set-up makes, and the part of their checks that every load can afford.
//!
//! A proof hides its witness if the blinding scalars reach it: A by `r delta` in G1 and B by `s delta` in G2. Then A and B
//! are uniform, and C is the one point for which the proof holds. So a proof that holds hides its witness, by any key
//! whose two deltas are in the prime-order subgroups and not infinity, and whose other points are in these subgroups. The
//! prover looks at the deltas when it loads a key, and at the proof before it returns one.

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use bucketwheel::Curve;

use crate::file::{check_point, Section};
use crate::{Error, PairingCurve, VerifyingKey};

/// A fault of a key that no set-up makes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFault {
    /// A point at infinity in a place where set-ups have none.
    #[error("{point} is the point at infinity: expected another point; such a key hides no witness or proves nothing, get it from a source you trust")]
    Infinity {
        /// Name of the point.
        point: String,
    },
    /// Points in G1 and in G2 that stand for different scalars.
    #[error("{what} in G1 and in G2 stand for different secrets: expected the same ones; the key is damaged or not to be trusted")]
    Groups {
        /// Name of the points.
        what: &'static str,
    },
    /// A count that is not the circuit's.
    #[error("the key has {found} {what}: expected {expected}, as the circuit has; was it made for another circuit?")]
    Count {
        /// What is counted.
        what: &'static str,
        /// Number in the key.
        found: usize,
        /// Number in the circuit.
        expected: usize,
    },
    /// A secret of the key that is not the ceremony's.
    #[error("{point} is not that of the powers of tau: expected it from there; was the key made with another .ptau?")]
    Secret {
        /// Name of the point.
        point: &'static str,
    },
    /// A section that does not follow from the circuit and the powers of tau.
    #[error("{section} is not that of the circuit and the powers of tau: expected what they make; was the key made for another circuit, or with another .ptau?")]
    Section {
        /// The section.
        section: Section,
    },
    /// A section of a `.ptau` that does not have the powers of one secret.
    #[error("{section} does not have the powers of one tau: expected a ceremony's; the file is damaged or not to be trusted")]
    Powers {
        /// The section.
        section: Section,
    },
    /// Too few powers of tau.
    #[error("the file has the powers for domains of 2^{found}: expected at least 2^{expected}, the key's domain; get a larger one")]
    Power {
        /// Logarithm of the largest domain of the `.ptau`.
        found: u32,
        /// Logarithm of the key's domain.
        expected: u32,
    },
}

/// Checks what every set-up keeps to and every load can afford: the secrets of a key are points of the prime-order
/// subgroups, and not infinity. Those of `verifying_key` are in their groups.
///
/// # Errors
/// [`KeyFault::Infinity`]; [`FileError::Point`](crate::file::FileError::Point).
pub fn check_secrets<E: PairingCurve>(
    verifying_key: &VerifyingKey<E>,
    [beta_g1, delta_g1]: [E::G1Affine; 2],
) -> Result<(), Error> {
    verifying_key.check_secrets()?;
    not_infinity(&beta_g1, "beta1")?;
    not_infinity(&delta_g1, "delta1")?;
    check_point(&beta_g1, || "beta1".into())?;
    check_point(&delta_g1, || "delta1".into())?;
    Ok(())
}

impl<E: PairingCurve> VerifyingKey<E> {
    /// Checks that no secret is at infinity: by such a key, proofs of everything hold.
    ///
    /// # Errors
    /// [`KeyFault::Infinity`].
    pub fn check_secrets(&self) -> Result<(), KeyFault> {
        not_infinity(&self.alpha_g1, "alpha1")?;
        not_infinity(&self.beta_g2, "beta2")?;
        not_infinity(&self.gamma_g2, "gamma2")?;
        not_infinity(&self.delta_g2, "delta2")
    }
}

/// # Errors
/// [`KeyFault::Infinity`].
fn not_infinity<C: Curve>(point: &Affine<C>, name: &str) -> Result<(), KeyFault> {
    match point.is_zero() {
        true => Err(KeyFault::Infinity { point: name.into() }),
        false => Ok(()),
    }
}
