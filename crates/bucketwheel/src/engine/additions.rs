//! Independent additions by one adder, outside of any MSM, for benchmarks of adders.
//!
//! The adder is called as the schedulers' batches call it, on points at rest in a backend's layout.

use std::marker::PhantomData;

use crate::engine::adder::{AnyAdder, Arena, FormulaOver};
use crate::engine::at_rest::Coordinates;
use crate::engine::infinities::Infinities;
use crate::memory::{Room, Slots};
use crate::schedule::{Addition, Ref};

/// Summands of an addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summands {
    /// Two signed affine points.
    Affine,
    /// A sum and a signed affine point.
    Mixed,
    /// Two sums.
    Full,
}

/// Additions behind an interface that knows neither backend, field nor adder.
pub trait Batch<W> {
    /// Computes the sums.
    fn run(&mut self);

    /// Computes and returns the sums.
    fn sums(&mut self) -> Vec<Coordinates<W>>;
}

/// The additions of one adder, and all memory that they work on.
pub(crate) struct IndependentAdditions<'a, W> {
    formula: Box<dyn FormulaOver<W>>,
    adder: Box<dyn AnyAdder>,
    inputs: Slots,
    buckets: Room,
    /// Destinations of the sums, so that a run does not change its summands.
    temporaries: Room,
    batch: Vec<Addition>,
    points: PhantomData<&'a ()>,
}

impl<'a, W: 'a> IndependentAdditions<'a, W> {
    /// Fills the buckets and makes the additions ready.
    ///
    /// # Safety
    /// - The inputs are the formula's, and live as long as `'a`.
    pub unsafe fn boxed(
        formula: Box<dyn FormulaOver<W>>,
        inputs: Slots,
        summands: Summands,
    ) -> Box<dyn Batch<W> + 'a> {
        let len = inputs.len;
        let neighbours = |i: usize| Addition {
            destination: Ref::bucket(i),
            left: Ref::positive(i),
            right: Ref::positive((i + 1) % len),
        };
        let timed = |i: usize| Addition {
            destination: Ref::temporary(i),
            left: match summands {
                Summands::Affine => Ref::positive(i),
                Summands::Mixed | Summands::Full => Ref::bucket(i),
            },
            right: match summands {
                Summands::Affine | Summands::Mixed => Ref::input((i + 2) % len, i % 2 == 1),
                Summands::Full => Ref::bucket((i + 2) % len),
            },
        };
        let room = || Room::new(formula.bucket_bytes(), len).expect("memory for the sums");
        let mut additions = IndependentAdditions {
            adder: formula.adder(Infinities::Absent),
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
