//! Tests that a key's points are in their groups.

use ark_ec::short_weierstrass::Affine;
use bucketwheel::{Cancel, Error as EngineError, Progress};

use super::agreement::Work;
use super::points::check_point;
use super::zkey::HEADER;
use super::{FileError, Points, Zkey};
use crate::curve::Group;
use crate::{Error, PairingCurve};

/// Number of points in memory at once.
const BLOCK: usize = 1 << 14;

impl<E: PairingCurve> Zkey<'_, E> {
    /// Checks that every point is on its curve and in the prime-order subgroup, on all threads of the current pool.
    /// Takes longer than a proof. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`FileError::Point`] for the first point of a section that fails; [`EngineError::Cancelled`].
    pub fn check_points(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        let header = &self.header;
        let named = |name: &'static str| move || format!("{name} in {HEADER}");
        check_point(&header.alpha_g1, named("alpha1"))?;
        check_point(&header.beta_g1, named("beta1"))?;
        check_point(&header.beta_g2, named("beta2"))?;
        check_point(&header.gamma_g2, named("gamma2"))?;
        check_point(&header.delta_g1, named("delta1"))?;
        check_point(&header.delta_g2, named("delta2"))?;
        let g1 = [&self.ic, &self.a, &self.b1, &self.c, &self.h];
        let in_g1 = g1.iter().map(|points| points.len()).sum();
        let total = cost::<E::G1Curve>(in_g1) + cost::<E::G2Curve>(self.b2.len());
        let mut work = Work { cancel, progress, done: 0, total };
        work.check(&self.b2)?;
        g1.into_iter().try_for_each(|points| work.check(points))
    }
}

/// Returns the cost of checks of this number of points. A check of the subgroup costs as much as 80 checks of the curve.
pub(super) fn cost<C: Group>(points: usize) -> usize {
    points * if C::cofactor_is_one() { 1 } else { 80 }
}

impl Work<'_> {
    /// Checks that these points are on their curve and in the prime-order subgroup.
    ///
    /// # Errors
    /// The errors of [`Zkey::check_points`].
    pub fn check<C: Group>(&mut self, points: &Points<'_, C>) -> Result<(), Error> {
        for start in (0..points.len()).step_by(BLOCK) {
            let len = BLOCK.min(points.len() - start);
            let block: Vec<Affine<C>> = points.iter().skip(start).take(len).collect();
            let (index, expected) = match C::check(&block, self.cancel) {
                Ok(()) => {
                    self.advance(cost::<C>(len));
                    continue;
                }
                Err(EngineError::NotOnCurve { index }) => (index, "on the curve"),
                Err(EngineError::NotInSubgroup { index }) => (index, "in the prime-order subgroup"),
                Err(error) => return Err(error.into()),
            };
            let what = format!("point {} in {}", start + index, points.section());
            return Err(FileError::Point { what, expected }.into());
        }
        Ok(())
    }
}
