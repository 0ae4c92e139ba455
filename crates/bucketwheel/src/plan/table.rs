//! Costs and gains of tables, and the choice of the best one.

use std::fmt;

use crate::digits::table::{Multiples, Table};
use crate::plan::costs::Costs;
use crate::plan::lengths::Lengths;
use crate::scalars::{ScalarWords, Split, PARTS};
use crate::schedule::Ref;

/// Returns the bits of the longest magnitude of a scalar: of a scalar that is folded in the subgroup, or of a half.
pub(crate) fn magnitude_bits<F: ScalarWords>(in_subgroup: bool, split: Option<&Split>) -> u32 {
    split.map_or(F::MODULUS_BIT_SIZE - u32::from(in_subgroup), |split| split.bits)
}

/// Most copies: a scalar has fewer bits, together with a carry.
const MAX_COPIES: usize = 512;

/// The table that the caller wants.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// At most this many copies, and these multiples of each.
    Copies(usize, Multiples),
    /// The table of least cost that fits this number of bytes.
    Within(usize),
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted::NONE
    }
}

impl Wanted {
    /// The points alone.
    pub const NONE: Wanted = Wanted::Copies(1, Multiples::One);

    /// Returns the table of these points for uniform scalars of `F`.
    pub fn table<F: ScalarWords>(self, points: &Tabled<'_>, costs: &Costs) -> Table {
        let best = |tables: &mut dyn Iterator<Item = Table>, costs: &Costs| {
            let costed = tables.map(|table| (cost(&points.lengths::<F>(&table), &table, costs), table));
            costed.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, table)| table)
        };
        match self {
            Wanted::Copies(copies @ 0..=1, multiples) => points.of_scalars::<F>(copies, multiples),
            Wanted::Copies(copies, multiples) => {
                let plain = points.of_scalars::<F>(copies, multiples);
                let halved =
                    (2..=copies.min(MAX_COPIES)).filter_map(|copies| points.of_halves(copies, multiples));
                // The choice is the same for all groups and machines: a pair of groups shares digits only over the same table.
                best(&mut halved.chain([plain]), &Costs::DEFAULT).unwrap_or(plain)
            }
            Wanted::Within(budget) => {
                let stride = points.stride();
                // Ids number the inputs, which limits the copies.
                let numbered = Ref::MAX_INDEX / stride.max(1);
                let most = (budget / stride.saturating_mul(points.bytes).max(1)).clamp(1, numbered.max(1));
                let of_kind = |multiples: Multiples| {
                    let copies = 1..=(most / multiples.count()).min(MAX_COPIES);
                    copies.flat_map(move |copies| {
                        // If fewer copies suffice, the table has come up before.
                        let whole = points.of_scalars::<F>(copies, multiples);
                        let whole = Some(whole).filter(|table| table.copies == copies);
                        points.of_halves(copies, multiples).into_iter().chain(whole)
                    })
                };
                let tables = &mut of_kind(Multiples::One).chain(of_kind(Multiples::BucketSet));
                best(tables, costs).unwrap_or(Table::none(stride))
            }
        }
    }
}

/// Points from which a table is made.
#[derive(Clone, Copy)]
pub(crate) struct Tabled<'a> {
    /// Number of points, without their images.
    pub n: usize,
    pub in_subgroup: bool,
    /// Bytes of a point.
    pub bytes: usize,
    /// Split of scalars over the points and their images, if the points have images.
    pub images: Option<&'a Split>,
    /// Split of scalars without images, if it is allowed.
    pub halves: Option<&'a Split>,
}

impl<'a> Tabled<'a> {
    /// Returns the number of points and their images.
    fn stride(&self) -> usize {
        self.n.saturating_mul(if self.images.is_some() { PARTS } else { 1 })
    }

    /// Returns a table of at most `copies` copies for scalars as they are, or for their halves over points and images.
    fn of_scalars<F: ScalarWords>(&self, copies: usize, multiples: Multiples) -> Table {
        let bits = magnitude_bits::<F>(self.in_subgroup, self.images);
        Table::new(bits, copies, multiples, self.stride())
    }

    /// Returns a table of `copies` copies for halves of scalars over the points alone, at least two and no more than
    /// their steps need.
    fn of_halves(&self, copies: usize, multiples: Multiples) -> Option<Table> {
        let of = |split: &Split| Table { halves: true, ..Table::new(split.bits, copies, multiples, self.n) };
        self.halves.map(of).filter(|table| copies > 1 && table.copies == copies)
    }

    /// Returns the split of scalars over this table.
    pub fn split(&self, table: &Table) -> Option<&'a Split> {
        if table.halves {
            self.halves
        } else {
            self.images
        }
    }

    /// Returns the lengths of uniform scalars over this table.
    pub fn lengths<F: ScalarWords>(&self, table: &Table) -> Lengths {
        Lengths::uniform::<F>(self.n, self.split(table))
    }
}

/// Returns the cost of an MSM over a table: its additions, and all other work by its weight.
fn cost(lengths: &Lengths, table: &Table, costs: &Costs) -> f64 {
    let windows = lengths.windows(None, table, costs);
    windows.map_or(0.0, |windows| lengths.cost(windows, table).total(costs))
}

/// Cost of a doubling in lanes, in additions: it takes 6.5 products as measured, and an addition has 6 and its way
/// through memory.
const DOUBLING: f64 = 1.0;

