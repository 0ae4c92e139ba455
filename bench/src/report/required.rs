//! How fast the engine has to be.

use crate::cell::{Cell, Distribution, Group};
use bucketwheel::Backend;

/// The required ratio to the fastest peer; `None` where nothing is promised.
pub fn ratio(cell: &Cell, backend: Backend) -> Option<f64> {
    let is_vectorised = matches!(backend, Backend::Avx512Ifma | Backend::Avx2);
    if !is_vectorised || cell.threads != 1 || cell.distribution != Distribution::Uniform {
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

/// How many times faster than one thread more of them have to be.
pub fn speedup(cell: &Cell) -> Option<f64> {
    let is_promised = cell.threads == 2 && cell.log_size >= 14 && cell.distribution == Distribution::Uniform;
    is_promised.then_some(1.85)
}
