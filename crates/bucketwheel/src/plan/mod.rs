//! The plan of an MSM: how windows cut the scalars, what they cost in additions and in memory, and which ones cost
//! least.

pub(crate) mod costs;
pub(crate) mod profile;
pub(crate) mod stream;
pub(crate) mod table;

use crate::curve::endomorphism::Split;
use crate::curve::{coordinate_bytes, Curve, ScalarWords};
use crate::engine::buckets::CHUNK;
use crate::engine::Strategy;
use crate::plan::costs::Costs;
use crate::plan::table::{Multiples, Table};
use crate::windows::{Windows, WIDTHS};

/// Steps of an MSM, as far as the number of scalars and their lengths tell. All zero if there is nothing to add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// Bits of the widest window.
    pub window: u32,
    /// Windows of the longest scalar.
    pub windows: usize,
    /// Sets of buckets: one for each window, fewer where the points have a table.
    pub bucket_sets: usize,
    /// Additions of points to be expected; all but a few hundred are independent of each other.
    pub additions: usize,
    /// Sets of buckets that are filled at a time, one after the other: their points are sorted when it is their turn, and
    /// their buckets are those of the sets before.
    pub sets_at_a_time: usize,
    /// The most memory in bytes beyond points, scalars, and what earlier calls left
    /// ([`release_memory`](crate::release_memory)). With n scalars in w windows, g of them at a time, of c bits, and s bytes a
    /// bucket (128 over the prime field and 256 over its extension, with the affine adder):
    ///
    /// - 36 n for the scalars' magnitudes and the indices of their points by length; 40 n where they split into two halves
    ///   each, and 52 n where they have six words,
    /// - 4 g n for the sorted ids, and 8 g n where there are halves,
    /// - g 2^(c-1) (s + 8) for the buckets and where they start,
    /// - 2^15 (s/2 + 128) per thread for the sums of its chunk, its lists of additions and the adder's batches, and
    /// - 2 MiB for the rest of huge pages.
    ///
    /// From 2^18 scalars on, that is at most 72 bytes for each of them, beside the buckets. Windows that share a set of buckets
    /// over a table are filled together.
    ///
    /// Not all of it is needed at the same time, which leaves room for what an allocator keeps.
    pub memory_bytes: usize,
}

impl Plan {
    /// The plan for scalars of these lengths in these windows, on so many threads, sorted or not.
    pub(crate) fn new(
        lengths: &Lengths,
        windows: Windows,
        table: &Table,
        strategy: Strategy,
        bucket_bytes: usize,
        threads: usize,
    ) -> Plan {
        // Digits of a set, at most: two sorts where halves have them one after the other.
        let digits = lengths.count().saturating_mul(windows.count().div_ceil(windows.sets()));
        let (sets_at_a_time, ids) = match strategy.needs_sorted() {
            true => (sets_at_a_time(digits, windows), 4),
            // Nothing is kept of digits.
            false => (windows.sets(), 0),
        };
        Plan {
            window: windows.max_width(),
            windows: windows.count(),
            bucket_sets: windows.sets(),
            sets_at_a_time,
            additions: lengths.cost(windows, table).additions() as usize,
            memory_bytes: (lengths.count().saturating_mul(lengths.bytes()))
                .saturating_add(digits.saturating_mul(sets_at_a_time * ids))
                .saturating_add(
                    sets_at_a_time * windows.buckets() * (bucket_bytes + 8)
                        + threads * CHUNK * (bucket_bytes / 2 + 128)
                        + HUGE_PAGE,
                ),
        }
    }
}

/// Bytes of a huge page, of which the last one of an array is not full.
const HUGE_PAGE: usize = 2 << 20;

/// Digits that are sorted at a time, at least if there are as many: eight megabytes of ids.
const DIGITS: usize = 1 << 21;
/// Sets of buckets that are filled at a time, at least: fewer would share long batches among less work.
pub(crate) const SETS: usize = 4;

/// The sets of buckets to be filled at a time, each with at most so many digits; as even as possible.
pub(crate) fn sets_at_a_time(digits: usize, windows: Windows) -> usize {
    let most = (DIGITS / digits.max(1)).max(SETS);
    windows.sets().div_ceil(windows.sets().div_ceil(most).max(1))
}

/// The bytes of a sum at rest.
pub(crate) fn bucket_bytes<C: Curve>(strategy: Strategy) -> usize {
    strategy.adder.coordinates() * coordinate_bytes::<C::BaseField>()
}

/// Number of magnitudes of each length in bits.
#[derive(Clone, Debug)]
pub(crate) struct Lengths {
    counts: Vec<usize>,
    /// The bytes of a magnitude and its point's index.
    bytes: usize,
}

impl Lengths {
    /// So many magnitudes of each length, of so many words each.
    pub fn new(counts: Vec<usize>, words: usize) -> Self {
        Lengths { counts, bytes: 8 * words + 4 }
    }

