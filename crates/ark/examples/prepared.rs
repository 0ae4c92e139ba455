//! Times sums over 2^16 points, or their first part, with and without points that a scope has prepared.
//!
//! `CARGO_PROFILE_RELEASE_OPT_LEVEL=3 RAYON_NUM_THREADS=1 cargo run --release -p bucketwheel-ark --example prepared`: milliseconds,
//! medians of 5 interleaved runs on one thread. A quarter of the prepared points is too little for a sum to use them, so its ratio is
//! about 1.

use std::hint::black_box;
use std::time::Instant;

use ark_ec_0_6::{CurveGroup, VariableBaseMSM};
use ark_std_0_6::UniformRand;
use bucketwheel::Curve;
use bucketwheel_ark::v0_6::Projective;
use bucketwheel_ark::Prepared;

const RUNS: usize = 5;
const LEN: usize = 1 << 16;

fn millis<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn compare<C: Curve>(name: &str) {
    let rng = &mut ark_std_0_6::test_rng();
    // A chain of points, because random points take longer than the sums.
    let mut point = Projective::<C>::rand(rng);
    let step = Projective::<C>::rand(rng);
    let chain: Vec<_> = (0..LEN)
        .map(|_| {
            point += step;
            point
        })
        .collect();
    let points = Projective::normalize_batch(&chain);
    let scalars: Vec<_> = (0..LEN).map(|_| C::ScalarField::rand(rng)).collect();
    let mut prepared = Prepared::new();
    let preparation = millis(|| prepared = Prepared::new().points(&points).expect("points of the curve"));
    println!("\n{name}: preparation takes {preparation:.1} ms\n\n| points | each sum prepares | prepared | ratio |\n|---:|---:|---:|---:|");
    for part in [1, 2, 4] {
        let (points, scalars) = (&points[..LEN / part], &scalars[..LEN / part]);
        let sum = || Projective::<C>::msm_unchecked(points, scalars);
        let (mut alone, mut in_scope) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            alone.push(millis(sum));
            in_scope.push(prepared.scope(|| millis(sum)));
        }
        let (alone, in_scope) = (median(alone), median(in_scope));
        println!("| {} | {alone:.2} | {in_scope:.2} | {:.2} |", points.len(), alone / in_scope);
    }
}

fn main() {
    compare::<ark_bn254_0_6::g1::Config>("BN254 G1");
    compare::<ark_bn254_0_6::g2::Config>("BN254 G2");
    compare::<ark_bls12_381_0_6::g1::Config>("BLS12-381 G1");
    compare::<ark_bls12_381_0_6::g2::Config>("BLS12-381 G2");
}
