//! Times small sums as the planner chooses to add them beside sums by buckets in each window, to check that choice.
//!
//! `cargo run --release -p bucketwheel --example small_sums`: microseconds on one thread, medians of 31 runs, interleaved
//! for the sums. The column `prepare` has the time of `BasesOptions::prepare`. The column `plan` shows no window if
//! Straus' method takes the place of buckets.

use std::hint::black_box;
use std::time::Instant;

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::CurveGroup;
use ark_ff::UniformRand;
use bucketwheel::{Backend, Bases, BasesOptions, CoordinateField, Curve, Msm, Scalars};
use rand::rngs::StdRng;
use rand::SeedableRng;

const RUNS: usize = 31;
const WINDOWS: std::ops::RangeInclusive<u32> = 3..=9;

fn micros<C: Curve>(msm: Msm<'_>, bases: &Bases<C>, scalars: &[C::ScalarField]) -> f64 {
    let start = Instant::now();
    let _ = black_box(msm.run(bases, Scalars::Field(scalars)).expect("as many scalars as points"));
    start.elapsed().as_secs_f64() * 1e6
}

fn prepare_micros<C: Curve>(points: &[Affine<C>], backend: Backend) -> f64 {
    let start = Instant::now();
    let _ = black_box(BasesOptions::new().backend(backend).prepare(points).expect("supported"));
    start.elapsed().as_secs_f64() * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn compare<C: Curve>(name: &str, backend: Backend) {
    if !backend.is_supported() || !C::BaseField::backends().contains(&backend) {
        return;
    }
    let rng = &mut StdRng::seed_from_u64(1);
    println!("\n{name}, {backend}\n\n| points | prepare | plan | time | best window | its time | ratio |\n|---:|---:|---:|---:|---:|---:|---:|");
    for len in [1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 96, 128, 256] {
        let points: Vec<Affine<C>> = (0..len).map(|_| Projective::<C>::rand(rng).into_affine()).collect();
        let scalars: Vec<C::ScalarField> = (0..len).map(|_| C::ScalarField::rand(rng)).collect();
        let bases = BasesOptions::new().backend(backend).prepare(&points).expect("supported");
        let prepare = median((0..RUNS).map(|_| prepare_micros(&points, backend)).collect());
        let planned = Msm::new().threads(1);
        let (_, report) = planned.run_reported(&bases, Scalars::Field(&scalars)).expect("the same length");
        let mut times = vec![Vec::new(); 1 + WINDOWS.count()];
        for _ in 0..RUNS {
            times[0].push(micros(planned, &bases, &scalars));
            for (window, times) in WINDOWS.zip(&mut times[1..]) {
                times.push(micros(planned.window(window), &bases, &scalars));
            }
        }
        let times: Vec<f64> = times.into_iter().map(median).collect();
        let best = WINDOWS.zip(&times[1..]).min_by(|(_, a), (_, b)| a.total_cmp(b)).expect("some windows");
        let plan = if report.plan.bucket_sets == 0 { "-".into() } else { report.plan.window.to_string() };
        println!(
            "| {len} | {prepare:.1} | {plan} | {:.0} | {} | {:.0} | {:.2} |",
            times[0],
            best.0,
            best.1,
            best.1 / times[0]
        );
    }
}

fn main() {
    for backend in [Backend::Avx512Ifma, Backend::Avx2, Backend::Adx, Backend::Portable] {
        compare::<ark_bn254::g1::Config>("BN254 G1", backend);
        compare::<ark_bls12_381::g1::Config>("BLS12-381 G1", backend);
        compare::<ark_bls12_381::g2::Config>("BLS12-381 G2", backend);
    }
}
