//! The main adder: affine additions, thousands of independent ones with a single inversion (Montgomery's trick).
//!
//! ```text
//! resolve: addresses and signs of all points, in groups of one addition for each lane
//! for each group g:                                                       forward
//!     d[g] = x2 - x1
//!     p[g] = d[g] * p[group before g]
//! inverse = 1 / p[last group]; if there is none, nothing is written:      add_apart
//!     exceptions take the exact path; the other additions start again
//! for each group g, from the last:                                        backward
//!     slope, inverse = (y2 - y1) * inverse * p[group before g], inverse * d[g]
//!     x3 = slope^2 - x1 - x2
//!     y3 = slope * (x1 - x3) - y1
//! ```
//!
//! An addition takes 5 products and 1 square beside its share of the inversion.
//!
//! # Departures from the pseudo-code
//! 1. **Two chains.** The groups of even and of odd positions form separate chains that share the inversion, because
//!    each product waits for the one before it. Each step of the backward pass runs over both chains before the next
//!    step.
//! 2. **No search for exceptions.** A pair with equal x makes the product of all denominators zero, which the inversion
//!    notices. Only then does the adder look for exceptions, and they alone take the exact path: P + P, P + (-P) and
//!    the point at infinity. When the exact path took whole batches, multiples of the generator (BN254 G1, 2^16) took
//!    92 ms instead of 41, beside 34 for points without exceptions.
//! 3. **Infinity is looked for first**, if it is possible: infinity plus another point does not make the product zero.
//! 4. **Addresses come from a pass of their own** (`resolve`). Inside the loop of the lanes, they would cost more.
//! 5. **Points are fetched ahead**, both coordinates in the forward pass: the backward pass has too little time to wait
//!    for memory. Half and twice the distances [`PREFETCH`] and [`PREFETCH_BACK`] make no difference (2^14, 2^16 and
//!    2^18 points).
//! 6. **Batches of at most half a megabyte**, and at most [`MAX_BATCH`] additions. In a larger batch, more groups share
//!    an inversion, but fewer of them stay in the cache.
//! 7. **Whole runs go to [`Columns`]** where the factors of the lanes are sums.
//!
//! # Contract of [`Adder::add`]
//! - The additions of a call are independent: none writes a point that another one reads or writes.
//! - Ids are in range, or the call panics.
//! - The sum of any two finite points is right. Sums with points at infinity are right if the adder was made for
//!   infinity ([`Infinities::Possible`]), or once a sum was infinity ([`Adder::met_infinity`]).

use bucketwheel_lanes::{each, LaneField, OutOfLine, Task, MAX_LANES};

use super::columns::Columns;
use super::{invert_chains, Adder, Chains, Places, Reduced, CHAINS, MAX_BATCH};
use crate::engine::at_rest::Point;
use crate::engine::coefficients::Coefficients;
use crate::engine::infinities::Infinities;
use crate::memory::Array;
use crate::schedule::{Addition, OwnedWork, Ref, Work};

/// Most memory of a batch's denominators and products. In a larger batch, more groups share an inversion, but fewer
/// stay in the cache.
const BATCH_BYTES: usize = 512 << 10;

/// Additions per inversion, a whole number of groups of `LANES`.
const fn batch<L: LaneField>() -> usize {
    let groups = BATCH_BYTES / (size_of::<L::Factor>() + size_of::<L::Vec>());
    let additions = (1 << groups.ilog2()) * L::LANES;
    if additions < MAX_BATCH {
        additions
    } else {
        MAX_BATCH
    }
}

/// Additions between the fetch of a point and its use in the forward pass.
const PREFETCH: usize = 64;
/// Additions between the fetch of a point and its use in the backward pass. These points were in the cache not long ago.
const PREFETCH_BACK: usize = 32;

/// The batched affine adder on one field in lanes. Keeps its buffers between batches.
#[derive(Debug)]
pub struct BatchAffine<L: LaneField> {
    lanes: L,
    /// The curve's coefficient a, if it is not 0.
    a: Option<L::Words>,
    /// True if the point at infinity may occur.
    infinity: bool,
    /// The denominators x2 - x1, in chains.
    denominators: Array<Chains<L::Factor>>,
    /// For each group, the product of its chain's denominators up to this group.
    products: Array<Chains<L::Vec>>,
    exceptions: Vec<Chains<Exceptions>>,
    /// The lanes (as bits) of each group that have an exception, if the adder looked for exceptions.
    exceptional: Vec<u32>,
    /// A batch's additions without exceptions, and its exceptions.
    parts: [Vec<Addition>; 2],
    /// The addresses of the batch, in lanes' order.
    operands: Vec<Operands<L::Elem>>,
    /// The signs of the points of each group of lanes.
    groups: Vec<Signs>,
    /// Place that lanes without an addition write to.
    spare: Box<Point<L::Elem>>,
    columns: Columns<L>,
}

