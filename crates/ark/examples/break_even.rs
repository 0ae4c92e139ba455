//! Times sums by arkworks 0.6 and by the engine through the wrapped types, for small numbers of points.
//!
//! `CARGO_PROFILE_RELEASE_OPT_LEVEL=3 RAYON_NUM_THREADS=1 cargo run --release -p bucketwheel-ark --example break_even`: microseconds,
//! medians of 31 interleaved runs on one thread. The first variable is for arkworks, which the workspace compiles for size.

use std::hint::black_box;
use std::time::Instant;

use ark_ec_0_6::short_weierstrass;
use ark_ec_0_6::{CurveGroup, VariableBaseMSM};
use ark_std_0_6::UniformRand;
use bucketwheel::Curve;
use bucketwheel_ark::v0_6::{Affine, Projective};
use bytemuck::TransparentWrapper;

const RUNS: usize = 31;

fn micros<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64() * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn compare<C: Curve>(name: &str) {
    type Original<C> = short_weierstrass::Projective<C>;
    let rng = &mut ark_std_0_6::test_rng();
    println!("\n{name}\n\n| points | arkworks | wrapped | ratio |\n|---:|---:|---:|---:|");
    for len in [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 1024, 4096] {
        let points: Vec<_> = (0..len).map(|_| Original::<C>::rand(rng).into_affine()).collect();
        let scalars: Vec<_> = (0..len).map(|_| C::ScalarField::rand(rng)).collect();
        let wrapped = Affine::wrap_slice(&points);
        let (mut original_times, mut wrapped_times) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            original_times.push(micros(|| Original::<C>::msm_unchecked(&points, &scalars)));
            wrapped_times.push(micros(|| Projective::<C>::msm_unchecked(wrapped, &scalars)));
        }
        let (original, wrapped) = (median(original_times), median(wrapped_times));
        println!("| {len} | {original:.0} | {wrapped:.0} | {:.2} |", original / wrapped);
    }
}

fn main() {
    compare::<ark_bn254_0_6::g1::Config>("BN254 G1");
    compare::<ark_bn254_0_6::g2::Config>("BN254 G2");
    compare::<ark_bls12_381_0_6::g1::Config>("BLS12-381 G1");
    compare::<ark_bls12_381_0_6::g2::Config>("BLS12-381 G2");
}
