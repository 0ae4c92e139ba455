//! `prove`: makes a proof from a key and a witness, or from a key, a circuit and its inputs.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use ark_ff::BigInt;
use bucketwheel::Progress;
use bucketwheel_circuit::{Access, Info, KeyPoints, Source};
#[cfg(feature = "witness")]
use bucketwheel_groth16::file::FileError;
#[cfg(feature = "witness")]
use bucketwheel_groth16::witness::Calculator;
use bucketwheel_groth16::{snarkjs_name, CurveId, ProveOptions, Stage};
use serde::Serialize;

#[cfg(feature = "witness")]
use super::calculate::witness_of_inputs;
#[cfg(feature = "witness")]
use super::in_file;
#[cfg(not(feature = "witness"))]
use super::witness::NoCompiler;
use super::{blame, load, picture, texts, witness_of};
use crate::args::{ProveArgs, WitnessSource};
#[cfg(not(feature = "witness"))]
use crate::error::own;
use crate::error::Error;
use crate::files::{self, destination, Output};
use crate::measure::{milliseconds, Bytes, Memory};
use crate::output::{self, visible};
use crate::pages::Spare;
use crate::runtime::Context;
use crate::stages;

/// A proof, and facts about its computation.
struct Proven {
    proven: bucketwheel_circuit::Proven,
    curve: CurveId,
    signals: usize,
    domain_size: usize,
    load: Duration,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Report {
    curve: &'static str,
    signals: usize,
    domain_size: usize,
    threads: usize,
    /// Time to read and check the structure of the key and the witness.
    load_ms: f64,
    /// Time from the witness to the verified proof.
    prove_ms: f64,
    /// Times of the stages, each from its first work to its last; stages overlap.
    stages: Vec<StageTime>,
    verified: bool,
    peak_memory_bytes: Option<u64>,
    /// Warnings about key and witness.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct StageTime {
    stage: &'static str,
    ms: f64,
}

/// Proves, verifies, and only then writes the files.
///
/// # Errors
/// For unusable files, a witness that does not satisfy the key's circuit, and cancellation.
pub fn run(args: &ProveArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let start = Instant::now();
    let access = if args.no_map { Access::Copy } else { Access::Map };
    let key = files::open_as(&args.key.path, "a .zkey file, a proving key", access)?;
    let pool = args.threads.pool()?;
    let proven = pool.install(|| prove(args, key, context, start))?;
    let Proven { proven, curve, signals, domain_size, load, warnings } = proven;
    let (proof, public, trace) = (proven.proof_text(), proven.public_text(), proven.trace);
    let picture = args.trace.as_ref().map(|path| (path, picture::draw(&trace).encode(path)));
    let texts = [(&args.files.proof, proof.into_bytes()), (&args.files.public, public.into_bytes())];
    let outputs: Vec<Output> = texts
        .into_iter()
        .chain(picture)
        .map(|(path, bytes)| Output::with(destination(path), &bytes))
        .collect::<Result<_, _>>()?;
    outputs.into_iter().try_for_each(Output::finish)?;
    let stages = Stage::ALL.into_iter().filter(|&stage| stage != Stage::Verify || !args.no_verify);
    let report = Report {
        curve: snarkjs_name(curve),
        signals,
        domain_size,
        threads: pool.threads(),
        load_ms: milliseconds(load),
        prove_ms: milliseconds(trace.total),
        stages: stages
            .map(|stage| StageTime { stage: stage.name(), ms: milliseconds(trace.elapsed(stage)) })
            .collect(),
        verified: !args.no_verify,
        peak_memory_bytes: Memory::default().peak_bytes(),
        warnings,
    };
    output::either(out, args.output.json, &report, |out, report| print(args, report, out))
}

fn prove(args: &ProveArgs, key: Source, context: Context<'_>, start: Instant) -> Result<Proven, Error> {
    let (key_path, witness_path) = (&args.key.path, args.files.witness.path());
    let reading = tracing::info_span!("stage", stage = "read", file = %key_path.display());
    let loaded = load(key_path, key)?;
    let Info { curve, domain_size, .. } = loaded.circuit().info();
    let mut warnings = texts(loaded.circuit().warnings());
    let values = match &args.files.witness {
        WitnessSource::File(path) => {
            let file = files::map_as(path, "a .wtns file, a witness")?;
            let witness = witness_of(path, &file)?;
            warnings.extend(texts(witness.warnings()));
            loaded.values_of(&witness).map_err(blame(key_path, path))?
        }
        WitnessSource::Inputs { wasm, input } => calculate(args.memory, curve, wasm, input, context)?,
    };
    loaded.circuit().prepare(KeyPoints::InKey).map_err(blame(key_path, key_path))?;
    let load = start.elapsed();
    drop(reading);
    let bar = context.bar_of("prove", key_path);
    let spare = args.memory.filter(|&Bytes(bytes)| bytes == 0).map(|_| Spare::new(&bar));
    let progress: &dyn Progress = spare.as_ref().map_or(&bar, |spare| spare);
    let options = ProveOptions::new().verify(!args.no_verify).cancel(context.cancel).progress(progress);
    let options = args.insecure_seed.map_or(options, |seed| options.insecure_seed(seed));
    let options = args.memory.map_or(options, |Bytes(bytes)| options.memory(bytes));
    let proven = loaded.prove(&values, options).map_err(blame(key_path, witness_path))?;
    for stage in Stage::ALL {
        tracing::info!("{}", stages::line(milliseconds(proven.trace.elapsed(stage)), stage.name()));
    }
    Ok(Proven { proven, curve, signals: values.len(), domain_size, load, warnings })
}

/// Returns the values of a circuit's witness for some inputs.
#[cfg(feature = "witness")]
fn calculate(
    memory: Option<Bytes>,
    expected: CurveId,
    wasm: &Path,
    input: &Path,
    context: Context<'_>,
) -> Result<Vec<BigInt<4>>, Error> {
    let limits = Calculator::new();
    let limits = match memory {
        None | Some(Bytes(0)) => limits,
        Some(Bytes(bytes)) => limits.memory_limit(bytes),
    };
    let witness = witness_of_inputs(wasm, input, None, limits, context)?;
    match witness.curve == expected {
        true => Ok(witness.values),
        false => Err(in_file(wasm)(FileError::OtherCurve { expected, found: witness.curve })),
    }
}

/// This build cannot run circuits.
#[cfg(not(feature = "witness"))]
fn calculate(
    _: Option<Bytes>,
    _: CurveId,
    wasm: &Path,
    _: &Path,
    _: Context<'_>,
) -> Result<Vec<BigInt<4>>, Error> {
    Err(own(NoCompiler(wasm.into())))
}

fn print(args: &ProveArgs, report: &Report, out: &mut dyn Write) -> Result<(), Error> {
    let Report { curve, signals, domain_size, threads, load_ms, prove_ms, .. } = report;
    let verdict = if report.verified { "verified" } else { "not verified" };
    writeln!(out, "{}: a proof on {curve}, {verdict}", visible(args.files.proof.display()))?;
    writeln!(out, "  {signals} signals, domain of 2^{}, threads {threads}", domain_size.ilog2())?;
    writeln!(out, "  {load_ms:.1} ms to load, {prove_ms:.1} ms to prove:")?;
    for StageTime { stage, ms } in &report.stages {
        writeln!(out, "    {stage:<10}{ms:>8.1} ms")?;
    }
    if let Some(bytes) = report.peak_memory_bytes {
        writeln!(out, "  at most {} MiB of memory, the mapped files included", bytes.div_ceil(1 << 20))?;
    }
    Ok(())
}
