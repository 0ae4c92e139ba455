//! What an operation costs, and the lines that a report has of it.

use super::sampling::Cost;
use crate::cell::Curve;

/// A whole number of the engine's batches, which share an inversion each.
pub const BATCH: usize = 2048;
/// Additions at a time where nothing is shared: longer points stay in the
/// second-level cache, too.
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

/// The items from number `by` on, and then those before.
pub fn rotated<T: Clone>(items: &[T], by: usize) -> Vec<T> {
    [&items[by..], &items[..by]].concat()
}
