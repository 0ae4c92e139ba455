//! Adders: each adds many independent pairs of points at once and knows nothing of buckets.

mod affine;
mod columns;
mod edwards;
mod formula;
mod kind;
mod projective;
mod xyzz;

use std::marker::PhantomData;

use bucketwheel_lanes::{LaneField, OutOfLine, Task, MAX_LANES};

use crate::control::Control;
use crate::engine::coefficients::Coefficients;
use crate::engine::infinities::Infinities;
use crate::memory::{Room, Slots};
use crate::schedule::{Addition, OwnedWork, Place, Ref, Work};
use crate::Error;

pub use edwards::{Dedicated, Edwards};
pub(crate) use formula::formula;
pub use formula::{AnyAdder, Formula, FormulaOver};
pub use kind::AdderKind;

/// Most additions of a batch: some milliseconds at most, since nobody looks at the cancellation meanwhile.
pub const MAX_BATCH: usize = 1 << 11;

/// Number of chains of products that are independent of each other, one or two. A processor works on one chain while it
/// waits for the other. In WebAssembly one chain is enough: a kernel is a call with independent chains inside, and a
/// browser would download the code of a second chain.
const CHAINS: usize = if cfg!(target_family = "wasm") { 1 } else { 2 };

/// One value for every chain.
type Chains<T> = [T; CHAINS];

/// A formula in lanes.
pub trait Adder<L: LaneField>: Sized + Send {
    /// A point at rest in the formula's form, an array of elements.
    type Input: Copy + Send + Sync;
    /// A sum at rest, an array of elements in the formula's coordinates.
    type Bucket: Copy + Send + Sync;

    /// Best number of additions at a time, [`MAX_BATCH`] at most. More additions gain nothing. Fewer additions leave
    /// lanes idle, or share an inversion among too few.
    const BATCH: usize;

    /// True if a sum's first element is x, or x times a factor that the other coordinates share. A product of the first
    /// element by another factor then multiplies x by it.
    const STARTS_WITH_X: bool = true;

    /// Returns an adder of inputs and buckets with these points at infinity.
    fn new(lanes: L, curve: Coefficients<L::Words>, infinities: Infinities) -> Self;

    /// Does independent additions.
    ///
    /// # Panics
    /// If an id is out of range.
    fn add(&mut self, additions: &[Addition], places: &Places<Self::Input, Self::Bucket>);

    /// True if the adder can add up whole runs ([`columns`]).
    const COLUMNS: bool = false;

    /// Adds up runs. All points of a run but the first are inputs. Appends the rest, which may be all points, to
    /// `rest`. Asks `proceed` now and then, with the number of additions, and stops at once if it says no.
    ///
    /// # Panics
    /// If an id is out of range or is not the input that it must be, or if the adder has no [columns](Self::COLUMNS).
    fn add_columns(
        &mut self,
        _: Work<'_>,
        _: &Places<Self::Input, Self::Bucket>,
        _rest: &mut OwnedWork,
        _proceed: &mut dyn FnMut(usize) -> bool,
    ) {
        unreachable!("an adder without columns");
    }

    /// Copies a point, with its sign.
    ///
    /// # Panics
    /// If an id is out of range.
    fn copy(&mut self, destination: Ref, source: Ref, places: &Places<Self::Input, Self::Bucket>);

    /// Returns points at rest in the formula's form: as they are, or converted into `room`, which grows if need be.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Cancelled`].
    ///
    /// # Safety
    /// - The slots hold points at rest, [`Point`](crate::engine::at_rest::Point), which have been written.
    unsafe fn inputs(
        _: L,
        _: &Coefficients<L::Words>,
        points: Slots,
        _: &mut Room,
        _: &Control<'_>,
    ) -> Result<Slots, Error> {
        Ok(points)
    }

    /// Returns true if a bucket may hold the point at infinity by now.
    fn met_infinity(&self) -> bool;

    /// Returns the affine coordinates of buckets, one per lane, infinity as (0, 0).
    ///
    /// # Safety
    /// - The first `LANES` pointers are valid.
    unsafe fn decode(
        lanes: L,
        curve: &Coefficients<L::Words>,
        buckets: &[*const Self::Bucket; MAX_LANES],
    ) -> [[L::Words; MAX_LANES]; 2];
}

/// The places that ids refer to, with any points in them.
#[derive(Debug)]
pub struct Arena<'a> {
    inputs: Slots,
    buckets: Slots,
    temporaries: Slots,
    memory: PhantomData<&'a mut u8>,
}

