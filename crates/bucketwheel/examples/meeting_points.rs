//! Cost of points whose sums meet in equal or opposite ones, beside random points: milliseconds of one thread, medians.
//!
//!     cargo run --release --package bucketwheel --example meeting_points [LOG_SIZE]

use std::time::Instant;

use ark_bls12_381::g1::Config as Bls12_381;
use ark_bn254::g1::Config as Bn254;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{CurveGroup, PrimeGroup};
use ark_std::UniformRand;
use bucketwheel::{Bases, Curve, Error, Msm, Scalars};

/// Repetitions after a warm-up.
const RUNS: usize = 7;

fn measure<C: Curve>(curve: &str, log_size: u32) -> Result<(), Error> {
    let rng = &mut ark_std::test_rng();
    let n = 1usize << log_size;
    let generator = Projective::<C>::generator();
    let step = Projective::<C>::rand(rng);
    // first, first + step, ...
    let progression = |first: Projective<C>, step: Projective<C>| {
        let points: Vec<_> =
            std::iter::successors(Some(first), |point| Some(*point + step)).take(n).collect();
        Projective::normalize_batch(&points)
    };
    let random: Vec<_> = (0..n).map(|_| generator * C::ScalarField::rand(rng)).collect();
    let random: Vec<Affine<C>> = Projective::normalize_batch(&random);
    let few = (0..n).map(|i| random[i % 64.min(n)]).collect();
    let scalars: Vec<_> = (0..n).map(|_| C::ScalarField::rand(rng)).collect();
    let kinds = [
        ("multiples of a point", progression(generator, generator)),
        ("arithmetic progression", progression(generator, step)),
        ("64 points, repeated", few),
        ("random", random),
    ];
    for (kind, points) in kinds {
        let bases = Bases::<C>::new(&points)?;
        let mut times = Vec::new();
        for _ in 0..=RUNS {
            let start = Instant::now();
            let _sum = Msm::new().threads(1).run(&bases, Scalars::Field(&scalars))?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.remove(0);
        times.sort_by(f64::total_cmp);
        println!("{curve:10} 2^{log_size} {kind:24} {:8.2} ms", times[RUNS / 2]);
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let log_size =
        std::env::args().nth(1).and_then(|text| text.parse().ok()).filter(|size| *size < 25).unwrap_or(16);
    measure::<Bn254>("BN254", log_size)?;
    measure::<Bls12_381>("BLS12-381", log_size)
}
