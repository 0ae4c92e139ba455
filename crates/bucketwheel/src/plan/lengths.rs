//! The lengths of scalars, and their costs in windows.

use crate::digits::table::{Multiples, Table};
use crate::plan::costs::Costs;
use crate::scalars::{ScalarWords, Split, PARTS, PART_WORDS};
use crate::windows::{Windows, WIDTHS};

/// Number of magnitudes of each length in bits.
#[derive(Clone, Debug)]
pub(crate) struct Lengths {
    counts: Vec<usize>,
    /// The bytes of a magnitude and its point's index.
    bytes: usize,
}

impl Lengths {
    /// Returns lengths with these numbers of magnitudes, each of `words` words.
    pub fn new(counts: Vec<usize>, words: usize) -> Self {
        Lengths { counts, bytes: 8 * words + 4 }
    }

    /// Returns the expected lengths of the magnitudes of `n` uniform scalars of `F`, or of their halves.
    pub fn uniform<F: ScalarWords>(n: usize, split: Option<&Split>) -> Self {
        let order =
            F::MODULUS.as_ref().iter().rev().fold(0.0, |sum, &word| sum * 2f64.powi(64) + word as f64);
        let (count, longest) =
            split.map_or((n, order / 2.0), |split| (n.saturating_mul(PARTS), split.longest as f64));
        let below = |bits: u32| (count as f64 * (2f64.powi(bits as i32) / longest).min(1.0)).round() as usize;
        let count = |bits: u32| below(bits) - bits.checked_sub(1).map_or(0, below);
        let words = if split.is_some() { PART_WORDS } else { F::MODULUS.as_ref().len() };
        Lengths::new((0..=F::MODULUS_BIT_SIZE).map(count).collect(), words)
    }

    /// Returns the lengths of `n` scalars that all have `bits` bits.
    pub fn equal(n: usize, bits: u32) -> Self {
        let mut counts = vec![0; bits as usize + 1];
        counts[bits as usize] = n;
        Lengths::new(counts, bits.div_ceil(64).max(4) as usize)
    }

    /// Returns the windows of this width, or of least cost, over a table; `None` if all scalars are 0.
    pub fn windows(&self, width: Option<u32>, table: &Table, costs: &Costs) -> Option<Windows> {
        let bits = self.max_bits();
        if bits == 0 {
            return None;
        }
        // Multiples by the largest digits are made for windows of one width.
        let exact = Some(table.multiples.digits_of()).filter(|&exact| exact > 0);
        match (width, exact) {
            (None, Some(exact)) => return Some(Windows::exact(bits, exact)),
            (Some(width), _) if Some(width) == exact => return Some(Windows::exact(bits, width)),
            (Some(width), _) => return Some(Windows::new(bits, width, table.step)),
            (None, None) => {}
        }
        let longer = self.longer();
        let windows = WIDTHS.map(|width| Windows::new(bits, width, table.step));
        // Each cost is computed once: the plans of a small proof take a hundredth of its time.
        let costs = windows.map(|windows| (Cost::new(&longer, windows, table).total(costs), windows));
        costs.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, windows)| windows)
    }

    /// Returns the bytes of a magnitude, and of its point's index.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the number of magnitudes of each length.
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// Returns the number of all magnitudes.
    pub fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Returns the number of bits of the longest scalar.
    pub fn max_bits(&self) -> u32 {
        self.counts.iter().rposition(|&count| count > 0).unwrap_or(0) as u32
    }

    /// Returns the cost of these windows.
    pub fn cost(&self, windows: Windows, table: &Table) -> Cost {
        Cost::new(&self.longer(), windows, table)
    }

    /// Returns the number of scalars with more than b bits, for every b.
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
/// Most bits of a narrow digit. Digits of more bits are wide.
const NARROW: u32 = 16;

/// Work of windows by kind, for uniform digits.
#[derive(Default)]
pub(crate) struct Cost {
    /// Digits that are not 0.
    pub digits: f64,
    /// Digits of windows of more than 16 bits.
    pub wide_digits: f64,
    pub buckets: f64,
    /// Buckets with a point.
    pub occupied: f64,
    /// Additions of the aggregation.
    pub aggregation: f64,
    pub windows: f64,
}

impl Cost {
    /// Returns the cost of these windows; `longer[b]` scalars have more than b bits.
    ///
    /// Every nonzero digit is one addition, except the first digit of each bucket. The aggregation adds two additions
    /// for a bucket with a point. If only one bucket in 2^s has a point, it joins its neighbours s levels up. It then
    /// takes s/2 additions more, for half of the s sums by bit below that level (each bit of its index is set or not).
    /// The bucket-set construction has fewer buckets, and more additions for each of them (digits/bucket_set.rs).
    /// Halves of scalars have the same buckets, but are sorted one after the other.
    pub fn new(longer: &[usize], windows: Windows, table: &Table) -> Self {
        let (share, aggregation) = match table.multiples {
            Multiples::BucketSet => (0.423, 1.03 / 0.423),
            Multiples::One | Multiples::Largest(_) | Multiples::Odd(_) => (1.0, 2.0),
        };
        // Returns the number of buckets that a window of this width does not need.
        let without = |width: u32| match table.multiples {
            Multiples::Largest(largest) if largest.width == width => f64::from(largest.count),
            _ => 0.0,
        };
        let mut cost = Cost { windows: windows.sets() as f64, ..Cost::default() };
        let digits = |window| longer.get(windows.start(window) as usize).copied().unwrap_or(0) as f64;
        // Neighbouring sets mostly have equal numbers of digits and of buckets. Exponentials take much of the planning of a small sum,
        // so each of them is computed once.
        let mut last = ((0.0, 0.0), (0.0, 0.0));
        let mut start = 0;
        for (set, shared) in windows.by_set().enumerate() {
            let digits: f64 = shared.map(digits).sum();
            let end = windows.start(set + 1);
            let width = end - start;
            start = end;
            let buckets = (1u64 << (width - 1)) as f64 - without(width);
            if last.0 != (digits, buckets) {
                let occupied = share * buckets * (1.0 - (-digits / (share * buckets)).exp());
                let sparsity = if occupied > 0.0 { (share * buckets / occupied).log2() } else { 0.0 };
                last = ((digits, buckets), (occupied, (aggregation + sparsity / 2.0) * occupied));
            }
            let (occupied, aggregated) = last.1;
            cost.digits += digits;
            cost.buckets += buckets * table.parts() as f64;
            cost.occupied += occupied;
            cost.aggregation += aggregated;
        }
        if windows.max_width() > NARROW {
            cost.wide_digits = cost.digits;
        }
        cost
    }

    /// Returns the number of additions.
    pub fn additions(&self) -> f64 {
        self.digits - self.occupied + self.aggregation
    }

    /// Returns the whole cost in additions.
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
        // Half the order is 0.9057 times 2^254. So 0.5 / 0.9057 of the scalars are below 2^253, and a quarter of these
        // below 2^251.
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
}
