//! The windows: how they cut scalars, what they cost, and which ones cost least.

/// The smallest window.
pub const MIN_WINDOW: u32 = 1;
/// The largest window: its buckets take some gigabytes, and no sum is long enough for it.
pub const MAX_WINDOW: u32 = 22;

/// A scalar's bits cut into windows, as even as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    bits: u32,
    count: u32,
}

impl Windows {
    /// The fewest windows of at most `width` bits for scalars of `bits` bits: one bit more, for a carry.
    pub fn new(bits: u32, width: u32) -> Self {
        Windows { bits: bits + 1, count: (bits + 1).div_ceil(width) }
    }

    /// Their number.
    pub fn count(self) -> usize {
        self.count as usize
    }

    /// The first bit of a window; of window `count`, the number of bits.
    pub fn start(self, window: usize) -> u32 {
        (self.bits * window as u32).div_ceil(self.count)
    }

    /// The bits of a window.
    pub fn width(self, window: usize) -> u32 {
        self.start(window + 1) - self.start(window)
    }

    /// The bits of the widest window.
    pub fn max_width(self) -> u32 {
        self.bits.div_ceil(self.count)
    }

    /// The buckets of the widest window.
    pub fn buckets(self) -> usize {
        1 << (self.max_width() - 1)
    }

    /// The window that a bit is in.
    pub fn containing(self, bit: u32) -> usize {
        (0..self.count()).rfind(|&window| self.start(window) <= bit).expect("window 0 starts at bit 0")
    }
}

/// How many scalars have how many bits.
#[derive(Clone, Debug)]
pub(crate) struct BitCounts(pub Vec<usize>);

impl BitCounts {
    /// The bits of the longest scalar.
    pub fn max_bits(&self) -> u32 {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(0) as u32
    }
}

/// Estimated cost in additions of windows of at most `width` bits; `reaching[b]` scalars have more than b bits.
///
/// Every nonzero digit is one addition, but for the first of each bucket; the aggregation adds two for a bucket with
/// a point, with longer ways between their operands. Sorting costs a fraction of an addition per digit, more once a
/// window's buckets outgrow the second-level cache, and a little per bucket.
fn cost(reaching: &[usize], windows: Windows) -> f64 {
    let sort = if windows.max_width() > 16 { 0.25 } else { 0.1 };
    let total: f64 = (0..windows.count())
        .map(|window| {
            let digits = reaching.get(windows.start(window) as usize).copied().unwrap_or(0) as f64;
            let buckets = (1u64 << (windows.width(window) - 1)) as f64;
            // Buckets with a point, for uniform digits.
            let occupied = buckets * (1.0 - (-digits / buckets).exp());
            digits * (1.0 + sort) + 1.6 * occupied + 0.05 * buckets
        })
        .sum();
    total + 100.0 * windows.count() as f64
}

/// The windows of least cost.
pub(crate) fn best_windows(counts: &BitCounts) -> Windows {
    let mut reaching = counts.0.clone();
    for bits in (1..reaching.len()).rev() {
        reaching[bits - 1] += reaching[bits];
    }
    // reaching[b] counts scalars of at least b bits by now: one less is "more than".
    reaching.remove(0);
    let candidates = (2..=20).map(|width| Windows::new(counts.max_bits(), width));
    let cost_of = |windows: &Windows| cost(&reaching, *windows);
    candidates.min_by(|a, b| cost_of(a).total_cmp(&cost_of(b))).expect("a nonempty range")
}
