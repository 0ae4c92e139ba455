//! Points at rest: their layout in memory, and how lanes write them.

use bucketwheel_lanes::{each, LaneField, MAX_LANES};

/// The coordinates of a point outside the lanes; infinity is (0, 0).
pub type Coordinates<W> = [W; 2];

/// A point at rest: affine, infinity as (0, 0), which is on no curve with b != 0.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Point<E> {
    /// The x coordinate.
    pub x: E,
    /// The y coordinate.
    pub y: E,
}

/// Room for points.
pub(crate) struct Target<E>(pub(crate) *mut Point<E>);

// SAFETY: the tasks that share it write disjoint parts, as the functions that take it demand.
unsafe impl<E> Sync for Target<E> {}

/// Returns a product at rest.
#[inline(always)]
pub(crate) fn product<L: LaneField>(lanes: L, a: &L::Vec, b: &L::Vec) -> L::Vec {
    let mut product = *b;
    lanes.mul(a, L::as_factor(b), &mut product);
    lanes.reduce(&lanes.lift(&product))
}

/// Scatters points.
///
/// # Safety
/// - The first `LANES` pointers are valid for writes of two elements each, and aligned.
#[inline(always)]
pub(crate) unsafe fn store<L: LaneField>(
    lanes: L,
    coordinates: [&L::Vec; 2],
    points: [*mut L::Elem; MAX_LANES],
) {
    // SAFETY: the caller vouches for two writable, aligned elements at each pointer.
    unsafe {
        lanes.store(coordinates[0], &points);
        lanes.store(coordinates[1], &each!(|lane| points[lane].wrapping_add(1)));
    }
}
