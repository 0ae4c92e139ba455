//! The main adder: affine additions, thousands of independent ones with a single inversion.
//!
//! One addition is 5 products and 1 square beside its share of the inversion (Montgomery's trick): a forward
//! pass multiplies the denominators up, a backward pass takes the inverses apart. Both go through the batch in
//! two interleaved chains of lane groups, since a chain's products wait for each other.
//!
//! The fast path does not look for exceptions. An exceptional pair (equal x) makes the product of all
//! denominators zero, which the inversion notices before anything is written; the batch is then done again by
//! the exact path, which treats P + P, P + (-P) and the point at infinity in every lane. Infinity plus another
//! point does not betray itself that way: an adder that may meet the point at infinity stays exact.

use bucketwheel_lanes::{LaneField, Task, MAX_LANES};

use crate::schedule::{Addition, Ref};

/// A point at rest: affine, infinity as (0, 0), which is on no curve with b != 0.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Point<E> {
    /// The x coordinate.
    pub x: E,
    /// The y coordinate.
    pub y: E,
}

/// The places that ids refer to.
#[derive(Debug)]
pub struct Arena<'a, E> {
    inputs: &'a [Point<E>],
    buckets: *mut Point<E>,
    bucket_count: usize,
    temporaries: &'a mut [Point<E>],
}

impl<'a, E: Copy> Arena<'a, E> {
    /// An arena of these places.
    ///
    /// # Safety
    /// `buckets` points to `bucket_count` points for as long as the arena lives, and nobody else accesses those
    /// that the arena's user names.
    pub unsafe fn new(
        inputs: &'a [Point<E>],
        buckets: *mut Point<E>,
        bucket_count: usize,
        temporaries: &'a mut [Point<E>],
    ) -> Self {
        Arena { inputs, buckets, bucket_count, temporaries }
    }

    /// The start of each place, by `Ref::kind`.
    #[inline(always)]
    fn bases(&mut self) -> [*mut Point<E>; 3] {
        [self.inputs.as_ptr().cast_mut(), self.buckets, self.temporaries.as_mut_ptr()]
    }

    /// Panics if `point` is out of its place's range.
    #[inline(always)]
    fn check(&self, point: Ref) {
        let lens = [self.inputs.len(), self.bucket_count, self.temporaries.len()];
        assert!(point.index() < lens[point.kind()], "{point:?} is out of range");
    }
}

/// Additions per inversion. More share an inversion, fewer keep the batch in the cache.
pub const BATCH: usize = 2048;

/// Chains of products that are independent of each other.
const CHAINS: usize = 2;

/// Additions ahead of which points are fetched.
const PREFETCH: usize = 16;

/// One vector in every chain.
type Chains<T> = [T; CHAINS];

/// The batched affine adder on one field in lanes. Keeps its buffers between batches.
#[derive(Debug)]
pub struct BatchAffine<L: LaneField> {
    lanes: L,
    /// The curve's coefficient a, where it is not 0.
    a: Option<L::Words>,
    /// Whether the point at infinity may occur.
    infinity: bool,
    /// The denominators x2 - x1, in chains.
    denominators: Vec<Chains<L::Factor>>,
    /// The products of the denominators up to here, of each chain.
    products: Vec<Chains<L::Vec>>,
    exceptions: Vec<Chains<Exceptions>>,
    /// Written by lanes that have nothing to do.
    spare: Box<Point<L::Elem>>,
}

/// The lanes (as bits) in which the formula for x1 != x2 does not hold.
#[derive(Clone, Copy, Debug, Default)]
struct Exceptions {
    /// The left point is infinity: the sum is the right one.
    right: u32,
    /// The right point is infinity: the sum is the left one.
    left: u32,
    /// The points are opposite: the sum is infinity.
    infinity: u32,
    /// The points are equal: the tangent.
    double: u32,
}

