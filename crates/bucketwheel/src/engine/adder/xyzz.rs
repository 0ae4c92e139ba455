//! Extended Jacobian coordinates (X, Y, ZZ, ZZZ): `x = X / ZZ`, `y = Y / ZZZ`, `ZZ^3 = ZZZ^2`.
//!
//! No inversion: 4 products and 2 squares for two affine points, 8 and 2 for an affine point and a sum, 12 and 2 for
//! two sums. Formulas `mmadd-2008-s`, `madd-2008-s`, `add-2008-s` and `dbl-2008-s-1` of the Explicit-Formulas Database.
//! Infinity has ZZ = 0. Exceptions are put right in every lane.

use bucketwheel_lanes::{each, LaneField, OutOfLine, Task, MAX_LANES};

use super::{one_at_rest, Adder, GroupOperands, Places, Reduced};
use crate::engine::at_rest::Point;
use crate::engine::coefficients::Coefficients;
use crate::engine::infinities::Infinities;
use crate::schedule::{Addition, Ref};

/// A sum: X, Y, ZZ, ZZZ.
pub type XyzzPoint<E> = [E; 4];

/// The extended Jacobian adder.
pub struct Xyzz<L: LaneField> {
    lanes: L,
    curve: Coefficients<L::Words>,
    infinity: bool,
    /// 1, the ZZ and ZZZ of affine points.
    one: Box<L::Elem>,
    spare: Box<XyzzPoint<L::Elem>>,
}

// SAFETY: all fields are plain data, which any thread may use.
unsafe impl<L: LaneField> Send for Xyzz<L> {}

impl<L: LaneField> Adder<L> for Xyzz<L> {
    type Input = Point<L::Elem>;
    type Bucket = XyzzPoint<L::Elem>;

    const BATCH: usize = L::LANES;

    fn new(lanes: L, curve: Coefficients<L::Words>, infinities: Infinities) -> Self {
        // SAFETY: all bytes zero is the element 0.
        let spare = Box::new(unsafe { std::mem::zeroed() });
        Xyzz { lanes, curve, infinity: infinities.are_possible(), one: one_at_rest(lanes), spare }
    }

