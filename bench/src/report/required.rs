//! How much faster than its fastest peer the engine has to be.

use crate::cell::{Cell, Distribution, Group};

/// The required ratio; `None` where the project promises nothing.
pub fn ratio(cell: &Cell) -> Option<f64> {
    if cell.threads != 1 || cell.distribution != Distribution::Uniform {
        return None;
    }
    match (cell.group, cell.log_size) {
        (Group::G1, 10 | 12) => Some(2.0),
        (Group::G1, 14..=18) => Some(2.4),
        (Group::G1, 20) => Some(2.1),
        (Group::G2, _) => Some(1.6),
        _ => None,
    }
}