impl Arena<'_> {
    /// Returns an arena of these places.
    ///
    /// # Safety
    /// - The places hold inputs and buckets of the adder that the arena is given to, aligned.
    /// - As long as the arena lives, inputs are valid for reads, and buckets and temporaries for reads and writes.
    /// - Nobody else accesses places that the arena's user names.
    /// - The arena's user reads only places that have been written.
    pub unsafe fn new(inputs: Slots, buckets: Slots, temporaries: Slots) -> Self {
        Arena { inputs, buckets, temporaries, memory: PhantomData }
    }

    /// Returns the addresses of all places.
    ///
    /// # Panics
    /// If the places hold points of other sizes.
    #[inline(always)]
    pub(crate) fn places<I, B>(&mut self) -> Places<I, B> {
        let holds = |slots: Slots, size: usize| slots.len == 0 || slots.stride == size;
        let buckets = [self.buckets, self.temporaries];
        let fit =
            holds(self.inputs, size_of::<I>()) && buckets.iter().all(|&slots| holds(slots, size_of::<B>()));
        assert!(fit, "another adder's points");
        // Twice the number of points, because ids hold twice the index, which is below `MAX_INDEX`.
        let end = |slots: Slots| 2 * slots.len.min(Ref::MAX_INDEX) as u32;
        Places {
            starts: [self.inputs.start, self.buckets.start, self.temporaries.start, std::ptr::null_mut()],
            ends: [end(self.inputs), end(self.buckets), end(self.temporaries), 0],
            points: PhantomData,
        }
    }
}

/// The memory of the places, by `Ref::kind`.
pub struct Places<I, B> {
    starts: [*mut u8; 4],
    /// Twice the lengths of the places.
    ends: [u32; 4],
    points: PhantomData<(I, B)>,
}

impl<I, B> Places<I, B> {
    /// Returns the bytes of a point.
    #[inline(always)]
    fn stride(kind: usize) -> usize {
        const { assert!(size_of::<I>().is_multiple_of(2) && size_of::<B>().is_multiple_of(2)) };
        if size_of::<I>() == size_of::<B>() {
            size_of::<B>()
        } else {
            [size_of::<I>(), size_of::<B>(), size_of::<B>(), 0][kind]
        }
    }

    /// Returns the address of a point, or of its first element.
    ///
    /// # Panics
    /// If the index is out of the place's range.
    #[inline(always)]
    pub fn address<E>(&self, point: Ref) -> *mut E {
        let (kind, twice) = (point.kind(), point.twice_index());
        if twice >= self.ends[kind] {
            out_of_range(point);
        }
        self.starts[kind].wrapping_add(twice as usize * (Self::stride(kind) / 2)).cast()
    }

    /// Returns true if it is the id of an existing input.
    #[inline(always)]
    fn is_input(&self, point: Ref) -> bool {
        point.kind() == Place::Input as usize && point.twice_index() < self.ends[Place::Input as usize]
    }

    /// Returns the address of an input, or the address that it would have.
    #[inline(always)]
    fn input<E>(&self, point: Ref) -> *const E {
        let offset = point.twice_index() as usize * (size_of::<I>() / 2);
        self.starts[Place::Input as usize].wrapping_add(offset).cast_const().cast()
    }

    /// Returns the address of a sum.
    ///
    /// # Panics
    /// If the id is an input, or out of range.
    #[inline(always)]
    pub fn destination<E>(&self, point: Ref) -> *mut E {
        if point.kind() == Place::Input as usize {
            out_of_range(point);
        }
        self.address(point)
    }
}

/// Panics. Out of line, so that ids stay in registers.
#[cold]
#[inline(never)]
fn out_of_range(point: Ref) -> ! {
    panic!("{point:?} is out of range, or no destination")
}

/// Returns 1 at rest, for the coordinates that points at rest lack.
pub(super) fn one_at_rest<L: LaneField>(lanes: L) -> Box<L::Elem> {
    // SAFETY: all bytes zero is the element 0.
    let mut one = Box::new(unsafe { std::mem::zeroed() });
    let lanes = OutOfLine::of(lanes);
    let reduced = lanes.reduce(&lanes.lift(&lanes.one()));
    // SAFETY: the pointers of all lanes are to `one`, which is valid for writes.
    unsafe { lanes.store(&reduced, &[&raw mut *one; MAX_LANES]) };
    one
}

/// Products and sums of vectors that are reduced at every step. Each is a call, for code whose size and clarity matter
/// more than its speed.
#[derive(Clone, Copy)]
pub(crate) struct Reduced<L>(pub L);

impl<L: LaneField> Reduced<L> {
    pub fn mul(self, a: &L::Vec, b: &L::Vec) -> L::Vec {
        call(self.0, Operation::Mul(a, b))
    }

    pub fn square(self, a: &L::Vec) -> L::Vec {
        call(self.0, Operation::Square(a))
    }

