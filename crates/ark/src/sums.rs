//! The call of the engine, for all versions of arkworks.

use std::sync::atomic::{AtomicBool, Ordering};

use ark_ec_0_6::short_weierstrass::Projective;
use bucketwheel::{BasesOptions, Check, Msm, Scalars};

use crate::prepared::{self, Point, ScalarField};

/// Number of points from which the engine computes a sum of short scalars (`msm_u1` to `msm_u64`); arkworks computes shorter sums.
///
/// The engine computes sums of field elements and of integers from one point on. In both groups of BN254 and BLS12-381, it then takes
/// less time than arkworks 0.6 with AVX-512 IFMA, AVX2 and ADX, and at most 1.02x arkworks' time in portable code (the example
/// `break_even`).
pub const LEAST_SHORT: usize = 16;

static TRUSTED: AtomicBool = AtomicBool::new(false);

/// Sets whether sums of this process take all points to be in the prime-order subgroup, as arkworks' types promise.
///
/// The engine then skips the check of the curve's equation, folds scalars above half of the order, and splits scalars by
/// the curve's endomorphism. The last two are wrong for points outside of the subgroup. The default is false. Curves of
/// prime order, as the first group of BN254, have no such points and always use both shortcuts.
///
/// ```
/// // All points of this process come from checked deserialization.
/// bucketwheel_ark::trust_points(true);
/// ```
pub fn trust_points(trusted: bool) {
    TRUSTED.store(trusted, Ordering::Relaxed);
}

/// Returns the check of points: this one, unless the caller has said that points need none.
pub fn check(default: Check) -> Check {
    match TRUSTED.load(Ordering::Relaxed) {
        true => Check::None,
        false => default,
    }
}

/// Returns the sum of points times scalars, computed on the current rayon pool. Both slices have the same length.
///
/// Returns `None` if the sum is arkworks' to compute: it has fewer than [`LEAST_SHORT`] points and short scalars, a point is not on
/// the curve, a scalar is not below the order, or there are more points than the engine takes at once.
pub fn sum<P: Point, S: Copy + Default>(
    points: &[P],
    scalars: &[S],
    to_engine: impl for<'s> Fn(&'s [S]) -> Scalars<'s, ScalarField<P>>,
) -> Option<Projective<P::Engine>> {
    let to_sum = to_engine(scalars);
    let has_short_scalars = !matches!(to_sum, Scalars::Field(_) | Scalars::Integers(_) | Scalars::Raw(_));
    if has_short_scalars && points.len() < LEAST_SHORT {
        return None;
    }
    if let Some(found) = prepared::find(points) {
        let padded = found.pad(scalars);
        let scalars = padded.as_deref().map_or(to_sum, to_engine);
        return Msm::new().run(found.bases::<P>(), scalars).ok();
    }
    let options = BasesOptions::new().check(check(Check::Curve));
    let bases = options.prepare_from(points.len(), |index| points[index].to_engine()).ok()?;
    Msm::new().run(&bases, to_sum).ok()
}

/// Returns the same integer in the type of another version of arkworks.
#[cfg(any(feature = "ark-0_4", feature = "ark-0_5"))]
pub fn integer<C: bucketwheel::Curve>(
    integer: &impl AsRef<[u64]>,
) -> <C::ScalarField as ark_ff_0_6::PrimeField>::BigInt {
    let mut words = <C::ScalarField as ark_ff_0_6::PrimeField>::BigInt::default();
    words.as_mut().copy_from_slice(integer.as_ref());
    words
}
