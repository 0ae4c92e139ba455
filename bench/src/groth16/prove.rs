//! One proof in this process, by the provers that are libraries.

use super::arkworks;
use super::kind::Prover;
use crate::args::ProveArgs;
use crate::files::map;
use anyhow::{Result, bail};
use ark_ff::BigInt;
use bucketwheel_groth16::file::{ProofJson, Wtns, Zkey, public_to_json};
use bucketwheel_groth16::{self as groth16, PairingCurve, Proof, ProveOptions, Span, Stage, with_pairing};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// Times that a prover states, in seconds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Time until the key and the witness are ready; 0 if they are read while the proof is made.
    pub load: f64,
    /// Time from then to the proof; our proof is verified by then.
    pub prove: f64,
    /// Time of all threads together on each stage.
    #[serde(default)]
    pub stages: Vec<(String, f64)>,
}

/// Times that our command states, in milliseconds.
#[derive(Deserialize)]
pub struct CommandReport {
    load_ms: f64,
    prove_ms: f64,
}

impl From<CommandReport> for Report {
    fn from(CommandReport { load_ms, prove_ms }: CommandReport) -> Self {
        Report { load: load_ms / 1e3, prove: prove_ms / 1e3, stages: Vec::new() }
    }
}

/// Makes a proof and prints a [`Report`].
pub fn prove(args: &ProveArgs) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    let report = pool.install(|| {
        let start = Instant::now();
        let witness = map(&args.witness)?;
        let witness = Wtns::parse(&witness)?;
        let curve = witness.curve();
        with_pairing!(curve, E => prove_on::<E>(args, start, &witness.to_vec()?))?
    })?;
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn prove_on<E: PairingCurve>(args: &ProveArgs, start: Instant, witness: &[BigInt<4>]) -> Result<Report> {
    let file = map(&args.key)?;
    match args.prover {
        Prover::Bucketwheel => {
            let prover = groth16::Prover::new(Zkey::<E>::parse(&file)?)?;
            let load = start.elapsed();
            let proven = prover.prove(witness, ProveOptions::new())?;
            let prove = start.elapsed() - load;
            write(args, &proven.proof, &proven.public)?;
            Ok(Report {
                load: load.as_secs_f64(),
                prove: prove.as_secs_f64(),
                stages: stages(proven.trace.spans),
            })
        }
        Prover::Arkworks => {
            let key = arkworks::Key::<E>::read(&file)?;
            let witness = arkworks::assignment(witness);
            let load = start.elapsed();
            let proof = key.prove(&witness)?;
            let prove = start.elapsed() - load;
            write::<E>(args, &proof, &witness[1..key.inputs()])?;
            Ok(Report { load: load.as_secs_f64(), prove: prove.as_secs_f64(), stages: Vec::new() })
        }
        prover => bail!("{prover} is a program of its own: expected bucketwheel or arkworks"),
    }
}

fn write<E: PairingCurve>(args: &ProveArgs, proof: &Proof<E>, public: &[E::ScalarField]) -> Result<()> {
    std::fs::write(&args.proof, ProofJson::encode(proof).to_text())?;
    Ok(std::fs::write(&args.public, public_to_json(public))?)
}

/// Returns the seconds of each stage on all threads together. If spans are nested, the inner one counts.
fn stages(mut spans: Vec<Span>) -> Vec<(String, f64)> {
    spans.sort_by_key(|span| (span.thread, span.start, Reverse(span.end)));
    let mut own: Vec<Duration> = spans.iter().map(|span| span.end - span.start).collect();
    let mut around: Vec<usize> = Vec::new();
    for (i, span) in spans.iter().enumerate() {
        let is_inside = |&outer: &usize| spans[outer].thread == span.thread && span.end <= spans[outer].end;
        while around.last().is_some_and(|outer| !is_inside(outer)) {
            around.pop();
        }
        if let Some(&outer) = around.last() {
            own[outer] = own[outer].saturating_sub(span.end - span.start);
        }
        around.push(i);
    }
    let seconds = |stage| {
        let of_stage = spans.iter().zip(&own).filter(|(span, _)| span.stage == stage);
        of_stage.map(|(_, own)| own.as_secs_f64()).sum()
    };
    Stage::ALL.into_iter().map(|stage| (stage.name().to_owned(), seconds(stage))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_span_is_not_part_of_the_outer_one() {
        let span = |stage, thread, start, end| Span {
            stage,
            thread,
            start: Duration::from_secs(start),
            end: Duration::from_secs(end),
        };
        let found = stages(vec![
            span(Stage::A, 0, 2, 5),
            span(Stage::Rows, 0, 3, 4),
            span(Stage::H, 0, 0, 10),
            span(Stage::B, 0, 6, 8),
            span(Stage::H, 1, 0, 7),
            span(Stage::A, 0, 10, 11),
        ]);
        let expected = [("rows", 1.0), ("quotient", 0.0), ("msm A", 3.0), ("msm B", 2.0), ("msm C", 0.0)];
        for ((name, seconds), (expected_name, expected)) in found.iter().zip(expected) {
            assert_eq!((name.as_str(), *seconds), (expected_name, expected));
        }
        assert_eq!(found[5], ("msm H".to_owned(), 5.0 + 7.0));
    }
}
