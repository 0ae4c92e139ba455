//! Projective coordinates (X : Y : Z), `x = X / Z`, `y = Y / Z`, for curves with a = 0, as SimdMSM adds (Table 1).
//!
//! Additions take 5 products and 2 squares for two affine points (PADD*, `mmadd-1998-cmo` of the Explicit-Formulas
//! Database), 9 and 2 for a sum and an affine point (PADD+, `madd-1998-cmo`), and 12 products for two sums (PADD#).
//! PADD# also takes 2 products by 3b, which are a few additions if 3b is small. PADD# is one formula for all points of
//! the prime-order subgroup, equal, opposite or infinite: Renes, Costello and Batina, "Complete addition formulas for
//! prime order elliptic curves", Algorithm 7. Outside of the subgroup, it fails if P - Q has order 2. PADD* and PADD+
//! divide by the difference of the x coordinates. If it is 0 in any lane, PADD# adds all lanes.

use bucketwheel_lanes::{each, LaneField, OutOfLine, Task, MAX_LANES};

use super::{Adder, GroupOperands, Places, Reduced};
use crate::engine::at_rest::Point;
use crate::engine::coefficients::Coefficients;
use crate::engine::infinities::Infinities;
use crate::schedule::{Addition, Ref};

/// A sum: X, Y, Z.
pub type ProjectivePoint<E> = [E; 3];

/// The projective adder.
pub struct CompleteProjective<L: LaneField> {
    lanes: L,
    three_b: Factor<L::Words>,
    infinity: bool,
    spare: Box<ProjectivePoint<L::Elem>>,
}

/// Factor 3b.
#[derive(Clone, Copy)]
enum Factor<W> {
    /// A small factor: the product takes additions.
    Small(u32),
    Large(W),
}

// SAFETY: all fields are plain data, which any thread may use.
unsafe impl<L: LaneField> Send for CompleteProjective<L> {}

impl<L: LaneField> Adder<L> for CompleteProjective<L> {
    type Input = Point<L::Elem>;
    type Bucket = ProjectivePoint<L::Elem>;

    const BATCH: usize = L::LANES;

    fn new(lanes: L, curve: Coefficients<L::Words>, infinities: Infinities) -> Self {
        assert!(curve.a.is_none(), "the formulas are for a = 0");
        // SAFETY: all bytes zero is the element 0.
        let spare = Box::new(unsafe { std::mem::zeroed() });
        let three_b = curve.small_three_b.map_or(Factor::Large(curve.three_b), Factor::Small);
        CompleteProjective { lanes, three_b, infinity: infinities.are_possible(), spare }
    }

