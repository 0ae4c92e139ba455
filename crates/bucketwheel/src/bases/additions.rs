//! Independent additions by one adder, outside of any MSM, for benchmarks of adders.

use ark_ec::short_weierstrass::Affine;

use crate::bases::Bases;
use crate::curve::{from_coordinates, CoordinateField, Curve};
use crate::engine::adder::AdderKind;
use crate::engine::additions::{Batch, Summands};
use crate::error::Unfit;
use crate::Error;

impl<C: Curve> Bases<C> {
    /// Returns a batch of independent additions by `adder`, one for each point: with indices modulo the number of
    /// points and the sums `B[i] = P[i] + P[i + 1]`, which are computed here, addition i is
    ///
    /// - `B[i] + P[i + 2]` for even i and `B[i] - P[i + 2]` for odd i, if mixed;
    /// - `B[i] + B[i + 2]`, if full.
    ///
    /// The [example](crate::Additions) uses it.
    ///
    /// # Errors
    /// [`Error::Adder`].
    ///
    /// # Panics
    /// If there are no points.
    pub fn additions(&self, adder: AdderKind, summands: Summands) -> Result<Additions<'_, C>, Error> {
        assert!(!self.is_empty(), "additions need points");
        self.check_adder(adder)?;
        let batch = self.prepared()?.additions(adder, summands, self.len);
        batch.map(|batch| Additions { batch }).ok_or(Error::Adder { adder, reason: Unfit::NotPrepared })
    }
}

/// Additions that are computed again and again.
///
/// ```
/// use ark_bn254::G1Affine;
/// use ark_ec::AffineRepr;
/// use bucketwheel::{AdderKind, Bases, Summands};
///
/// let bases = Bases::new(&vec![G1Affine::generator(); 8])?;
/// let mut additions = bases.additions(AdderKind::Affine, Summands::Full)?;
/// additions.run();
/// assert!(additions.sums().iter().all(|&sum| sum == G1Affine::generator() * ark_bn254::Fr::from(4)));
/// # Ok::<(), bucketwheel::Error>(())
/// ```
pub struct Additions<'a, C: Curve> {
    batch: Box<dyn Batch<<C::BaseField as CoordinateField>::Words> + 'a>,
}

impl<C: Curve> Additions<'_, C> {
    /// Computes all additions. The [example](Self) uses it.
    pub fn run(&mut self) {
        self.batch.run();
    }

    /// Computes all additions and returns the sums. The [example](Self) uses it.
    pub fn sums(&mut self) -> Vec<Affine<C>> {
        self.batch.sums().iter().map(from_coordinates).collect()
    }
}

impl<C: Curve> std::fmt::Debug for Additions<'_, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Additions").finish_non_exhaustive()
    }
}
