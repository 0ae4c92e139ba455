//! The arithmetic of sums alone, as WebAssembly for kernels.mjs: products and squares of coordinates, and additions of points.

use std::cell::RefCell;
use std::hint::black_box;

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};
use bucketwheel::{AdderKind, Backend, Bases, Curve, Summands};
use bucketwheel_lanes::{Bls12_381Fq, Bn254Fq, PrimeLanes, Task, Visitor};

/// Runs a kernel this number of times.
type Run = Box<dyn FnMut(usize)>;

thread_local! {
    static RUN: RefCell<Option<Run>> = RefCell::default();
}

/// Makes a kernel ready: 0 for products, 1 for squares, 2 for additions of `len` points; over 254 or 381 bits. Returns the number of
/// results of a run.
#[no_mangle]
pub extern "C" fn prepare(kernel: u32, bits: u32, len: usize) -> usize {
    let (count, run) = match (kernel, bits) {
        (2, 254) => additions::<ark_bn254::g1::Config>(len),
        (2, _) => additions::<ark_bls12_381::g1::Config>(len),
        (_, 254) => lanes(|backend| backend.visit::<Bn254Fq, _>(Prepare { square: kernel == 1 }).ok()),
        _ => lanes(|backend| backend.visit::<Bls12_381Fq, _>(Prepare { square: kernel == 1 }).ok()),
    };
    RUN.set(Some(run));
    count
}

/// Runs the prepared kernel some times.
///
/// # Panics
/// If no kernel is prepared.
#[no_mangle]
pub extern "C" fn run(rounds: usize) {
    RUN.with_borrow_mut(|run| run.as_mut().expect("a prepared kernel")(rounds));
}

/// Returns the result of a visit to the fastest lanes.
fn lanes<T>(visit: impl FnOnce(Backend) -> Option<T>) -> T {
    visit(Backend::detect()).expect("lanes of the fastest backend")
}

/// Returns the additions of a batch of points, each twice the point before it. No addition is exceptional.
fn additions<C: Curve>(len: usize) -> (usize, Run) {
    let points = std::iter::successors(Some(Affine::<C>::generator()), |p| Some((*p + *p).into_affine()));
    let points: Vec<_> = points.take(len).collect();
    // The additions borrow the points to the end of the instance.
    let bases = Box::leak(Box::new(Bases::<C>::new(&points).expect("points")));
    let mut additions = bases.additions(AdderKind::Affine, Summands::Mixed).expect("the affine adder");
    (len, Box::new(move |rounds| (0..rounds).for_each(|_| additions.run())))
}

/// Makes products or squares of vectors ready.
struct Prepare {
    square: bool,
}

impl<W> Visitor<W> for Prepare {
    type Output = (usize, Run);

    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> (usize, Run) {
        let run = move |rounds| lanes.vectorize(Products { lanes, square: self.square, rounds });
        (L::LANES, Box::new(run))
    }
}

/// Products of the same factors, which do not wait for each other.
struct Products<L> {
    lanes: L,
    square: bool,
    rounds: usize,
}

impl<L: PrimeLanes> Task for Products<L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Products { lanes, square, rounds } = self;
        let (x, mut product) = (black_box(lanes.one()), lanes.one());
        for _ in 0..rounds {
            match square {
                true => lanes.square(black_box(&x), &mut product),
                false => lanes.mul(black_box(&x), L::as_factor(&x), &mut product),
            }
        }
        black_box(product);
    }
}