/// The lanes (as bits) in which the formula for x1 != x2 does not hold.
#[derive(Clone, Copy, Debug, Default)]
struct Exceptions {
    /// The left point is infinity: the sum is the right point.
    right: u32,
    /// The right point is infinity: the sum is the left point.
    left: u32,
    /// The points are opposite: the sum is infinity.
    infinity: u32,
    /// The points are equal: the slope is the tangent's.
    double: u32,
}

impl<L: LaneField> Adder<L> for BatchAffine<L> {
    type Input = Point<L::Elem>;
    type Bucket = Point<L::Elem>;

    const BATCH: usize = batch::<L>();

    fn new(lanes: L, curve: Coefficients<L::Words>, infinities: Infinities) -> Self {
        // SAFETY: all bytes zero is the element 0.
        let spare = Box::new(unsafe { std::mem::zeroed() });
        BatchAffine {
            lanes,
            a: curve.a,
            infinity: infinities.are_possible(),
            denominators: Array::empty(),
            products: Array::empty(),
            exceptions: Vec::new(),
            exceptional: Vec::new(),
            parts: Default::default(),
            operands: Vec::new(),
            groups: Vec::new(),
            spare,
            columns: Columns::new(lanes),
        }
    }

    fn add(&mut self, additions: &[Addition], places: &Places<Self::Input, Self::Bucket>) {
        for batch in additions.chunks(Self::BATCH) {
            self.resolve(batch, places);
            // The fast path writes nothing when it meets an exception.
            if self.infinity || !self.add_fast() {
                self.add_apart(batch, places);
            }
        }
    }

    const COLUMNS: bool = L::FACTORS_ARE_SUMS;

    fn add_columns(
        &mut self,
        work: Work<'_>,
        places: &Places<Self::Input, Self::Bucket>,
        rest: &mut OwnedWork,
        proceed: &mut dyn FnMut(usize) -> bool,
    ) {
        if self.infinity {
            rest.append_all(work);
        } else {
            self.columns.add(work, places, rest, proceed);
        }
    }