/// Size and gain of a table, for uniform scalars. Both are known before the table is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TablePlan {
    /// Number of points.
    pub points: usize,
    /// Number of copies of the points, the points themselves included: 1 means no table.
    pub copies: usize,
    /// Bits from one copy to the next: copy j holds the multiples by `2^(j step)`.
    pub step: u32,
    /// Multiples of each copy: 1, 3 for the bucket-set construction, k + 1 for a table of the k largest digits'
    /// multiples.
    pub multiples: usize,
    /// Bits of the windows to whose largest digits the multiples belong; 0 for other multiples.
    pub digits_of: u32,
    /// True if the steps are steps of scalars' halves, for points of the prime-order subgroup of a curve with an
    /// endomorphism.
    pub halves: bool,
    /// Memory of all copies in bytes, images under the endomorphism included.
    pub bytes: usize,
    /// Bits of the widest window of an MSM.
    pub window: u32,
    /// Number of sets of buckets of an MSM.
    pub bucket_sets: usize,
    /// Additions of an MSM, as [`Plan::additions`](crate::Plan::additions) counts them.
    pub additions: usize,
    /// Additions of an MSM without the table.
    pub additions_without: usize,
    /// Doublings that make the table. Each takes about as long as an addition.
    pub doublings: usize,
    /// Number of MSMs after which the table has paid for itself; `None` if it never does.
    pub break_even: Option<usize>,
}

impl TablePlan {
    /// Returns the plan of a table for scalars of these lengths; `plain` is the plan without the table.
    pub(crate) fn new(
        points: usize,
        table: &Table,
        bytes: usize,
        lengths: &Lengths,
        plain: &Lengths,
        costs: &Costs,
    ) -> Self {
        let none = &Table::none(points);
        let (windows, before) = (lengths.windows(None, table, costs), plain.windows(None, none, costs));
        let additions = |lengths: &Lengths, windows, table| lengths.cost(windows, table).additions() as usize;
        let saving = cost(plain, none, costs) - cost(lengths, table, costs);
        let doublings = table.doublings();
        let break_even = (saving > 0.0).then(|| (doublings as f64 * DOUBLING / saving).ceil() as usize);
        TablePlan {
            points,
            copies: table.copies,
            step: table.step,
            multiples: table.multiples.count(),
            digits_of: table.multiples.digits_of(),
            halves: table.halves,
            bytes: table.total() * bytes,
            window: windows.map_or(0, |windows| windows.max_width()),
            bucket_sets: windows.map_or(0, |windows| windows.sets()),
            additions: windows.map_or(0, |windows| additions(lengths, windows, table)),
            additions_without: before.map_or(0, |windows| additions(plain, windows, none)),
            doublings,
            break_even: break_even.filter(|_| doublings > 0),
        }
    }
}

impl fmt::Display for TablePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = self.bytes.div_ceil(1 << 20);
        let TablePlan { points, copies, step, .. } = self;
        let of = if self.halves { " of half a scalar" } else { "" };
        match (copies, self.multiples) {
            (_, k) if self.digits_of > 0 => {
                write!(f, "{points} points and {} multiples of each, by the largest digits", k - 1)?;
                write!(f, " of windows of {} bits: {mebibytes} MiB", self.digits_of)?;
            }
            (1, 1) => return write!(f, "{points} points without a table: {mebibytes} MiB"),
            (1, multiples) => write!(f, "{multiples} multiples of {points} points: {mebibytes} MiB")?,
            (_, 1) => {
                write!(f, "{copies} copies of {points} points, {step} bits{of} apart: {mebibytes} MiB")?
            }
            (_, multiples) => {
                write!(f, "{copies} copies of {points} points, {step} bits{of} apart, ")?;
                write!(f, "{multiples} multiples of each: {mebibytes} MiB")?;
            }
        }
        write!(f, "; {} additions with windows of {} bits", self.additions, self.window)?;
        write!(f, " and {} sets of buckets, {} without the table", self.bucket_sets, self.additions_without)?;
        match self.break_even {
            Some(count) => write!(f, "; {} doublings, break-even after {count} MSMs", self.doublings),
            None => write!(f, "; {} doublings, which never pay", self.doublings),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Fr = ark_bls12_381::Fr;

    #[test]
    fn a_larger_budget_costs_no_more() {
        let (n, costs) = (1 << 16, &Costs::of::<ark_bls12_381::g1::Config>(crate::Backend::Portable));
        let points = &Tabled { n, in_subgroup: true, bytes: 128, images: None, halves: None };
        let lengths = Lengths::uniform::<Fr>(n, None);
        let tables: Vec<Table> =
            (0..40).map(|copies| Wanted::Within(copies * n * 128).table::<Fr>(points, costs)).collect();
        assert_eq!(tables[..2], [Table::none(n); 2]);
        for (copies, pair) in tables.windows(2).enumerate() {
            assert!(cost(&lengths, &pair[1], costs) <= cost(&lengths, &pair[0], costs));
            assert!(pair[1].copies * pair[1].multiples.count() <= copies + 1);
        }
        let plan = TablePlan::new(n, &tables[8], 128, &lengths, &lengths, costs);
        assert!(
            plan.bytes <= 8 * n * 128 && plan.additions_without as f64 > 1.2 * plan.additions as f64,
            "{plan}"
        );
        assert!(plan.break_even.is_some_and(|count| count < 100), "{plan}");
    }
}
