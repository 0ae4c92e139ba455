//! Independent additions by one adder, outside of any MSM: what a benchmark of adders times.
//!
//! The adder is called as the schedulers' batches call it, on points at rest in a backend's layout.

use ark_ec::short_weierstrass::Affine;
use bucketwheel_lanes::{LaneField, MAX_LANES};

use crate::bases::Bases;
use crate::curve::{from_coordinates, Adder, Arena, Coefficients, CoordinateField, Curve};
use crate::layout::Coordinates;
use crate::memory::Uninit;
use crate::schedule::{Addition, Ref};
use crate::strategy::AdderKind;
use crate::Error;

/// What an addition adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summands {
    /// Two signed affine points.
    Affine,
    /// A sum and a signed affine point.
    Mixed,
    /// Two sums.
    Full,
}

impl<C: Curve> Bases<C> {
    /// A batch of independent additions by `adder`, one for each point: with indices modulo the number of points
    /// and the sums `B[i] = P[i] + P[i + 1]`, which are computed here, addition i is
    ///
    /// - `B[i] + P[i + 2]` for even i and `B[i] - P[i + 2]` for odd i, if mixed;
    /// - `B[i] + B[i + 2]`, if full.
    ///
    /// # Errors
    /// [`Error::Adder`].
    ///
    /// # Panics
    /// If there are no points.
    pub fn additions(&self, adder: AdderKind, summands: Summands) -> Result<Additions<'_, C>, Error> {
        assert!(!self.is_empty(), "additions need points");
        self.check_adder(adder)?;
        Ok(Additions { batch: self.prepared.additions(adder, summands, self.len) })
    }
}

/// Additions that are computed again and again.
pub struct Additions<'a, C: Curve> {
    batch: Box<dyn Batch<<C::BaseField as CoordinateField>::Words> + 'a>,
}

impl<C: Curve> Additions<'_, C> {
    /// Computes all of them.
    pub fn run(&mut self) {
        self.batch.run();
    }

    /// Computes all of them and returns the sums.
    pub fn sums(&mut self) -> Vec<Affine<C>> {
        self.batch.sums().iter().map(from_coordinates).collect()
    }
}

impl<C: Curve> std::fmt::Debug for Additions<'_, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Additions").finish_non_exhaustive()
    }
}

/// [`Additions`] whose backend, field and adder are forgotten.
pub trait Batch<W> {
    /// Computes the sums.
    fn run(&mut self);

    /// Computes and returns them.
    fn sums(&mut self) -> Vec<Coordinates<W>>;
}

/// The additions of one adder, and all they work on.
pub(crate) struct IndependentAdditions<'a, L: LaneField, A: Adder<L>> {
    lanes: L,
    curve: Coefficients<L::Words>,
    adder: A,
    inputs: &'a [A::Input],
    buckets: Uninit<A::Bucket>,
    /// Where the sums go: a run leaves its summands as they are.
    temporaries: Uninit<A::Bucket>,
    batch: Vec<Addition>,
}

impl<'a, L: LaneField, A: Adder<L>> IndependentAdditions<'a, L, A> {
    /// The buckets filled and the additions ready.
    pub fn new(lanes: L, curve: Coefficients<L::Words>, inputs: &'a [A::Input], summands: Summands) -> Self {
        let len = inputs.len();
        let neighbours = |i: usize| Addition {
            destination: Ref::bucket(i),
            left: Ref::input(i, false),
            right: Ref::input((i + 1) % len, false),
        };
        let timed = |i: usize| Addition {
            destination: Ref::temporary(i),
            left: match summands {
                Summands::Affine => Ref::input(i, false),
                Summands::Mixed | Summands::Full => Ref::bucket(i),
            },
            right: match summands {
                Summands::Affine | Summands::Mixed => Ref::input((i + 2) % len, i % 2 == 1),
                Summands::Full => Ref::bucket((i + 2) % len),
            },
        };
        let mut additions = IndependentAdditions {
            lanes,
            curve,
            adder: A::new(lanes, curve, false),
            inputs,
            buckets: Uninit::new(len),
            temporaries: Uninit::new(len),
            batch: (0..len).map(neighbours).collect(),
        };
        additions.run();
        additions.batch = (0..len).map(timed).collect();
        additions
    }
}

impl<L: LaneField, A: Adder<L>> Batch<L::Words> for IndependentAdditions<'_, L, A> {
    fn run(&mut self) {
        let (buckets, count) = (self.buckets.as_mut_ptr(), self.buckets.len());
        // SAFETY: the buckets live as long as `self`, which is borrowed exclusively. The temporaries are written
        // before they are read.
        let mut arena = unsafe { Arena::new(self.inputs, buckets, count, self.temporaries.as_mut_slice()) };
        self.adder.add(&self.batch, &mut arena);
    }

    fn sums(&mut self) -> Vec<Coordinates<L::Words>> {
        self.run();
        // SAFETY: the run wrote all temporaries.
        let sums = unsafe { self.temporaries.as_slice() };
        let decode = |sum: &A::Bucket| {
            // SAFETY: references are valid pointers.
            unsafe { A::decode(self.lanes, &self.curve, &[std::ptr::from_ref(sum); MAX_LANES]) }
                .map(|lanes| lanes[0])
        };
        sums.iter().map(decode).collect()
    }
}