    /// The lengths to be expected of the magnitudes of `n` uniform scalars of `F`, or of their halves.
    pub fn uniform<F: ScalarWords>(n: usize, split: Option<&Split>) -> Self {
        let order =
            F::MODULUS.as_ref().iter().rev().fold(0.0, |sum, &word| sum * 2f64.powi(64) + word as f64);
        let (count, longest) =
            split.map_or((n, order / 2.0), |split| (n.saturating_mul(2), split.longest as f64));
        let below = |bits: u32| (count as f64 * (2f64.powi(bits as i32) / longest).min(1.0)).round() as usize;
        let count = |bits: u32| below(bits) - bits.checked_sub(1).map_or(0, below);
        let words = if split.is_some() { 2 } else { F::MODULUS.as_ref().len() };
        Lengths::new((0..=F::MODULUS_BIT_SIZE).map(count).collect(), words)
    }

    /// `n` scalars of as many bits.
    pub fn equal(n: usize, bits: u32) -> Self {
        let mut counts = vec![0; bits as usize + 1];
        counts[bits as usize] = n;
        Lengths::new(counts, bits.div_ceil(64).max(4) as usize)
    }

    /// The windows of this width, or of least cost, over a table; `None` if all scalars are 0.
    pub fn windows(&self, width: Option<u32>, table: &Table, costs: &Costs) -> Option<Windows> {
        let bits = self.max_bits();
        if bits == 0 {
            return None;
        }
        // Multiples by the largest digits are for windows of one width.
        let exact = Some(table.multiples.digits_of()).filter(|&exact| exact > 0);
        match (width, exact) {
            (None, Some(exact)) => return Some(Windows::exact(bits, exact)),
            (Some(width), _) if Some(width) == exact => return Some(Windows::exact(bits, width)),
            (Some(width), _) => return Some(Windows::new(bits, width, table.step)),
            (None, None) => {}
        }
        let longer = self.longer();
        let windows = WIDTHS.map(|width| Windows::new(bits, width, table.step));
        // Each cost once: a small proof's plans take a hundredth of its time.
        let costs = windows.map(|windows| (Cost::new(&longer, windows, table).total(costs), windows));
        costs.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, windows)| windows)
    }

    /// The bytes of a magnitude, and of its point's index.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of magnitudes of each length.
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// Their number.
    fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The bits of the longest scalar.
    fn max_bits(&self) -> u32 {
        self.counts.iter().rposition(|&count| count > 0).unwrap_or(0) as u32
    }

    /// Cost of these windows.
    pub fn cost(&self, windows: Windows, table: &Table) -> Cost {
        Cost::new(&self.longer(), windows, table)
    }

    /// Number of scalars with more than b bits, for every b.
    pub fn longer(&self) -> Vec<usize> {
        let longer = self.counts.iter().rev().scan(0, |sum, count| {
            let longer = *sum;
            *sum += count;
            Some(longer)
        });
        let mut longer: Vec<usize> = longer.collect();
        longer.reverse();
        longer
    }
}

/// Cost of recoding, sorting and scheduling a digit, in additions.
pub(crate) const DIGIT: f64 = 0.1;
/// Cost of sorting for each bucket, in additions.
pub(crate) const PER_BUCKET: f64 = 0.05;
/// Digits of more bits are wide.
const NARROW: u32 = 16;

/// Work of windows by kind, for uniform digits.
#[derive(Default)]
pub(crate) struct Cost {
    /// Digits that are not 0.
    pub digits: f64,
    /// Those of windows of more than 16 bits.
    pub wide_digits: f64,
    pub buckets: f64,
    /// Buckets with a point.
    pub occupied: f64,
    /// The additions of the aggregation.
    pub aggregation: f64,
    pub windows: f64,
}

impl Cost {
    /// The cost of these windows; `longer[b]` scalars have more than b bits.
    ///
    /// Every nonzero digit is one addition, but for the first of each bucket; the aggregation adds two for a bucket
    /// with a point. With the bucket-set construction there are fewer buckets, and more additions for each
    /// (digits/bucket_set.rs). Halves of scalars have the same buckets, but are sorted one after the other.
    pub fn new(longer: &[usize], windows: Windows, table: &Table) -> Self {
        let (share, aggregation) = match table.multiples {
            Multiples::BucketSet => (0.423, 1.03 / 0.423),
            Multiples::One | Multiples::Largest(_) => (1.0, 2.0),
        };
        // Buckets that a window of this width does without.
        let without = |width: u32| match table.multiples {
            Multiples::Largest(largest) if largest.width == width => f64::from(largest.count),
            _ => 0.0,
        };
        let mut cost = Cost { windows: windows.sets() as f64, ..Cost::default() };
        let digits = |window| longer.get(windows.start(window) as usize).copied().unwrap_or(0) as f64;
        for set in 0..windows.sets() {
            let digits: f64 = windows.of_set(set).map(digits).sum();
            let width = windows.width(set);
            let buckets = (1u64 << (width - 1)) as f64 - without(width);
            let occupied = share * buckets * (1.0 - (-digits / (share * buckets)).exp());
            cost.digits += digits;
            cost.buckets += buckets * if table.halves { 2.0 } else { 1.0 };
            cost.occupied += occupied;
            cost.aggregation += aggregation * occupied;
        }
        if windows.max_width() > NARROW {
            cost.wide_digits = cost.digits;
        }
        cost
    }

