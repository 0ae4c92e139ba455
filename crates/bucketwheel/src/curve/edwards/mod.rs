//! Extended twisted Edwards coordinates: `-x^2 + y^2 = 1 + d x^2 y^2`.
//!
//! A sum at rest is (Y - X, Y + X, 2 T, Z), where `x = X / Z`, `y = Y / Z` and `T Z = X Y`; a point is the same with
//! Z = 1, which is left out. So the formula takes either as it lies there, a negative point is one with the first two
//! exchanged, and infinity is the point (0, 1) like any other.
//!
//! The addition is the dedicated one of Hisil, Wong, Carter and Dawson, "Twisted Edwards Curves Revisited" (ASIACRYPT
//! 2008), section 3.2, which does not use d: 6 products for two points, 7 for a sum and a point, 8 for two sums. In the
//! subgroup of odd prime order it fails for equal summands only, and then its Z is 0, which each group of lanes looks for;
//! those lanes are doubled (section 3.3). docs/edwards.md compares it with the unified addition of EdMSM.

#[cfg(test)]
#[allow(unexpected_cfgs)] // Of arkworks' macro.
mod bls24_315;
mod convert;
mod map;

use bucketwheel_lanes::{each, LaneField, Task, MAX_LANES};

use super::adder::{one_at_rest, Adder, Arena, Coefficients, Group, Reduced};
use crate::schedule::{Addition, Ref};

pub use map::TwistedEdwards;

/// The map to the form in the words of the coordinates' field (`map.rs`).
#[derive(Clone, Copy, Debug)]
pub struct EdwardsForm<W> {
    pub root: W,
    pub s: W,
    pub r: W,
}

/// A point at rest: y - x, y + x, 2 x y.
pub type EdwardsPoint<E> = [E; 3];

/// A sum at rest: Y - X, Y + X, 2 T, Z.
pub type EdwardsSum<E> = [E; 4];

/// The same in lanes.
type Coordinates<L> = [<L as LaneField>::Vec; 4];

/// The positions of 2 T and Z.
const T: usize = 2;
const Z: usize = 3;

/// Additions ahead of which points are fetched.
const PREFETCH: usize = 16;

/// The twisted Edwards adder.
pub struct Edwards<L: LaneField> {
    lanes: L,
    /// The Z of points.
    one: Box<L::Elem>,
    spare: Box<EdwardsSum<L::Elem>>,
}

// SAFETY: plain data.
unsafe impl<L: LaneField> Send for Edwards<L> {}

impl<L: LaneField> Adder<L> for Edwards<L> {
    type Input = EdwardsPoint<L::Elem>;
    type Bucket = EdwardsSum<L::Elem>;

    const BATCH: usize = L::LANES;

    fn new(lanes: L, _: Coefficients<L::Words>, _: bool) -> Self {
        // SAFETY: all bytes zero is the element 0.
        let spare = Box::new(unsafe { std::mem::zeroed() });
        Edwards { lanes, one: one_at_rest(lanes), spare }
    }

    fn add(&mut self, additions: &[Addition], arena: &mut Arena<'_, Self::Input, Self::Bucket>) {
        let places = arena.places();
        for (index, group) in additions.chunks(L::LANES).enumerate() {
            let ahead = additions.iter().skip(index * L::LANES + PREFETCH).take(L::LANES);
            for point in ahead.flat_map(|addition| [addition.left, addition.right]) {
                let address = places.address::<L::Elem>(point).cast_const();
                (0..=T).for_each(|i| L::prefetch(address.wrapping_add(i)));
            }
            let group = Group::new(group, L::LANES, &places, self.spare.as_mut_ptr());
            self.lanes.vectorize(AddGroup { lanes: self.lanes, one: &*self.one, group });
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref, arena: &mut Arena<'_, Self::Input, Self::Bucket>) {
        let places = arena.places();
        let copy = Addition { destination, left: source, right: source };
        let group = Group::new(&[copy], L::LANES, &places, self.spare.as_mut_ptr());
        self.lanes.vectorize(CopyGroup { lanes: self.lanes, one: &*self.one, group });
    }

    fn met_infinity(&self) -> bool {
        // It is a point like any other.
        false
    }

    unsafe fn decode(
        lanes: L,
        curve: &Coefficients<L::Words>,
        buckets: &[*const Self::Bucket; MAX_LANES],
    ) -> [[L::Words; MAX_LANES]; 2] {
        let form = curve.edwards.expect("the adder was checked");
        lanes.vectorize(Decode { lanes, form, buckets: *buckets })
    }
}

/// The points of one side (0 left, 1 right) of a group.
struct Side<'a, L: LaneField> {
    lanes: L,
    points: &'a [*const L::Elem; MAX_LANES],
    negative: u32,
    inputs: u32,
    one: *const L::Elem,
}

