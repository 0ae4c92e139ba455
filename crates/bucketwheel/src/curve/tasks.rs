//! Work that is generic over lanes, on its way through [`Backend::visit`](bucketwheel_lanes::Backend::visit), which
//! knows prime fields only.

use std::fmt::Debug;

use bucketwheel_lanes::{LaneField, PrimeLanes, Quadratic, Visitor};

use super::Point;
use crate::accumulator::{open, AccumulatorResult, Opening};
use crate::layout::{layout, restore, PreparedResult, Source};
use crate::membership::{examine, Examination, Failure};
use crate::ordinates::{solve, Abscissas};
use crate::roots::{PrimeRoots, QuadraticRootTables, QuadraticRoots, RootTables};
use crate::table::Restored;

/// Elements of a prime field outside the lanes.
pub(super) trait OuterWords: Copy + PartialEq + Default + Debug + Send + Sync + 'static {}

impl<W: Copy + PartialEq + Default + Debug + Send + Sync + 'static> OuterWords for W {}

/// Work over any field in lanes with these words.
pub(super) trait LaneTask<W> {
    /// What comes of it.
    type Output;

    /// Does the work. `EDWARDS`: whether some curve over the field has a twisted Edwards form that is known; what that
    /// takes is not compiled for the other fields.
    fn run<L: LaneField<Words = W>, const EDWARDS: bool>(self, lanes: L) -> Self::Output;
}

impl<W> LaneTask<W> for Source<'_, W> {
    type Output = PreparedResult<W>;

    fn run<L: LaneField<Words = W>, const EDWARDS: bool>(self, lanes: L) -> Self::Output {
        layout::<L, EDWARDS>(lanes, self)
    }
}

impl<W> LaneTask<W> for Restored<'_, W> {
    type Output = PreparedResult<W>;

    fn run<L: LaneField<Words = W>, const EDWARDS: bool>(self, lanes: L) -> Self::Output {
        restore::<L, EDWARDS>(lanes, self)
    }
}

impl<W> LaneTask<W> for Opening<W> {
    type Output = AccumulatorResult<W>;

    fn run<L: LaneField<Words = W>, const EDWARDS: bool>(self, lanes: L) -> Self::Output {
        open::<L, EDWARDS>(lanes, self)
    }
}

impl<W> LaneTask<W> for Examination<'_, W> {
    type Output = Option<(usize, Failure)>;

    fn run<L: LaneField<Words = W>, const EDWARDS: bool>(self, lanes: L) -> Self::Output {
        examine(lanes, &self)
    }
}

/// The bytes of a point at rest.
pub(super) struct PointBytes;

impl<W> LaneTask<W> for PointBytes {
    type Output = usize;

    fn run<L: LaneField<Words = W>, const EDWARDS: bool>(self, _: L) -> usize {
        std::mem::size_of::<Point<L::Elem>>()
    }
}

/// Where lanes come in. The unit tests are of what knows no lanes (those of adders and MSMs are in `tests/`): compiling the
/// adders a second time for them would take minutes.
macro_rules! no_unit_test {
    () => {
        if cfg!(test) {
            unreachable!("unit tests do without lanes");
        }
    };
}

/// Work over the prime field's own lanes.
pub(super) struct OverPrime<const EDWARDS: bool, T>(pub T);

impl<W: OuterWords, T: LaneTask<W>, const EDWARDS: bool> Visitor<W> for OverPrime<EDWARDS, T> {
    type Output = T::Output;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output {
        no_unit_test!();
        self.0.run::<L, EDWARDS>(lanes)
    }
}

/// Work over the lanes of the quadratic extension.
pub(super) struct OverQuadratic<const BETA: u32, T>(pub T);

impl<W: OuterWords, T: LaneTask<[W; 2]>, const BETA: u32> Visitor<W> for OverQuadratic<BETA, T> {
    type Output = T::Output;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output {
        no_unit_test!();
        self.0.run::<_, false>(Quadratic::<L, BETA>::over(lanes))
    }
}

/// The y of each x, over the prime field.
pub(super) struct PrimeOrdinates<'a, W> {
    pub abscissas: Abscissas<'a, W>,
    pub tables: &'a RootTables<W>,
}

impl<W: OuterWords> Visitor<W> for PrimeOrdinates<'_, W> {
    type Output = Vec<Option<W>>;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output {
        no_unit_test!();
        solve(lanes, PrimeRoots(self.tables), &self.abscissas)
    }
}

/// The y of each x, over the quadratic extension.
pub(super) struct QuadraticOrdinates<'a, W, const BETA: u32> {
    pub abscissas: Abscissas<'a, [W; 2]>,
    pub tables: &'a QuadraticRootTables<W>,
}

impl<W: OuterWords, const BETA: u32> Visitor<W> for QuadraticOrdinates<'_, W, BETA> {
    type Output = Vec<Option<[W; 2]>>;

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output {
        no_unit_test!();
        solve(Quadratic::<L, BETA>::over(lanes), QuadraticRoots(self.tables), &self.abscissas)
    }
}
