//! Speeds that the engine must reach.

use crate::cell::{Cell, Distribution, Group};
use bucketwheel::Backend;

/// Returns the required ratio to the fastest peer; `None` if there is no requirement.
pub fn ratio(cell: &Cell, backend: Backend) -> Option<f64> {
    let is_vectorised = matches!(backend, Backend::Avx512Ifma | Backend::Avx2);
    if !is_vectorised || cell.threads != 1 || cell.distribution != Distribution::Uniform {
        return None;
    }
    if !cell.points.is_power_of_two() {
        return None;
    }
    match (cell.group, cell.points.ilog2()) {
        (Group::G1, 10 | 12) => Some(2.0),
        (Group::G1, 14..=18) => Some(2.4),
        (Group::G1, 20) => Some(2.1),
        (Group::G2, 10..=20) => Some(1.6),
        _ => None,
    }
}

/// Returns the factor by which several threads must be faster than one; `None` if there is no requirement.
pub fn speedup(cell: &Cell) -> Option<f64> {
    let is_promised =
        cell.threads == 2 && cell.points >= 1 << 14 && cell.distribution == Distribution::Uniform;
    is_promised.then_some(1.85)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn a_ratio_is_promised_for_vector_backends_on_one_thread() {
        let mut cell = samples::cell(Group::G1, 14).cell;
        assert_eq!(ratio(&cell, Backend::Avx2), Some(2.4));
        assert_eq!(ratio(&cell, Backend::Portable), None);
        cell.threads = 2;
        assert_eq!(ratio(&cell, Backend::Avx2), None);
    }

    #[test]
    fn a_speedup_is_promised_for_two_threads_from_2_to_the_14() {
        let promised = |log_size, threads| {
            let cell = Cell { threads, ..samples::cell(Group::G1, log_size).cell };
            speedup(&cell)
        };
        assert_eq!(promised(14, 2), Some(1.85));
        assert_eq!(promised(13, 2), None);
        assert_eq!(promised(14, 1), None);
    }
}
