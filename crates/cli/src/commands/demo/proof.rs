//! A zero-knowledge proof: a member of a group casts a vote and does not reveal which member it is.

use std::io::Write;

use bucketwheel_circuit::{Error as CircuitError, Fault, KeyPoints, Loaded, Source};
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

/// Proves, verifies, and shows the times of the parts.
///
/// # Errors
/// Above all, an error if a proof does not hold.
pub fn run(repetitions: usize, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let pool = pool(None)?;
    let proven = pool.install(|| prove(repetitions, context)).map_err(|error| match error {
        CircuitError::Groth16 { source: Groth16Error::Engine(source), .. } => source.into(),
        source => own(PeerError { peer: "snarkjs", reason: source.to_string() }),
    })?;
    Ok(print(&proven, pool.threads(), out)?)
}

/// Prints the key's size and the times of the parts.
struct Proven {
    signals: usize,
    domain_size: usize,
    trace: Trace,
}

fn prove(repetitions: usize, context: Context<'_>) -> Result<Proven, CircuitError> {
    let loaded = Loaded::new(Source::of(key().map_err(|error| ours(error.into()))?))?;
    let witness = loaded.values(WITNESS)?;
    loaded.circuit().prepare(KeyPoints::InKey)?;
    let (signals, domain_size) = (witness.len(), loaded.circuit().info().domain_size);
    let options = ProveOptions::new().cancel(context.cancel);
    let bar = context.bar("prove", "proving").steps(1 + repetitions as u64);
    let (_, proven) = median(repetitions, || {
        let proven = loaded.prove(&witness, options);
        bar.advance(1);
        proven
    })?;
    let (public, proof) = (proven.public_text(), proven.proof_text());
    let own = TextClaim { public: public.as_bytes(), proof: proof.as_bytes() };
    let theirs = TextClaim { public: PUBLIC, proof: PROOF };
    // Our proof must also hold for snarkjs' public signals.
    let mixed = TextClaim { public: PUBLIC, ..own };
    let bad = TextVerifier::new(VERIFYING_KEY).and_then(|key| key.first_bad(&[own, theirs, mixed]));
    match bad.map_err(ours)? {
        None => Ok(Proven { signals, domain_size, trace: proven.trace }),
        Some(_) => Err(ours(Groth16Error::NotSatisfied)),
    }
}

/// Returns an error of data that the command itself contains.
fn ours(source: Groth16Error) -> CircuitError {
    CircuitError::Groth16 { fault: Fault::Ours, source }
}

fn print(proven: &Proven, threads: usize, out: &mut dyn Write) -> std::io::Result<()> {
    let Proven { signals, domain_size, trace } = proven;
    writeln!(out, "\nGroth16 proof that a member of a group votes, and not which member")?;
    writeln!(out, "  key of a snarkjs ceremony, {signals} signals, domain of 2^{}", domain_size.ilog2())?;
    writeln!(out, "  the proof holds by snarkjs' verification key, and so does snarkjs' own proof")?;
    writeln!(out, "  {:.1} ms on all {threads} threads, where stages overlap:", milliseconds(trace.total))?;
    let longest = Stage::ALL.map(|stage| trace.elapsed(stage)).into_iter().max().unwrap_or_default();
    for stage in Stage::ALL {
        let elapsed = trace.elapsed(stage);
        let bar = (30.0 * elapsed.as_secs_f64() / longest.as_secs_f64().max(1e-9)).round() as usize;
        writeln!(out, "    {:<9}{:>7.2} ms  {}", stage.name(), milliseconds(elapsed), "#".repeat(bar))?;
    }
    Ok(())
}
