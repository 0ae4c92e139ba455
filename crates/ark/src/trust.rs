//! The caller's promise that points are in the prime-order subgroup.

use std::sync::atomic::{AtomicBool, Ordering};

use bucketwheel::Check;

static TRUSTED: AtomicBool = AtomicBool::new(false);

/// Sets whether sums of this process take all points to be in the prime-order subgroup, as arkworks' types promise.
///
/// The engine then skips the check of the curve's equation, folds scalars above half of the order, and splits scalars by
/// the curve's endomorphism. The last two are wrong for points outside of the subgroup. The default is false. Curves of
/// prime order, as the first group of BN254, have no points outside of it and always use both shortcuts.
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
