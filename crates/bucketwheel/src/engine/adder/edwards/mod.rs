//! Extended twisted Edwards coordinates: `a x^2 + y^2 = 1 + d x^2 y^2`, where a is -1 or another small negative odd number.
//!
//! A sum at rest is (Y - X, Y + X, 2 T, Z), where `x = X / Z`, `y = Y / Z` and `T Z = X Y`. A point at rest is (y - x,
//! y + x, 2 x y, d x y), with Z = 1. The formulas take sums and points as they lie in memory. A negative point has its
//! first two coordinates exchanged. Infinity is the point (0, 1), like any other point.
//!
//! `law.rs` has the formulas, docs/edwards.md has their derivation and their exceptions.

mod convert;
mod law;

use std::marker::PhantomData;

use bucketwheel_lanes::{each, LaneField, OutOfLine, Task, MAX_LANES};

use super::{one_at_rest, Adder, GroupOperands, Places, Reduced};
use crate::control::Control;
use crate::engine::coefficients::{Coefficients, EdwardsForm};
use crate::engine::infinities::Infinities;
use crate::memory::{Room, Slots};
use crate::schedule::{Addition, Ref};
use crate::Error;

pub use law::{Dedicated, Law, Unified};

/// A point at rest: y - x, y + x, 2 x y, d x y.
pub type EdwardsPoint<E> = [E; 4];

/// A sum at rest: Y - X, Y + X, 2 T, Z.
pub type EdwardsSum<E> = [E; 4];

/// The coordinates of points or sums in lanes.
type LaneCoordinates<L> = [<L as LaneField>::Vec; 4];

/// The positions of 2 T, and of Z in a sum or d x y in a point.
const T: usize = 2;
const Z: usize = 3;
const D: usize = 3;

/// Additions between the fetch of a point and its use.
const PREFETCH: usize = 16;

/// The twisted Edwards adder with the law `W`.
pub struct Edwards<L: LaneField, W> {
    lanes: L,
    /// Z of points: 1.
    one: Box<L::Elem>,
    constants: Constants<L>,
    spare: Box<EdwardsSum<L::Elem>>,
    law: PhantomData<W>,
}

// SAFETY: all fields are plain data, which any thread may use.
unsafe impl<L: LaneField, W> Send for Edwards<L, W> {}

/// Constants of the curve in the laws.
#[derive(Clone, Copy)]
pub struct Constants<L: LaneField> {
    /// d / 2
    half_d: L::Vec,
    /// n, where a is -(1 + 2 n).
    excess: u32,
}

impl<L: LaneField, W: Law> Adder<L> for Edwards<L, W> {
    type Input = EdwardsPoint<L::Elem>;
    type Bucket = EdwardsSum<L::Elem>;

    const BATCH: usize = L::LANES;
    const STARTS_WITH_X: bool = false;

    fn new(lanes: L, curve: Coefficients<L::Words>, _: Infinities) -> Self {
        let form = curve.edwards.expect("the adder was checked");
        let constants = Constants { half_d: OutOfLine::of(lanes).splat(form.half_d), excess: form.excess };
        // SAFETY: all bytes zero is the element 0.
        let spare = Box::new(unsafe { std::mem::zeroed() });
        Edwards { lanes, one: one_at_rest(lanes), constants, spare, law: PhantomData }
    }

