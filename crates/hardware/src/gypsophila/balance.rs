//! Time of the shared adders beside the classification, window by window: an estimate for reports of the
//! classification alone. A simulation with `count_aggregation` computes it cycle by cycle.

use super::Parameters;
use crate::digits::Windows;

/// Estimate of the aggregation.
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    /// Cycles in all, with the given shared adders.
    pub cycles: u64,
    /// Number of shared adders that take no longer than the classification.
    pub adders: u64,
}

impl Balance {
    /// Returns the estimate for tasks whose classification takes this number of cycles.
    pub fn new(parameters: &Parameters, windows: Windows, tasks: usize, classification: u64) -> Self {
        let pes = parameters.pes as usize;
        let rounds = tasks.div_ceil(pes).max(1) as u64;
        let of_window = classification / (rounds * u64::from(windows.count()));
        let rounds = (0..tasks).step_by(pes).map(|first| pes.min(tasks - first));
        let busy = tasks as u64 * of_task(parameters, windows);
        Balance {
            cycles: rounds.map(|elements| round(parameters, windows, elements, of_window)).sum(),
            adders: busy.div_ceil(classification.max(1)),
        }
    }
}

/// Returns the cycles of a shared adder for a window of an element: two additions a bucket, and doublings of the sum of
/// the windows before it. Window 0, the highest one, comes first and has no doublings.
fn of_window(parameters: &Parameters, windows: Windows, window: u32) -> u64 {
    let doublings = if window == 0 { 0 } else { u64::from(windows.width()) };
    u64::from(parameters.shared_adder_cycles) * (2 * windows.buckets() as u64 + doublings)
}

/// Returns the cycles of a shared adder for all windows of an element.
fn of_task(parameters: &Parameters, windows: Windows) -> u64 {
    (0..windows.count()).map(|window| of_window(parameters, windows, window)).sum()
}

/// Returns the cycles of a round of elements whose windows take `classified` cycles each if nothing waits.
pub(super) fn round(parameters: &Parameters, windows: Windows, elements: usize, classified: u64) -> u64 {
    let buckets = windows.buckets() as u64;
    let mut adders = vec![0u64; elements.min(parameters.shared_adders as usize)];
    // The cycle in which an element's last window was aggregated.
    let mut done = vec![0u64; elements];
    let mut begin = 0;
    for window in 0..windows.count() {
        let end = begin + classified;
        let work = of_window(parameters, windows, window);
        // The buckets of a window have room when the previous window's buckets have been taken; the last of them
        // takes two additions.
        let taken =
            done.iter().map(|done| done.saturating_sub(2 * u64::from(parameters.shared_adder_cycles)));
        begin = taken.fold(end, u64::max);
        let read = end.saturating_sub(buckets);
        let mut order: Vec<usize> = (0..elements).collect();
        order.sort_by_key(|&element| done[element].max(read));
        for element in order {
            let Some(adder) = adders.iter_mut().min() else { continue };
            *adder = work + (*adder).max(done[element]).max(read);
            done[element] = *adder;
        }
    }
    done.into_iter().fold(begin, u64::max)
}