    fn add(&mut self, additions: &[Addition], places: &Places<Self::Input, Self::Bucket>) {
        let (lanes, three_b, infinity) = (self.lanes, self.three_b, self.infinity);
        for additions in additions.chunks(L::LANES) {
            let group = GroupOperands::new(additions, L::LANES, places, self.spare.as_mut_ptr());
            lanes.vectorize(AddGroup { lanes, three_b, infinity, copy: false, group });
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref, places: &Places<Self::Input, Self::Bucket>) {
        let copy = Addition { destination, left: source, right: source };
        let group = GroupOperands::new(&[copy], L::LANES, places, self.spare.as_mut_ptr());
        let (lanes, three_b) = (self.lanes, self.three_b);
        lanes.vectorize(AddGroup { lanes, three_b, infinity: true, copy: true, group });
    }

    fn met_infinity(&self) -> bool {
        // The formula is complete. Only affine points at infinity are special, and the adder was told whether there are any.
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

type LaneCoordinates<L> = [<L as LaneField>::Vec; 3];

struct AddGroup<L: LaneField> {
    lanes: L,
    three_b: Factor<L::Words>,
    /// True if inputs may be infinity.
    infinity: bool,
    /// True to copy the left point instead of adding.
    copy: bool,
    group: GroupOperands<L::Elem>,
}

impl<L: LaneField> AddGroup<L> {
    /// Gathers the points of one side, 0 left, 1 right.
    ///
    /// # Safety
    /// - The group's addresses are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load(&self, side: usize) -> LaneCoordinates<L> {
        let (lanes, r) = (self.lanes, Reduced(self.lanes));
        let points = if side == 0 { &self.group.left } else { &self.group.right };
        let inputs = self.group.inputs[side];
        // An input ends behind y: there is no third coordinate to be read.
        let offset = |lane: usize| if inputs >> lane & 1 == 0 { 2 } else { 0 };
        // SAFETY: the caller vouches for the addresses, of two coordinates in lanes with inputs and of three in other lanes.
        let [x, y, z] = unsafe {
            [
                lanes.load(points),
                lanes.load(&each!(|lane| points[lane].wrapping_add(1))),
                lanes.load(&each!(|lane| points[lane].wrapping_add(offset(lane)))),
            ]
        };
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
    fn sum(&self, left: &LaneCoordinates<L>, right: &LaneCoordinates<L>) -> LaneCoordinates<L> {
        let all = u32::MAX >> (32 - L::LANES);
        // A point at infinity has no affine coordinates.
        let [affine, mixed] = self.group.inputs.map(|inputs| inputs == all && !self.infinity);
        if mixed {
            if let Some(sum) = self.mixed_sum(left, right, affine) {
                return sum;
            }
        }
        self.complete_sum(left, right)
    }

    /// Returns the sums of a point and an affine point, or of two affine points; `None` if the two x coordinates are
    /// equal in some lane. An infinite sum has X = Z = 0, so its lane counts as one with equal x.
    #[inline(always)]
    fn mixed_sum(
        &self,
        [x1, y1, z1]: &LaneCoordinates<L>,
        [x2, y2, _]: &LaneCoordinates<L>,
        affine: bool,
    ) -> Option<LaneCoordinates<L>> {
        let r = Reduced(self.lanes);
        let times_z1 = |v: &L::Vec| if affine { *v } else { r.mul(v, z1) };
        let (u, v) = (r.sub(&times_z1(y2), y1), r.sub(&times_z1(x2), x1));
        if self.lanes.zero_lanes(&v) != 0 {
            return None;
        }
        let vv = r.square(&v);
        let vvv = r.mul(&vv, &v);
        let q = r.mul(&vv, x1);
        let a = r.sub(&r.sub(&times_z1(&r.square(&u)), &vvv), &r.add(&q, &q));
        let y3 = r.sub(&r.mul(&u, &r.sub(&q, &a)), &r.mul(&vvv, y1));
        Some([r.mul(&v, &a), y3, times_z1(&vvv)])
    }

    #[inline(always)]
    fn complete_sum(
        &self,
        [x1, y1, z1]: &LaneCoordinates<L>,
        [x2, y2, z2]: &LaneCoordinates<L>,
    ) -> LaneCoordinates<L> {
        let r = Reduced(self.lanes);
        let (xx, yy, zz) = (r.mul(x1, x2), r.mul(y1, y2), r.mul(z1, z2));
        let crossed = |a1, b1, a2, b2, aa, bb| r.sub(&r.mul(&r.add(a1, b1), &r.add(a2, b2)), &r.add(aa, bb));
        let xy = crossed(x1, y1, x2, y2, &xx, &yy);
        let yz = crossed(y1, z1, y2, z2, &yy, &zz);
        let xz = crossed(x1, z1, x2, z2, &xx, &zz);
        let three_xx = r.add(&r.add(&xx, &xx), &xx);
        let (bzz, bxz) = (self.times_three_b(&zz), self.times_three_b(&xz));
        let (sum, difference) = (r.add(&yy, &bzz), r.sub(&yy, &bzz));
        [
            r.sub(&r.mul(&xy, &difference), &r.mul(&yz, &bxz)),
            r.add(&r.mul(&difference, &sum), &r.mul(&bxz, &three_xx)),
            r.add(&r.mul(&sum, &yz), &r.mul(&three_xx, &xy)),
        ]
    }

    #[inline(always)]
    fn times_three_b(&self, v: &L::Vec) -> L::Vec {
        let r = Reduced(self.lanes);
        match self.three_b {
            Factor::Large(factor) => r.mul(v, &self.lanes.splat(factor)),
            Factor::Small(factor) => {
                // Double and add, from the second bit on.
                let bits = (0..factor.ilog2()).rev();
                bits.fold(*v, |product, bit| {
                    let twice = r.add(&product, &product);
                    if factor >> bit & 1 == 1 {
                        r.add(&twice, v)
                    } else {
                        twice
                    }
                })
            }
        }
    }
}

impl<L: LaneField> Task for AddGroup<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // SAFETY: `GroupOperands::new` made the addresses from places that live as long as this call. Additions are independent, so the
        // destinations are distinct.
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
        let coordinate = |i: usize| each!(|lane| buckets[lane].cast::<L::Elem>().wrapping_add(i));
        // SAFETY: the caller of `decode` vouches for the buckets, of three coordinates each.
        let [x, y, z]: LaneCoordinates<L> = unsafe { each!(|i| lanes.load(&coordinate(i))) };
        let infinite = lanes.zero_lanes(&z);
        let inverse = lanes.invert(&lanes.select(infinite, &z, &lanes.one())).expect("no lane is zero");
        let zero = r.zero();
        let affine = |v: &L::Vec| lanes.decode(&lanes.select(infinite, &r.mul(v, &inverse), &zero));
        [affine(&x), affine(&y)]
    }
}
