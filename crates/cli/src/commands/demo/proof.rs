//! A zero-knowledge proof: a member of a group casts a vote and does not tell which member it is.

use std::io::Write;

use bucketwheel_groth16::dynamic;
use bucketwheel_groth16::file::Wtns;
use bucketwheel_groth16::{Error as Groth16Error, ProveOptions, Stage, TextClaim, TextVerifier, Trace};

use super::error::PeerError;
use super::key::key;
use crate::error::{own, Error};
use crate::measure::{median, milliseconds};
use crate::runtime::{pool, Context};

const WITNESS: &[u8] = include_bytes!("../../../data/members/witness.wtns");
const VERIFYING_KEY: &[u8] = include_bytes!("../../../data/members/verification_key.json");
const PUBLIC: &[u8] = include_bytes!("../../../data/members/public.json");
const PROOF: &[u8] = include_bytes!("../../../data/members/proof.json");

/// Proves, verifies, and shows where the time went.
///
/// # Errors
/// If a proof does not hold, above all.
pub fn run(repetitions: usize, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let pool = pool(None)?;
    let proven = pool.install(|| prove(repetitions, context)).map_err(|error| match error {
        Groth16Error::Engine(source) => source.into(),
        source => own(PeerError { peer: "snarkjs", reason: source.to_string() }),
    })?;
    Ok(print(&proven, pool.threads(), out)?)
}

/// The key's size, and where the time went.
struct Proven {
    signals: usize,
    domain_size: usize,
    trace: Trace,
}

fn prove(repetitions: usize, context: Context<'_>) -> Result<Proven, Groth16Error> {
    let key = key()?;
    let key = dynamic::key(&key)?;
    let witness = Wtns::parse(WITNESS)?.to_vec()?;
    let (signals, domain_size) = (witness.len(), key.domain_size());
    let prover = key.prover()?;
    let options = ProveOptions::new().cancel(context.cancel);
    let bar = context.bar("prove", "proving").steps(1 + repetitions as u64);
    let (_, proven) = median(repetitions, || {
        let proven = prover.prove(&witness, options);
        bar.advance(1);
        proven
    })?;
    let ours = TextClaim { public: proven.public.as_bytes(), proof: proven.proof.as_bytes() };
    let theirs = TextClaim { public: PUBLIC, proof: PROOF };
    // By the signals that snarkjs has, too.
    let mixed = TextClaim { public: PUBLIC, ..ours };
    match TextVerifier::new(VERIFYING_KEY)?.first_bad(&[ours, theirs, mixed])? {
        None => Ok(Proven { signals, domain_size, trace: proven.trace }),
        Some(_) => Err(Groth16Error::NotSatisfied),
    }
}

fn print(proven: &Proven, threads: usize, out: &mut dyn Write) -> std::io::Result<()> {
    let Proven { signals, domain_size, trace } = proven;
    writeln!(out, "\nGroth16 proof that a member of a group votes, and not which member")?;
    writeln!(out, "  key of a snarkjs ceremony, {signals} signals, domain of 2^{}", domain_size.ilog2())?;
    writeln!(out, "  the proof holds by snarkjs' verification key, as does the one that snarkjs made")?;
    writeln!(out, "  {:.1} ms on all {threads} threads, where stages overlap:", milliseconds(trace.total))?;
    let longest = Stage::ALL.map(|stage| trace.elapsed(stage)).into_iter().max().unwrap_or_default();
    for stage in Stage::ALL {
        let elapsed = trace.elapsed(stage);
        let bar = (30.0 * elapsed.as_secs_f64() / longest.as_secs_f64().max(1e-9)).round() as usize;
        writeln!(out, "    {:<9}{:>7.2} ms  {}", stage.name(), milliseconds(elapsed), "#".repeat(bar))?;
    }
    Ok(())
}
