//! Times many small sums at once, as groups in the lanes, beside one sum after the other, over BLS12-381 G1 and on one thread.
//!
//! `cargo run --release -p bucketwheel --features groups --example groups`

use std::hint::black_box;
use std::time::{Duration, Instant};

use ark_bls12_381::{g1::Config, Fr, G1Affine, G1Projective};
use ark_ec::{CurveGroup, ScalarMul};
use ark_ff::UniformRand;
use ark_std::test_rng;
use bucketwheel::{BasesOptions, FixedBase, Groups, Msm};

const SUMS: usize = 64;
const ROUNDS: usize = 15;

fn median(mut call: impl FnMut()) -> f64 {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            call();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[ROUNDS / 2].as_secs_f64() * 1e6 / SUMS as f64
}

fn main() -> Result<(), bucketwheel::Error> {
    println!("microseconds a sum, {SUMS} sums");
    println!("points   one by one   same points   own points   width");
    let rng = &mut test_rng();
    for (n, width) in [(1, 4), (2, 4), (4, 4), (8, 4), (16, 5), (32, 5), (64, 6)] {
        let points: Vec<G1Projective> = (0..n * SUMS).map(|_| G1Projective::rand(rng)).collect();
        let points: Vec<G1Affine> = G1Projective::normalize_batch(&points);
        let scalars: Vec<Fr> = (0..n * SUMS).map(|_| Fr::rand(rng)).collect();
        let bases = BasesOptions::new().threads(1).prepare(&points[..n])?;
        let msm = Msm::new().threads(1);
        let one_by_one = median(|| {
            for scalars in scalars.chunks(n) {
                let _ = black_box(msm.run(&bases, scalars).expect("equal lengths"));
            }
        });
        let [same, own] = [&points[..n], &points].map(|points| {
            let groups = Groups::<Config>::new(points, n, width).expect("few points");
            let sums = groups.sums(&scalars, Some(1)).expect("whole vectors");
            assert_eq!(sums[0], msm.run(&bases, &scalars[..n]).expect("equal lengths"));
            median(|| drop(black_box(groups.sums(&scalars, Some(1)))))
        });
        println!("{n:6} {one_by_one:12.1} {same:13.1} {own:12.1} {width:7}");
    }
    println!("\nmicroseconds a product of one point, beside arkworks' batch_mul");
    println!("scalars   arkworks       ours");
    let point = G1Projective::rand(rng);
    for log_size in [3, 4, 6, 8, 10, 12, 14, 16] {
        let scalars: Vec<Fr> = (0..1 << log_size).map(|_| Fr::rand(rng)).collect();
        let width = FixedBase::<Config>::width_for(scalars.len());
        let call = || FixedBase::new(&point.into_affine(), width)?.products(&scalars, Some(1));
        assert_eq!(call()?, point.batch_mul(&scalars));
        let scale = SUMS as f64 / scalars.len() as f64;
        let arkworks = scale * median(|| drop(black_box(point.batch_mul(&scalars))));
        let ours = scale * median(|| drop(black_box(call())));
        println!("{:7} {arkworks:10.1} {ours:10.1}", scalars.len());
    }
    Ok(())
}
