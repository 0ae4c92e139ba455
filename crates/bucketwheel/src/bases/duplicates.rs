//! Equal points found by hashing, so that their scalars are added up first ("SimdMSM", section 5.2).
//!
//! `k P + l P = (k + l mod r) P`, in the prime-order subgroup. De-duplication pays if enough points repeat: one
//! addition in the scalar field replaces one addition of points in every window. The paper leaves the decision to the
//! caller, by "running once". Here, the pass that numbers the points decides. If too few points repeat, their numbers
//! are dropped, and MSMs take points and scalars as they are. Sums are right without de-duplication, because the adders
//! handle P + P.

use std::collections::hash_map::{Entry, HashMap, RandomState};
use std::hash::BuildHasher;
use std::time::Duration;

use ark_ec::short_weierstrass::Affine;
use ark_ff::Field;

use crate::clock::Moment;
use crate::curve::Curve;
use crate::scalars::{ScalarWords, Scalars};
use crate::Error;

/// Result of de-duplication, and its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deduplication {
    /// Number of points.
    pub points: usize,
    /// Number of distinct points.
    pub distinct: usize,
    /// True if enough points repeat for de-duplication to pay. Otherwise all points stay, and no scalars are added up.
    pub pays: bool,
    /// Time to find the equal points, once for all MSMs.
    pub hashing: Duration,
    /// Time to add up the scalars of this MSM, or 0 if de-duplication does not pay.
    pub merging: Duration,
}

impl Deduplication {
    /// Returns the most memory in bytes that de-duplication of `points` points takes beside the points: the table that
    /// finds equal points, their numbers, and the sums of their scalars.
    ///
    /// ```
    /// use ark_bn254::g1::Config;
    /// use bucketwheel::Deduplication;
    ///
    /// assert!(Deduplication::memory_bytes::<Config>(1000) < 1 << 20);
    /// ```
    pub fn memory_bytes<C: Curve>(points: usize) -> usize {
        // Each bucket of the table takes one byte more. An eighth of the buckets stays free, and their number is a power of two.
        let table = (points / 7).saturating_mul(8).max(8).checked_next_power_of_two().unwrap_or(usize::MAX);
        let each = 2 * size_of::<u32>() + size_of::<C::ScalarField>();
        table.saturating_mul(size_of::<(u64, u32)>() + 1).saturating_add(points.saturating_mul(each))
    }
}

/// Points whose scalars take the time that one repeated point saves, over a prime field: one point in 25 has to repeat
/// (docs/tables.md has the times). Over an extension, additions take longer, and a smaller share has to repeat.
const POINTS_PER_REPEATED: usize = 25;

/// The groups of equal points.
#[derive(Debug)]
pub(crate) struct Duplicates {
    points: usize,
    distinct: usize,
    /// `None` if too few points repeat.
    numbering: Option<Numbering>,
    hashing: Duration,
}

/// Numbering of the distinct points. Equal points have the same number.
#[derive(Debug, PartialEq)]
struct Numbering {
    /// For each point, its number among the distinct points.
    numbers: Vec<u32>,
    /// The first point of each number, ascending.
    firsts: Vec<u32>,
}

/// Two values are equal if they find the same points equal. The time of the search does not count.
impl PartialEq for Duplicates {
    fn eq(&self, other: &Self) -> bool {
        (self.points, self.distinct, &self.numbering) == (other.points, other.distinct, &other.numbering)
    }
}

impl Duplicates {
    /// Finds equal points, fewer than 2^32 of them, and decides whether they are worth an MSM's time.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn find<C: Curve>(len: usize, point: &dyn Fn(usize) -> Affine<C>) -> Result<Self, Error> {
        let start = Moment::now();
        let state = RandomState::new();
        // First point of each hash. If another point has the same hash, the search continues at the next hash.
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
        let distinct = firsts.len();
        let degree = C::BaseField::extension_degree() as usize;
        let pays = (len - distinct) * POINTS_PER_REPEATED * degree > len;
        let numbering = pays.then_some(Numbering { numbers, firsts });
        Ok(Duplicates { points: len, distinct, numbering, hashing: start.elapsed() })
    }

    /// Returns the number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Returns true if scalars are added up.
    pub fn pays(&self) -> bool {
        self.numbering.is_some()
    }

    /// Returns the number of points of the MSM: the distinct points if de-duplication pays, else all points.
    pub fn left(&self) -> usize {
        self.numbering.as_ref().map_or(self.points, |numbering| numbering.firsts.len())
    }

    /// Returns the index of the first point with this number, which is below [`left`](Self::left).
    pub fn first(&self, number: usize) -> usize {
        self.numbering.as_ref().map_or(number, |numbering| numbering.firsts[number] as usize)
    }

    /// Returns the result of the search alone.
    pub fn found(&self) -> Deduplication {
        let &Duplicates { points, distinct, hashing, .. } = self;
        Deduplication { points, distinct, pays: self.pays(), hashing, merging: Duration::ZERO }
    }

    /// Returns the scalars of the distinct points, with sums for equal points, or `None` if de-duplication does not pay.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::ScalarRange`] for the first scalar not below the order, or [`Error::OutOfMemory`].
    pub fn merge<F: ScalarWords>(
        &self,
        scalars: Scalars<'_, F>,
    ) -> Result<(Option<Vec<F>>, Deduplication), Error> {
        let start = Moment::now();
        let found = self.found();
        let Some(Numbering { numbers, .. }) = &self.numbering else { return Ok((None, found)) };
        let &Duplicates { points, distinct, .. } = self;
        if scalars.len() != points {
            return Err(Error::Length { points, scalars: scalars.len() });
        }
        let mut sums = Vec::new();
        let bytes = distinct * size_of::<F>();
        sums.try_reserve_exact(distinct).map_err(|_| Error::OutOfMemory { bytes })?;
        sums.resize(distinct, F::ZERO);
        for (index, &number) in numbers.iter().enumerate() {
            sums[number as usize] += scalars.element(index).ok_or(Error::ScalarRange { index })?;
        }
        Ok((Some(sums), Deduplication { merging: start.elapsed(), ..found }))
    }
}
