//! The checks of a key that every load can afford.
//!
//! A proof hides its witness if the blinding scalars reach it: A by `r delta` in G1 and B by `s delta` in G2. Then A
//! and B are uniform, and C is the one point for which the proof holds. So a proof that holds hides its witness if
//! both deltas of the key are in the prime-order subgroups and not infinity, and its own points are in these
//! subgroups. The prover checks the deltas when it loads a key, and the proof before it returns it.

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use bucketwheel::Curve;

use crate::points::check_point;
use crate::{Error, KeyFault, PairingCurve, VerifyingCurve, VerifyingKey};

/// Checks properties that every set-up guarantees and every load can afford: the secrets of a key are points of the
/// prime-order subgroups, and not infinity. The secrets in `verifying_key` are already known to be in their groups.
///
/// The [example](crate::Zkey) uses it.
///
/// # Errors
/// [`KeyFault::Infinity`]; [`FileError::Point`](crate::FileError::Point).
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

impl<E: VerifyingCurve> VerifyingKey<E> {
    /// Checks that no secret is infinity: with such a key, proofs of everything hold.
    /// The [example](crate::Zkey) uses it.
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

/// Checks that a point is not infinity.
///
/// # Errors
/// [`KeyFault::Infinity`].
fn not_infinity<C: Curve>(point: &Affine<C>, name: &str) -> Result<(), KeyFault> {
    match point.is_zero() {
        true => Err(KeyFault::Infinity { point: name.into() }),
        false => Ok(()),
    }
}
