//! Independent additions by one adder, outside of any MSM: what a benchmark of adders times.
//!
//! The adder is called as the schedulers' batches call it, on points at rest in a backend's layout.

use std::marker::PhantomData;

use ark_ec::short_weierstrass::Affine;

use crate::bases::Bases;
use crate::curve::{from_coordinates, AnyAdder, Arena, CoordinateField, Curve, FormulaOver};
use crate::layout::Coordinates;
use crate::memory::{Room, Slots};
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
pub(crate) struct IndependentAdditions<'a, W> {
    formula: Box<dyn FormulaOver<W>>,
    adder: Box<dyn AnyAdder>,
    inputs: Slots,
    buckets: Room,
    /// Where the sums go: a run leaves its summands as they are.
    temporaries: Room,
    batch: Vec<Addition>,
    points: PhantomData<&'a ()>,
}

impl<'a, W: 'a> IndependentAdditions<'a, W> {
    /// The buckets filled and the additions ready.
    ///
    /// # Safety
    /// The inputs are the formula's, and live as long as `'a`.
    pub unsafe fn boxed(
        formula: Box<dyn FormulaOver<W>>,
        inputs: Slots,
        summands: Summands,
    ) -> Box<dyn Batch<W> + 'a> {
        let len = inputs.len;
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
        let room = || Room::new(formula.bucket_bytes(), len).expect("memory for the sums");
        let mut additions = IndependentAdditions {
            adder: formula.adder(false),
            inputs,
            buckets: room(),
            temporaries: room(),
            formula,
            batch: (0..len).map(neighbours).collect(),
            points: PhantomData,
        };
        additions.run();
        additions.batch = (0..len).map(timed).collect();
        Box::new(additions)
    }
}

impl<W> Batch<W> for IndependentAdditions<'_, W> {
    fn run(&mut self) {
        // SAFETY: the buckets live as long as `self`, which is borrowed exclusively. The temporaries are written
        // before they are read.
        let mut arena = unsafe { Arena::new(self.inputs, self.buckets.slots(), self.temporaries.slots()) };
        self.adder.add(&self.batch, &mut arena);
    }

    fn sums(&mut self) -> Vec<Coordinates<W>> {
        self.run();
        let sums = self.temporaries.slots();
        let addresses: Vec<*const u8> = (0..sums.len).map(|i| sums.address(i).cast_const()).collect();
        // SAFETY: the run wrote all temporaries.
        unsafe { self.formula.decode(&addresses) }
    }
}