    fn copy(&mut self, destination: Ref, source: Ref, places: &Places<Self::Input, Self::Bucket>) {
        let to: *mut Point<L::Elem> = places.destination(destination);
        let from: *mut Point<L::Elem> = places.address(source);
        // SAFETY: `destination` and `address` return places in range, which the arena holds for this call.
        unsafe { *to = *from };
        if source.is_negative() {
            let (source, target) = (y_of(from).cast_const(), y_of(to));
            Negate { lanes: OutOfLine::of(self.lanes), source, target }.run();
        }
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

impl<L: LaneField> BatchAffine<L> {
    /// Turns ids into addresses, and fills the last groups up with lanes that do the last addition once more and
    /// write it to the spare point.
    fn resolve(&mut self, additions: &[Addition], places: &Places<Point<L::Elem>, Point<L::Elem>>) {
        let operands = |addition: &Addition| Operands {
            left: places.address(addition.left),
            right: places.address(addition.right),
            destination: places.destination(addition.destination),
        };
        let signs = |group: &[Addition]| {
            group.iter().enumerate().fold(Signs::default(), |signs, (lane, addition)| Signs {
                left: signs.left | u32::from(addition.left.is_negative()) << lane,
                right: signs.right | u32::from(addition.right.is_negative()) << lane,
            })
        };
        self.operands.clear();
        self.groups.clear();
        let mut groups = additions.chunks_exact(L::LANES);
        for group in &mut groups {
            self.operands.extend(group.iter().map(operands));
            self.groups.push(signs(group));
        }
        let rest = groups.remainder();
        if !rest.is_empty() {
            self.operands.extend(rest.iter().map(operands));
            self.groups.push(signs(rest));
        }
        let steps = self.groups.len().div_ceil(CHAINS);
        let last = *self.operands.last().expect("a batch is not empty");
        self.operands.resize(steps * CHAINS * L::LANES, Operands { destination: &mut *self.spare, ..last });
        self.groups.resize(steps * CHAINS, Signs::default());
    }

    /// Adds the batch that was resolved, on the fast path. Returns false, and writes nothing, if two summands have equal x.
    fn add_fast(&mut self) -> bool {
        self.lanes.vectorize(self.batch::<L, false>(self.lanes)).is_some()
    }

    /// Adds a batch that was resolved, and may have exceptions. The exceptions take the exact path.
    fn add_apart(&mut self, batch: &[Addition], places: &Places<Point<L::Elem>, Point<L::Elem>>) {
        self.exceptional.clear();
        // This is long, too, and most batches have no exception.
        let lanes = OutOfLine::of(self.lanes);
        let source = BatchPoints { lanes, a: self.a, operands: &self.operands, signs: &self.groups };
        FindExceptions { source, found: &mut self.exceptional }.run();
        if self.exceptional.iter().all(|&lanes| lanes == 0) {
            assert!(self.add_fast(), "there are no exceptions");
            return;
        }
        let mut parts = std::mem::take(&mut self.parts);
        parts.iter_mut().for_each(Vec::clear);
        for (group, &found) in batch.chunks(L::LANES).zip(&self.exceptional) {
            for (lane, &addition) in group.iter().enumerate() {
                parts[(found >> lane & 1) as usize].push(addition);
            }
        }
        let [plain, exceptional] = &parts;
        if !plain.is_empty() {
            self.resolve(plain, places);
            assert!(self.add_fast(), "all exceptions were found");
        }
        if !exceptional.is_empty() {
            self.resolve(exceptional, places);
            // The exact path is long and seldom runs.
            let outcome = self.batch::<OutOfLine<L>, true>(OutOfLine::of(self.lanes)).run();
            self.infinity |= outcome.expect("the exact path has no exceptions").met_infinity;
        }
        self.parts = parts;
    }

    /// Returns the task of the batch that was resolved, in these lanes or others with the same elements.
    fn batch<M, const EXACT: bool>(&mut self, lanes: M) -> AddBatch<'_, M, EXACT>
    where
        M: LaneField<Words = L::Words, Elem = L::Elem, Vec = L::Vec, Factor = L::Factor>,
    {
        let steps = self.groups.len() / CHAINS;
        if self.products.len() < steps {
            let one = OutOfLine::of(lanes).one();
            self.products.make_room(steps, [one; CHAINS]);
            self.denominators.make_room(steps, [*L::as_factor(&one); CHAINS]);
            self.exceptions.resize(self.products.len(), Default::default());
        }
        AddBatch {
            source: BatchPoints { lanes, a: self.a, operands: &self.operands, signs: &self.groups },
            denominators: &mut self.denominators[..steps],
            products: &mut self.products[..steps],
            exceptions: &mut self.exceptions[..steps],
        }
    }
}

/// Outcome of a batch that was added.
struct Outcome {
    met_infinity: bool,
}

#[inline(always)]
fn x_of<E>(point: *mut Point<E>) -> *mut E {
    point.cast()
}

#[inline(always)]
fn y_of<E>(point: *mut Point<E>) -> *mut E {
    point.cast::<E>().wrapping_add(1)
}

/// Negates an element, in all lanes.
struct Negate<L: LaneField> {
    lanes: OutOfLine<L>,
    source: *const L::Elem,
    target: *mut L::Elem,
}

impl<L: LaneField> Negate<L> {
    fn run(self) {
        let lanes = self.lanes;
        // SAFETY: `copy`, which alone makes this task, gives pointers to elements in range.
        unsafe {
            let y = lanes.load_sum(&[self.source; MAX_LANES]);
            let negative = lanes.negate(&y, u32::MAX >> (32 - L::LANES));
            lanes.store_sum(&lanes.reduce_sum(&negative), &[self.target; MAX_LANES]);
        }
    }
}

/// Gathers and decodes points.
struct Decode<L: LaneField> {
    lanes: OutOfLine<L>,
    buckets: [*const Point<L::Elem>; MAX_LANES],
}

impl<L: LaneField> Decode<L> {
    fn run(self) -> [[L::Words; MAX_LANES]; 2] {
        let Decode { lanes, buckets } = self;
        // SAFETY: the caller of `decode`, which alone makes this task, vouches for the buckets of all lanes.
        each!(|i| unsafe {
            let elements = each!(|lane| buckets[lane].cast::<L::Elem>().wrapping_add(i));
            lanes.decode(&lanes.load(&elements))
        })
    }
}

/// The addresses of an addition's points.
#[derive(Debug)]
struct Operands<E> {
    left: *mut Point<E>,
    right: *mut Point<E>,
    destination: *mut Point<E>,
}

impl<E> Clone for Operands<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Operands<E> {}

// SAFETY: the addresses are used only during a call of `BatchAffine::add`, which keeps them valid.
unsafe impl<E> Send for Operands<E> {}

/// The lanes (as bits) of a group whose left or right point is negated.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    left: u32,
    right: u32,
}

/// The coordinates as positions in a `Point`.
const X: usize = 0;
const Y: usize = 1;

/// The summands as positions in `Operands`.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// The points of a batch. Its methods are safe to call as long as the addresses of the group are valid.
struct BatchPoints<'a, L: LaneField> {
    lanes: L,
    a: Option<L::Words>,
    operands: &'a [Operands<L::Elem>],
    signs: &'a [Signs],
}

