//! The engine of one field in one backend's lanes. It joins the code that knows curves and the code that knows lanes.

pub mod accumulator;
pub mod adder;
#[cfg(feature = "additions")]
pub mod additions;
pub mod at_rest;
pub mod buckets;
#[cfg(feature = "groups")]
pub mod chains;
pub mod coefficients;
pub mod examine;
pub mod infinities;
pub mod jacobian;
pub mod make_multiples;
pub mod points;
pub mod roots;
pub mod single;
pub mod stored;
pub mod strategy;

use std::fmt::Debug;

use bucketwheel_lanes::{LaneField, PrimeLanes, Quadratic, Quartic, Visitor};

/// Points that fill the lanes of any backend.
pub use bucketwheel_lanes::MAX_LANES;

use crate::engine::accumulator::{open, AccumulatorResult, Opening};
use crate::engine::at_rest::Point;
#[cfg(feature = "groups")]
use crate::engine::chains::Chains;
use crate::engine::examine::{examine, Examination, Failure};
use crate::engine::points::{layout, restore, PreparedResult, Source};
use crate::engine::roots::{solve, Abscissas};
use crate::engine::roots::{PrimeRoots, QuadraticRootTables, QuadraticRoots, RootTables, Roots, SingleRoots};
use crate::engine::stored::Restored;
#[cfg(feature = "groups")]
use crate::Error;

/// All work in lanes, for a field whose elements outside of the lanes are `W`. Values that depend on a curve come as
/// words.
pub trait Engine<W>: Send + Sync {
    /// Returns the bytes of a point at rest. See the [example](crate::provider::Provider).
    fn point_bytes(&self) -> usize;

    /// Brings points into the lanes' layout. See the [example](crate::provider::Provider).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), [`Error::Cancelled`](crate::Error::Cancelled).
    fn prepare(&self, points: Source<'_, W>) -> PreparedResult<W>;

    /// Takes over points that are in the lanes' layout. See the [example](crate::provider::Provider).
    ///
    /// # Errors
    /// [`TableError::Point`](crate::TableError::Point), [`Error::Cancelled`](crate::Error::Cancelled).
    #[cfg(feature = "tables")]
    fn restore(&self, points: Restored<'_, W>) -> PreparedResult<W>;

    /// Opens an accumulator. See the [example](crate::provider::Provider).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    fn accumulator(&self, opening: Opening<W>) -> AccumulatorResult<W>;

    /// Returns the first of these points that fails the examination. See the [example](crate::provider::Provider).
    #[cfg(feature = "inspection")]
    fn examine(&self, examination: &Examination<'_, W>) -> Option<(usize, Failure)>;

    /// Returns a y for each x, or `None` if x has no y. See the [example](crate::provider::Provider).
    #[cfg(feature = "inspection")]
    fn ordinates(&self, abscissas: &Abscissas<'_, W>) -> Vec<Option<W>>;

    /// Returns sums by Horner's rule in Jacobian coordinates, or `None` if the engine leaves them to the CPU's engine. See the
    /// [example](crate::provider::Provider).
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    #[cfg(feature = "groups")]
    fn chains(&self, _: &Chains<'_, W>) -> Option<Result<Vec<[W; 3]>, Error>> {
        None
    }
}

/// The engine over `L`. `EDWARDS` is true if some curve over a field in these lanes has a known twisted Edwards form;
/// the code for it is not compiled for other lanes.
struct Over<L, R, const EDWARDS: bool> {
    lanes: L,
    /// Square roots, whose tables are made when they are first needed.
    roots: R,
}

impl<L: LaneField, S: Roots<L>, R: Fn() -> S + Send + Sync, const EDWARDS: bool> Engine<L::Words>
    for Over<L, R, EDWARDS>
{
    fn point_bytes(&self) -> usize {
        size_of::<Point<L::Elem>>()
    }

    fn prepare(&self, points: Source<'_, L::Words>) -> PreparedResult<L::Words> {
        layout::<L, EDWARDS>(self.lanes, points)
    }

    #[cfg(feature = "tables")]
    fn restore(&self, points: Restored<'_, L::Words>) -> PreparedResult<L::Words> {
        restore::<L, EDWARDS>(self.lanes, points)
    }

    fn accumulator(&self, opening: Opening<L::Words>) -> AccumulatorResult<L::Words> {
        open::<L, EDWARDS>(self.lanes, opening)
    }

    #[cfg(feature = "inspection")]
    fn examine(&self, examination: &Examination<'_, L::Words>) -> Option<(usize, Failure)> {
        examine(self.lanes, examination)
    }

    #[cfg(feature = "inspection")]
    fn ordinates(&self, abscissas: &Abscissas<'_, L::Words>) -> Vec<Option<L::Words>> {
        solve(self.lanes, (self.roots)(), abscissas)
    }

    #[cfg(feature = "groups")]
    fn chains(&self, chains: &Chains<'_, L::Words>) -> Option<Result<Vec<[L::Words; 3]>, Error>> {
        Some(chains.sums(self.lanes))
    }
}

/// Elements of a prime field outside the lanes.
pub trait OuterWords: Copy + PartialEq + Default + Debug + Send + Sync + 'static {}

impl<W: Copy + PartialEq + Default + Debug + Send + Sync + 'static> OuterWords for W {}

/// Marks an entry to lanes, which unit tests do not use. Unit tests cover code that knows no lanes; the tests of adders
/// and MSMs are in `tests/`. Compiling the adders a second time for unit tests would take minutes.
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

/// Makes the engine over the lanes of the extension of degree four. The function returns a square root of an element.
pub struct OverQuartic<W: 'static>(pub fn(&[W; 4]) -> Option<[W; 4]>);

impl<W: OuterWords> Visitor<W> for OverQuartic<W> {
    type Output = Box<dyn Engine<[W; 4]>>;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output {
        no_unit_test!();
        Box::new(Over::<_, _, false> { lanes: Quartic::over(lanes), roots: move || SingleRoots(self.0) })
    }
}
