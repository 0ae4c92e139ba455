//! The MSM of CycloneMSM's authors, by their own host program, on the simulated hardware; compared with the engine's.
//!
//!     cd hdl/host && cargo run
//!
//! The points and scalars of the host are arkworks' of another version, so they change their types as integers.

use std::process::ExitCode;
use std::time::Instant;

use ark_bls12_377::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::AffineRepr;
use ark_ff::{BigInt, PrimeField};
use bucketwheel::{msm, TwistedEdwards};
use cyclone_msm::testing::{random_fr, random_points};
use cyclone_msm::App;

/// The logarithm of the number of points.
const SIZE: u8 = 10;

fn coordinate(x: ark_bls12_377_alpha::Fq) -> Fq {
    Fq::from_bigint(BigInt::new(ark_ff_alpha::PrimeField::into_bigint(x).0)).expect("below the same prime")
}

fn point(point: &ark_bls12_377_alpha::G1Affine) -> G1Affine {
    match ark_ec_alpha::AffineRepr::xy(point) {
        Some((x, y)) => G1Affine::new(coordinate(*x), coordinate(*y)),
        None => G1Affine::zero(),
    }
}

fn main() -> ExitCode {
    let points = random_points(SIZE);
    let scalars = random_fr(SIZE);
    let bigints: Vec<_> = scalars.iter().map(|&x| ark_ff_alpha::PrimeField::into_bigint(x)).collect();

    let began = Instant::now();
    let fpga = cyclone_msm::fpga().expect("a card");
    let mut app = App::new(fpga, SIZE);
    app.set_points(&points);
    let sent = app.fpga.cycles();
    let sum = app.msm_bigint(&bigints);
    let sum: ark_bls12_377_alpha::G1Affine = sum.into();
    let sum = point(&sum);
    println!(
        "2^{SIZE} points: {sent} cycles to send them, {} cycles for the sum, {:.1} s; {:?}",
        app.fpga.cycles() - sent,
        began.elapsed().as_secs_f64(),
        app.statistics()
    );

    let points: Vec<_> = points.iter().map(point).collect();
    let scalars: Vec<_> =
        bigints.iter().map(|x| Fr::from_bigint(BigInt::new(x.0)).expect("below the order")).collect();
    let expected: G1Projective = msm(&points, &scalars).expect("a sum");
    if app.fpga.failed() || app.statistics().dropped_commands != 0 || expected != sum {
        eprintln!("the sum of the simulated card is not the engine's");
        return ExitCode::FAILURE;
    }
    println!("equal to the engine's sum");
    ExitCode::SUCCESS
}
