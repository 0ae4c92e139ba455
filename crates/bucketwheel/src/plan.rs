//! The window: what it costs, and which one costs least.

/// The smallest window.
pub const MIN_WINDOW: u32 = 1;
/// The largest window: its buckets take some gigabytes, and no sum is long enough for it.
pub const MAX_WINDOW: u32 = 22;

/// How many scalars have how many bits.
#[derive(Clone, Debug)]
pub(crate) struct BitCounts(pub Vec<usize>);

impl BitCounts {
    /// The bits of the longest scalar.
    pub fn max_bits(&self) -> u32 {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(0) as u32
    }
}

/// Estimated cost in additions of a window of `window` bits; `reaching[b]` scalars have more than b bits.
///
/// Every nonzero digit is one addition; a bucket with a point costs one more in the aggregation, which adds its
/// neighbours in pairs. Sorting costs a fraction of an addition per digit, more once a window's buckets
/// outgrow the second-level cache, and a little per bucket.
fn cost(reaching: &[usize], max_bits: u32, window: u32) -> f64 {
    let buckets = (1u64 << (window - 1)) as f64;
    let sort = if window > 16 { 0.25 } else { 0.1 };
    let windows = (max_bits + 1).div_ceil(window);
    let total: f64 = (0..windows)
        .map(|w| {
            let low = w * window;
            let digits = reaching.get(low as usize).copied().unwrap_or(0) as f64;
            // The digits of the last window are short.
            let width = window.min(max_bits + 1 - low);
            let reached = (1u64 << (width - 1)) as f64;
            // Buckets with a point, for uniform digits.
            let occupied = reached * (1.0 - (-digits / reached).exp());
            digits * (1.0 + sort) + 2.0 * occupied + 0.05 * buckets
        })
        .sum();
    total + 100.0 * windows as f64
}

/// The window of least cost.
pub(crate) fn best_window(counts: &BitCounts) -> u32 {
    let mut reaching = counts.0.clone();
    for bits in (1..reaching.len()).rev() {
        reaching[bits - 1] += reaching[bits];
    }
    // reaching[b] counts scalars of at least b bits by now: one less is "more than".
    reaching.remove(0);
    let max_bits = counts.max_bits();
    let cost_of = |window: &u32| cost(&reaching, max_bits, *window);
    (2..=20).min_by(|a, b| cost_of(a).total_cmp(&cost_of(b))).expect("a nonempty range")
}
