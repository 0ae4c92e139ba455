//! Complete projective formulas (X : Y : Z), `x = X / Z`, `y = Y / Z`, for curves with a = 0.
//!
//! One formula for all points of the prime-order subgroup, equal, opposite or infinite: Renes, Costello and
//! Batina, "Complete addition formulas for prime order elliptic curves", Algorithms 7 (12 products, 2 by 3b) and
//! 8 (affine summand: 11 and 2). Outside of the subgroup it fails where P - Q has order 2.

use bucketwheel_lanes::{each, LaneField, OutOfLine, Task, MAX_LANES};

use super::{Adder, Coefficients, Group, Places, Point, Reduced};
use crate::schedule::{Addition, Ref};

/// A sum: X, Y, Z.
pub type ProjectivePoint<E> = [E; 3];

/// The complete projective adder.
pub struct CompleteProjective<L: LaneField> {
    lanes: L,
    three_b: L::Words,
    infinity: bool,
    spare: Box<ProjectivePoint<L::Elem>>,
}

// SAFETY: plain data.
unsafe impl<L: LaneField> Send for CompleteProjective<L> {}

impl<L: LaneField> Adder<L> for CompleteProjective<L> {
    type Input = Point<L::Elem>;
    type Bucket = ProjectivePoint<L::Elem>;

    const BATCH: usize = L::LANES;

    fn new(lanes: L, curve: Coefficients<L::Words>, infinity: bool) -> Self {
        assert!(curve.a.is_none(), "the formulas are for a = 0");
        // SAFETY: all bytes zero is the element 0.
        let spare = Box::new(unsafe { std::mem::zeroed() });
        CompleteProjective { lanes, three_b: curve.three_b, infinity, spare }
    }

    fn add(&mut self, additions: &[Addition], places: &Places<Self::Input, Self::Bucket>) {
        let (lanes, three_b, infinity) = (self.lanes, self.three_b, self.infinity);
        for additions in additions.chunks(L::LANES) {
            let group = Group::new(additions, L::LANES, places, self.spare.as_mut_ptr());
            lanes.vectorize(AddGroup { lanes, three_b, infinity, copy: false, group });
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref, places: &Places<Self::Input, Self::Bucket>) {
        let copy = Addition { destination, left: source, right: source };
        let group = Group::new(&[copy], L::LANES, places, self.spare.as_mut_ptr());
        let (lanes, three_b) = (self.lanes, self.three_b);
        lanes.vectorize(AddGroup { lanes, three_b, infinity: true, copy: true, group });
    }

    fn met_infinity(&self) -> bool {
        // The formula does not care; only affine infinities are special, and those the maker knows of.
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

type Coordinates<L> = [<L as LaneField>::Vec; 3];

struct AddGroup<L: LaneField> {
    lanes: L,
    three_b: L::Words,
    /// True if inputs may be infinity.
    infinity: bool,
    /// Only the left point.
    copy: bool,
    group: Group<L::Elem>,
}

impl<L: LaneField> AddGroup<L> {
    /// Gathers the points of one side, 0 left, 1 right.
    ///
    /// # Safety
    /// The group's addresses are valid.
    #[inline(always)]
    unsafe fn load(&self, side: usize) -> Coordinates<L> {
        let (lanes, r) = (self.lanes, Reduced(self.lanes));
        let points = if side == 0 { &self.group.left } else { &self.group.right };
        let inputs = self.group.inputs[side];
        let x = lanes.load(points);
        let y = lanes.load(&each!(|lane| points[lane].wrapping_add(1)));
        // An input ends behind y: its third coordinate is not there to be read.
        let offset = |lane: usize| if inputs >> lane & 1 == 0 { 2 } else { 0 };
        let z = lanes.load(&each!(|lane| points[lane].wrapping_add(offset(lane))));
        let one = r.add(&lanes.one(), &r.zero());
        let mut point = [x, r.signed(&y, self.group.negative[side]), lanes.select(inputs, &z, &one)];
        if self.infinity {
            let infinite = inputs & lanes.zero_lanes(&x) & lanes.zero_lanes(&y);
            point[1] = lanes.select(infinite, &point[1], &one);
            point[2] = lanes.select(infinite, &point[2], &r.zero());
        }
        point
    }

    #[inline(always)]
    fn sum(&self, [x1, y1, z1]: &Coordinates<L>, [x2, y2, z2]: &Coordinates<L>) -> Coordinates<L> {
        let r = Reduced(self.lanes);
        let three_b = self.lanes.splat(self.three_b);
        let all = u32::MAX >> (32 - L::LANES);
        // Affine infinities are not affine any more.
        let [left_affine, mixed] = self.group.inputs.map(|inputs| inputs == all && !self.infinity);
        let (xx, yy) = (r.mul(x1, x2), r.mul(y1, y2));
        let xy = r.sub(&r.mul(&r.add(x1, y1), &r.add(x2, y2)), &r.add(&xx, &yy));
        let (zz, yz, xz) = if left_affine && mixed {
            (*z1, r.add(y2, y1), r.add(x2, x1))
        } else if mixed {
            (*z1, r.add(&r.mul(y2, z1), y1), r.add(&r.mul(x2, z1), x1))
        } else {
            let zz = r.mul(z1, z2);
            let yz = r.sub(&r.mul(&r.add(y1, z1), &r.add(y2, z2)), &r.add(&yy, &zz));
            let xz = r.sub(&r.mul(&r.add(x1, z1), &r.add(x2, z2)), &r.add(&xx, &zz));
            (zz, yz, xz)
        };
        let three_xx = r.add(&r.add(&xx, &xx), &xx);
        let (bzz, bxz) = (r.mul(&zz, &three_b), r.mul(&xz, &three_b));
        let (sum, difference) = (r.add(&yy, &bzz), r.sub(&yy, &bzz));
        [
            r.sub(&r.mul(&xy, &difference), &r.mul(&yz, &bxz)),
            r.add(&r.mul(&difference, &sum), &r.mul(&bxz, &three_xx)),
            r.add(&r.mul(&sum, &yz), &r.mul(&three_xx, &xy)),
        ]
    }
}

impl<L: LaneField> Task for AddGroup<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // SAFETY: `Group::new` made the addresses; additions are independent.
        unsafe {
            let left = self.load(0);
            let sum = if self.copy { left } else { self.sum(&left, &self.load(1)) };
            for (i, coordinate) in sum.iter().enumerate() {
                self.lanes.store(coordinate, &each!(|lane| self.group.destination[lane].wrapping_add(i)));
            }
        }
    }
}

struct Decode<L: LaneField> {
    lanes: OutOfLine<L>,
    buckets: [*const ProjectivePoint<L::Elem>; MAX_LANES],
}

impl<L: LaneField> Decode<L> {
    fn run(self) -> [[L::Words; MAX_LANES]; 2] {
        let Decode { lanes, buckets } = self;
        let r = Reduced(lanes);
        // SAFETY: the maker's pointers.
        let [x, y, z]: Coordinates<L> =
            each!(|i| unsafe { lanes.load(&each!(|lane| buckets[lane].cast::<L::Elem>().wrapping_add(i))) });
        let infinite = lanes.zero_lanes(&z);
        let inverse = lanes.invert(&lanes.select(infinite, &z, &lanes.one())).expect("no lane is zero");
        let zero = r.zero();
        let affine = |v: &L::Vec| lanes.decode(&lanes.select(infinite, &r.mul(v, &inverse), &zero));
        [affine(&x), affine(&y)]
    }
}