impl<L: LaneField> BatchAffine<L> {
    /// An adder for the curve `y^2 = x^3 + a x + b`; `infinity` says whether buckets may hold it already.
    pub fn new(lanes: L, a: Option<L::Words>, infinity: bool) -> Self {
        // SAFETY: all bytes zero is the element 0.
        let spare = Box::new(unsafe { std::mem::zeroed() });
        BatchAffine {
            lanes,
            a,
            infinity,
            denominators: Vec::new(),
            products: Vec::new(),
            exceptions: Vec::new(),
            spare,
        }
    }

    /// Whether a sum was the point at infinity, or may have been.
    pub fn met_infinity(&self) -> bool {
        self.infinity
    }

    /// Does independent additions.
    ///
    /// # Panics
    /// If an id is out of range.
    pub fn add(&mut self, additions: &[Addition], arena: &mut Arena<'_, L::Elem>) {
        for batch in additions.chunks(BATCH) {
            for addition in batch {
                arena.check(addition.destination);
                arena.check(addition.left);
                arena.check(addition.right);
            }
            let bases = arena.bases();
            let outcome = match self.infinity {
                false => self.run::<false>(batch, bases),
                true => None,
            };
            // The fast path writes nothing when it meets an exception.
            let outcome = outcome.or_else(|| self.run::<true>(batch, bases));
            self.infinity |= outcome.expect("the exact path has no exceptions").met_infinity;
        }
    }

    /// Copies a point, with its sign.
    pub fn copy(&mut self, destination: Ref, source: Ref, arena: &mut Arena<'_, L::Elem>) {
        arena.check(destination);
        arena.check(source);
        let bases = arena.bases();
        // SAFETY: both are in range.
        unsafe {
            let (to, from) = (address(&bases, destination), address(&bases, source));
            *to = *from;
            if source.is_negative() {
                let (sources, targets) = ([y_of(from).cast_const(); MAX_LANES], [y_of(to); MAX_LANES]);
                self.lanes.vectorize(Negate { lanes: self.lanes, sources, targets });
            }
        }
    }

    fn run<const EXACT: bool>(
        &mut self,
        additions: &[Addition],
        bases: [*mut Point<L::Elem>; 3],
    ) -> Option<Outcome> {
        let lanes = self.lanes;
        let steps = additions.len().div_ceil(CHAINS * L::LANES);
        if self.products.len() < steps {
            let one = lanes.one();
            self.products.resize(steps, [one; CHAINS]);
            self.denominators.resize(steps, [*L::as_factor(&one); CHAINS]);
            self.exceptions.resize(steps, Default::default());
        }
        lanes.vectorize(Batch::<L, EXACT> {
            source: Source { lanes, a: self.a, additions, bases, spare: &mut *self.spare },
            denominators: &mut self.denominators[..steps],
            products: &mut self.products[..steps],
            exceptions: &mut self.exceptions[..steps],
        })
    }
}

/// What a batch that was added met.
struct Outcome {
    met_infinity: bool,
}

#[inline(always)]
fn address<E>(bases: &[*mut Point<E>; 3], point: Ref) -> *mut Point<E> {
    bases[point.kind()].wrapping_add(point.index())
}

#[inline(always)]
fn x_of<E>(point: *mut Point<E>) -> *mut E {
    point.cast()
}

#[inline(always)]
fn y_of<E>(point: *mut Point<E>) -> *mut E {
    point.cast::<E>().wrapping_add(1)
}

/// Negates elements in place of copies.
struct Negate<L: LaneField> {
    lanes: L,
    sources: [*const L::Elem; MAX_LANES],
    targets: [*mut L::Elem; MAX_LANES],
}

impl<L: LaneField> Task for Negate<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let lanes = self.lanes;
        // SAFETY: the maker's pointers are valid.
        unsafe {
            let y = lanes.load(&self.sources);
            let negative = lanes.lift_signed(&y, u32::MAX >> (32 - L::LANES));
            lanes.store(&lanes.reduce(&negative), &self.targets);
        }
    }
}

/// The pointers of one group of lanes.
struct Group<E> {
    left: [*mut Point<E>; MAX_LANES],
    right: [*mut Point<E>; MAX_LANES],
    destination: [*mut Point<E>; MAX_LANES],
    /// The lanes whose left (right) point is negated.
    negate_left: u32,
    negate_right: u32,
}

