//! The plan of an MSM: how windows cut the scalars, what they cost in additions and in memory, and which ones cost
//! least.

pub(crate) mod costs;
pub(crate) mod profile;
pub(crate) mod stream;
pub(crate) mod table;

use crate::curve::endomorphism::Split;
use crate::curve::{coordinate_bytes, Curve, ScalarWords};
use crate::digits::Magnitude;
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
    /// The most memory in bytes beyond points, scalars, and what earlier calls left
    /// ([`release_memory`](crate::release_memory)). With n scalars (2 n halves where they split), w
    /// windows of c bits, v sets of buckets, and s bytes a bucket (128 over the prime field and 256 over its extension, with the
    /// affine adder):
    ///
    /// - 48 n for the scalars' magnitudes (64 n where they have six words), and the indices of their points by length,
    /// - 8 w n for the digits, as recoded and as sorted ids,
    /// - v 2^(c-1) (s + 8) for the buckets and where they start, and
    /// - 2^15 (s/2 + 128) per thread for the sums of its chunk, its lists of additions and the adder's batches.
    ///
    /// Not all of it is needed at the same time, which leaves room for what an allocator keeps and for the rest of huge
    /// pages.
    pub memory_bytes: usize,
}

impl Plan {
    /// The plan for scalars of these lengths in these windows, on so many threads.
    pub(crate) fn new(
        lengths: &Lengths,
        windows: Windows,
        table: &Table,
        bucket_bytes: usize,
        threads: usize,
    ) -> Plan {
        let (n, w) = (lengths.count(), windows.count());
        Plan {
            window: windows.max_width(),
            windows: w,
            bucket_sets: windows.sets(),
            additions: lengths.cost(windows, table).additions() as usize,
            memory_bytes: n.saturating_mul(lengths.bytes() + 8 * w).saturating_add(
                windows.sets() * windows.buckets() * (bucket_bytes + 8)
                    + threads * CHUNK * (bucket_bytes / 2 + 128),
            ),
        }
    }
}

/// The bytes of a sum at rest.
pub(crate) fn bucket_bytes<C: Curve>(strategy: Strategy) -> usize {
    strategy.adder.coordinates() * coordinate_bytes::<C::BaseField>()
}

/// Number of scalars of each length in bits.
#[derive(Clone, Debug)]
pub(crate) struct Lengths(Vec<usize>);

impl Lengths {
    /// The lengths of magnitudes of scalars of `F`.
    pub fn of<F: ScalarWords>(magnitudes: &[Magnitude<F::BigInt>]) -> Self {
        let mut counts = vec![0; F::MODULUS_BIT_SIZE as usize + 1];
        magnitudes.iter().for_each(|magnitude| counts[magnitude.bits() as usize] += 1);
        Lengths(counts)
    }

    /// The lengths to be expected of the magnitudes of `n` uniform scalars of `F`, or of their halves.
    pub fn uniform<F: ScalarWords>(n: usize, split: Option<&Split>) -> Self {
        let order =
            F::MODULUS.as_ref().iter().rev().fold(0.0, |sum, &word| sum * 2f64.powi(64) + word as f64);
        let (count, longest) =
            split.map_or((n, order / 2.0), |split| (n.saturating_mul(2), split.longest as f64));
        let below = |bits: u32| (count as f64 * (2f64.powi(bits as i32) / longest).min(1.0)).round() as usize;
        let count = |bits: u32| below(bits) - bits.checked_sub(1).map_or(0, below);
        Lengths((0..=F::MODULUS_BIT_SIZE).map(count).collect())
    }

    /// `n` scalars of as many bits.
    pub fn equal(n: usize, bits: u32) -> Self {
        let mut counts = vec![0; bits as usize + 1];
        counts[bits as usize] = n;
        Lengths(counts)
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
        let cost = |windows: &Windows| Cost::new(&longer, *windows, table).total(costs);
        WIDTHS.map(|width| Windows::new(bits, width, table.step)).min_by(|a, b| cost(a).total_cmp(&cost(b)))
    }

    /// The bytes of a magnitude, and of its point's index.
    pub fn bytes(&self) -> usize {
        let longest = self.0.len() - 1;
        16 + 8 * longest.div_ceil(64).max(4)
    }

    /// The number of scalars.
    fn count(&self) -> usize {
        self.0.iter().sum()
    }

    /// The bits of the longest scalar.
    fn max_bits(&self) -> u32 {
        self.0.iter().rposition(|&count| count > 0).unwrap_or(0) as u32
    }

    /// Cost of these windows.
    pub fn cost(&self, windows: Windows, table: &Table) -> Cost {
        Cost::new(&self.longer(), windows, table)
    }

    /// Number of scalars with more than b bits, for every b.
    pub fn longer(&self) -> Vec<usize> {
        let longer = self.0.iter().rev().scan(0, |sum, count| {
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
            128,
            3,
        );
        assert_eq!((plan.window, plan.windows), (10, 26));
        let expected = 1000 * (48 + 8 * 26) + 26 * 512 * (128 + 8) + 3 * (1 << 15) * (64 + 128);
        assert_eq!(plan.memory_bytes, expected);
    }
}