    fn add(&mut self, additions: &[Addition], places: &Places<Self::Input, Self::Bucket>) {
        for (index, group) in additions.chunks(L::LANES).enumerate() {
            let ahead = additions.iter().skip(index * L::LANES + PREFETCH).take(L::LANES);
            for point in ahead.flat_map(|addition| [addition.left, addition.right]) {
                let address = places.address::<L::Elem>(point).cast_const();
                W::COORDINATES.into_iter().for_each(|i| L::prefetch(address.wrapping_add(i).cast()));
            }
            let group = GroupOperands::new(group, L::LANES, places, self.spare.as_mut_ptr());
            let (lanes, one, constants) = (self.lanes, &raw const *self.one, &self.constants);
            self.lanes.vectorize(AddGroup { lanes, one, constants, group, law: self.law });
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref, places: &Places<Self::Input, Self::Bucket>) {
        let copy = Addition { destination, left: source, right: source };
        let group = GroupOperands::new(&[copy], L::LANES, places, self.spare.as_mut_ptr());
        self.lanes.vectorize(CopyGroup { lanes: self.lanes, one: &*self.one, group });
    }

    unsafe fn inputs(
        lanes: L,
        curve: &Coefficients<L::Words>,
        points: Slots,
        room: &mut Room,
        control: &Control<'_>,
    ) -> Result<Slots, Error> {
        let form = curve.edwards.as_ref().expect("the adder was checked");
        // SAFETY: the caller vouches that the slots hold points at rest, which have been written.
        let points = unsafe { std::slice::from_raw_parts(points.start.cast(), points.len) };
        convert::convert(lanes, form, points, room, control)
    }

    fn met_infinity(&self) -> bool {
        // Infinity is a point like any other.
        false
    }

    unsafe fn decode(
        lanes: L,
        curve: &Coefficients<L::Words>,
        buckets: &[*const Self::Bucket; MAX_LANES],
    ) -> [[L::Words; MAX_LANES]; 2] {
        let form = curve.edwards.expect("the adder was checked");
        Decode { lanes: OutOfLine::of(lanes), form, buckets: *buckets }.run()
    }
}

/// The points of one side (0 left, 1 right) of a group.
pub struct SidePoints<'a, L: LaneField> {
    lanes: L,
    points: &'a [*const L::Elem; MAX_LANES],
    negative: u32,
    inputs: u32,
    one: *const L::Elem,
}

impl<'a, L: LaneField> SidePoints<'a, L> {
    #[inline(always)]
    fn new(lanes: L, group: &'a GroupOperands<L::Elem>, side: usize, one: *const L::Elem) -> Self {
        let points = if side == 0 { &group.left } else { &group.right };
        SidePoints { lanes, points, negative: group.negative[side], inputs: group.inputs[side], one }
    }

    /// Returns true if Z is 1 in all lanes.
    #[inline(always)]
    fn is_affine(&self) -> bool {
        self.inputs == u32::MAX >> (32 - L::LANES)
    }

    /// Gathers Y - X (0) or Y + X (1), or the other of the two in lanes whose point is negative.
    ///
    /// # Safety
    /// - The addresses are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load(&self, coordinate: usize) -> L::Vec {
        let position = |lane: usize| coordinate ^ (self.negative >> lane & 1) as usize;
        // SAFETY: the caller vouches for the addresses of this side.
        unsafe { self.lanes.load(&each!(|lane| self.points[lane].wrapping_add(position(lane)))) }
    }

    /// Gathers 2 X, which is 2 x times Z.
    ///
    /// # Safety
    /// - The addresses of this side are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load_twice_x(&self) -> L::Factor {
        let position = |lane: usize| (self.negative >> lane & 1) as usize;
        let sum = each!(|lane| self.points[lane].wrapping_add(1 ^ position(lane)));
        let difference = each!(|lane| self.points[lane].wrapping_add(position(lane)));
        // SAFETY: the caller vouches for the addresses of this side.
        unsafe { self.lanes.load_difference(&sum, &difference) }
    }

    /// Gathers a coordinate, negated in lanes whose point is negative: 2 T, or d x y of points.
    ///
    /// # Safety
    /// - The addresses of this side are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load_odd(&self, coordinate: usize) -> L::Sum {
        // SAFETY: the caller vouches for the addresses of this side.
        let t = unsafe { self.lanes.load_sum(&each!(|lane| self.points[lane].wrapping_add(coordinate))) };
        match self.negative {
            0 => t,
            negative => self.lanes.negate(&t, negative),
        }
    }

    /// Gathers 2 T.
    ///
    /// # Safety
    /// - The addresses of this side are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load_t(&self) -> L::Vec {
        // SAFETY: the caller vouches for the addresses of this side.
        let t = unsafe { self.load_odd(T) };
        match self.negative {
            0 => self.lanes.vector(&t),
            _ => self.lanes.reduce(&t),
        }
    }

    /// Gathers Z.
    ///
    /// # Safety
    /// - The addresses of this side and `one` are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load_z(&self) -> L::Vec {
        let address = |lane: usize| match self.inputs >> lane & 1 {
            0 => self.points[lane].wrapping_add(Z),
            _ => self.one,
        };
        // SAFETY: the caller vouches for the addresses of this side, and for `one`.
        unsafe { self.lanes.load(&each!(|lane| address(lane))) }
    }

    /// Gathers all coordinates.
    ///
    /// # Safety
    /// - The addresses of this side and `one` are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load_all(&self) -> LaneCoordinates<L> {
        // SAFETY: the caller vouches for the addresses of this side, and for `one`.
        unsafe { [self.load(0), self.load(1), self.load_t(), self.load_z()] }
    }
}

