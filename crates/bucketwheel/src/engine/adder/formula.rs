//! Adders behind an interface that knows neither field nor formula, so that all code that works on buckets is compiled
//! once. A call is for a batch, beside which its cost is negligible.

use std::marker::PhantomData;

use bucketwheel_lanes::{LaneField, OutOfLine, Task, MAX_LANES};

use super::affine::BatchAffine;
use super::edwards::{Dedicated, Edwards, Unified};
use super::projective::CompleteProjective;
use super::xyzz::Xyzz;
use super::{Adder, AdderKind, Arena};
use crate::control::Control;
use crate::engine::at_rest::{product, Coordinates};
use crate::engine::coefficients::Coefficients;
use crate::engine::infinities::Infinities;
use crate::memory::{Room, Slots};
use crate::schedule::{Addition, OwnedWork, Ref, Work};
use crate::Error;

/// An adder at work.
pub trait AnyAdder: Send {
    /// [`Adder::add`]
    fn add(&mut self, additions: &[Addition], arena: &mut Arena<'_>);

    /// [`Adder::add_columns`]
    fn add_columns(
        &mut self,
        work: Work<'_>,
        arena: &mut Arena<'_>,
        rest: &mut OwnedWork,
        proceed: &mut dyn FnMut(usize) -> bool,
    );

    /// [`Adder::copy`]
    fn copy(&mut self, destination: Ref, source: Ref, arena: &mut Arena<'_>);

    /// [`Adder::met_infinity`]
    fn met_infinity(&self) -> bool;
}

/// A formula in some backend's lanes, for one curve.
pub trait Formula: Send + Sync {
    /// [`Adder::new`]
    fn adder(&self, infinities: Infinities) -> Box<dyn AnyAdder>;

    /// [`Adder::BATCH`]
    fn batch(&self) -> usize;

    /// [`Adder::COLUMNS`]
    fn has_columns(&self) -> bool;

    /// Returns the bytes of a sum at rest.
    fn bucket_bytes(&self) -> usize;

    /// [`Adder::STARTS_WITH_X`]
    fn starts_with_x(&self) -> bool;

    /// [`Adder::inputs`]
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Cancelled`].
    ///
    /// # Safety
    /// - The slots hold points at rest in these lanes, which have been written.
    unsafe fn inputs(&self, points: Slots, room: &mut Room, control: &Control<'_>) -> Result<Slots, Error>;

    /// Multiplies elements by the endomorphism's factor of x, in place.
    ///
    /// # Panics
    /// If the curve has no known endomorphism.
    ///
    /// # Safety
    /// - The pointers are valid and distinct, and nobody else accesses the elements.
    unsafe fn multiply_by_beta(&self, elements: &[*mut u8]);
}

/// A formula over a field with these elements outside of the lanes.
pub trait FormulaOver<W>: Formula {
    /// Returns the affine coordinates of sums, with infinity as (0, 0).
    ///
    /// # Safety
    /// - The pointers are valid, and the buckets have been written.
    unsafe fn decode(&self, buckets: &[*const u8]) -> Vec<Coordinates<W>>;
}

/// Returns the formula of a kind of adder. `EDWARDS` is true if some curve over the field has a twisted Edwards form.
///
/// # Panics
/// If no curve over the field has this form and the formula needs it: [`AdderKind::check`] refuses the adder before.
pub(crate) fn formula<L: LaneField, const EDWARDS: bool>(
    lanes: L,
    curve: Coefficients<L::Words>,
    kind: AdderKind,
) -> Box<dyn FormulaOver<L::Words>> {
    match kind {
        AdderKind::Auto | AdderKind::Affine => Of::<L, BatchAffine<L>>::boxed(lanes, curve),
        #[cfg(feature = "strategies")]
        AdderKind::Xyzz => Of::<L, Xyzz<L>>::boxed(lanes, curve),
        #[cfg(feature = "strategies")]
        AdderKind::Projective => Of::<L, CompleteProjective<L>>::boxed(lanes, curve),
        #[cfg(feature = "strategies")]
        AdderKind::Edwards if EDWARDS => Of::<L, Edwards<L, Dedicated>>::boxed(lanes, curve),
        #[cfg(feature = "strategies")]
        AdderKind::EdwardsUnified if EDWARDS => Of::<L, Edwards<L, Unified>>::boxed(lanes, curve),
        _ => unreachable!("AdderKind::check refuses the adder"),
    }
}

/// The formula of an adder.
struct Of<L: LaneField, A> {
    lanes: L,
    curve: Coefficients<L::Words>,
    adder: PhantomData<fn() -> A>,
}

impl<L: LaneField, A: Adder<L> + 'static> Of<L, A> {
    fn boxed(lanes: L, curve: Coefficients<L::Words>) -> Box<dyn FormulaOver<L::Words>> {
        const { assert!(align_of::<A::Input>() <= Room::ALIGN && align_of::<A::Bucket>() <= Room::ALIGN) }
        Box::new(Of::<L, A> { lanes, curve, adder: PhantomData })
    }
}

impl<L: LaneField, A: Adder<L> + 'static> Formula for Of<L, A> {
    fn adder(&self, infinities: Infinities) -> Box<dyn AnyAdder> {
        Box::new(Any { adder: A::new(self.lanes, self.curve, infinities), lanes: PhantomData })
    }

    fn batch(&self) -> usize {
        A::BATCH
    }

    fn has_columns(&self) -> bool {
        A::COLUMNS
    }

    fn bucket_bytes(&self) -> usize {
        size_of::<A::Bucket>()
    }

    fn starts_with_x(&self) -> bool {
        A::STARTS_WITH_X
    }

    unsafe fn inputs(&self, points: Slots, room: &mut Room, control: &Control<'_>) -> Result<Slots, Error> {
        // SAFETY: the caller vouches for the points in the slots.
        unsafe { A::inputs(self.lanes, &self.curve, points, room, control) }
    }

    unsafe fn multiply_by_beta(&self, elements: &[*mut u8]) {
        let factor = self.curve.beta.expect("the curve has an endomorphism");
        self.lanes.vectorize(MultiplyByBeta { lanes: self.lanes, factor, elements });
    }
}

impl<L: LaneField, A: Adder<L> + 'static> FormulaOver<L::Words> for Of<L, A> {
    unsafe fn decode(&self, buckets: &[*const u8]) -> Vec<Coordinates<L::Words>> {
        let mut coordinates = Vec::with_capacity(buckets.len());
        for group in buckets.chunks(L::LANES) {
            // Lanes without a bucket repeat the last bucket.
            let bucket = |lane: usize| group[lane.min(group.len() - 1)].cast::<A::Bucket>();
            // SAFETY: the caller vouches for the buckets; each lane has one of them.
            let [x, y] = unsafe { A::decode(self.lanes, &self.curve, &std::array::from_fn(bucket)) };
            coordinates.extend((0..group.len()).map(|lane| [x[lane], y[lane]]));
        }
        coordinates
    }
}

/// An adder behind the interface that does not know its lanes.
struct Any<L, A> {
    adder: A,
    lanes: PhantomData<fn() -> L>,
}

impl<L: LaneField, A: Adder<L>> AnyAdder for Any<L, A> {
    fn add(&mut self, additions: &[Addition], arena: &mut Arena<'_>) {
        self.adder.add(additions, &arena.places());
    }

    fn add_columns(
        &mut self,
        work: Work<'_>,
        arena: &mut Arena<'_>,
        rest: &mut OwnedWork,
        proceed: &mut dyn FnMut(usize) -> bool,
    ) {
        self.adder.add_columns(work, &arena.places(), rest, proceed);
    }

    fn copy(&mut self, destination: Ref, source: Ref, arena: &mut Arena<'_>) {
        self.adder.copy(destination, source, &arena.places());
    }

    fn met_infinity(&self) -> bool {
        self.adder.met_infinity()
    }
}

/// Multiplies elements in place.
struct MultiplyByBeta<'a, L: LaneField> {
    lanes: L,
    factor: L::Words,
    /// Elements that are distinct, written, and accessed by this task alone: the caller of
    /// [`Formula::multiply_by_beta`] ensures it.
    elements: &'a [*mut u8],
}

impl<L: LaneField> Task for MultiplyByBeta<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let MultiplyByBeta { lanes, factor, elements } = self;
        let factor = OutOfLine::of(lanes).splat(factor);
        for group in elements.chunks(L::LANES) {
            // Lanes without an element repeat the last element.
            let places: [*mut L::Elem; MAX_LANES] =
                std::array::from_fn(|lane| group[lane.min(group.len() - 1)].cast());
            // SAFETY: the maker vouches for the elements; each lane has one of them.
            unsafe {
                let multiple = product(lanes, &factor, &lanes.load(&places.map(|place| place.cast_const())));
                lanes.store(&multiple, &places);
            }
        }
    }
}