    pub fn add(self, a: &L::Vec, b: &L::Vec) -> L::Vec {
        call(self.0, Operation::Add(a, b))
    }

    pub fn sub(self, a: &L::Vec, b: &L::Vec) -> L::Vec {
        call(self.0, Operation::Sub(a, b))
    }

    pub fn zero(self) -> L::Vec {
        let one = OutOfLine::of(self.0).one();
        self.sub(&one, &one)
    }

    /// Returns `v`, negated in the lanes of `mask`.
    pub fn signed(self, v: &L::Vec, mask: u32) -> L::Vec {
        call(self.0, Operation::Signed(v, mask))
    }
}

enum Operation<'a, V> {
    Mul(&'a V, &'a V),
    Square(&'a V),
    Add(&'a V, &'a V),
    Sub(&'a V, &'a V),
    Signed(&'a V, u32),
}

/// Runs one operation, out of line.
#[inline(never)]
fn call<L: LaneField>(lanes: L, operation: Operation<'_, L::Vec>) -> L::Vec {
    lanes.vectorize(Call { lanes, operation })
}

struct Call<'a, L: LaneField> {
    lanes: L,
    operation: Operation<'a, L::Vec>,
}

impl<L: LaneField> Task for Call<'_, L> {
    type Output = L::Vec;

    #[inline(always)]
    fn run(self) -> L::Vec {
        let l = self.lanes;
        let mut product = l.one();
        let sum = match self.operation {
            Operation::Mul(a, b) => {
                l.mul(a, L::as_factor(b), &mut product);
                l.lift(&product)
            }
            Operation::Square(a) => {
                l.square(a, &mut product);
                l.lift(&product)
            }
            Operation::Add(a, b) => l.add(&l.lift(a), &l.lift(b)),
            Operation::Sub(a, b) => l.sub(&l.lift(a), &l.lift(b)),
            Operation::Signed(v, mask) => l.negate(&l.lift(v), mask),
        };
        l.reduce(&sum)
    }
}

/// Returns the inverses of the last products of all chains, by one inversion, or `None` if a product has no inverse.
#[inline(always)]
fn invert_chains<L: LaneField>(lanes: L, last: &Chains<L::Vec>) -> Option<Chains<L::Vec>> {
    const SECOND: usize = CHAINS - 1;
    let mut total = last[0];
    if CHAINS > 1 {
        lanes.mul(&last[0], L::as_factor(&last[SECOND]), &mut total);
    }
    let inverse = lanes.invert(&lanes.reduce(&lanes.lift(&total)))?;
    let mut inverses = [inverse; CHAINS];
    if CHAINS > 1 {
        lanes.mul(&inverse, L::as_factor(&last[SECOND]), &mut inverses[0]);
        lanes.mul(&inverse, L::as_factor(&last[0]), &mut inverses[SECOND]);
    }
    Some(inverses)
}

/// The operands of one group of lanes, for adders that work group by group.
pub(super) struct GroupOperands<E> {
    /// The first coordinate of each point.
    pub left: [*const E; MAX_LANES],
    pub right: [*const E; MAX_LANES],
    pub destination: [*mut E; MAX_LANES],
    /// The lanes (as bits) whose left or right point is negated.
    pub negative: [u32; 2],
    /// The lanes (as bits) whose left or right point is an affine input.
    pub inputs: [u32; 2],
}

impl<E> GroupOperands<E> {
    /// Returns the operands of at most `LANES` additions. The lanes behind repeat the last addition and write to `spare`. An
    /// input stands on the right if the other summand is no input.
    pub fn new<I, B>(additions: &[Addition], lanes: usize, places: &Places<I, B>, spare: *mut E) -> Self {
        let mut group = GroupOperands {
            left: [std::ptr::null(); MAX_LANES],
            right: [std::ptr::null(); MAX_LANES],
            destination: [spare; MAX_LANES],
            negative: [0; 2],
            inputs: [0; 2],
        };
        for lane in 0..lanes {
            let addition = &additions[lane.min(additions.len() - 1)];
            let is_input = |point: Ref| point.place() == Place::Input;
            let swap = is_input(addition.left) && !is_input(addition.right);
            let (left, right) =
                if swap { (addition.right, addition.left) } else { (addition.left, addition.right) };
            group.left[lane] = places.address::<E>(left).cast_const();
            group.right[lane] = places.address::<E>(right).cast_const();
            if lane < additions.len() {
                group.destination[lane] = places.destination(addition.destination);
            }
            for (side, point) in [left, right].into_iter().enumerate() {
                group.negative[side] |= u32::from(point.is_negative()) << lane;
                group.inputs[side] |= u32::from(is_input(point)) << lane;
            }
        }
        group
    }
}
