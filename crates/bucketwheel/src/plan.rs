//! The window: what it costs, and which one costs least.

/// The smallest window.
pub const MIN_WINDOW: u32 = 1;
/// The largest window.
pub const MAX_WINDOW: u32 = 24;

/// How many scalars have how many bits.
#[derive(Clone, Debug)]
pub(crate) struct BitCounts(pub Vec<usize>);

impl BitCounts {
    /// The bits of the longest scalar.
    pub fn max_bits(&self) -> u32 {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(0) as u32
    }
}

/// Estimated cost in additions of a window of `window` bits.
///
/// Every nonzero digit is one addition; a bucket costs two in the aggregation, if it has a point at all; sorting
/// costs a fraction of an addition per digit, more once a window's buckets outgrow the second-level cache.
fn cost(counts: &BitCounts, window: u32) -> f64 {
    let buckets = (1u64 << (window - 1)) as f64;
    let mut total = 0.0;
    let windows = (counts.max_bits() + 1).div_ceil(window);
    for w in 0..windows {
        // Scalars that reach into this window, and how many bits they have there.
        let low = (w * window) as usize;
        let mut digits = 0.0;
        let mut distinct = 1.0f64;
        for (bits, &count) in counts.0.iter().enumerate().skip(low.max(1)) {
            let width = (bits + 1 - low).min(window as usize);
            digits += count as f64;
            distinct = distinct.max(if count > 0 { (1u64 << (width - 1)) as f64 } else { 1.0 });
        }
        let reached = distinct.min(buckets);
        // Buckets with a point, for uniform digits.
        let occupied = reached * (1.0 - (-digits / reached).exp());
        let sort = if window > 16 { 0.25 } else { 0.1 };
        total += digits * (1.0 + sort) + occupied + 0.05 * buckets;
    }
    total + 300.0 * windows as f64
}

/// The window of least cost.
pub(crate) fn best_window(counts: &BitCounts) -> u32 {
    let cost_of = |window: &u32| cost(counts, *window);
    (2..=20).min_by(|a, b| cost_of(a).total_cmp(&cost_of(b))).expect("a nonempty range")
}
