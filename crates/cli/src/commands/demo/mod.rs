//! `demo`: a commitment over a real trusted setup and MSMs on all three curves, checked and timed beside independent
//! libraries; then a proof for a circuit of circom.

mod blob;
mod error;
mod proof;

use std::io::Write;
use std::time::Duration;

use bucketwheel::{Backend, BasesOptions, Cancel, Control, CurveId, GroupId, Msm, Progress, Report};
use bucketwheel_dynamic::inputs::{self, collect, Distribution};
use bucketwheel_dynamic::{groups, AnyPoints, AnyScalars, AnySum, DynBases};
use bucketwheel_peers::{arkworks, Blst, Peer, Refused};

use self::blob::Blob;
use self::error::PeerError;
use crate::args::DemoArgs;
use crate::error::{own, Error};
use crate::inputs::check_memory;
use crate::measure::{median, milliseconds};
use crate::output::hexadecimal;
use crate::runtime::{pool, Context};
use crate::trusted_setup::{compress, Setup, POINTS};

/// The random inputs are the same on every run.
const SEED: u64 = 1;
/// Bytes of a scalar of BLS12-381.
const SCALAR_BYTES: usize = 32;
/// Number of runs for a median.
const REPETITIONS: usize = 5;

/// Shows a commitment, checks and measures, and draws a conclusion.
///
/// # Errors
/// Above all, an error if a library disagrees.
pub fn run(args: &DemoArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let options = args.backend.bases().cancel(context.cancel);
    // An unavailable backend is reported before anything else.
    prepare(CurveId::Bls12_381, options, &[])?;
    let log_size = args.log_size;
    let blob = Blob::load(args.data.as_deref())?;
    let mut rows = vec![commit(&blob, options, context, out)?];

    writeln!(out, "\nMSMs of 2^{log_size} random points of G1")?;
    out.flush()?;
    // Making the points may use all threads; the measured work must not.
    let random = |curve| random(curve, log_size, options, context);
    let curves = [CurveId::Bls12_381, CurveId::Bls12_377, CurveId::Bn254];
    rows.extend(pool(None)?.install(|| curves.into_iter().map(random).collect::<Result<Vec<_>, _>>())?);
    writeln!(out, "  every sum equals arkworks' and, on bls12-381, blst's")?;

    writeln!(out, "\nTime on one thread, points prepared beforehand, median of {REPETITIONS} runs")?;
    rows.iter().try_for_each(|row| row.print(out))?;
    proof::run(REPETITIONS, context, out)?;
    conclude(&rows, out)
}

/// Points of G1, prepared.
fn prepare(curve: CurveId, options: BasesOptions<'_>, points: &[u8]) -> Result<Box<dyn DynBases>, Error> {
    Ok(groups(curve, GroupId::G1)?.prepare(options, &[AnyPoints::integers(points)])?)
}

/// Commits to a blob with two libraries, and compares.
fn commit(
    blob: &Blob,
    options: BasesOptions<'_>,
    context: Context<'_>,
    out: &mut dyn Write,
) -> Result<Row, Error> {
    writeln!(out, "KZG commitment over the {POINTS} points of Ethereum's trusted setup")?;
    let bar = context.bar("load", "reading and checking the trusted setup").steps(1);
    let setup = Setup::load()?;
    drop(bar);
    context.check()?;

    let bases = setup.prepare(options)?;
    let mut ones = vec![0; POINTS * SCALAR_BYTES];
    ones.iter_mut().step_by(SCALAR_BYTES).for_each(|byte| *byte = 1);
    let msm = Msm::new().cancel(context.cancel);
    let (sums, _) = bases.run(msm, AnyScalars::integers(&ones))?;
    let generator = inputs::generator(CurveId::Bls12_381, GroupId::G1)?;
    compare("the sum of the Lagrange points", "the generator", &sums[0].integers, &generator)?;
    writeln!(out, "  the points lie in the group and sum up to its generator, as Lagrange points must")?;

    let scalars = blob.scalars();
    let (time, commitment, report) = ours(&*bases, &scalars, context.cancel)?;
    // The other library reads the same file and computes its own sum.
    let mut blst = Blst::compressed(&setup.compressed, &scalars).map_err(refused)?;
    let mut peers = vec![measured(&mut blst, "the KZG commitment", &commitment, context)?];
    let (commitment_bytes, expected) = (compress(&commitment.integers)?, blst.compressed_sum());
    writeln!(out, "  data         {}", blob.description())?;
    writeln!(out, "  bucketwheel  {}", hexadecimal(&commitment_bytes))?;
    writeln!(out, "  blst         {}", hexadecimal(expected))?;
    compare("the KZG commitment", "blst", &commitment_bytes, &expected)?;
    if let Some(mut arkworks) = arkworks(CurveId::Bls12_381, &setup.points, &scalars)? {
        peers.insert(0, measured(&mut *arkworks, "the KZG commitment", &commitment, context)?);
    }
    Ok(Row {
        name: format!("KZG commitment, {POINTS} points"),
        size: POINTS,
        backend: report.backend,
        ours: time,
        peers,
    })
}

