//! Turns the buckets of scalars' second halves into their images under the curve's endomorphism.
//!
//! A second half k2 counts for `lambda P = phi(P)`. If points have images, the images are added. If not, the points
//! themselves are added up for second halves first, and `phi(P + Q) = phi(P) + phi(Q)` turns their sums into the
//! images' sums. This takes one product for each bucket instead of each point, and no memory.

use std::sync::atomic::Ordering;

use super::Buckets;
use crate::control::Control;
use crate::Error;

/// Buckets that a task turns: a fraction of a millisecond.
const BLOCK: usize = 1 << 12;

impl Buckets {
    /// Turns every bucket's sum into its image.
    ///
    /// # Errors
    /// [`Error::Cancelled`]: the buckets are of no use afterwards.
    ///
    /// # Panics
    /// If the curve has no endomorphism, or the adder's sums do not [start with x](Adder::STARTS_WITH_X).
    pub fn turn_into_images(&mut self, control: &Control<'_>) -> Result<(), Error> {
        assert!(self.formula.starts_with_x(), "sums have an x");
        let this = &*self;
        control.for_each(
            this.occupied.len().div_ceil(BLOCK),
            || (),
            |_, block| {
                let range = block * BLOCK..this.occupied.len().min((block + 1) * BLOCK);
                let occupied = range.filter(|&bucket| this.occupied[bucket].load(Ordering::Relaxed));
                let elements: Vec<*mut u8> =
                    occupied.map(|bucket| this.points.slots().address(bucket)).collect();
                // SAFETY: occupied buckets have been written, and these buckets belong to this task alone.
                unsafe { this.formula.multiply_by_beta(&elements) };
            },
        );
        control.check()
    }
}
