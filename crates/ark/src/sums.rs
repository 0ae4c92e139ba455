//! The call of the engine, for all versions of arkworks.

use std::sync::atomic::{AtomicBool, Ordering};

use ark_ec_0_6::short_weierstrass::{Affine, Projective};
use bucketwheel::{BasesOptions, Check, Curve, Msm, Scalars};

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

/// Returns the sum of `len` points times scalars, computed on the current rayon pool.
///
/// Returns `None` if the sum is arkworks' to compute: it has fewer than [`LEAST_SHORT`] points and short scalars, a point is not on
/// the curve, a scalar is not below the order, or there are more points than the engine takes at once. `point` is called for every
/// index below `len`, a few times each, in any order, on any thread.
pub fn sum<'s, C: Curve>(
    len: usize,
    point: impl Fn(usize) -> Affine<C> + Sync,
    scalars: impl Into<Scalars<'s, C::ScalarField>>,
) -> Option<Projective<C>> {
    let scalars = scalars.into();
    let has_short_scalars = !matches!(scalars, Scalars::Field(_) | Scalars::Integers(_) | Scalars::Raw(_));
    if has_short_scalars && len < LEAST_SHORT {
        return None;
    }
    let check = if TRUSTED.load(Ordering::Relaxed) { Check::None } else { Check::Curve };
    let bases = BasesOptions::new().check(check).prepare_from(len, point).ok()?;
    Msm::new().run(&bases, scalars).ok()
}

/// Returns the same integer in the type of another version of arkworks.
#[cfg(any(feature = "ark-0_4", feature = "ark-0_5"))]
pub fn integer<C: Curve>(integer: &impl AsRef<[u64]>) -> <C::ScalarField as ark_ff_0_6::PrimeField>::BigInt {
    let mut words = <C::ScalarField as ark_ff_0_6::PrimeField>::BigInt::default();
    words.as_mut().copy_from_slice(integer.as_ref());
    words
}
