//! `demo`: a commitment over a real trusted setup and all three curves, checked against and timed beside independent
//! libraries; then a proof with a key of a real ceremony.

pub mod kzg;
mod peers;
mod proof;

use std::fmt::Display;
use std::io::Write;
use std::time::Duration;

use ark_bls12_381::G1Affine;
use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ec::{AffineRepr, CurveGroup};
use bucketwheel::{
    Backend, Bases, BasesOptions, Cancel, Control, Curve, CurveId, GroupId, Msm, Report, Scalars,
};
use bucketwheel_dynamic::inputs::{collect_of, Distribution, ScalarSequence, Walk};

use self::kzg::{Blob, Setup};
use self::peers::{Blst, Integer, Peer};
use crate::args::{with_backend, DemoArgs};
use crate::error::Error;
use crate::inputs::check_memory;
use crate::measure::{median, milliseconds};
use crate::runtime::{pool, Context};

/// The random inputs are the same on every run.
const SEED: u64 = 1;
/// Runs of which the median counts.
const REPETITIONS: usize = 5;

/// Shows a commitment, checks and measures, draws a conclusion.
///
/// # Errors
/// If a library disagrees, above all.
pub fn run(args: &DemoArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let options = with_backend(args.backend).cancel(context.cancel);
    // A backend that cannot be had is told before anything else.
    options.prepare::<ark_bls12_381::g1::Config>(&[])?;
    let log_size = args.log_size;
    let blob = Blob::load(args.data.as_deref())?;
    let mut rows = vec![commit(&blob, options, context, out)?];

    writeln!(out, "\nMSMs of 2^{log_size} random points of G1")?;
    out.flush()?;
    // Making the points may use all threads; the measured work does not.
    rows.extend(pool(None)?.install(|| {
        use ark_bls12_377::g1::Config as Bls12_377;
        use ark_bls12_381::g1::Config as Bls12_381;
        use ark_bn254::g1::Config as Bn254;
        let with_blst: [Peer<Bls12_381>; 2] = [("arkworks", peers::arkworks), ("blst", peers::blst)];
        Ok::<_, Error>([
            random(CurveId::Bls12_381, log_size, &with_blst, options, context)?,
            random::<Bls12_377>(
                CurveId::Bls12_377,
                log_size,
                &[("arkworks", peers::arkworks)],
                options,
                context,
            )?,
            random::<Bn254>(CurveId::Bn254, log_size, &[("arkworks", peers::arkworks)], options, context)?,
        ])
    })?);
    writeln!(out, "  every sum equals arkworks' and, on bls12-381, blst's")?;

    writeln!(out, "\nTime on one thread, points prepared beforehand, median of {REPETITIONS} runs")?;
    rows.iter().try_for_each(|row| row.print(out))?;
    proof::run(REPETITIONS, context, out)?;
    conclude(&rows, out)
}

/// Commits to a blob, twice, and compares.
fn commit(
    blob: &Blob,
    options: BasesOptions<'_>,
    context: Context<'_>,
    out: &mut dyn Write,
) -> Result<Row, Error> {
    writeln!(out, "KZG commitment over the {} points of Ethereum's trusted setup", kzg::POINTS)?;
    let bar = context.bar("load", "reading and checking the trusted setup");
    let setup = Setup::load()?;
    drop(bar);
    context.check()?;

    let bases = options.prepare(&setup.points)?;
    let ours = Ours { bases: &bases, cancel: context.cancel };
    let ones = [true; kzg::POINTS];
    let sum = Msm::new().cancel(context.cancel).run(&bases, Scalars::Bool(&ones))?;
    compare("the sum of the Lagrange points", "the generator", sum, G1Affine::generator())?;
    writeln!(out, "  the points lie in the group and sum up to its generator, as Lagrange points must")?;

    let scalars = blob.scalars();
    let (time, commitment, report) = ours.time(&scalars)?;
    // Its own reading of the same file, its own sum.
    let blst = Blst::from_compressed(&setup.compressed, &scalars)?;
    let (blst_time, expected) = blst.time(context)?;
    let commitment_bytes = kzg::compress(commitment);
    writeln!(out, "  data         {}", blob.description())?;
    writeln!(out, "  bucketwheel  {}", hex(&commitment_bytes))?;
    writeln!(out, "  blst         {}", hex(&expected))?;
    compare_bytes("the KZG commitment", "blst", &commitment_bytes, &expected)?;
    let (arkworks_time, arkworks) = peers::arkworks(&setup.points, &scalars, context)?;
    compare("the KZG commitment", "arkworks", commitment, arkworks)?;
    Ok(Row {
        name: format!("KZG commitment, {} points", kzg::POINTS),
        size: kzg::POINTS,
        backend: report.backend,
        ours: time,
        peers: vec![("arkworks", arkworks_time), ("blst", blst_time)],
    })
}

