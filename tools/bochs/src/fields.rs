//! Every operation of a field in lanes, and every operation of lazy sums, on two backends.

use core::array::from_fn;
use core::mem::MaybeUninit;

use bucketwheel_lanes::{Backend, PrimeLanes, Task, MAX_LANES};

use crate::lanes::Lanes;
use crate::samples::{digits, AtRest, Random, Sample, Shape};
use crate::trace::{Count, Trace};

/// Inputs of a round.
struct Inputs<W> {
    words: [[W; MAX_LANES]; 3],
    /// Digits in place of the words of the first two inputs, for backends that have common digits.
    digits: Option<[AtRest; 2]>,
    mask: u32,
}

/// Compares two backends over rounds of random and extreme inputs.
pub fn compare<A, B>(a: A, b: B, shape: &Shape, rounds: usize) -> Count
where
    A: Lanes<Words: Sample>,
    B: Lanes<Words = A::Words>,
{
    let mut random = Random(1);
    let (mut left, mut right) = (Trace::default(), Trace::default());
    let mut count = Count::default();
    for round in 0..rounds {
        let mut words = [[A::Words::default(); MAX_LANES]; 3];
        words.as_flattened_mut().fill_with(|| Sample::any(&mut random, shape));
        if round % 4 == 0 {
            // Some differences are zero.
            words[2] = words[0];
        }
        let use_digits = B::BACKEND == Backend::Model && round % 2 == 1;
        let digits = use_digits.then(|| [digits(&mut random, shape), digits(&mut random, shape)]);
        let inputs = Inputs { words, digits, mask: random.word() as u32 & 0xff };
        left.clear();
        right.clear();
        a.vectorize(Round { lanes: a, inputs: &inputs, trace: &mut left });
        b.vectorize(Round { lanes: b, inputs: &inputs, trace: &mut right });
        count.add(left.compare(&right));
    }
    count
}

struct Round<'a, L: Lanes> {
    lanes: L,
    inputs: &'a Inputs<L::Words>,
    trace: &'a mut Trace,
}

impl<L: Lanes> Task for Round<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Round { lanes, inputs, trace } = self;
        let mask = inputs.mask & (u32::MAX >> (32 - L::LANES));

        let encoded = inputs.words.map(|words| encode(lanes, &words));
        for v in &encoded {
            trace.vector("encode", lanes, v);
        }
        trace.vector("one", lanes, &lanes.one());
        trace.vector("splat", lanes, &lanes.splat(inputs.words[0][1]));

        // Factors: reduced elements, or digits of products.
        let [mut x, mut y, _] = encoded;
        if let Some(digits) = &inputs.digits {
            // SAFETY: an element of these backends is one or two lines of digits, or part of the first line.
            [x, y] = [0, 1]
                .map(|i| unsafe { load(lanes, &from_fn(|lane| (&raw const digits[i].0[lane]).cast())) });
        }
        let xy = mul(lanes, &x, L::as_factor(&y));
        trace.vector("mul", lanes, &xy);
        let x2 = square(lanes, &x);
        trace.vector("square", lanes, &x2);
        // The square of a product.
        trace.vector("square of a square", lanes, &square(lanes, &x2));

        let [a, b, c] = [&x, &y, &encoded[2]].map(|v| reduce(lanes, &lanes.lift(v)));
        let [la, lb, lc] = [&a, &b, &c].map(|v| lanes.lift(v));
        trace.vector("reduce", lanes, &a);
        let negated = lanes.negate(&la, mask);
        trace.digits::<L, _>("negate", &negated);
        trace.vector("negate", lanes, &reduce(lanes, &negated));
        let sum = lanes.add(&la, &lb);
        trace.digits::<L, _>("add", &sum);
        trace.vector("add", lanes, &reduce(lanes, &sum));
        let difference = lanes.sub(&la, &lc);
        trace.digits::<L, _>("sub", &difference);
        let reduced = reduce(lanes, &difference);
        trace.vector("sub", lanes, &reduced);
        trace.value("zero_lanes", lanes.zero_lanes(&reduced));
        let sum = lanes.sub(&lanes.sub(&lanes.lift(&xy), &la), &lb);
        trace.vector("xy - a - b", lanes, &reduce(lanes, &sum));
        let sum = lanes.sub(&lanes.add(&la, &lb), &lanes.lift(&x2));
        trace.vector("a + b - x^2", lanes, &reduce(lanes, &sum));
        let mut v = a;
        for _ in 0..4 {
            v = reduce(lanes, &lanes.sub(&lanes.sub(&lanes.lift(&xy), &lanes.lift(&v)), &lb));
        }
        trace.vector("repeated reduce", lanes, &v);

        // Differences as factors, of reduced elements and of products.
        for sum in [lanes.sub(&la, &lc), lanes.sub(&lanes.lift(&xy), &lanes.lift(&x2))] {
            let factor = lanes.factor(&sum);
            trace.digits::<L, _>("factor", &factor);
            trace.vector("mul by a difference", lanes, &mul(lanes, &xy, &factor));
        }

        trace.vector("select", lanes, &lanes.select(mask, &a, &b));

        for v in [&a, &encoded[1]] {
            let inverse = lanes.invert(v);
            trace.value("invert", u32::from(inverse.is_some()));
            trace.vector("invert", lanes, &inverse.unwrap_or(*v));
        }

        // Stores to memory in another order, and loads again.
        let mut at_rest = [[MaybeUninit::<L::Elem>::zeroed(); MAX_LANES]; 2];
        let places = at_rest.each_mut().map(|elements| {
            let first = elements.as_mut_ptr().cast::<L::Elem>();
            from_fn(|lane| first.wrapping_add((5 * lane + 3) % L::LANES))
        });
        let sources = places.map(|places| places.map(|place| place.cast_const()));
        // SAFETY: all addresses are within the arrays.
        unsafe {
            for (v, places) in [&a, &b].into_iter().zip(&places) {
                lanes.store(v, places);
            }
            trace.digits::<L, _>("store", &at_rest);
            trace.vector("load", lanes, &load(lanes, &sources[0]));
            let factor = lanes.load_difference(&sources[0], &sources[1]);
            trace.digits::<L, _>("load_difference", &factor);
            trace.vector("load_difference", lanes, &mul(lanes, &xy, &factor));
        }
        L::prefetch(sources[0][0].cast());
    }
}

