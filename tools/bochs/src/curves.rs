//! The engine's adders on two backends.
//!
//! The formulas hold for any coordinates (both backends compute the same polynomials), so points need not be on one
//! curve.

use alloc::vec::Vec;
use core::array::from_fn;
use core::mem::{size_of, zeroed};

use bucketwheel_lanes::MAX_LANES;

use crate::engine::adder::{Adder, Arena};
use crate::engine::coefficients::{Coefficients, EdwardsForm};
use crate::engine::infinities::Infinities;
use crate::lanes::Lanes;
use crate::memory::Slots;
use crate::samples::{Random, Sample, Shape};
use crate::schedule::{Addition, Ref};
use crate::trace::{Count, Trace};

/// Number of additions in a batch: some groups of lanes in all chains, and some additions more.
const ADDITIONS: usize = 75;

/// Coefficients a of curves that an adder takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CoefficientA {
    /// Only 0.
    Zero,
    /// Any coefficient.
    Any,
}

/// Compares the sums of an adder on two backends: on curves with a = 0, and on other curves if the adder takes them.
pub fn compare<A, B, AdderA, AdderB>(lanes_a: A, lanes_b: B, shape: &Shape, takes: CoefficientA) -> Count
where
    A: Lanes<Words: Sample>,
    B: Lanes<Words = A::Words>,
    AdderA: Adder<A>,
    AdderB: Adder<B>,
{
    let mut random = Random(2);
    let mut count = Count::default();
    for has_a in [false, true].into_iter().filter(|&has_a| !has_a || takes == CoefficientA::Any) {
        let a = has_a.then(|| Sample::random(&mut random, shape));
        let mut word = || Sample::random(&mut random, shape);
        let (root, s, r, d, half_d) = (word(), word(), word(), word(), word());
        let edwards = Some(EdwardsForm { root, s, r, d, half_d, excess: 2 });
        let curve = Coefficients { a, three_b: word(), small_three_b: None, beta: None, edwards };
        let mut points = Vec::new();
        points.resize_with(2 * ADDITIONS, || [(); 4].map(|()| A::Words::random(&mut random, shape)));
        let left = sums::<A, AdderA>(lanes_a, &points, curve);
        let right = sums::<B, AdderB>(lanes_b, &points, curve);
        count.add(left.compare(&right));
    }
    count
}

/// Runs additions of all kinds, each followed by a record of the state of all buckets.
fn sums<L: Lanes, A: Adder<L>>(lanes: L, points: &[[L::Words; 4]], curve: Coefficients<L::Words>) -> Trace {
    let mut inputs: Vec<_> = points.iter().map(|point| at_rest::<L, A::Input>(lanes, point)).collect();
    let infinity = inputs.len();
    // SAFETY: all bytes zero is the element 0, and buckets are arrays of elements.
    let (origin, empty): (A::Input, A::Bucket) = unsafe { (zeroed(), zeroed()) };
    inputs.push(origin);
    // The last bucket holds a copy.
    let mut buckets = Vec::from_iter((0..=ADDITIONS).map(|_| empty));

    let mut trace = Trace::default();
    let mut adder = A::new(lanes, curve, Infinities::Absent);
    let mut step = |additions: &[Addition], copy: Option<Ref>, trace: &mut Trace| {
        // SAFETY: `buckets` are the arena's buckets.
        let mut arena = unsafe {
            Arena::new(Slots::of(&mut inputs), Slots::of(&mut buckets), Slots::of::<A::Bucket>(&mut []))
        };
        let places = arena.places();
        if let Some(source) = copy {
            adder.copy(Ref::bucket(ADDITIONS), source, &places);
        }
        adder.add(additions, &places);
        trace.value("met infinity", u32::from(adder.met_infinity()));
        for group in buckets.chunks(L::LANES) {
            let places = from_fn(|lane| &raw const group[lane.min(group.len() - 1)]);
            // SAFETY: all places are buckets.
            trace.words("coordinates", &unsafe { A::decode(lanes, &curve, &places) });
            for bucket in group {
                trace.digits::<L, _>("digits", bucket);
            }
        }
    };
    let additions = |f: &dyn Fn(usize) -> [Ref; 3]| {
        let refs = (0..ADDITIONS).map(f);
        Vec::from_iter(refs.map(|[destination, left, right]| Addition { destination, left, right }))
    };

    // Pairs of points, with all signs: the affine adder's fast path.
    let pairs =
        additions(&|i| [Ref::bucket(i), Ref::input(2 * i, i & 1 == 1), Ref::input(2 * i + 1, i & 2 == 2)]);
    step(&pairs, Some(Ref::positive(4)), &mut trace);
    // Additions into buckets that hold points.
    let further = additions(&|i| [Ref::bucket(i), Ref::bucket(i), Ref::input(i, i & 1 == 1)]);
    step(&further, Some(Ref::negative(5)), &mut trace);
    // P + P among other pairs: the fast path fails, although all points are finite.
    let doubles = additions(&|i| {
        [Ref::bucket(i), Ref::input(i, i & 1 == 1), Ref::input(i + usize::from(i % 3 == 0), i & 1 == 1)]
    });
    step(&doubles, None, &mut trace);
    // P + (-P), which makes the adder remember infinity; then all combinations with infinity.
    let opposite = additions(&|i| [Ref::bucket(i), Ref::input(i, i % 3 == 0), Ref::input(i, i % 2 == 0)]);
    step(&opposite, None, &mut trace);
    step(&further, None, &mut trace);
    let infinite = additions(&|i| {
        let (left, right) = [(i, infinity), (infinity, i), (infinity, infinity), (i, i + 1)][i % 4];
        [Ref::bucket(i), Ref::input(left, i & 4 == 4), Ref::input(right, i & 8 == 8)]
    });
    step(&infinite, None, &mut trace);
    step(&further, None, &mut trace);
    trace
}

/// Returns a point in the backend's form: an array of up to four elements.
fn at_rest<L: Lanes, I>(lanes: L, words: &[L::Words; 4]) -> I {
    // SAFETY: all bytes zero is the element 0.
    let mut point: I = unsafe { zeroed() };
    let first = (&raw mut point).cast::<L::Elem>();
    for (i, words) in words.iter().enumerate().take(size_of::<I>() / size_of::<L::Elem>()) {
        // SAFETY: all lanes store to one place of the array, which is initialised and in bounds.
        unsafe { lanes.store(&lanes.splat(*words), &[first.wrapping_add(i); MAX_LANES]) };
    }
    point
}
