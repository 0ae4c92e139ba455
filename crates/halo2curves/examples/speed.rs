//! Times sums by halo2curves 0.10 and by the engine, from small numbers of points on.
//!
//! `CARGO_PROFILE_RELEASE_OPT_LEVEL=3 RAYON_NUM_THREADS=1 cargo run --release -p bucketwheel-halo2curves --example speed`:
//! microseconds, medians of 31 interleaved runs on one thread. The variable is for halo2curves, which the workspace compiles for
//! size. Its feature `asm` is on.

use std::hint::black_box;
use std::time::Instant;

use bucketwheel_halo2curves::v0_10;
use halo2curves_0_10::ff::Field;
use halo2curves_0_10::group::prime::PrimeCurveAffine;
use halo2curves_0_10::group::{Curve, Group};
use halo2curves_0_10::{bn256, grumpkin, msm, pasta, CurveAffine};
use rand::rngs::StdRng;
use rand::SeedableRng;

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

fn compare<C: CurveAffine>(name: &str) {
    let rng = &mut StdRng::seed_from_u64(1);
    println!("\n{name}\n\n| points | halo2curves | ours | ratio |\n|---:|---:|---:|---:|");
    for len in [1, 2, 3, 4, 6, 8, 16, 32, 64, 256, 1024, 4096, 1 << 14, 1 << 16] {
        let points: Vec<C> =
            (0..len).map(|_| <C as PrimeCurveAffine>::Curve::random(&mut *rng).to_affine()).collect();
        let scalars: Vec<_> = (0..len).map(|_| C::Scalar::random(&mut *rng)).collect();
        let (mut original_times, mut our_times) = (Vec::new(), Vec::new());
        for _ in 0..if len > 4096 { 5 } else { RUNS } {
            original_times.push(micros(|| msm::msm_best(&scalars, &points)));
            our_times.push(micros(|| v0_10::msm_best(&scalars, &points)));
        }
        let (original, ours) = (median(original_times), median(our_times));
        println!("| {len} | {original:.0} | {ours:.0} | {:.2} |", original / ours);
    }
}

fn main() {
    compare::<bn256::G1Affine>("BN254 G1");
    compare::<grumpkin::G1Affine>("Grumpkin");
    compare::<pasta::PallasAffine>("Pallas");
    compare::<pasta::VestaAffine>("Vesta");
}