struct AddGroup<'a, L: LaneField, W> {
    lanes: L,
    one: *const L::Elem,
    constants: &'a Constants<L>,
    group: GroupOperands<L::Elem>,
    law: PhantomData<W>,
}

impl<L: LaneField, W: Law> Task for AddGroup<'_, L, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let AddGroup { lanes, one, constants, group, .. } = self;
        let (left, right) = (SidePoints::new(lanes, &group, 0, one), SidePoints::new(lanes, &group, 1, one));
        // SAFETY: `GroupOperands::new` made the addresses from places that live as long as this call. Additions are independent, so the
        // destinations are distinct.
        unsafe { store(lanes, &group, &W::add(&left, &right, constants)) }
    }
}

/// Returns a product as a sum of one term.
#[inline(always)]
fn product<L: LaneField>(lanes: L, a: &L::Vec, b: &L::Factor) -> L::Sum {
    let mut out = *a;
    lanes.mul(a, b, &mut out);
    lanes.lift(&out)
}

/// Scatters sums.
///
/// # Safety
/// - The destinations are valid for writes, aligned, and distinct except for the spare point.
#[inline(always)]
unsafe fn store<L: LaneField>(lanes: L, group: &GroupOperands<L::Elem>, sum: &[L::Sum; 4]) {
    for (i, coordinate) in sum.iter().enumerate() {
        // SAFETY: the caller vouches for the destinations, of four coordinates each.
        unsafe { lanes.store_sum(coordinate, &each!(|lane| group.destination[lane].wrapping_add(i))) };
    }
}

/// Copies the left points of a group.
struct CopyGroup<L: LaneField> {
    lanes: L,
    one: *const L::Elem,
    group: GroupOperands<L::Elem>,
}

impl<L: LaneField> Task for CopyGroup<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let CopyGroup { lanes, one, group } = self;
        // SAFETY: `GroupOperands::new` made the addresses from places that live as long as this call.
        unsafe {
            let point = SidePoints::new(lanes, &group, 0, one).load_all();
            store(lanes, &group, &each!(|i| lanes.lift(&point[i])));
        }
    }
}

/// Gathers sums and takes them back to the Weierstrass curve; the neutral element is infinity, (0, 0).
struct Decode<L: LaneField> {
    lanes: OutOfLine<L>,
    form: EdwardsForm<L::Words>,
    buckets: [*const EdwardsSum<L::Elem>; MAX_LANES],
}

impl<L: LaneField> Decode<L> {
    fn run(self) -> [[L::Words; MAX_LANES]; 2] {
        let Decode { lanes, form, buckets } = self;
        let r = Reduced(lanes);
        let coordinate = |i: usize| each!(|lane| buckets[lane].cast::<L::Elem>().wrapping_add(i));
        // SAFETY: the caller of `decode` vouches for the buckets, of four coordinates each.
        let [difference, sum, _, z]: LaneCoordinates<L> = unsafe { each!(|i| lanes.load(&coordinate(i))) };
        // All three coordinates are doubled.
        let (x, y, z) = (r.sub(&sum, &difference), r.add(&sum, &difference), r.add(&z, &z));
        let (root, s, factor) = (lanes.splat(form.root), lanes.splat(form.s), lanes.splat(form.r));
        // u = (Z + Y) / (Z - Y); the point is (s u + root, s r u Z / X).
        let (numerator, denominator) = (r.mul(&s, &r.add(&z, &y)), r.sub(&z, &y));
        let product = r.mul(&denominator, &x);
        let infinite = lanes.zero_lanes(&product);
        let inverse = lanes.invert(&lanes.select(infinite, &product, &lanes.one())).expect("no lane is zero");
        let inverse = r.mul(&numerator, &inverse);
        let affine = [r.add(&r.mul(&inverse, &x), &root), r.mul(&r.mul(&inverse, &z), &factor)];
        let zero = r.zero();
        each!(|i| lanes.decode(&lanes.select(infinite, &affine[i], &zero)))
    }
}