impl<'a, L: LaneField> Side<'a, L> {
    #[inline(always)]
    fn new(lanes: L, group: &'a Group<L::Elem>, side: usize, one: *const L::Elem) -> Self {
        let points = if side == 0 { &group.left } else { &group.right };
        Side { lanes, points, negative: group.negative[side], inputs: group.inputs[side], one }
    }

    /// Whether Z is 1 in all lanes.
    #[inline(always)]
    fn is_affine(&self) -> bool {
        self.inputs == u32::MAX >> (32 - L::LANES)
    }

    /// Gathers Y - X (0) or Y + X (1): the other one where the point is negative.
    ///
    /// # Safety
    /// The addresses are valid, here and below.
    #[inline(always)]
    unsafe fn load(&self, coordinate: usize) -> L::Vec {
        let position = |lane: usize| coordinate ^ (self.negative >> lane & 1) as usize;
        self.lanes.load(&each!(|lane| self.points[lane].wrapping_add(position(lane))))
    }

    /// Gathers 2 T.
    #[inline(always)]
    unsafe fn load_t(&self) -> L::Sum {
        let t = self.lanes.load_sum(&each!(|lane| self.points[lane].wrapping_add(T)));
        match self.negative {
            0 => t,
            negative => self.lanes.negate(&t, negative),
        }
    }

    /// Gathers Z.
    #[inline(always)]
    unsafe fn load_z(&self) -> L::Vec {
        let address = |lane: usize| match self.inputs >> lane & 1 {
            0 => self.points[lane].wrapping_add(Z),
            _ => self.one,
        };
        self.lanes.load(&each!(|lane| address(lane)))
    }

    /// Gathers all of them.
    #[inline(always)]
    unsafe fn load_all(&self) -> Coordinates<L> {
        let t = self.lanes.reduce(&self.load_t());
        [self.load(0), self.load(1), t, self.load_z()]
    }
}

struct AddGroup<L: LaneField> {
    lanes: L,
    one: *const L::Elem,
    group: Group<L::Elem>,
}

impl<L: LaneField> Task for AddGroup<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let AddGroup { lanes, one, group } = self;
        let (left, right) = (Side::new(lanes, &group, 0, one), Side::new(lanes, &group, 1, one));
        // SAFETY: `Group::new` made the addresses; additions are independent.
        unsafe {
            let mut f = product(lanes, &left.load(0), L::as_factor(&right.load(1)));
            let mut g = product(lanes, &left.load(1), L::as_factor(&right.load(0)));
            let (t1, t2) = (left.load_t(), right.load_t());
            let mut h = match left.is_affine() {
                true => t2,
                false => product(lanes, &left.load_z(), &lanes.factor(&t2)),
            };
            let mut e = match right.is_affine() {
                true => t1,
                false => product(lanes, &right.load_z(), &lanes.factor(&t1)),
            };
            // B + A and B - A; D + C and D - C.
            lanes.sum_difference(&mut g, &mut f);
            lanes.sum_difference(&mut e, &mut h);
            let (e, f, g, h) = (lanes.reduce(&e), lanes.factor(&f), lanes.reduce(&g), lanes.factor(&h));
            let (mut x, mut y) = (product(lanes, &e, &f), product(lanes, &g, &h));
            let (t, z) = (product(lanes, &e, &h), product(lanes, &g, &f));
            lanes.sum_difference(&mut y, &mut x);
            let sum = [x, y, lanes.add(&t, &t), z];
            let mut sum: [L::Sum; 4] = each!(|i| lanes.reduce_sum(&sum[i]));
            let equal = lanes.zero_lanes(&lanes.vector(&sum[Z]));
            if equal != 0 {
                let doubled = double(lanes, &left.load_all());
                sum = each!(|i| lanes.lift(&lanes.select(equal, &lanes.vector(&sum[i]), &doubled[i])));
            }
            store(lanes, &group, &sum);
        }
    }
}