/// The coordinates as positions in a `Point`.
const X: usize = 0;
const Y: usize = 1;

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// The additions of a batch and their points.
struct Source<'a, L: LaneField> {
    lanes: L,
    a: Option<L::Words>,
    additions: &'a [Addition],
    bases: [*mut Point<L::Elem>; 3],
    spare: *mut Point<L::Elem>,
}

impl<L: LaneField> Source<'_, L> {
    /// The group of `chain` in `step`. The last groups are filled up with lanes that do the last addition once
    /// more and write it to the spare point.
    #[inline(always)]
    fn group(&self, step: usize, chain: usize) -> Group<L::Elem> {
        let null = [std::ptr::null_mut(); MAX_LANES];
        let mut group =
            Group { left: null, right: null, destination: null, negate_left: 0, negate_right: 0 };
        let first = (step * CHAINS + chain) * L::LANES;
        let last = self.additions.len() - 1;
        for lane in 0..L::LANES {
            let index = first + lane;
            let addition = &self.additions[index.min(last)];
            let destination = address(&self.bases, addition.destination);
            group.left[lane] = address(&self.bases, addition.left);
            group.right[lane] = address(&self.bases, addition.right);
            group.destination[lane] = if index <= last { destination } else { self.spare };
            group.negate_left |= u32::from(addition.left.is_negative()) << lane;
            group.negate_right |= u32::from(addition.right.is_negative()) << lane;
        }
        group
    }

    #[inline(always)]
    fn prefetch(&self, index: usize, coordinate: impl Fn(*mut Point<L::Elem>) -> *mut L::Elem) {
        for addition in self.additions.get(index..).unwrap_or_default().iter().take(L::LANES) {
            L::prefetch(coordinate(address(&self.bases, addition.left)));
            L::prefetch(coordinate(address(&self.bases, addition.right)));
        }
    }

    #[inline(always)]
    fn pointers(
        &self,
        points: &[*mut Point<L::Elem>; MAX_LANES],
        coordinate: usize,
    ) -> [*const L::Elem; MAX_LANES] {
        points.map(|point| point.cast::<L::Elem>().wrapping_add(coordinate).cast_const())
    }

    /// Gathers a coordinate of a group's points.
    ///
    /// # Safety
    /// The pointers are valid.
    #[inline(always)]
    unsafe fn load(&self, points: &[*mut Point<L::Elem>; MAX_LANES], coordinate: usize) -> L::Vec {
        self.lanes.load(&self.pointers(points, coordinate))
    }

    /// The signed y coordinates of one side.
    ///
    /// # Safety
    /// The group's pointers are valid.
    #[inline(always)]
    unsafe fn y(&self, group: &Group<L::Elem>, side: Side) -> L::Sum {
        let (points, negate) = match side {
            Side::Left => (&group.left, group.negate_left),
            Side::Right => (&group.right, group.negate_right),
        };
        let y = self.load(points, Y);
        // Only inputs have signs.
        if negate == 0 {
            self.lanes.lift(&y)
        } else {
            self.lanes.lift_signed(&y, negate)
        }
    }

    /// The denominators of a group with their exceptions replaced, and the exceptions.
    ///
    /// # Safety
    /// The group's pointers are valid.
    #[inline(always)]
    unsafe fn exact_denominators(&self, group: &Group<L::Elem>) -> (L::Vec, Exceptions) {
        let lanes = self.lanes;
        let (x1, x2) = (self.load(&group.left, X), self.load(&group.right, X));
        let (y1, y2) = (self.load(&group.left, Y), self.load(&group.right, Y));
        let right = lanes.zero_lanes(&x1) & lanes.zero_lanes(&y1);
        let left = lanes.zero_lanes(&x2) & lanes.zero_lanes(&y2) & !right;
        let difference = lanes.reduce(&lanes.sub(&lanes.lift(&x2), &lanes.lift(&x1)));
        let equal_x = lanes.zero_lanes(&difference) & !(left | right);
        let sum_y = lanes.reduce(&lanes.add(&self.y(group, Side::Left), &self.y(group, Side::Right)));
        let infinity = equal_x & lanes.zero_lanes(&sum_y);
        let double = equal_x & !infinity;
        // Equal points: 2 y. Where no division is wanted: 1.
        let tangent = lanes.select(double, &difference, &sum_y);
        let denominators = lanes.select(left | right | infinity, &tangent, &lanes.one());
        (denominators, Exceptions { right, left, infinity, double })
    }

    /// The sums of a group, its exceptions put right.
    ///
    /// # Safety
    /// The group's pointers are valid.
    #[inline(always)]
    unsafe fn exact_sums(&self, group: &Group<L::Elem>, exceptions: Exceptions, x3: &mut L::Vec, y3: &mut L::Vec) {
        let lanes = self.lanes;
        let one = lanes.one();
        let zero = lanes.reduce(&lanes.sub(&lanes.lift(&one), &lanes.lift(&one)));
        *x3 = lanes.select(exceptions.left, x3, &self.load(&group.left, X));
        *y3 = lanes.select(exceptions.left, y3, &lanes.reduce(&self.y(group, Side::Left)));
        *x3 = lanes.select(exceptions.right, x3, &self.load(&group.right, X));
        *y3 = lanes.select(exceptions.right, y3, &lanes.reduce(&self.y(group, Side::Right)));
        *x3 = lanes.select(exceptions.infinity, x3, &zero);
        *y3 = lanes.select(exceptions.infinity, y3, &zero);
    }

    /// The numerators of the slopes, where points are equal `3 x^2 + a`.
    ///
    /// # Safety
    /// The group's pointers are valid.
    #[inline(always)]
    unsafe fn exact_numerators(&self, group: &Group<L::Elem>, double: u32, difference: &L::Vec) -> L::Vec {
        let lanes = self.lanes;
        let x = self.load(&group.left, X);
        let mut square = x;
        lanes.square(&x, &mut square);
        let square = lanes.lift(&lanes.reduce(&lanes.lift(&square)));
        let mut slope = lanes.reduce(&lanes.add(&lanes.add(&square, &square), &square));
        if let Some(a) = self.a {
            slope = lanes.reduce(&lanes.add(&lanes.lift(&slope), &lanes.lift(&lanes.splat(a))));
        }
        lanes.select(double, difference, &slope)
    }
}

