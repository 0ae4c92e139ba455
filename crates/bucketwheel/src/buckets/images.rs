//! Buckets of scalars' second halves, turned into their images under the curve's endomorphism.
//!
//! A second half k2 counts for `lambda P = phi(P)`. Where points have images, those are added. Without them, second halves
//! are added up first, of the points themselves, and `phi(P + Q) = phi(P) + phi(Q)` turns their sums into what the images
//! would have made: a product for each bucket instead of each point, and no memory.

use std::sync::atomic::Ordering;

use bucketwheel_lanes::{LaneField, Task, MAX_LANES};

use super::Buckets;
use crate::control::Control;
use crate::curve::Adder;
use crate::layout::product;
use crate::Error;

/// Buckets that are turned by a task: a fraction of a millisecond.
const BLOCK: usize = 1 << 12;

impl<L: LaneField, A: Adder<L>> Buckets<L, A> {
    /// Turns every bucket's sum into its image.
    ///
    /// # Errors
    /// [`Error::Cancelled`]: the buckets are of no use then.
    ///
    /// # Panics
    /// If the curve has no endomorphism, or the adder's sums do not [start with x](Adder::STARTS_WITH_X).
    pub fn turn_into_images(&mut self, control: &Control<'_>) -> Result<(), Error> {
        assert!(A::STARTS_WITH_X, "sums have an x");
        let beta = self.curve.beta.expect("the curve has an endomorphism");
        let this = &*self;
        control.for_each(
            this.occupied.len().div_ceil(BLOCK),
            || (),
            |_, block| {
                let range = block * BLOCK..this.occupied.len().min((block + 1) * BLOCK);
                let occupied = range.filter(|&bucket| this.occupied[bucket].load(Ordering::Relaxed));
                let elements: Vec<*mut L::Elem> =
                    occupied.map(|bucket| this.points.as_mut_ptr().wrapping_add(bucket).cast()).collect();
                this.lanes.vectorize(Multiply { lanes: this.lanes, factor: beta, elements: &elements });
            },
        );
        control.check()
    }
}

/// Multiplies elements in place.
struct Multiply<'a, L: LaneField> {
    lanes: L,
    factor: L::Words,
    /// Distinct, written, and this task's alone: [`Buckets::turn_into_images`] sees to it.
    elements: &'a [*mut L::Elem],
}

impl<L: LaneField> Task for Multiply<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Multiply { lanes, factor, elements } = self;
        let factor = lanes.splat(factor);
        for group in elements.chunks(L::LANES) {
            // Lanes without an element repeat the last one.
            let places: [*mut L::Elem; MAX_LANES] =
                std::array::from_fn(|lane| group[lane.min(group.len() - 1)]);
            // SAFETY: the maker's elements.
            unsafe {
                let multiple = product(lanes, &factor, &lanes.load(&places.map(|place| place.cast_const())));
                lanes.store(&multiple, &places);
            }
        }
    }
}
