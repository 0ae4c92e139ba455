//! The MSM of CycloneMSM's authors, by their own host program, on the simulated hardware; compared with the engine's.
//!
//!     cd hdl/host && cargo run
//!
//! The points and scalars of the host are arkworks' of another version, so they change their types as integers.

use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use ark_bls12_377::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::AffineRepr;
use ark_ff::{BigInt, PrimeField};
use bucketwheel::msm;
use bucketwheel_rtl::{cyclone, Bus, Fault};
use cyclone_fpga::{Card, F1};
use cyclone_msm::testing::{random_fr, random_points};
use cyclone_msm::App;

/// The logarithm of the number of points.
const SIZE: u8 = 10;

/// The simulated card, shared by the host and this program. Time passes in it only while the host writes or reads.
#[derive(Clone)]
struct Simulated(Arc<Mutex<cyclone::F1>>);

impl Simulated {
    /// Returns the card, which must be dropped before the host's next access.
    fn card(&self) -> MutexGuard<'_, cyclone::F1> {
        self.0.lock().expect("no thread ends while it has the card")
    }

    fn cycles(&self) -> u64 {
        self.card().cycles()
    }

    fn failed(&self) -> bool {
        self.card().failed()
    }
}

/// The host's interface has no errors, so a broken card ends the program.
fn or_end<T>(result: Result<T, Fault>) -> T {
    result.unwrap_or_else(|fault| panic!("the simulated card: {fault}"))
}

impl Card for Simulated {
    fn write(&mut self, register: u32, word: u32) {
        or_end(self.card().write(4 * register, word));
    }

    fn read(&mut self, register: u32) -> u32 {
        or_end(self.card().read(4 * register))
    }

    fn packet(&mut self, index: u32, packet: &[u64; 8]) {
        or_end(self.card().packet(index, packet));
    }
}

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
    let card = Simulated(Arc::new(cyclone::F1::new("cyclone_f1").into()));
    let mut app = App::new(F1::of(card.clone()), SIZE);
    app.set_points(&points);
    let sent = card.cycles();
    let sum = app.msm_bigint(&bigints);
    let sum: ark_bls12_377_alpha::G1Affine = sum.into();
    let sum = point(&sum);
    println!(
        "2^{SIZE} points: {sent} cycles to send them, {} cycles for the sum, {:.1} s; {:?}",
        card.cycles() - sent,
        began.elapsed().as_secs_f64(),
        app.statistics()
    );

    let points: Vec<_> = points.iter().map(point).collect();
    let scalars: Vec<_> =
        bigints.iter().map(|x| Fr::from_bigint(BigInt::new(x.0)).expect("below the order")).collect();
    let expected: G1Projective = msm(&points, &scalars).expect("a sum");
    if card.failed() || app.statistics().dropped_commands != 0 || expected != sum {
        eprintln!("the sum of the simulated card is not the engine's");
        return ExitCode::FAILURE;
    }
    println!("equal to the engine's sum");
    ExitCode::SUCCESS
}