/// A batch under way; EXACT looks for exceptions.
struct Batch<'a, L: LaneField, const EXACT: bool> {
    source: Source<'a, L>,
    denominators: &'a mut [Chains<L::Factor>],
    products: &'a mut [Chains<L::Vec>],
    exceptions: &'a mut [Chains<Exceptions>],
}

impl<L: LaneField, const EXACT: bool> Task for Batch<'_, L, EXACT> {
    /// `None` (fast path only): there are exceptions, nothing was written.
    type Output = Option<Outcome>;

    #[inline(always)]
    fn run(self) -> Option<Outcome> {
        let Batch { source, denominators, products, exceptions } = self;
        let lanes = source.lanes;
        let one = lanes.one();
        let (steps, stride) = (products.len(), CHAINS * L::LANES);

        // Forward: the products of the denominators.
        let start = [one; CHAINS];
        for step in 0..steps {
            let (done, rest) = products.split_at_mut(step);
            let before = done.last().unwrap_or(&start);
            for chain in 0..CHAINS {
                source.prefetch(step * stride + chain * L::LANES + PREFETCH, x_of);
                let group = source.group(step, chain);
                let denominator = &mut denominators[step][chain];
                // SAFETY: `add` checked the ids.
                unsafe {
                    if EXACT {
                        let (exact, found) = source.exact_denominators(&group);
                        exceptions[step][chain] = found;
                        *denominator = *L::as_factor(&exact);
                    } else {
                        let (left, right) = (source.pointers(&group.left, X), source.pointers(&group.right, X));
                        *denominator = lanes.load_difference(&right, &left);
                    }
                }
                lanes.mul(&before[chain], denominator, &mut rest[0][chain]);
            }
        }

        // One inversion for both chains.
        let last = &products[steps - 1];
        let mut total = one;
        lanes.mul(&last[0], L::as_factor(&last[1]), &mut total);
        let inverse = lanes.invert(&lanes.reduce(&lanes.lift(&total)))?;
        let (mut inverses, mut next) = (&mut [one; CHAINS], &mut [one; CHAINS]);
        lanes.mul(&inverse, L::as_factor(&last[1]), &mut inverses[0]);
        lanes.mul(&inverse, L::as_factor(&last[0]), &mut inverses[1]);

        // Backward: the inverse of each denominator, the slopes, the sums.
        let (mut slopes, mut scratch) = ([one; CHAINS], [one; CHAINS]);
        let mut met_infinity = false;
        for step in (0..steps).rev() {
            let groups: Chains<Group<L::Elem>> = std::array::from_fn(|chain| source.group(step, chain));
            for chain in 0..CHAINS {
                if let Some(ahead) = (step * stride + chain * L::LANES).checked_sub(PREFETCH) {
                    source.prefetch(ahead, x_of);
                    source.prefetch(ahead, y_of);
                }
            }
            for chain in 0..CHAINS {
                let before = if step == 0 { &one } else { &products[step - 1][chain] };
                lanes.mul(&inverses[chain], L::as_factor(before), &mut scratch[chain]);
            }
            for chain in 0..CHAINS {
                lanes.mul(&inverses[chain], &denominators[step][chain], &mut next[chain]);
            }
            std::mem::swap(&mut inverses, &mut next);
            for chain in 0..CHAINS {
                let group = &groups[chain];
                // SAFETY: as above.
                let difference = unsafe { lanes.sub(&source.y(group, Side::Right), &source.y(group, Side::Left)) };
                if EXACT {
                    let double = exceptions[step][chain].double;
                    // SAFETY: as above.
                    let numerators = unsafe { source.exact_numerators(group, double, &lanes.reduce(&difference)) };
                    lanes.mul(&scratch[chain], L::as_factor(&numerators), &mut slopes[chain]);
                } else {
                    lanes.mul(&scratch[chain], &lanes.factor(&difference), &mut slopes[chain]);
                }
            }
            for chain in 0..CHAINS {
                lanes.square(&slopes[chain], &mut scratch[chain]);
            }
            let mut x3: Chains<L::Vec> = std::array::from_fn(|chain| {
                // SAFETY: as above.
                let x2 = unsafe { source.load(&groups[chain].right, X) };
                let x1 = unsafe { source.load(&groups[chain].left, X) };
                let sum = lanes.sub(&lanes.lift(&scratch[chain]), &lanes.lift(&x1));
                lanes.reduce(&lanes.sub(&sum, &lanes.lift(&x2)))
            });
            for chain in 0..CHAINS {
                // SAFETY: as above.
                let x1 = lanes.lift(&unsafe { source.load(&groups[chain].left, X) });
                let difference = lanes.factor(&lanes.sub(&x1, &lanes.lift(&x3[chain])));
                lanes.mul(&slopes[chain], &difference, &mut scratch[chain]);
            }
            for chain in 0..CHAINS {
                let group = &groups[chain];
                // SAFETY: as above; destinations are disjoint, or spare.
                unsafe {
                    let mut y3 =
                        lanes.reduce(&lanes.sub(&lanes.lift(&scratch[chain]), &source.y(group, Side::Left)));
                    if EXACT {
                        let exceptions = exceptions[step][chain];
                        source.exact_sums(group, exceptions, &mut x3[chain], &mut y3);
                        met_infinity |= exceptions.infinity != 0;
                    }
                    lanes.store(&x3[chain], &group.destination.map(x_of));
                    lanes.store(&y3, &group.destination.map(y_of));
                }
            }
        }
        Some(Outcome { met_infinity })
    }
}
