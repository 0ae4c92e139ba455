//! A zero-knowledge proof: a member of a group casts a vote and does not reveal which member it is.

use std::io::{Cursor, Write};

use bucketwheel_circuit::setup::setup;
use bucketwheel_circuit::{Error as CircuitError, Fault, KeyPoints, Loaded, Source};
use bucketwheel_groth16::file::R1cs;
use bucketwheel_groth16::{Error as Groth16Error, ProveOptions, Stage, TextClaim, TextVerifier, Trace};

use super::error::PeerError;
use crate::error::{own, Error};
use crate::measure::{median, milliseconds};
use crate::runtime::{pool, Context};

/// The circuit; byte j of all records of one size comes before byte j + 1; deflated.
const CIRCUIT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/circuit.r1cs.deflate"));
const RECORD: usize = 36;
/// The key is the same on every run. Nobody may trust its proofs.
const SEED: u64 = 1;
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

/// Returns the circuit as circom wrote it.
fn circuit() -> Vec<u8> {
    let columns = miniz_oxide::inflate::decompress_to_vec(CIRCUIT).expect("build.rs deflated it");
    let mut circuit = vec![0; columns.len()];
    let places = (0..RECORD).flat_map(|j| (j..columns.len()).step_by(RECORD));
    places.zip(&columns).for_each(|(place, &byte)| circuit[place] = byte);
    circuit
}

fn prove(repetitions: usize, context: Context<'_>) -> Result<Proven, CircuitError> {
    let (circuit, mut key) = (circuit(), Cursor::new(Vec::new()));
    let circuit = R1cs::parse(&circuit).map_err(|error| ours(error.into()))?;
    let bar = context.bar("setup", "making a key");
    let made = setup(circuit, Some(SEED)).map_err(ours)?;
    // Into memory: nothing fails but a cancellation.
    let written = made.write_zkey(&mut key, context.cancel, &bar);
    written.map_err(|_| ours(Groth16Error::Engine(bucketwheel::Error::Cancelled)))?;
    drop(bar);
    let loaded = Loaded::new(Source::of(key.into_inner()))?;
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
    let verify = |key: &[u8], claims: &[_]| TextVerifier::new(key)?.first_bad(claims);
    let bad = verify(made.verifying_key().to_text().as_bytes(), &[own, mixed]).map_err(ours)?;
    match bad.or(verify(VERIFYING_KEY, &[theirs]).map_err(ours)?) {
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
    writeln!(
        out,
        "  a circuit of circom, a key made here, {signals} signals, domain of 2^{}",
        domain_size.ilog2()
    )?;
    writeln!(
        out,
        "  the proof holds for snarkjs' public signals; snarkjs' own proof holds by the key of its ceremony"
    )?;
    writeln!(out, "  {:.1} ms on all {threads} threads, where stages overlap:", milliseconds(trace.total))?;
    let longest = Stage::ALL.map(|stage| trace.elapsed(stage)).into_iter().max().unwrap_or_default();
    for stage in Stage::ALL {
        let elapsed = trace.elapsed(stage);
        let bar = (30.0 * elapsed.as_secs_f64() / longest.as_secs_f64().max(1e-9)).round() as usize;
        writeln!(out, "    {:<9}{:>7.2} ms  {}", stage.name(), milliseconds(elapsed), "#".repeat(bar))?;
    }
    Ok(())
}
