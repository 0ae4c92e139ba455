//! Checks of a key without its circuit: properties that every set-up guarantees.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, One, Zero};
use bucketwheel::{Cancel, Curve, Error as EngineError, Progress};
use rand::rngs::{OsRng, StdRng};
use rand::{RngCore, SeedableRng};

use super::{Coefficient, Matrix, Montgomery, Points, Zkey};
use crate::curve::Group;
use crate::secrets::check_secrets;
use crate::{Error, KeyFault, PairingCurve};

/// Number of points in memory at once.
const BLOCK: usize = 1 << 16;

/// Returns random scalars of 128 bits, from a generator that the operating system seeds. Two different sums with these
/// coefficients are equal with probability 2^-128.
pub(super) fn coefficients<F: From<u128>>(count: usize) -> Result<Vec<F>, Error> {
    let mut rng = StdRng::from_rng(OsRng).expect("the operating system has random numbers");
    let mut scalar = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
    let mut scalars = crate::memory::with_room(count)?;
    scalars.extend((0..count).map(|_| F::from(scalar())));
    Ok(scalars)
}

/// Cost of a point in a sum. The unit is a check that a point is on its curve.
pub(super) const IN_SUM: usize = 4;

/// Work on points in progress.
pub(super) struct Work<'a> {
    pub cancel: &'a Cancel,
    pub progress: &'a dyn Progress,
    pub done: usize,
    pub total: usize,
}

impl Work<'_> {
    /// Reports more work done.
    pub fn advance(&mut self, cost: usize) {
        self.done += cost;
        self.progress.report(self.done.min(self.total), self.total);
    }

    /// Returns the sum of the points from `first` on, each times its scalar.
    ///
    /// # Errors
    /// The engine's errors; [`EngineError::Cancelled`].
    pub fn sum<C: Group>(
        &mut self,
        points: &Points<'_, C>,
        first: usize,
        scalars: &[C::ScalarField],
    ) -> Result<Projective<C>, Error> {
        let mut sum = Projective::<C>::zero();
        for (i, scalars) in scalars.chunks(BLOCK).enumerate() {
            if self.cancel.is_cancelled() {
                return Err(EngineError::Cancelled.into());
            }
            let block: Vec<Affine<C>> = points.iter().skip(first + i * BLOCK).take(scalars.len()).collect();
            sum += C::sum(&block, scalars)?;
            self.advance(IN_SUM * block.len());
        }
        Ok(sum)
    }
}

/// Returns true if `e(a, b) = e(c, d)`.
pub(super) fn same_pairing<E: PairingCurve>(a: E::G1, b: E::G2Affine, c: E::G1, d: E::G2Affine) -> bool {
    let product = E::miller_loops(&[a.into_affine(), (-c).into_affine()], &[E::prepare(b), E::prepare(d)]);
    E::exponentiate(product).is_some_and(|product| product.is_one())
}

impl<E: PairingCurve> Zkey<'_, E> {
    /// Checks properties that a key of any circuit has if its points are in their groups
    /// ([`check_points`](Self::check_points)). No secret is infinity. Beta, delta and the points B stand for the same
    /// scalars in both groups; a random linear combination and a pairing check the points B. No point is infinity if
    /// it has an entry of a matrix or binds a public signal. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Key`] for the first fault; [`FileError::Point`](super::FileError::Point); the engine's errors,
    /// including cancellation.
    pub fn check_agreement(&self, cancel: &Cancel, progress: &dyn Progress) -> Result<(), Error> {
        let header = &self.header;
        check_secrets(&self.verifying_key()?, [header.beta_g1, header.delta_g1])?;
        let agree = |what, one: E::G1, two: E::G2Affine| match same_pairing::<E>(
            one,
            E::G2Affine::generator(),
            E::G1Affine::generator().into(),
            two,
        ) {
            true => Ok(()),
            false => Err(KeyFault::Groups { what }),
        };
        agree("beta1 and beta2", header.beta_g1.into(), header.beta_g2)?;
        agree("delta1 and delta2", header.delta_g1.into(), header.delta_g2)?;
        self.check_infinity()?;
        let scalars = coefficients::<E::ScalarField>(self.b1.len())?;
        let mut work = Work { cancel, progress, done: 0, total: 2 * IN_SUM * self.b1.len() };
        let (one, two) = (work.sum(&self.b1, 0, &scalars)?, work.sum(&self.b2, 0, &scalars)?);
        Ok(agree("the points B1 and B2", one, two.into_affine())?)
    }

    /// Checks that no point is infinity if it stands for a sum with a term.
    fn check_infinity(&self) -> Result<(), KeyFault> {
        let [in_a, in_b] = self.signals_of_matrices();
        let public = self.header.public + 1;
        no_infinity(&self.ic, |_| true)?;
        no_infinity(&self.a, |i| in_a[i])?;
        no_infinity(&self.b1, |i| in_b[i])?;
        no_infinity(&self.b2, |i| in_b[i])?;
        no_infinity(&self.c, |i| in_a[public + i] || in_b[public + i])?;
        no_infinity(&self.h, |_| true)
    }

    /// Returns the signals that have an entry of A and of B in any row. Entries of one row and signal are added up
    /// first.
    fn signals_of_matrices(&self) -> [Vec<bool>; 2] {
        let mut signals = [Matrix::A, Matrix::B].map(|_| vec![false; self.header.signals]);
        let mut row: Vec<(usize, u32, E::ScalarField)> = Vec::new();
        let mut current = None;
        let mut finish = |row: &mut Vec<(usize, u32, E::ScalarField)>| {
            row.sort_by_key(|&(matrix, signal, _)| (matrix, signal));
            for same in row.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
                let sum: E::ScalarField = same.iter().map(|(_, _, value)| value).sum();
                signals[same[0].0][same[0].1 as usize] |= sum != E::ScalarField::ZERO;
            }
            row.clear();
        };
        for entry in self.coefficients.rows(0..self.header.domain_size) {
            let Coefficient { matrix, constraint, signal, scaled } = entry;
            if current != Some(constraint) {
                finish(&mut row);
                current = Some(constraint);
            }
            // All values have the same factor, which is not 0.
            row.push((matrix as usize, signal, E::ScalarField::from_montgomery_words(&scaled)));
        }
        finish(&mut row);
        signals
    }
}

/// Checks that points are not infinity if `counts` is true for them.
fn no_infinity<C: Curve<BaseField: Montgomery>>(
    points: &Points<'_, C>,
    counts: impl Fn(usize) -> bool,
) -> Result<(), KeyFault> {
    match points.iter().enumerate().position(|(i, point)| point.is_zero() && counts(i)) {
        None => Ok(()),
        Some(i) => Err(KeyFault::Infinity { point: format!("point {i} in {}", points.section()) }),
    }
}