    fn add(&mut self, additions: &[Addition], places: &Places<Self::Input, Self::Bucket>) {
        for additions in additions.chunks(L::LANES) {
            let group = GroupOperands::new(additions, L::LANES, places, self.spare.as_mut_ptr());
            let one: *const L::Elem = &*self.one;
            let (lanes, curve, infinity) = (self.lanes, self.curve, self.infinity);
            self.infinity |= lanes.vectorize(AddGroup { lanes, curve, infinity, one, group });
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref, places: &Places<Self::Input, Self::Bucket>) {
        // The source is added to itself, but only one summand counts.
        let copy = Addition { destination, left: source, right: source };
        let group = GroupOperands::new(&[copy], L::LANES, places, self.spare.as_mut_ptr());
        self.lanes.vectorize(CopyGroup { lanes: self.lanes, one: &*self.one, group });
    }

    fn met_infinity(&self) -> bool {
        self.infinity
    }

    unsafe fn decode(
        lanes: L,
        _: &Coefficients<L::Words>,
        buckets: &[*const Self::Bucket; MAX_LANES],
    ) -> [[L::Words; MAX_LANES]; 2] {
        Decode { lanes: OutOfLine::of(lanes), buckets: *buckets }.run()
    }
}

/// Coordinates in lanes.
type LaneCoordinates<L> = [<L as LaneField>::Vec; 4];

/// Gathers the points of one side (0 left, 1 right) of a group.
///
/// # Safety
/// - The group's addresses and `one` are valid for reads, and aligned.
#[inline(always)]
unsafe fn load<L: LaneField>(
    lanes: L,
    group: &GroupOperands<L::Elem>,
    side: usize,
    one: *const L::Elem,
) -> LaneCoordinates<L> {
    let points = if side == 0 { &group.left } else { &group.right };
    let inputs = group.inputs[side];
    let z = |coordinate: usize| {
        let address = |lane: usize| match inputs >> lane & 1 {
            0 => points[lane].wrapping_add(coordinate),
            _ => one,
        };
        std::array::from_fn(address)
    };
    // SAFETY: the caller vouches for the addresses, of four coordinates where they are no inputs, and for `one`.
    let [x, y, zz, zzz] = unsafe {
        [
            lanes.load(points),
            lanes.load(&each!(|lane| points[lane].wrapping_add(1))),
            lanes.load(&z(2)),
            lanes.load(&z(3)),
        ]
    };
    [x, Reduced(lanes).signed(&y, group.negative[side]), zz, zzz]
}

/// Scatters sums.
///
/// # Safety
/// - The destinations are valid for writes, aligned, and distinct except for the spare point.
#[inline(always)]
unsafe fn store<L: LaneField>(lanes: L, group: &GroupOperands<L::Elem>, sum: &LaneCoordinates<L>) {
    for (i, coordinate) in sum.iter().enumerate() {
        // SAFETY: the caller vouches for the destinations, of four coordinates each.
        unsafe { lanes.store(coordinate, &each!(|lane| group.destination[lane].wrapping_add(i))) };
    }
}

/// Returns `b` in the lanes of `mask`.
#[inline(always)]
fn select<L: LaneField>(
    lanes: L,
    mask: u32,
    a: &LaneCoordinates<L>,
    b: &LaneCoordinates<L>,
) -> LaneCoordinates<L> {
    each!(|i| lanes.select(mask, &a[i], &b[i]))
}

struct CopyGroup<L: LaneField> {
    lanes: L,
    one: *const L::Elem,
    group: GroupOperands<L::Elem>,
}

impl<L: LaneField> Task for CopyGroup<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // SAFETY: `GroupOperands::new` made the addresses from places that live as long as this call.
        unsafe {
            let mut point = load(self.lanes, &self.group, 0, self.one);
            // An affine point at infinity has x = y = 0.
            let infinite = self.lanes.zero_lanes(&point[0]) & self.lanes.zero_lanes(&point[1]);
            point = select(self.lanes, infinite, &point, &[Reduced(self.lanes).zero(); 4]);
            store(self.lanes, &self.group, &point);
        }
    }
}

struct AddGroup<L: LaneField> {
    lanes: L,
    curve: Coefficients<L::Words>,
    infinity: bool,
    one: *const L::Elem,
    group: GroupOperands<L::Elem>,
}

impl<L: LaneField> Task for AddGroup<L> {
    /// True if a sum was infinity.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let AddGroup { lanes, curve, infinity, one, group } = self;
        let r = Reduced(lanes);
        // SAFETY: `GroupOperands::new` made the addresses from places that live as long as this call.
        let (left, right) = unsafe { (load(lanes, &group, 0, one), load(lanes, &group, 1, one)) };
        let ([x1, y1, zz1, zzz1], [x2, y2, zz2, zzz2]) = (&left, &right);
        let [left_affine, mixed] = group.inputs.map(|inputs| inputs == u32::MAX >> (32 - L::LANES));
        let affine = left_affine && mixed;
        let (u2, s2) = if affine { (*x2, *y2) } else { (r.mul(x2, zz1), r.mul(y2, zzz1)) };
        let (u1, s1) = if mixed { (*x1, *y1) } else { (r.mul(x1, zz2), r.mul(y1, zzz2)) };
        let (p, slope) = (r.sub(&u2, &u1), r.sub(&s2, &s1));
        let pp = r.square(&p);
        let ppp = r.mul(&pp, &p);
        let q = r.mul(&u1, &pp);
        let x3 = r.sub(&r.sub(&r.square(&slope), &ppp), &r.add(&q, &q));
        let y3 = r.sub(&r.mul(&slope, &r.sub(&q, &x3)), &r.mul(&s1, &ppp));
        let (zz3, zzz3) = if affine {
            (pp, ppp)
        } else {
            let (zz, zzz) = if mixed { (*zz1, *zzz1) } else { (r.mul(zz1, zz2), r.mul(zzz1, zzz2)) };
            (r.mul(&zz, &pp), r.mul(&zzz, &ppp))
        };
        let mut sum = [x3, y3, zz3, zzz3];

