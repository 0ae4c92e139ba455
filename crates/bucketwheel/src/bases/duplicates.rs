//! Equal points found by hashing, so that their scalars are added up first ("SimdMSM", section 5.2).
//!
//! `k P + l P = (k + l mod r) P`, in the prime-order subgroup. It pays where points repeat: an addition in the scalar
//! field replaces one of points in every window. The paper leaves it to the caller to find out whether it does, by "running
//! once"; here the one pass that numbers the points decides: where too few of them repeat, their numbers are dropped, and
//! MSMs take points and scalars as they are. Right sums do not need it: the adders know P + P.

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
    /// The points.
    pub points: usize,
    /// Distinct ones among them.
    pub distinct: usize,
    /// True if enough of them repeat for it to pay: if not, all points stay, and no scalars are added up.
    pub pays: bool,
    /// The time to find them, once for all MSMs.
    pub hashing: Duration,
    /// The time to add up the scalars of this MSM; none if it does not pay.
    pub merging: Duration,
}

impl Deduplication {
    /// Returns the most memory in bytes that equal points among so many take beside the points: the table that finds
    /// them, their numbers, and the sums of their scalars.
    ///
    /// ```
    /// use ark_bn254::g1::Config;
    /// use bucketwheel::Deduplication;
    ///
    /// assert!(Deduplication::memory_bytes::<Config>(1000) < 1 << 20);
    /// ```
    pub fn memory_bytes<C: Curve>(points: usize) -> usize {
        // A bucket of the table has a byte more; an eighth of them stays free, and there is a power of two of them.
        let table = (points / 7).saturating_mul(8).max(8).checked_next_power_of_two().unwrap_or(usize::MAX);
        let each = 2 * size_of::<u32>() + size_of::<C::ScalarField>();
        table.saturating_mul(size_of::<(u64, u32)>() + 1).saturating_add(points.saturating_mul(each))
    }
}

/// Additions of points over a prime field that take as long as the addition of one scalar: one point in 25 has to repeat
/// (docs/tables.md has the times). Over an extension, additions take longer, and a smaller share has to repeat.
const POINTS_PER_REPEATED: usize = 25;

/// Knowledge of equal points.
#[derive(Debug)]
pub(crate) struct Duplicates {
    points: usize,
    distinct: usize,
    /// None if too few points repeat.
    numbering: Option<Numbering>,
    hashing: Duration,
}

/// Numbering of the distinct points, equal ones having the same number.
#[derive(Debug, PartialEq)]
struct Numbering {
    /// The number, among the distinct points, of each point.
    numbers: Vec<u32>,
    /// The first point of each number, ascending.
    firsts: Vec<u32>,
}

/// Duplicates are the same if the same points are equal, however long it took to find out.
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
        let distinct = firsts.len();
        let degree = C::BaseField::extension_degree() as usize;
        let pays = (len - distinct) * POINTS_PER_REPEATED * degree > len;
        let numbering = pays.then_some(Numbering { numbers, firsts });
        Ok(Duplicates { points: len, distinct, numbering, hashing: start.elapsed() })
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// True if scalars are added up.
    pub fn pays(&self) -> bool {
        self.numbering.is_some()
    }

    /// The number of points of the MSM: distinct ones if it pays, else all.
    pub fn left(&self) -> usize {
        self.numbering.as_ref().map_or(self.points, |numbering| numbering.firsts.len())
    }

    /// The index of the first point with this number, which is below [`left`](Self::left).
    pub fn first(&self, number: usize) -> usize {
        self.numbering.as_ref().map_or(number, |numbering| numbering.firsts[number] as usize)
    }

    /// Result of the search alone.
    pub fn found(&self) -> Deduplication {
        let &Duplicates { points, distinct, hashing, .. } = self;
        Deduplication { points, distinct, pays: self.pays(), hashing, merging: Duration::ZERO }
    }

    /// The scalars of the distinct points, sums for equal points; none if it does not pay.
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
