//! Many proofs of one circuit, verified together.
//!
//! With random coefficients `r_i`, all proofs hold if
//!
//! ```text
//! prod e(r_i A_i, B_i) = e(alpha, beta)^(sum r_i) e(sum r_i IC(x_i), gamma) e(sum r_i C_i, delta)
//! ```
//!
//! If a proof does not hold, this equation holds for at most one choice of the proof's coefficient. The operating
//! system draws coefficients of 128 bits when all proofs are there, so the probability of that choice is 2^-128
//! (Bellare, Garay, Rabin, "Fast batch verification for modular exponentiation and digital signatures", 1998, section
//! 3). A proof takes one Miller loop instead of three, and all proofs share the final exponentiation. The argument
//! holds in groups of prime order only, so points are checked first.

use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::CurveGroup;
use ark_ff::Zero;
use bucketwheel::{Cancel, Error as EngineError};
use rand::rngs::OsRng;
use rand::RngCore;

use super::PreparedVerifyingKey;
use crate::file::Group;
use crate::{parallel, Error, PairingCurve, Proof};

/// Miller loops that a task runs.
const LOOPS: usize = 8;

/// A proof and its public signals.
type Claim<'a, E> = (&'a [<E as Pairing>::ScalarField], Proof<E>);

impl<E: PairingCurve> PreparedVerifyingKey<E> {
    /// Returns the index of the first claim whose proof does not hold for its public signals, or `None` if all claims
    /// hold, or if there are none. A proof with a point outside of the prime-order subgroups does not hold.
    ///
    /// Costs a Miller loop a proof, 128 doublings in G1, the checks of its points, and one final exponentiation for all
    /// proofs, on the threads of the current rayon pool. A proof that does not hold is found by halving the list. The
    /// search costs at most twice as much again, and two exponentiations for each halving. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::PublicSignals`] if a proof has more or fewer public signals than the key has points for them; the
    /// engine's errors.
    pub fn verify_many(&self, claims: &[Claim<'_, E>]) -> Result<Option<usize>, Error> {
        for (public, _) in claims {
            let _ = self.points_of(public)?;
        }
        let outside = [
            outside(claims.iter().map(|(_, proof)| proof.a).collect())?,
            outside(claims.iter().map(|(_, proof)| proof.b).collect())?,
            outside(claims.iter().map(|(_, proof)| proof.c).collect())?,
        ];
        let outside = outside.into_iter().flatten().min();
        let inside = &claims[..outside.unwrap_or(claims.len())];
        Ok(self.first_bad(inside)?.or(outside))
    }

    fn first_bad(&self, claims: &[Claim<'_, E>]) -> Result<Option<usize>, Error> {
        match claims {
            [] => return Ok(None),
            [(public, proof)] => return Ok((!self.verify(public, proof)?).then_some(0)),
            _ if self.hold_together(claims)? => return Ok(None),
            _ => {}
        }
        let (first, second) = claims.split_at(claims.len() / 2);
        match self.first_bad(first)? {
            Some(index) => Ok(Some(index)),
            None => Ok(self.first_bad(second)?.map(|index| first.len() + index)),
        }
    }

    /// Returns true if two or more claims all hold.
    fn hold_together(&self, claims: &[Claim<'_, E>]) -> Result<bool, Error> {
        let coefficients: Vec<E::ScalarField> = claims.iter().map(|_| coefficient().into()).collect();
        // Scalars of IC: the constant of each proof, and each public signal.
        let mut signals = vec![E::ScalarField::zero(); self.ic.len()];
        for ((public, _), coefficient) in claims.iter().zip(&coefficients) {
            signals[0] += coefficient;
            signals[1..].iter_mut().zip(*public).for_each(|(sum, signal)| *sum += *signal * coefficient);
        }
        let points: Vec<Affine<E::G1Curve>> = claims.iter().map(|(_, proof)| proof.c).collect();
        let (public, c) = (E::sum(&self.ic, &signals)?, E::sum(&points, &coefficients)?);
        let multiples = parallel::map(claims.len(), |i| claims[i].1.a * coefficients[i]);
        let multiples = Projective::normalize_batch(&multiples);
        let mut loops = parallel::map(claims.len().div_ceil(LOOPS), |i| {
            let range = i * LOOPS..claims.len().min((i + 1) * LOOPS);
            let (multiples, claims) = (&multiples[range.clone()], &claims[range]);
            let prepared: Vec<_> = claims.iter().map(|(_, proof)| E::prepare(proof.b)).collect();
            E::miller_loops(multiples, &prepared)
        });
        let others = [self.beta.clone(), self.gamma.clone(), self.delta.clone()];
        let g1 = Projective::normalize_batch(&[self.alpha * signals[0], public, c]);
        loops.push(E::miller_loops(&g1, &others));
        Ok(E::have_product_one(&loops))
    }
}

/// Returns 128 random bits.
fn coefficient() -> u128 {
    u128::from(OsRng.next_u64()) << 64 | u128::from(OsRng.next_u64())
}

/// Returns the first point outside of the prime-order subgroup.
fn outside<C: Group>(points: Vec<Affine<C>>) -> Result<Option<usize>, Error> {
    match C::check(&points, &Cancel::new()) {
        Ok(()) => Ok(None),
        Err(EngineError::NotOnCurve { index } | EngineError::NotInSubgroup { index }) => Ok(Some(index)),
        Err(error) => Err(error.into()),
    }
}