        // All exceptions have P = 0 or an infinite summand.
        let mut equal_x = lanes.zero_lanes(&p);
        let mut met_infinity = false;
        if equal_x != 0 || infinity {
            let infinite = |point: &LaneCoordinates<L>| {
                let affine = lanes.zero_lanes(&point[0]) & lanes.zero_lanes(&point[1]);
                lanes.zero_lanes(&point[2]) | affine
            };
            let (left_infinite, right_infinite) = (infinite(&left), infinite(&right));
            equal_x &= !(left_infinite | right_infinite);
            let doubles = equal_x & lanes.zero_lanes(&slope);
            let mut doubled = double(lanes, curve.a, &left);
            // The double of a point of order 2 is infinity.
            let vanished = lanes.zero_lanes(&doubled[2]) & doubles;
            let zero = [r.zero(); 4];
            doubled = select(lanes, vanished, &doubled, &zero);
            sum = select(lanes, equal_x & !doubles, &sum, &zero);
            sum = select(lanes, doubles, &sum, &doubled);
            sum = select(lanes, left_infinite, &sum, &right);
            sum = select(lanes, right_infinite, &sum, &left);
            // An affine point at infinity has ZZ = 1.
            sum = select(lanes, left_infinite & right_infinite, &sum, &zero);
            met_infinity = (equal_x & !doubles) | vanished != 0;
        }
        // SAFETY: `GroupOperands::new` made the addresses from places that live as long as this call. Additions are independent, so the
        // destinations are distinct.
        unsafe { store(lanes, &group, &sum) };
        met_infinity
    }
}

/// Returns the double of finite points.
#[inline(always)]
fn double<L: LaneField>(
    lanes: L,
    a: Option<L::Words>,
    [x, y, zz, zzz]: &LaneCoordinates<L>,
) -> LaneCoordinates<L> {
    let r = Reduced(lanes);
    let u = r.add(y, y);
    let v = r.square(&u);
    let w = r.mul(&u, &v);
    let s = r.mul(x, &v);
    let square = r.square(x);
    let mut m = r.add(&r.add(&square, &square), &square);
    if let Some(a) = a {
        let a = lanes.splat(a);
        m = r.add(&m, &r.mul(&r.square(zz), &a));
    }
    let x3 = r.sub(&r.square(&m), &r.add(&s, &s));
    let y3 = r.sub(&r.mul(&m, &r.sub(&s, &x3)), &r.mul(&w, y));
    [x3, y3, r.mul(&v, zz), r.mul(&w, zzz)]
}

struct Decode<L: LaneField> {
    lanes: OutOfLine<L>,
    buckets: [*const XyzzPoint<L::Elem>; MAX_LANES],
}

impl<L: LaneField> Decode<L> {
    fn run(self) -> [[L::Words; MAX_LANES]; 2] {
        let Decode { lanes, buckets } = self;
        let r = Reduced(lanes);
        let coordinate = |i: usize| each!(|lane| buckets[lane].cast::<L::Elem>().wrapping_add(i));
        // SAFETY: the caller of `decode` vouches for the buckets, of four coordinates each.
        let [x, y, zz, zzz]: LaneCoordinates<L> = unsafe { each!(|i| lanes.load(&coordinate(i))) };
        let infinite = lanes.zero_lanes(&zz);
        let finite = lanes.select(infinite, &zzz, &lanes.one());
        let inverse = lanes.invert(&finite).expect("no lane is zero");
        // 1 / ZZ = ZZ^2 / ZZZ^2.
        let inverse_zz = r.square(&r.mul(&zz, &inverse));
        let zero = r.zero();
        let affine =
            |v: &L::Vec, inverse: &L::Vec| lanes.decode(&lanes.select(infinite, &r.mul(v, inverse), &zero));
        [affine(&x, &inverse_zz), affine(&y, &inverse)]
    }
}