/// Compares the operations of transforms over rounds of random and extreme inputs.
pub fn compare_lazy<A, B>(a: A, b: B, shape: &Shape, rounds: usize) -> Count
where
    A: PrimeLanes<Words: Sample> + Lanes,
    B: PrimeLanes<Words = A::Words> + Lanes,
{
    let mut random = Random(2);
    let (mut left, mut right) = (Trace::default(), Trace::default());
    let mut count = Count::default();
    for _ in 0..rounds {
        let mut words = [[A::Words::default(); MAX_LANES]; 3];
        words.as_flattened_mut().fill_with(|| Sample::any(&mut random, shape));
        left.clear();
        right.clear();
        a.vectorize(LazyRound { lanes: a, words: &words, trace: &mut left });
        b.vectorize(LazyRound { lanes: b, words: &words, trace: &mut right });
        count.add(left.compare(&right));
    }
    count
}

struct LazyRound<'a, L: Lanes> {
    lanes: L,
    words: &'a [[L::Words; MAX_LANES]; 3],
    trace: &'a mut Trace,
}

impl<L: PrimeLanes + Lanes> Task for LazyRound<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let LazyRound { lanes, words, trace } = self;
        let [x, y] = [0, 1].map(|i| lanes.split(&words[i]));
        trace.digits::<L, _>("split", &x);
        trace.words("join", &lanes.join(&x));
        let scalar = lanes.scalar(&words[2][0]);
        let product = lanes.mul_scalar(&x, &scalar);
        trace.digits::<L, _>("mul_scalar", &product);
        trace.words("mul_scalar", &lanes.join(&product));
        let product = lanes.mul_lazy(&y, &encode(lanes, &words[2]));
        trace.digits::<L, _>("mul_lazy", &product);
        let mut sum = lanes.sub_lazy(&x, &lanes.add_lazy(&y, &product), 2);
        for _ in 3..L::TERMS.min(10) {
            sum = lanes.sub_lazy(&sum, &product, 1);
        }
        trace.digits::<L, _>("sub_lazy", &sum);
        let shrunk = lanes.shrink(&sum);
        trace.digits::<L, _>("shrink", &shrunk);
        trace.words("shrink", &lanes.join(&shrunk));
        let (mut a, mut b) = (shrunk, sum);
        lanes.butterfly(&mut a, &mut b, &scalar);
        let mut rows = [x; MAX_LANES];
        (rows[1], rows[2]) = (a, b);
        lanes.transpose(&mut rows);
        for row in &rows[..L::LANES] {
            trace.digits::<L, _>("butterfly, transposed", row);
        }
    }
}

// Operations that occur often are functions, because inlining them everywhere would take long to compile.

#[inline(never)]
fn encode<L: Lanes>(lanes: L, words: &[L::Words]) -> L::Vec {
    lanes.encode(words)
}

/// Loads an element for each lane.
///
/// # Safety
/// - The obligations of [`load`](bucketwheel_lanes::LaneField::load).
#[inline(never)]
unsafe fn load<L: Lanes>(lanes: L, src: &[*const L::Elem; MAX_LANES]) -> L::Vec {
    // SAFETY: this function's caller meets the obligations.
    unsafe { lanes.load(src) }
}

#[inline(never)]
fn mul<L: Lanes>(lanes: L, a: &L::Vec, b: &L::Factor) -> L::Vec {
    let mut out = *a;
    lanes.mul(a, b, &mut out);
    out
}

#[inline(never)]
fn square<L: Lanes>(lanes: L, a: &L::Vec) -> L::Vec {
    let mut out = *a;
    lanes.square(a, &mut out);
    out
}

#[inline(never)]
fn reduce<L: Lanes>(lanes: L, sum: &L::Sum) -> L::Vec {
    lanes.reduce(sum)
}