    /// The additions.
    pub fn additions(&self) -> f64 {
        self.digits - self.occupied + self.aggregation
    }

    /// All of it in additions.
    pub fn total(&self, costs: &Costs) -> f64 {
        self.digits * (1.0 + DIGIT) + self.wide_digits * (costs.wide_digit - DIGIT) - self.occupied
            + self.aggregation * costs.aggregation
            + self.buckets * PER_BUCKET
            + self.windows * costs.window
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;

    type Fr = ark_bls12_381::Fr;

    fn costs() -> Costs {
        Costs::of::<ark_bls12_381::g1::Config>(Backend::Portable)
    }

    fn window(n: usize) -> u32 {
        Lengths::uniform::<Fr>(n, None)
            .windows(None, &Table::none(n), &costs())
            .expect("scalars that are not 0")
            .max_width()
    }

    #[test]
    fn lengths_of_uniform_scalars_add_up() {
        for n in [0, 1, 2, 1000, 1 << 29] {
            let lengths = Lengths::uniform::<Fr>(n, None);
            assert_eq!((lengths.count(), lengths.longer()[0]), (n, n));
        }
        // Half the order is 0.9057 times 2^254, so that 0.5 / 0.9057 are below 2^253 and a quarter of that below 2^251.
        let lengths = Lengths::uniform::<Fr>(1000, None);
        assert_eq!((lengths.max_bits(), lengths.longer()[253], lengths.longer()[251]), (254, 448, 862));
    }

    #[test]
    fn windows_grow_with_the_number_of_scalars() {
        assert_eq!(Lengths::uniform::<Fr>(0, None).windows(None, &Table::none(0), &costs()), None);
        assert_eq!(Lengths::uniform::<Fr>(0, None).windows(Some(5), &Table::none(0), &costs()), None);
        let windows: Vec<u32> = (8..=26).map(|log_size| window(1 << log_size)).collect();
        assert!(windows.is_sorted() && windows[0] < windows[18], "{windows:?}");
    }

    #[test]
    fn the_best_window_costs_least() {
        for n in [100, 10_000, 1_000_000] {
            let lengths = Lengths::uniform::<Fr>(n, None);
            let total = |width| {
                let windows = Windows::new(254, width, u32::MAX);
                lengths.cost(windows, &Table::none(n)).total(&costs())
            };
            let best = window(n);
            assert!({ WIDTHS }.all(|width| total(best) <= total(width)));
        }
    }

    #[test]
    fn any_number_of_points_has_a_plan() {
        let plan =
            |n| crate::Msm::new().plan::<ark_bls12_381::g1::Config>(Backend::Portable, n).expect("a plan");
        let memory = [1 << 20, 1 << 40, usize::MAX / 2, usize::MAX].map(|n| plan(n).memory_bytes);
        assert!(memory.is_sorted() && memory[3] == usize::MAX, "{memory:?}");
    }

    #[test]
    fn memory_follows_the_formula() {
        let plan = Plan::new(
            &Lengths::uniform::<Fr>(1000, None),
            Windows::new(254, 10, u32::MAX),
            &Table::none(1000),
            Strategy::default(),
            128,
            3,
        );
        assert_eq!((plan.window, plan.windows, plan.sets_at_a_time), (10, 26, 26));
        let expected = 1000 * (36 + 4 * 26) + 26 * 512 * (128 + 8) + 3 * (1 << 15) * (64 + 128) + HUGE_PAGE;
        assert_eq!(plan.memory_bytes, expected);
    }

    /// With and without the endomorphism, whatever the threshold between them.
    #[test]
    fn long_sums_take_72_bytes_a_point() {
        fn check<C: Curve>() {
            let split = crate::curve::endomorphism::<C>().map(|endomorphism| &endomorphism.split);
            let (strategy, costs) = (Strategy::default().resolve(), Costs::of::<C>(Backend::Portable));
            for (log_size, split) in (18..=28).flat_map(|log_size| [(log_size, None), (log_size, split)]) {
                let (n, bytes) = (1 << log_size, bucket_bytes::<C>(strategy));
                let lengths = Lengths::uniform::<C::ScalarField>(n, split);
                let table = &Table::none(n);
                let windows = lengths.windows(None, table, &costs).expect("scalars that are not 0");
                let plan = Plan::new(&lengths, windows, table, strategy, bytes, 1);
                let buckets = (plan.sets_at_a_time * windows.buckets()) * (bytes + 8);
                let beside = plan.memory_bytes - buckets - CHUNK * (bytes / 2 + 128) - HUGE_PAGE;
                assert!(beside <= 72 * n, "2^{log_size}: {plan:?}");
            }
        }
        check::<ark_bls12_381::g1::Config>();
        check::<ark_bls12_381::g2::Config>();
        check::<ark_bn254::g1::Config>();
    }
}