/// An MSM of random points and scalars, by the engine and by each peer.
fn random<C: Curve>(
    curve: CurveId,
    log_size: u32,
    peers: &[Peer<C>],
    options: BasesOptions<'_>,
    context: Context<'_>,
) -> Result<Row, Error> {
    let _bar = context.bar("measure", curve.name());
    let size = 1usize << log_size;
    check_memory(size.saturating_mul(size_of::<Affine<C>>() + size_of::<Integer<C>>()))?;
    let walk = Walk::<C>::new(GroupId::G1, SEED);
    let control = Control::new(None, Some(context.cancel), None);
    let points = collect_of(size, |index| walk.block(index), &control)?;
    let sequence = ScalarSequence::<C::ScalarField>::new(Distribution::Uniform, SEED);
    let scalars = collect_of(size, |index| sequence.block(index), &control)?;

    let bases = options.prepare(&points)?;
    let (ours, sum, report) = Ours { bases: &bases, cancel: context.cancel }.time(&scalars)?;
    let timed = peers.iter().map(|(name, msm)| {
        let (time, expected) = msm(&points, &scalars, context)?;
        compare(&format!("the MSM on {curve}"), name, sum, expected)?;
        Ok((*name, time))
    });
    let peers = timed.collect::<Result<_, Error>>()?;
    Ok(Row { name: format!("{curve} G1, 2^{log_size} points"), size, backend: report.backend, ours, peers })
}

/// The engine on one thread.
struct Ours<'a, C: Curve> {
    bases: &'a Bases<C>,
    cancel: &'a Cancel,
}

impl<C: Curve> Ours<'_, C> {
    fn time(&self, scalars: &[Integer<C>]) -> Result<(Duration, Projective<C>, Report), Error> {
        let msm = Msm::new().threads(1).cancel(self.cancel);
        let run = || msm.run_reported(self.bases, Scalars::Integers(scalars));
        let (time, (sum, report)) = median(REPETITIONS, run)?;
        Ok((time, sum, report))
    }
}

fn compare<C: Curve>(
    what: &str,
    peer: &'static str,
    ours: Projective<C>,
    theirs: impl Into<Projective<C>>,
) -> Result<(), Error> {
    let theirs = theirs.into();
    if ours == theirs {
        return Ok(());
    }
    Err(disagreement(what, peer, ours.into_affine(), theirs.into_affine()))
}

fn compare_bytes(what: &str, peer: &'static str, ours: &[u8], theirs: &[u8]) -> Result<(), Error> {
    if ours == theirs {
        return Ok(());
    }
    Err(disagreement(what, peer, hex(ours), hex(theirs)))
}

fn disagreement(what: &str, peer: &'static str, ours: impl Display, theirs: impl Display) -> Error {
    Error::Disagreement { what: what.into(), peer, ours: ours.to_string(), theirs: theirs.to_string() }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Times of one MSM: ours, and those of the other libraries.
struct Row {
    name: String,
    size: usize,
    backend: Backend,
    ours: Duration,
    peers: Vec<(&'static str, Duration)>,
}

impl Row {
    /// Time of the fastest other library; ours without any.
    fn best_peer(&self) -> Duration {
        self.peers.iter().map(|&(_, time)| time).min().unwrap_or(self.ours)
    }

    /// Ratio of the fastest other library's time to ours.
    fn ratio(&self) -> f64 {
        self.best_peer().as_secs_f64() / self.ours.as_secs_f64()
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(out, "  {}", self.name)?;
        let ours = ("bucketwheel", self.ours);
        for &(library, time) in std::iter::once(&ours).chain(&self.peers) {
            let (ms, rate) = (milliseconds(time), self.size as f64 / time.as_secs_f64());
            let ratio = self.best_peer().as_secs_f64() / time.as_secs_f64();
            writeln!(out, "    {library:<12} {ms:>9.2} ms {rate:>11.0} points/s {ratio:>6.2}x")?;
        }
        Ok(())
    }
}

fn conclude(rows: &[Row], out: &mut dyn Write) -> Result<(), Error> {
    let ratios = rows.iter().map(Row::ratio);
    let least = ratios.clone().fold(f64::INFINITY, f64::min);
    let most = ratios.fold(0.0, f64::max);
    let backend = rows.first().map_or("", |row| row.backend.name());
    writeln!(
        out,
        "\nAll results agree. With the {backend} backend, bucketwheel is {least:.2} to {most:.2} times as fast as \
         the fastest independent library measured here."
    )?;
    Ok(())
}
