//! The plan of an MSM: its window, what that costs in additions and in memory, and which one costs least.

use ark_ff::Field;

use crate::buckets::CHUNK;
use crate::curve::{Curve, ScalarWords};
use crate::digits::{Digits, Magnitude};
use crate::strategy::Strategy;

/// The smallest window.
pub const MIN_WINDOW: u32 = 1;
/// The largest window: its buckets take some gigabytes, and no sum is long enough for it.
pub const MAX_WINDOW: u32 = 22;
/// A coordinate over the prime field at rest takes a cache line at most.
const COORDINATE_BYTES: usize = 64;
/// The windows to choose from.
const WINDOWS: std::ops::RangeInclusive<u32> = 2..=20;

/// What an MSM does, as far as the number of scalars and their lengths tell. All zero if there is nothing to add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// Bits of a window.
    pub window: u32,
    /// Windows of the longest scalar.
    pub windows: usize,
    /// Additions of points to be expected; all but a few hundred are independent of each other.
    pub additions: usize,
    /// The most memory in bytes beyond points and scalars. With n scalars, w windows of c bits, and s bytes a
    /// bucket (128 over the prime field and 256 over its extension, with the affine adder):
    ///
    /// - 84 n for the scalars' magnitudes, by length, and the indices of their points,
    /// - 8 w n for the digits, as recoded and as sorted ids,
    /// - w 2^(c-1) (s + 8) for the buckets and where they start, and
    /// - 2^15 (s + 64) per thread for the sums of its chunk, its lists of additions and the adder's batches.
    ///
    /// Not all of it is needed at the same time, which leaves room for what an allocator keeps.
    pub memory_bytes: usize,
}

/// What beside the scalars' lengths makes a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    /// The window that the caller wants.
    pub window: Option<u32>,
    /// See [`bucket_bytes`].
    pub bucket_bytes: usize,
    /// Threads.
    pub threads: usize,
}

impl Plan {
    /// The plan for scalars of these lengths.
    pub(crate) fn new(lengths: &Lengths, conditions: Conditions) -> Plan {
        let bits = lengths.max_bits();
        if bits == 0 {
            return Plan::default();
        }
        let longer = lengths.longer();
        let cost = |window: &u32| Cost::new(&longer, bits, *window);
        let best = || WINDOWS.min_by(|a, b| cost(a).total.total_cmp(&cost(b).total));
        let window = conditions.window.or_else(best).expect("a nonempty range");
        let windows = Digits::window_count(bits, window);
        Plan {
            window,
            windows,
            additions: cost(&window).additions as usize,
            memory_bytes: memory_bytes(lengths.count(), window, windows, conditions),
        }
    }
}

/// The bytes of a sum at rest.
pub(crate) fn bucket_bytes<C: Curve>(strategy: Strategy) -> usize {
    let extension = C::BaseField::extension_degree() as usize;
    strategy.adder.coordinates() * extension * COORDINATE_BYTES
}

/// The formula of [`Plan::memory_bytes`].
fn memory_bytes(n: usize, window: u32, windows: usize, conditions: Conditions) -> usize {
    let Conditions { bucket_bytes, threads, .. } = conditions;
    let buckets = windows << (window - 1);
    n * (84 + 8 * windows) + buckets * (bucket_bytes + 8) + threads * CHUNK * (bucket_bytes + 64)
}

/// How many scalars have how many bits.
#[derive(Clone, Debug)]
pub(crate) struct Lengths(Vec<usize>);

impl Lengths {
    /// The lengths of magnitudes of scalars of `F`.
    pub fn of<F: ScalarWords>(magnitudes: &[Magnitude]) -> Self {
        let mut counts = vec![0; F::MODULUS_BIT_SIZE as usize + 1];
        magnitudes.iter().for_each(|magnitude| counts[magnitude.bits() as usize] += 1);
        Lengths(counts)
    }

