//! Points, scalars and arkworks' sums, for all tests of the engine.

use std::cell::Cell;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AdditiveGroup, CurveGroup, VariableBaseMSM};
use ark_ff::{PrimeField, UniformRand, Zero};
use bucketwheel::{AdderKind, Backend, BasesOptions, CoordinateField, Curve, Msm, SchedulerKind, ThreadsBy};
use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::Rng;

pub fn points<C: Curve>(n: usize, rng: &mut StdRng) -> Vec<Affine<C>> {
    let steps: Vec<Projective<C>> = (0..16).map(|_| Projective::rand(rng)).collect();
    let mut point = steps[0];
    let walk: Vec<Projective<C>> = (0..n)
        .map(|_| {
            point = point.double() + steps[rng.gen_range(0..16)];
            point
        })
        .collect();
    Projective::normalize_batch(&walk)
}

/// Returns a point on the curve, most likely outside of the prime-order subgroup if the curve has such points.
pub fn any_point<C: Curve>(rng: &mut StdRng) -> Affine<C> {
    loop {
        let x = C::BaseField::rand(rng);
        if let Some(point) = Affine::<C>::get_point_from_x_unchecked(x, rng.gen()) {
            return point;
        }
    }
}

pub fn uniform<F: PrimeField>(n: usize, rng: &mut StdRng) -> Vec<F> {
    (0..n).map(|_| F::rand(rng)).collect()
}

pub fn expected<C: Curve>(points: &[Affine<C>], scalars: &[C::ScalarField]) -> Projective<C> {
    Projective::<C>::msm(points, scalars).expect("same length")
}

/// Returns the multiple of a point by doubling and adding. arkworks' shortcuts (`r - k` for `-k`, endomorphisms) are
/// wrong outside of the prime-order subgroup.
pub fn multiple<C: Curve>(point: &Affine<C>, scalar: &BigUint) -> Projective<C> {
    (0..scalar.bits()).rev().fold(Projective::zero(), |sum: Projective<C>, bit| {
        let twice = sum.double();
        if scalar.bit(bit) {
            twice + point
        } else {
            twice
        }
    })
}

/// Returns the adders for points of the curve's prime-order subgroup.
pub fn adders<C: Curve>() -> Vec<AdderKind> {
    let adders = AdderKind::ALL.iter().copied();
    adders.filter(|&adder| adder != AdderKind::Auto && adder.is_for::<C>()).collect()
}

/// Returns points for all of these adders.
pub fn for_all_adders<'a, C: Curve>() -> BasesOptions<'a> {
    BasesOptions::new().edwards(AdderKind::Edwards.is_for::<C>())
}

/// A choice of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub backend: Backend,
    pub scheduler: SchedulerKind,
    pub adder: AdderKind,
    pub threads_by: ThreadsBy,
}

impl Choice {
    pub fn of(self, msm: Msm<'_>) -> Msm<'_> {
        msm.scheduler(self.scheduler).adder(self.adder).threads_by(self.threads_by)
    }
}

/// Returns every scheduler with every adder on every backend. Threads share windows; if the scheduler takes points in
/// any order, they share windows and buckets in turn.
pub fn all_strategies<C: Curve>() -> Vec<Choice> {
    let mut choices = Vec::new();
    for (&scheduler, backend) in
        SchedulerKind::ALL.iter().flat_map(|s| backends_of::<C>().map(move |b| (s, b)))
    {
        for adder in adders::<C>() {
            let loops = choices.len() % 2 == 1 && !scheduler.scheduler(1, 1).needs_sorted();
            let threads_by = if loops { ThreadsBy::Loop } else { ThreadsBy::Auto };
            choices.push(Choice { backend, scheduler, adder, threads_by });
        }
    }
    choices
}

/// Returns true if a case is to be left out. The environment variable `BUCKETWHEEL_TEST_ONE_IN` says that one case in
/// this number is tried, for emulators and impatient users. Each test tries other cases, so that curves share the
/// cases.
pub fn is_left_out() -> bool {
    let of_name = || std::thread::current().name().map_or(0, |test| test.bytes().map(usize::from).sum());
    thread_local!(static CASES: Cell<usize> = const { Cell::new(usize::MAX) });
    if CASES.get() == usize::MAX {
        CASES.set(of_name());
    }
    let one_in = std::env::var("BUCKETWHEEL_TEST_ONE_IN").map_or(1, |n| n.parse().expect("a number"));
    !CASES.replace(CASES.get() + 1).is_multiple_of(one_in)
}

/// Calls `run` on this number of threads for an MSM, or on one thread if the target has no more.
pub fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    if cfg!(target_family = "wasm") {
        return run();
    }
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

/// Returns the backends that have lanes of the curve's field.
pub fn backends_of<C: Curve>() -> impl Iterator<Item = Backend> {
    backends().filter(|backend| C::BaseField::backends().contains(backend))
}

/// Returns the backends of this CPU. The model of AVX-512 IFMA is slow and included only if the CPU lacks AVX-512 IFMA,
/// or by the environment variable `BUCKETWHEEL_TEST_MODEL`. The tests of lanes compare the two on any CPU that has
/// both.
pub fn backends() -> impl Iterator<Item = Backend> {
    let model = !Backend::Avx512Ifma.is_supported() || std::env::var_os("BUCKETWHEEL_TEST_MODEL").is_some();
    Backend::ALL
        .into_iter()
        .filter(move |&backend| backend.is_supported() && (model || backend != Backend::Model))
}