/// A product as a sum of one term.
#[inline(always)]
fn product<L: LaneField>(lanes: L, a: &L::Vec, b: &L::Factor) -> L::Sum {
    let mut out = *a;
    lanes.mul(a, b, &mut out);
    lanes.lift(&out)
}

/// Scatters sums.
///
/// # Safety
/// The destinations are valid and distinct but for the spare point; the sums are reduced.
#[inline(always)]
unsafe fn store<L: LaneField>(lanes: L, group: &Group<L::Elem>, sum: &[L::Sum; 4]) {
    for (i, coordinate) in sum.iter().enumerate() {
        lanes.store_sum(coordinate, &each!(|lane| group.destination[lane].wrapping_add(i)));
    }
}

/// The double of points, all coordinates times 2: with M = Y - X and P = Y + X,
/// `E = P^2 - M^2`, `H = -(P^2 + M^2)`, `G = 2 P M`, `F = G - 4 Z^2`. Reduced.
#[inline(always)]
fn double<L: LaneField>(lanes: L, [m, p, _, z]: &Coordinates<L>) -> Coordinates<L> {
    let r = Reduced(lanes);
    let twice = |v: &L::Vec| r.add(v, v);
    let (mm, pp) = (r.square(m), r.square(p));
    let (e, minus_h) = (r.sub(&pp, &mm), r.add(&pp, &mm));
    let g = twice(&r.mul(p, m));
    let f = r.sub(&g, &r.square(&twice(z)));
    let (x, minus_y) = (r.mul(&e, &f), r.mul(&g, &minus_h));
    let minus_t = twice(&r.mul(&e, &minus_h));
    let zero = r.zero();
    [r.sub(&zero, &r.add(&minus_y, &x)), r.sub(&x, &minus_y), r.sub(&zero, &minus_t), r.mul(&f, &g)]
}

/// Only the left point.
struct CopyGroup<L: LaneField> {
    lanes: L,
    one: *const L::Elem,
    group: Group<L::Elem>,
}

impl<L: LaneField> Task for CopyGroup<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let CopyGroup { lanes, one, group } = self;
        // SAFETY: `Group::new` made the addresses.
        unsafe {
            let point = Side::new(lanes, &group, 0, one).load_all();
            store(lanes, &group, &each!(|i| lanes.lift(&point[i])));
        }
    }
}

/// Gathers sums and takes them back to the Weierstrass curve; the neutral element is infinity, (0, 0).
struct Decode<L: LaneField> {
    lanes: L,
    form: EdwardsForm<L::Words>,
    buckets: [*const EdwardsSum<L::Elem>; MAX_LANES],
}

impl<L: LaneField> Task for Decode<L> {
    type Output = [[L::Words; MAX_LANES]; 2];

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Decode { lanes, form, buckets } = self;
        let r = Reduced(lanes);
        // SAFETY: the maker's pointers.
        let [difference, sum, _, z]: Coordinates<L> =
            each!(|i| unsafe { lanes.load(&each!(|lane| buckets[lane].cast::<L::Elem>().wrapping_add(i))) });
        // All times 2.
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