    /// The lengths to be expected of the magnitudes of `n` uniform scalars of `F`: uniform up to half the order.
    pub fn uniform<F: ScalarWords>(n: usize) -> Self {
        let order = F::MODULUS.0.iter().rev().fold(0.0, |sum, &word| sum * 2f64.powi(64) + word as f64);
        let below =
            |bits: u32| (n as f64 * (2f64.powi(bits as i32) / (order / 2.0)).min(1.0)).round() as usize;
        let count = |bits: u32| below(bits) - bits.checked_sub(1).map_or(0, below);
        Lengths((0..=F::MODULUS_BIT_SIZE).map(count).collect())
    }

    /// The number of scalars.
    fn count(&self) -> usize {
        self.0.iter().sum()
    }

    /// The bits of the longest scalar.
    fn max_bits(&self) -> u32 {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(0) as u32
    }

    /// For every b, how many scalars have more than b bits.
    fn longer(&self) -> Vec<usize> {
        let mut longer: Vec<usize> = self
            .0
            .iter()
            .rev()
            .scan(0, |sum, count| {
                let longer = *sum;
                *sum += count;
                Some(longer)
            })
            .collect();
        longer.reverse();
        longer
    }
}

/// What a window costs, in additions.
struct Cost {
    additions: f64,
    /// The additions and all else.
    total: f64,
}

impl Cost {
    /// The cost of windows of `window` bits; `longer[b]` scalars have more than b bits, none more than `max_bits`.
    ///
    /// Every nonzero digit is one addition; a bucket with a point costs two more in the aggregation, which adds
    /// its neighbours in pairs. Sorting costs a fraction of an addition per digit, more once a window's buckets
    /// outgrow the second-level cache, and a little per bucket.
    fn new(longer: &[usize], max_bits: u32, window: u32) -> Self {
        let buckets = (1u64 << (window - 1)) as f64;
        let sort = if window > 16 { 0.25 } else { 0.1 };
        let mut cost = Cost { additions: 0.0, total: 0.0 };
        for low in (0..=max_bits).step_by(window as usize) {
            let digits = longer.get(low as usize).copied().unwrap_or(0) as f64;
            // The digits of the last window are short.
            let width = window.min(max_bits + 1 - low);
            let reached = (1u64 << (width - 1)) as f64;
            // Buckets with a point, for uniform digits.
            let occupied = reached * (1.0 - (-digits / reached).exp());
            let additions = digits + 2.0 * occupied;
            cost.additions += additions;
            cost.total += additions + sort * digits + 0.05 * buckets + 100.0;
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Fr = ark_bls12_381::Fr;

    fn plan(n: usize, window: Option<u32>) -> Plan {
        let conditions = Conditions { window, bucket_bytes: 128, threads: 1 };
        Plan::new(&Lengths::uniform::<Fr>(n), conditions)
    }

    #[test]
    fn lengths_of_uniform_scalars_add_up() {
        for n in [0, 1, 2, 1000, 1 << 29] {
            let lengths = Lengths::uniform::<Fr>(n);
            assert_eq!((lengths.count(), lengths.longer()[0]), (n, n));
        }
        // Half the order is 0.9057 times 2^254, so that 0.5 / 0.9057 are below 2^253 and a quarter of that below 2^251.
        let lengths = Lengths::uniform::<Fr>(1000);
        assert_eq!((lengths.max_bits(), lengths.longer()[253], lengths.longer()[251]), (254, 448, 862));
    }

    #[test]
    fn windows_grow_with_the_number_of_scalars() {
        assert_eq!(plan(0, None), Plan::default());
        let windows: Vec<u32> = (8..=26).map(|log_size| plan(1 << log_size, None).window).collect();
        assert!(windows.is_sorted() && windows[0] < windows[18], "{windows:?}");
    }

    #[test]
    fn the_best_window_costs_least() {
        for n in [100, 10_000, 1_000_000] {
            let longer = Lengths::uniform::<Fr>(n).longer();
            let total = |window| Cost::new(&longer, 254, window).total;
            let best = plan(n, None).window;
            assert!({ WINDOWS }.all(|window| total(best) <= total(window)));
        }
    }

    #[test]
    fn memory_follows_the_formula() {
        let plan = plan(1000, Some(10));
        assert_eq!((plan.window, plan.windows), (10, 26));
        assert_eq!(plan.memory_bytes, 1000 * (84 + 8 * 26) + 26 * 512 * (128 + 8) + (1 << 15) * (128 + 64));
    }
}
