//! The engine of one field in one backend's lanes, where what knows curves and what knows lanes meet.

pub mod accumulator;
pub mod adder;
#[cfg(feature = "additions")]
pub mod additions;
pub mod buckets;
pub mod examine;
pub mod jacobian;
pub mod make_multiples;
pub mod points;
pub mod roots;
pub mod stored;

use std::fmt::Debug;

use bucketwheel_lanes::{LaneField, PrimeLanes, Quadratic, Visitor};

/// Points that fill the lanes of any backend.
pub use bucketwheel_lanes::MAX_LANES;

use crate::engine::accumulator::{open, AccumulatorResult, Opening};
use crate::engine::adder::AdderKind;
use crate::engine::adder::Point;
use crate::engine::examine::{examine, Examination, Failure};
use crate::engine::points::{layout, restore, PreparedResult, Source};
use crate::engine::roots::{solve, Abscissas};
use crate::engine::roots::{PrimeRoots, QuadraticRootTables, QuadraticRoots, RootTables, Roots};
use crate::engine::stored::Restored;
use crate::schedule::{Delayed, Overlap, Scheduler, SchedulerKind, ThreadsBy};
use crate::Error;

/// All that is done in lanes, for a field whose elements outside of them are `W`. What depends on a curve comes as words.
pub trait Engine<W> {
    /// The bytes of a point at rest.
    fn point_bytes(&self) -> usize;

    /// Brings points into the lanes' layout.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), [`Error::Cancelled`](crate::Error::Cancelled).
    fn prepare(&self, points: Source<'_, W>) -> PreparedResult<W>;

    /// Takes over points that are in the lanes' layout.
    ///
    /// # Errors
    /// [`TableError::Point`](crate::TableError::Point), [`Error::Cancelled`](crate::Error::Cancelled).
    fn restore(&self, points: Restored<'_, W>) -> PreparedResult<W>;

    /// Opens an accumulator.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    fn accumulator(&self, opening: Opening<W>) -> AccumulatorResult<W>;

    /// The first of these points that fails.
    fn examine(&self, examination: &Examination<'_, W>) -> Option<(usize, Failure)>;

    /// A y for each x, or none where there is none.
    fn ordinates(&self, abscissas: &Abscissas<'_, W>) -> Vec<Option<W>>;
}

/// The engine over `L`. `EDWARDS`: whether some curve over a field in these lanes has a twisted Edwards form that is known;
/// what that takes is not compiled for the others.
struct Over<L, R, const EDWARDS: bool> {
    lanes: L,
    /// Square roots, whose tables are made when they are first asked for.
    roots: R,
}

impl<L: LaneField, S: Roots<L>, R: Fn() -> S, const EDWARDS: bool> Engine<L::Words> for Over<L, R, EDWARDS> {
    fn point_bytes(&self) -> usize {
        size_of::<Point<L::Elem>>()
    }

    fn prepare(&self, points: Source<'_, L::Words>) -> PreparedResult<L::Words> {
        layout::<L, EDWARDS>(self.lanes, points)
    }

    fn restore(&self, points: Restored<'_, L::Words>) -> PreparedResult<L::Words> {
        restore::<L, EDWARDS>(self.lanes, points)
    }

    fn accumulator(&self, opening: Opening<L::Words>) -> AccumulatorResult<L::Words> {
        open::<L, EDWARDS>(self.lanes, opening)
    }

    fn examine(&self, examination: &Examination<'_, L::Words>) -> Option<(usize, Failure)> {
        examine(self.lanes, examination)
    }

    fn ordinates(&self, abscissas: &Abscissas<'_, L::Words>) -> Vec<Option<L::Words>> {
        solve(self.lanes, (self.roots)(), abscissas)
    }
}

/// A scheduler and an adder, and what threads share out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strategy {
    pub scheduler: SchedulerKind,
    pub adder: AdderKind,
    pub threads_by: ThreadsBy,
    /// Additions in a batch; none for as many as the adder likes.
    pub batch: Option<usize>,
}

impl Strategy {
    /// Returns true if it takes points sorted by bucket.
    pub fn needs_sorted(self) -> bool {
        self.scheduler(1, 0).needs_sorted()
    }

    /// A scheduler for an adder that likes `batch` additions at a time, and for buckets of indices below `buckets`.
    pub fn scheduler(self, batch: usize, buckets: usize) -> Box<dyn Scheduler> {
        match (self.scheduler, self.batch) {
            // Exactly, however many points collide.
            (SchedulerKind::Delayed, Some(slots)) => Box::new(Delayed::new(slots, buckets, Overlap::Batch)),
            (kind, chosen) => kind.scheduler(chosen.unwrap_or(batch), buckets),
        }
    }

    /// An error if threads cannot share points this way, which are sorted or not.
    pub fn check_threads(self, sorted: bool) -> Result<(), Error> {
        match self.threads_by {
            ThreadsBy::Loop if sorted => Err(Error::ThreadsByLoop),
            _ => Ok(()),
        }
    }

    /// Strategy with each `Auto` replaced by what it stands for.
    pub fn resolve(self) -> Self {
        Strategy {
            threads_by: self.threads_by,
            batch: self.batch,
            scheduler: match self.scheduler {
                SchedulerKind::Auto => SchedulerKind::Tree,
                scheduler => scheduler,
            },
            adder: match self.adder {
                AdderKind::Auto => AdderKind::Affine,
                adder => adder,
            },
        }
    }
}

/// Elements of a prime field outside the lanes.
pub trait OuterWords: Copy + PartialEq + Default + Debug + Send + Sync + 'static {}

impl<W: Copy + PartialEq + Default + Debug + Send + Sync + 'static> OuterWords for W {}

/// Entry to lanes. The unit tests are of what knows no lanes (those of adders and MSMs are in `tests/`): compiling the
/// adders a second time for them would take minutes.
macro_rules! no_unit_test {
    () => {
        if cfg!(test) {
            unreachable!("unit tests do without lanes");
        }
    };
}

/// Makes the engine over the prime field's own lanes.
pub struct OverPrime<W: 'static, const EDWARDS: bool>(pub fn() -> &'static RootTables<W>);

impl<W: OuterWords, const EDWARDS: bool> Visitor<W> for OverPrime<W, EDWARDS> {
    type Output = Box<dyn Engine<W>>;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output {
        no_unit_test!();
        Box::new(Over::<_, _, EDWARDS> { lanes, roots: move || PrimeRoots((self.0)()) })
    }
}

/// Makes the engine over the lanes of the quadratic extension.
pub struct OverQuadratic<W: 'static>(pub fn() -> &'static QuadraticRootTables<W>);

impl<W: OuterWords> Visitor<W> for OverQuadratic<W> {
    type Output = Box<dyn Engine<[W; 2]>>;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output {
        no_unit_test!();
        let lanes = Quadratic::over(lanes);
        Box::new(Over::<_, _, false> { lanes, roots: move || QuadraticRoots((self.0)()) })
    }
}