/// Computes an MSM of random points and scalars with the engine and with each peer that has the curve.
fn random(
    curve: CurveId,
    log_size: u32,
    options: BasesOptions<'_>,
    context: Context<'_>,
) -> Result<Row, Error> {
    let bar = context.bar("measure", curve.name()).steps(2);
    let size = 1usize << log_size;
    let (point_bytes, scalar_bytes) = (curve.point_bytes(GroupId::G1), curve.scalar_bytes());
    check_memory(size.saturating_mul(2 * (point_bytes + scalar_bytes)))?;
    let control = Control::new(None, Some(context.cancel), None);
    let points = collect(size, point_bytes, &inputs::points(curve, GroupId::G1, SEED)?, &control)?;
    let scalars = inputs::scalars(curve, Distribution::Uniform, SEED)?;
    let scalars = collect(size, scalar_bytes, &scalars, &control)?;
    bar.advance(1);

    let bases = prepare(curve, options, &points)?;
    let (ours, sum, report) = ours(&*bases, &scalars, context.cancel)?;
    let mut all: Vec<Box<dyn Peer>> = arkworks(curve, &points, &scalars)?.into_iter().collect();
    if curve == CurveId::Bls12_381 {
        all.push(Box::new(Blst::integers(&points, &scalars).map_err(refused)?));
    }
    let what = format!("the MSM on {curve}");
    bar.report(2, 2 + all.len());
    let peers = all.iter_mut().map(|peer| {
        let measured = measured(&mut **peer, &what, &sum, context);
        bar.advance(1);
        measured
    });
    let peers = peers.collect::<Result<_, _>>()?;
    Ok(Row { name: format!("{curve} G1, 2^{log_size} points"), size, backend: report.backend, ours, peers })
}

/// The engine on one thread.
fn ours(bases: &dyn DynBases, scalars: &[u8], cancel: &Cancel) -> Result<(Duration, AnySum, Report), Error> {
    let msm = Msm::new().threads(1).cancel(cancel);
    let (time, (mut sums, report)) = median(REPETITIONS, || bases.run(msm, AnyScalars::integers(scalars)))?;
    Ok((time, sums.remove(0), report))
}

/// Returns a peer's name and its time; its sum must equal ours.
fn measured(
    peer: &mut dyn Peer,
    what: &str,
    ours: &AnySum,
    context: Context<'_>,
) -> Result<(&'static str, Duration), Error> {
    let (time, ()) = median(REPETITIONS, || {
        context.check()?;
        peer.run();
        Ok::<_, Error>(())
    })?;
    compare(what, peer.name(), &ours.integers, &peer.sum())?;
    Ok((peer.name(), time))
}

fn refused(reason: Refused) -> Error {
    own(PeerError { peer: "blst", reason: reason.to_string() })
}

fn compare(what: &str, peer: &'static str, ours: &[u8], theirs: &[u8]) -> Result<(), Error> {
    match ours == theirs {
        true => Ok(()),
        false => Err(Error::Disagreement {
            what: what.into(),
            peer,
            ours: hexadecimal(ours),
            theirs: hexadecimal(theirs),
        }),
    }
}

/// Times of one MSM: ours, and the other libraries'.
struct Row {
    name: String,
    size: usize,
    backend: Backend,
    ours: Duration,
    peers: Vec<(&'static str, Duration)>,
}

impl Row {
    /// Returns the time of the fastest other library; without one, our time.
    fn best_peer(&self) -> Duration {
        self.peers.iter().map(|&(_, time)| time).min().unwrap_or(self.ours)
    }

    /// Returns the ratio of the fastest other library's time to ours.
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
