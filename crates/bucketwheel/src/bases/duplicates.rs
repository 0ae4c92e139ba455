//! Equal points found by hashing, so that their scalars are added up first ("SimdMSM", section 5.2).
//!
//! `k P + l P = (k + l mod r) P`, in the prime-order subgroup. It pays where points repeat: an addition in the scalar
//! field replaces one of points in every window. Where they do not, it costs a lookup per point once, and a copy of the
//! scalars per MSM. Right sums do not need it: the adders know P + P.

use std::collections::hash_map::{Entry, HashMap, RandomState};
use std::hash::BuildHasher;
use std::time::{Duration, Instant};

use ark_ec::short_weierstrass::Affine;

use crate::curve::{Curve, ScalarWords};
use crate::digits::Scalars;
use crate::Error;

/// Result of de-duplication, and its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deduplication {
    /// The points.
    pub points: usize,
    /// Distinct ones among them: the points of the MSM.
    pub distinct: usize,
    /// The time to find them, once for all MSMs.
    pub hashing: Duration,
    /// The time to add up the scalars of this MSM.
    pub merging: Duration,
}

impl Deduplication {
    /// The most memory in bytes that equal points among so many take beside the points: the table that finds them, their
    /// numbers, and the sums of their scalars.
    pub fn memory_bytes<C: Curve>(points: usize) -> usize {
        // A bucket of the table has a byte more; an eighth of them stays free, and there is a power of two of them.
        let table = (points / 7).saturating_mul(8).max(8).checked_next_power_of_two().unwrap_or(usize::MAX);
        let each = 2 * size_of::<u32>() + size_of::<C::ScalarField>();
        table.saturating_mul(size_of::<(u64, u32)>() + 1).saturating_add(points.saturating_mul(each))
    }
}

/// Numbering of the distinct points, equal ones having the same number.
#[derive(Debug)]
pub(crate) struct Duplicates {
    /// The number, among the distinct points, of each point.
    numbers: Vec<u32>,
    /// The first point of each number, ascending.
    firsts: Vec<u32>,
    hashing: Duration,
}

/// Duplicates are the same if the same points are equal, however long it took to find out.
impl PartialEq for Duplicates {
    fn eq(&self, other: &Self) -> bool {
        self.numbers == other.numbers
    }
}

impl Duplicates {
    /// Finds equal points, fewer than 2^32 of them.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn find<C: Curve>(len: usize, point: &dyn Fn(usize) -> Affine<C>) -> Result<Self, Error> {
        let start = Instant::now();
        let state = RandomState::new();
        // The first point of each hash; one of another point counts on from it.
        let mut seen: HashMap<u64, u32> = HashMap::new();
        let (mut numbers, mut firsts) = (Vec::new(), Vec::<u32>::new());
        let missing = |_| Error::OutOfMemory { bytes: Deduplication::memory_bytes::<C>(len) };
        seen.try_reserve(len).map_err(missing)?;
        numbers.try_reserve_exact(len).map_err(missing)?;
        firsts.try_reserve_exact(len).map_err(missing)?;
        for index in 0..len {
            let this = point(index);
            let mut hash = state.hash_one(this);
            let number = loop {
                match seen.entry(hash) {
                    Entry::Vacant(entry) => {
                        let number = firsts.len() as u32;
                        entry.insert(number);
                        firsts.push(index as u32);
                        break number;
                    }
                    Entry::Occupied(entry) => {
                        let number = *entry.get();
                        if point(firsts[number as usize] as usize) == this {
                            break number;
                        }
                        hash = hash.wrapping_add(1);
                    }
                }
            };
            numbers.push(number);
        }
        firsts.shrink_to_fit();
        Ok(Duplicates { numbers, firsts, hashing: start.elapsed() })
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.numbers.len()
    }

    /// The number of distinct ones.
    pub fn distinct(&self) -> usize {
        self.firsts.len()
    }

    /// The index of the first point with this number.
    pub fn first(&self, number: usize) -> usize {
        self.firsts[number] as usize
    }

    /// The scalars of the distinct points: the sums of those of equal points.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::ScalarRange`] for the first scalar not below the order, or [`Error::OutOfMemory`].
    pub fn merge<F: ScalarWords>(&self, scalars: Scalars<'_, F>) -> Result<(Vec<F>, Deduplication), Error> {
        let start = Instant::now();
        let points = self.numbers.len();
        if scalars.len() != points {
            return Err(Error::Length { points, scalars: scalars.len() });
        }
        let mut sums = Vec::new();
        let bytes = self.distinct() * size_of::<F>();
        sums.try_reserve_exact(self.distinct()).map_err(|_| Error::OutOfMemory { bytes })?;
        sums.resize(self.distinct(), F::ZERO);
        for (index, &number) in self.numbers.iter().enumerate() {
            sums[number as usize] += scalars.element(index).ok_or(Error::ScalarRange { index })?;
        }
        let (distinct, hashing, merging) = (self.distinct(), self.hashing, start.elapsed());
        Ok((sums, Deduplication { points, distinct, hashing, merging }))
    }
}
