//! One build of the engine, controlled by [compare.py](compare.py), one line of standard input at a time:
//!
//! - `prepare CURVE GROUP LOG_SIZE BACKEND THREADS`: points and scalars, the same in every build; answers `ready`.
//! - `run`: one MSM over them; answers its milliseconds, the window of its plan and its sum.
//!
//! Old builds must compile this program, too, so it uses only old parts of the engine.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use ark_ec::CurveGroup;
use ark_ff::UniformRand;
use ark_serialize::CanonicalSerialize;
use bucketwheel::{Backend, BasesOptions, Curve, Msm, Scalars};
use rand::rngs::StdRng;
use rand::SeedableRng;

type Failure = Box<dyn Error>;
/// One MSM: milliseconds, window, and the sum in hexadecimal digits.
type Run = Box<dyn Fn() -> Result<String, Failure>>;

/// Points in rows. The points of a row differ by points that all rows share, so that 2^20 points take 2^20 additions.
const ROW: usize = 1024;

fn points<C: Curve>(count: usize, rng: &mut StdRng) -> Vec<ark_ec::short_weierstrass::Affine<C>> {
    type Projective<C> = ark_ec::short_weierstrass::Projective<C>;
    let columns: Vec<Projective<C>> = (0..ROW.min(count)).map(|_| UniformRand::rand(rng)).collect();
    let columns = Projective::<C>::normalize_batch(&columns);
    let mut points = Vec::with_capacity(count);
    while points.len() < count {
        let row = Projective::<C>::rand(rng);
        let row: Vec<_> = columns.iter().map(|column| row + column).collect();
        points.extend(Projective::<C>::normalize_batch(&row));
    }
    points.truncate(count);
    points
}

fn prepare<C: Curve>(count: usize, backend: Backend, threads: usize) -> Result<Run, Failure> {
    let rng = &mut StdRng::seed_from_u64(count as u64);
    let bases = BasesOptions::new().backend(backend).prepare::<C>(points::<C>(count, rng).as_slice())?;
    let scalars: Vec<C::ScalarField> = (0..count).map(|_| UniformRand::rand(rng)).collect();
    Ok(Box::new(move || {
        let msm = Msm::new().threads(threads);
        let start = Instant::now();
        let sum = msm.run(&bases, Scalars::Field(&scalars))?;
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let window = msm.plan::<C>(backend, count)?.window;
        let mut bytes = Vec::new();
        sum.into_affine().serialize_compressed(&mut bytes)?;
        let sum: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{ms:.4} {window} {sum}"))
    }))
}

fn case(words: &[&str]) -> Result<Run, Failure> {
    let [curve, group, log_size, backend, threads] = words else { return Err("a case has five words".into()) };
    let (count, backend, threads) = (1 << log_size.parse::<u32>()?, backend.parse()?, threads.parse()?);
    match (*curve, *group) {
        ("bls12-381", "g1") => prepare::<ark_bls12_381::g1::Config>(count, backend, threads),
        ("bls12-381", "g2") => prepare::<ark_bls12_381::g2::Config>(count, backend, threads),
        ("bls12-377", "g1") => prepare::<ark_bls12_377::g1::Config>(count, backend, threads),
        ("bls12-377", "g2") => prepare::<ark_bls12_377::g2::Config>(count, backend, threads),
        ("bn254", "g1") => prepare::<ark_bn254::g1::Config>(count, backend, threads),
        ("bn254", "g2") => prepare::<ark_bn254::g2::Config>(count, backend, threads),
        _ => Err(format!("no group {group} of {curve} here").into()),
    }
}

fn main() -> Result<(), Failure> {
    let mut run: Option<Run> = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["prepare", words @ ..] => {
                // Frees the previous points first.
                drop(run.take());
                run = Some(case(words)?);
                "ready".to_owned()
            }
            ["run"] => run.as_ref().ok_or("nothing is prepared")?()?,
            _ => return Err(format!("what is `{line}`?").into()),
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}
