//! The cost of an operation, and its lines in a report.

use super::sampling::Cost;
use bucketwheel::CurveId as Curve;

/// A whole number of the engine's batches, which share an inversion each.
pub const BATCH: usize = 2048;
/// Number of additions at a time if they share no inversion: longer points still stay in the second-level cache.
pub const FEW: usize = 256;

/// The arithmetic of a field.
pub struct Kernel {
    pub product: Cost,
    pub square: Cost,
}

/// A line of a report.
pub struct Row {
    pub curve: Curve,
    /// The field or the group.
    pub domain: &'static str,
    pub line: Line,
}

/// One operation of one library.
pub struct Line {
    pub library: String,
    pub operation: &'static str,
    pub cost: Cost,
    /// Nanoseconds of the products and squares alone, for our additions.
    pub floor: Option<f64>,
}

impl Line {
    pub fn new(library: impl ToString, operation: &'static str, cost: Cost) -> Self {
        Self { library: library.to_string(), operation, cost, floor: None }
    }
}

/// Returns the items from number `by` on, and then the items before.
pub fn rotated<T: Clone>(items: &[T], by: usize) -> Vec<T> {
    [&items[by..], &items[..by]].concat()
}