impl<L: LaneField> BatchPoints<'_, L> {
    /// Returns the addresses of a coordinate of a group's points.
    #[inline(always)]
    fn addresses(&self, group: usize, side: Side, coordinate: usize) -> [*const L::Elem; MAX_LANES] {
        let operands = &self.operands[group * L::LANES..][..L::LANES];
        each!(|lane| {
            let operands = &operands[lane % L::LANES];
            let point = match side {
                Side::Left => operands.left,
                Side::Right => operands.right,
            };
            point.cast::<L::Elem>().wrapping_add(coordinate).cast_const()
        })
    }

    /// Fetches the points of the group `group`, if there is one.
    #[inline(always)]
    fn prefetch(&self, group: usize) {
        if group >= self.signs.len() {
            return;
        }
        for operands in &self.operands[group * L::LANES..][..L::LANES] {
            for line in (0..size_of::<Point<L::Elem>>()).step_by(64) {
                L::prefetch(operands.left.cast::<u8>().wrapping_add(line));
                L::prefetch(operands.right.cast::<u8>().wrapping_add(line));
            }
        }
    }

    /// Gathers a coordinate of a group's points.
    ///
    /// # Safety
    /// - The addresses of the group's points are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn load(&self, group: usize, side: Side, coordinate: usize) -> L::Vec {
        // SAFETY: the caller vouches for the addresses of the group's points.
        unsafe { self.lanes.load(&self.addresses(group, side, coordinate)) }
    }

    /// Returns the x coordinates of one side.
    ///
    /// # Safety
    /// - The addresses of the group's points are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn x(&self, group: usize, side: Side) -> L::Sum {
        // SAFETY: the caller vouches for the addresses of the group's points.
        unsafe { self.lanes.load_sum(&self.addresses(group, side, X)) }
    }

    /// Returns the signed y coordinates of one side.
    ///
    /// # Safety
    /// - The addresses of the group's points are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn y(&self, group: usize, side: Side) -> L::Sum {
        // SAFETY: the caller vouches for the addresses of the group's points.
        let y = unsafe { self.lanes.load_sum(&self.addresses(group, side, Y)) };
        let negative = match side {
            Side::Left => self.signs[group].left,
            Side::Right => self.signs[group].right,
        };
        // Only inputs can be negated.
        if negative == 0 {
            y
        } else {
            self.lanes.negate(&y, negative)
        }
    }

    /// Scatters a group's sums.
    ///
    /// # Safety
    /// - The destinations of the group are valid for writes, aligned, and distinct except for the spare point.
    #[inline(always)]
    unsafe fn store(&self, group: usize, x: &L::Sum, y: &L::Sum) {
        let operands = &self.operands[group * L::LANES..][..L::LANES];
        // SAFETY: the caller vouches for destinations that are valid, and distinct except for the spare point.
        unsafe {
            self.lanes.store_sum(x, &each!(|lane| x_of(operands[lane % L::LANES].destination)));
            self.lanes.store_sum(y, &each!(|lane| y_of(operands[lane % L::LANES].destination)));
        }
    }

    /// Returns the lanes (as bits) of a group in which the fast path is wrong: the two x are equal, or one of them is
    /// 0, as the x of the point at infinity is.
    ///
    /// # Safety
    /// - The addresses of the group's points are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn exceptional_lanes(&self, group: usize) -> u32 {
        let lanes = self.lanes;
        // SAFETY: the caller vouches for the addresses of the group's points.
        let [x1, x2] = unsafe { [self.x(group, Side::Left), self.x(group, Side::Right)] };
        let zero = |x: &L::Sum| lanes.zero_lanes(&lanes.vector(x));
        zero(&x1) | zero(&x2) | lanes.zero_lanes(&lanes.reduce(&lanes.sub(&x2, &x1)))
    }

    /// Returns the denominators of a group with their exceptions replaced, and the exceptions.
    ///
    /// # Safety
    /// - The addresses of the group's points are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn exact_denominators(&self, group: usize) -> (L::Vec, Exceptions) {
        let (lanes, r) = (self.lanes, Reduced(self.lanes));
        // SAFETY: the caller vouches for the addresses of the group's points.
        let [x1, y1, x2, y2] = unsafe {
            [
                self.load(group, Side::Left, X),
                self.load(group, Side::Left, Y),
                self.load(group, Side::Right, X),
                self.load(group, Side::Right, Y),
            ]
        };
        let right = lanes.zero_lanes(&x1) & lanes.zero_lanes(&y1);
        let left = lanes.zero_lanes(&x2) & lanes.zero_lanes(&y2) & !right;
        let difference = r.sub(&x2, &x1);
        let equal_x = lanes.zero_lanes(&difference) & !(left | right);
        let signs = self.signs[group];
        let sum_y = r.add(&r.signed(&y1, signs.left), &r.signed(&y2, signs.right));
        let infinity = equal_x & lanes.zero_lanes(&sum_y);
        let double = equal_x & !infinity;
        // Equal points have the denominator 2 y. Lanes without a division have the denominator 1.
        let tangent = lanes.select(double, &difference, &sum_y);
        let denominators = lanes.select(left | right | infinity, &tangent, &lanes.one());
        (denominators, Exceptions { right, left, infinity, double })
    }

    /// Returns the numerators of the slopes: `3 x^2 + a` where points are equal, else `y2 - y1`.
    ///
    /// # Safety
    /// - The addresses of the group's points are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn exact_numerators(&self, group: usize, double: u32, difference: &L::Vec) -> L::Vec {
        let (lanes, r) = (self.lanes, Reduced(self.lanes));
        // SAFETY: the caller vouches for the addresses of the group's points.
        let square = r.square(&unsafe { self.load(group, Side::Left, X) });
        let mut slope = r.add(&r.add(&square, &square), &square);
        if let Some(a) = self.a {
            slope = r.add(&slope, &lanes.splat(a));
        }
        lanes.select(double, difference, &slope)
    }

    /// Puts the exceptions of a group's sums right.
    ///
    /// # Safety
    /// - The addresses of the group's points are valid for reads, and aligned.
    #[inline(always)]
    unsafe fn exact_sums(&self, group: usize, exceptions: Exceptions, sums: [&mut L::Sum; 2]) {
        let (lanes, r) = (self.lanes, Reduced(self.lanes));
        let [mut x3, mut y3] = [lanes.vector(sums[0]), lanes.vector(sums[1])];
        let Exceptions { left, right, infinity, .. } = exceptions;
        let signs = self.signs[group];
        // SAFETY: the caller vouches for the addresses of the group's points.
        let [x1, y1, x2, y2] = unsafe {
            [
                self.load(group, Side::Left, X),
                self.load(group, Side::Left, Y),
                self.load(group, Side::Right, X),
                self.load(group, Side::Right, Y),
            ]
        };
        let (y1, y2) = (r.signed(&y1, signs.left), r.signed(&y2, signs.right));
        let zero = r.zero();
        x3 = lanes.select(left, &x3, &x1);
        x3 = lanes.select(right, &x3, &x2);
        x3 = lanes.select(infinity, &x3, &zero);
        y3 = lanes.select(left, &y3, &y1);
        y3 = lanes.select(right, &y3, &y2);
        y3 = lanes.select(infinity, &y3, &zero);
        *sums[0] = lanes.lift(&x3);
        *sums[1] = lanes.lift(&y3);
    }
}

