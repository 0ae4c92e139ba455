//! The plan of an MSM: how windows cut the scalars, their costs in additions and in memory, and the windows of least
//! cost.

pub(crate) mod costs;
pub(crate) mod fit;
pub(crate) mod lengths;
pub(crate) mod profile;
pub(crate) mod stream;
pub(crate) mod table;

use crate::curve::quarters::QUARTERS;
use crate::curve::{coordinate_bytes, Curve};
use crate::digits::naf;
use crate::digits::table::Table;
use crate::engine::buckets::CHUNK;
use crate::engine::strategy::Strategy;
use crate::plan::lengths::Lengths;
use crate::windows::Windows;

/// Steps of an MSM, as far as the number of scalars and their lengths tell them. All fields are zero if there is
/// nothing to add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// Bits of the widest window.
    pub window: u32,
    /// Number of windows of the longest scalar.
    pub windows: usize,
    /// Number of sets of buckets: one for each window, fewer if the points have a table, none for few points (up to 8),
    /// which Straus' method adds up.
    pub bucket_sets: usize,
    /// Expected number of additions of points. All but a few hundred are independent of each other.
    pub additions: usize,
    /// Number of sets of buckets that are filled at a time, one after the other. The points of a set are sorted when it
    /// is its turn, and the set uses the buckets of the sets before it.
    pub sets_at_a_time: usize,
    /// The most memory in bytes beyond points, scalars, and memory that earlier calls left
    /// ([`release_memory`](crate::release_memory)). With n scalars in w windows, g of them at a time, of c bits, and s bytes a
    /// bucket (128 over the prime field and 256 over its extension, with the affine adder):
    ///
    /// - 36 n for the scalars' magnitudes and the indices of their points by length; 40 n if scalars split into two
    ///   halves, and 52 n if scalars have six words,
    /// - 4 g n for the sorted ids, and 8 g n if scalars split,
    /// - g 2^(c-1) (s + 8) for the buckets and where they start,
    /// - 2^15 (s/2 + 128) per thread for the sums of its chunk, its lists of additions and the adder's batches, and
    /// - 2 MiB for the rest of huge pages.
    ///
    /// Few points without buckets take 72 coordinates each, and 2 MiB.
    ///
    /// From 2^18 scalars on, this memory is at most 72 bytes for each scalar, beside the buckets. Windows that share a
    /// set of buckets over a table are filled together.
    ///
    /// Not all of the memory is in use at the same time, which leaves room for memory that an allocator keeps.
    pub memory_bytes: usize,
}

impl Plan {
    /// Returns the plan for scalars of these lengths in these windows, on this number of threads. `sorted` tells
    /// whether points are sorted by bucket.
    pub(crate) fn new(
        lengths: &Lengths,
        windows: Windows,
        table: &Table,
        sorted: bool,
        bucket_bytes: usize,
        threads: usize,
    ) -> Plan {
        // Largest number of digits of a set. If scalars have halves, they are sorted one after the other.
        let digits = lengths.count().saturating_mul(windows.count().div_ceil(windows.sets()));
        let (sets_at_a_time, ids) = match sorted {
            true => (sets_at_a_time(digits, windows), 4),
            // Unsorted digits are not stored.
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

impl Plan {
    /// Returns the plan for few points without buckets. Their magnitudes have these lengths.
    pub(crate) fn few(lengths: &Lengths, points: usize, bucket_bytes: usize) -> Plan {
        let windows = |bits: usize| (bits + 1).div_ceil(naf::SPACING);
        let digits: usize =
            lengths.counts().iter().enumerate().skip(1).map(|(bits, count)| count * windows(bits)).sum();
        Plan {
            window: naf::WIDTH,
            windows: windows(lengths.max_bits() as usize),
            bucket_sets: 0,
            additions: digits + points * naf::MULTIPLES,
            sets_at_a_time: 0,
            memory_bytes: points * COORDINATES * bucket_bytes / 2 + HUGE_PAGE,
        }
    }
}

/// Coordinates that few points take each, at most: x, y and the step to the next Z of their odd multiples, the affine ones of
/// multiples and of three images, and two products of Z.
const COORDINATES: usize = (3 + 2 * QUARTERS) * naf::MULTIPLES + 2;

/// Bytes of a huge page. An array does not fill its last huge page.
const HUGE_PAGE: usize = 2 << 20;

/// Digits that are sorted at a time, unless there are fewer: eight megabytes of ids.
const DIGITS: usize = 1 << 21;
/// Fewest sets of buckets that are filled at a time. Fewer sets would share long batches among less work.
pub(crate) const SETS: usize = 4;

/// Returns the number of sets of buckets to be filled at a time, each with at most `digits` digits. The numbers are as
/// even as possible.
pub(crate) fn sets_at_a_time(digits: usize, windows: Windows) -> usize {
    let most = (DIGITS / digits.max(1)).max(SETS);
    windows.sets().div_ceil(windows.sets().div_ceil(most).max(1))
}

/// Returns the bytes of a sum at rest.
pub(crate) fn bucket_bytes<C: Curve>(strategy: Strategy) -> usize {
    strategy.adder.coordinates() * coordinate_bytes::<C::BaseField>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::costs::Costs;
    use crate::Backend;

    type Fr = ark_bls12_381::Fr;

    #[test]
    fn any_number_of_points_has_a_plan() {
        let plan =
            |n| crate::Msm::new().plan::<ark_bls12_381::g1::Config>(Backend::Portable, n).expect("a plan");
        let memory = [1 << 20, 1 << 40, usize::MAX / 2, usize::MAX].map(|n| plan(n).memory_bytes);
        assert!(memory.is_sorted() && memory[3] == usize::MAX, "{memory:?}");
    }

    #[test]
    fn memory_follows_the_formula() {
        let sorted = true;
        let plan = Plan::new(
            &Lengths::uniform::<Fr>(1000, None),
            Windows::new(254, 10, u32::MAX),
            &Table::none(1000),
            sorted,
            128,
            3,
        );
        assert_eq!((plan.window, plan.windows, plan.sets_at_a_time), (10, 26, 26));
        let expected = 1000 * (36 + 4 * 26) + 26 * 512 * (128 + 8) + 3 * (1 << 15) * (64 + 128) + HUGE_PAGE;
        assert_eq!(plan.memory_bytes, expected);
    }

    /// Sums with and without the endomorphism, on both sides of the threshold between them.
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
                let (sorted, threads) = (true, 1);
                let plan = Plan::new(&lengths, windows, table, sorted, bytes, threads);
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