/// Looks for the additions for which the fast path is wrong.
struct FindExceptions<'a, L: LaneField> {
    source: BatchPoints<'a, L>,
    /// For each group, the lanes (as bits) with an exception.
    found: &'a mut Vec<u32>,
}

impl<L: LaneField> Task for FindExceptions<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let FindExceptions { source, found } = self;
        for group in 0..source.signs.len() {
            source.prefetch(group + PREFETCH / L::LANES);
            // SAFETY: `resolve` made the addresses.
            found.push(unsafe { source.exceptional_lanes(group) });
        }
    }
}

/// A batch under way; EXACT puts exceptions right.
struct AddBatch<'a, L: LaneField, const EXACT: bool> {
    source: BatchPoints<'a, L>,
    denominators: &'a mut [Chains<L::Factor>],
    products: &'a mut [Chains<L::Vec>],
    exceptions: &'a mut [Chains<Exceptions>],
}

impl<L: LaneField, const EXACT: bool> Task for AddBatch<'_, L, EXACT> {
    /// `None` (fast path only): there are exceptions, nothing was written.
    type Output = Option<Outcome>;

    #[inline(always)]
    fn run(self) -> Option<Outcome> {
        let AddBatch { source, denominators, products, exceptions } = self;
        let lanes = source.lanes;
        let one = lanes.one();
        let steps = products.len();

        // Forward: the products of the denominators.
        let start = [one; CHAINS];
        for step in 0..steps {
            let (done, rest) = products.split_at_mut(step);
            let before = done.last().unwrap_or(&start);
            for chain in 0..CHAINS {
                let group = step * CHAINS + chain;
                // Y too: the backward pass, which needs it, has too little time to wait for memory.
                source.prefetch(group + PREFETCH / L::LANES);
                let denominator = &mut denominators[step][chain];
                // SAFETY: `resolve` made the addresses.
                unsafe {
                    if EXACT {
                        let (exact, found) = source.exact_denominators(group);
                        exceptions[step][chain] = found;
                        *denominator = *L::as_factor(&exact);
                    } else {
                        let left = source.addresses(group, Side::Left, X);
                        *denominator = lanes.load_difference(&source.addresses(group, Side::Right, X), &left);
                    }
                }
                lanes.mul(&before[chain], denominator, &mut rest[0][chain]);
            }
        }

        // One inversion for all chains.
        let mut inverses = invert_chains(lanes, &products[steps - 1])?;
        let (mut inverses, mut next) = (&mut inverses, &mut [one; CHAINS]);

        // Backward: the inverse of each denominator, the slopes, the sums.
        let (mut slopes, mut scratch) = ([one; CHAINS], [one; CHAINS]);
        let (mut x3, mut y1) = ([lanes.lift(&one); CHAINS], [lanes.lift(&one); CHAINS]);
        let mut met_infinity = false;
        for step in (0..steps).rev() {
            let group_of = |chain: usize| step * CHAINS + chain;
            for chain in 0..CHAINS {
                let ahead = group_of(chain).wrapping_sub(PREFETCH_BACK / L::LANES);
                source.prefetch(ahead);
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
                let group = group_of(chain);
                // SAFETY: `resolve` made the addresses.
                let y2 = unsafe {
                    y1[chain] = source.y(group, Side::Left);
                    source.y(group, Side::Right)
                };
                let difference = lanes.sub(&y2, &y1[chain]);
                if EXACT {
                    let double = exceptions[step][chain].double;
                    // SAFETY: `resolve` made the addresses.
                    let numerators =
                        unsafe { source.exact_numerators(group, double, &lanes.reduce(&difference)) };
                    lanes.mul(&scratch[chain], L::as_factor(&numerators), &mut slopes[chain]);
                } else {
                    lanes.mul(&scratch[chain], &lanes.factor(&difference), &mut slopes[chain]);
                }
            }
            for chain in 0..CHAINS {
                lanes.square(&slopes[chain], &mut scratch[chain]);
            }
            for chain in 0..CHAINS {
                let group = group_of(chain);
                // SAFETY: `resolve` made the addresses.
                let (x1, x2) = unsafe { (source.x(group, Side::Left), source.x(group, Side::Right)) };
                let sum = lanes.sub(&lanes.lift(&scratch[chain]), &x1);
                x3[chain] = lanes.reduce_sum(&lanes.sub(&sum, &x2));
                let difference = lanes.factor(&lanes.sub(&x1, &x3[chain]));
                lanes.mul(&slopes[chain], &difference, &mut scratch[chain]);
            }
            for chain in 0..CHAINS {
                let group = group_of(chain);
                let mut y3 = lanes.reduce_sum(&lanes.sub(&lanes.lift(&scratch[chain]), &y1[chain]));
                // SAFETY: `resolve` made the addresses, and the additions are independent.
                unsafe {
                    if EXACT {
                        let exceptions = exceptions[step][chain];
                        source.exact_sums(group, exceptions, [&mut x3[chain], &mut y3]);
                        met_infinity |= exceptions.infinity != 0;
                    }
                    source.store(group, &x3[chain], &y3);
                }
            }
        }
        Some(Outcome { met_infinity })
    }
}
