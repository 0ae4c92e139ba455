//! A loaded circuit, on any curve: makes and verifies proofs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use bucketwheel_circuit::{Access, Error as CircuitError, Fault, KeyPoints, Loaded, Source as Bytes};
use bucketwheel_groth16::file::{main_signals, symbols_beside, ProofJson};
use bucketwheel_groth16::witness::Calculator;
use bucketwheel_groth16::{snarkjs_name, Error as Groth16Error, ProveOptions, Stage, TextClaim};
use rayon::ThreadPool;
use serde::Serialize;

use crate::config::Source;
use crate::refusal::Refusal;
use crate::stages::{PROOF, WITNESS};
use crate::Error;

/// Most proofs that are verified together, because nothing can stop a verification.
const TOGETHER: usize = 256;

/// Properties of a circuit that the server reports.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// Name of the circuit in addresses.
    pub name: String,
    /// Name of the curve in snarkjs.
    pub curve: &'static str,
    /// Length of a witness.
    pub signals: usize,
    /// Number of public signals of a proof.
    pub public: usize,
    /// Size of the domain: the least power of two that has room for the constraints.
    pub domain_size: usize,
    /// True if the circuit has a witness calculator.
    pub inputs: bool,
    /// Bytes of memory of the key's points if they are retained ([`Loading`](crate::Loading)), otherwise 0.
    pub retained: usize,
    /// Warnings for the key's owner.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Input of a proof.
#[derive(Clone)]
pub enum Input {
    /// The circuit's inputs as JSON.
    Json(axum::body::Bytes),
    /// A witness, the bytes of a .wtns file.
    Witness(axum::body::Bytes),
}

/// A proof.
pub struct Proven {
    pub proof: ProofJson,
    /// The public signals in decimal.
    pub public: Vec<String>,
    /// Time of each stage, by the stage's name.
    pub stages: Vec<(&'static str, Duration)>,
}

/// A loaded circuit.
pub struct Circuit {
    info: Info,
    loaded: Loaded,
    /// Known inputs of the circuit, and their lengths.
    names: Arc<BTreeMap<String, usize>>,
    /// The threads that make the circuit's proofs.
    pool: Arc<ThreadPool>,
}

impl Circuit {
    /// Loads a circuit. Its proofs run on the threads of `pool`; `retain` is the field of [`Loading`](crate::Loading).
    ///
    /// Copies the key, because a server often outlives a `cp new.zkey circuits/`, which would end a process that has
    /// mapped the file.
    pub fn load(source: &Source, pool: &Arc<ThreadPool>, retain: bool) -> Result<Self, Error> {
        let key = read(&source.key, "a .zkey file").map_err(|e| source.at_key(e))?;
        let names =
            source.witness.as_deref().map(|path| names(source, path)).transpose()?.unwrap_or_default();
        let load = || {
            let loaded = Loaded::new(key)?;
            loaded.circuit().prepare(KeyPoints::retained_if(retain))?;
            Ok(loaded)
        };
        let mut loaded = pool.install(load).map_err(|error| source.at_key(about(&source.key)(error)))?;
        if let Some(path) = &source.witness {
            add_calculator(&mut loaded, path, pool).map_err(|error| source.at_witness(error))?;
        }
        let header = loaded.circuit().info();
        let info = Info {
            name: source.name.clone(),
            curve: snarkjs_name(header.curve),
            signals: header.signals,
            public: header.public,
            domain_size: header.domain_size,
            inputs: loaded.has_calculator(),
            retained: if retain { header.retained_bytes } else { 0 },
            warnings: loaded.circuit().warnings().iter().map(ToString::to_string).collect(),
        };
        Ok(Circuit { info, loaded, names: Arc::new(names), pool: pool.clone() })
    }

    /// Returns the properties of the circuit.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Makes a proof, until the request is cancelled or late.
    pub fn prove(&self, input: &Input, cancel: &Cancel, deadline: Instant) -> Result<Proven, Refusal> {
        let mut stages = Vec::new();
        let values = match input {
            Input::Witness(bytes) => self.pool.install(|| self.loaded.values(bytes))?,
            Input::Json(json) => {
                let start = Instant::now();
                let left = deadline.saturating_duration_since(start);
                let limits = Calculator::new().time_limit(left).cancel(cancel).names(self.names.clone());
                let values = self.loaded.calculate(json, &limits)?;
                stages.push((WITNESS, start.elapsed()));
                values
            }
        };
        let options = ProveOptions::new().cancel(cancel);
        let proven = self.pool.install(|| self.loaded.prove(&values, options))?;
        stages.extend(Stage::ALL.map(|stage| (stage.name(), proven.trace.elapsed(stage))));
        stages.push((PROOF, proven.trace.total));
        Ok(Proven { proof: proven.proof, public: proven.public, stages })
    }

    /// Returns the first proof that does not hold, unless the request is cancelled. A proof whose points are not in
    /// their groups does not hold.
    pub fn verify(&self, claims: &[TextClaim<'_>], cancel: &Cancel) -> Result<Option<usize>, Refusal> {
        for (part, claims) in claims.chunks(TOGETHER).enumerate() {
            if cancel.is_cancelled() {
                return Err(Groth16Error::from(bucketwheel::Error::Cancelled).into());
            }
            let first = part * TOGETHER;
            let bad = self.pool.install(|| self.loaded.circuit().verify(claims));
            let bad = bad.map_err(|error| match error {
                CircuitError::Groth16 { source: Groth16Error::Claim { index, source, .. }, .. } => {
                    Refusal::Claim { index: first + index, source: *source }
                }
                error => error.into(),
            })?;
            if let Some(bad) = bad {
                return Ok(Some(first + bad.index));
            }
        }
        Ok(None)
    }
}

/// Returns the error of a file.
fn about(path: &Path) -> impl Fn(CircuitError) -> Error {
    let path = path.to_owned();
    move |source| Error::Circuit { path: path.clone(), source: Box::new(source) }
}

/// Compiles a circuit's WebAssembly on the threads of `pool`, and adds it to the circuit.
fn add_calculator(loaded: &mut Loaded, path: &Path, pool: &ThreadPool) -> Result<(), Error> {
    let wasm = read(path, "a circuit's .wasm file, made by circom")?;
    let compiled = pool.install(|| Calculator::new().compile(&wasm));
    let compiled = compiled.map_err(|error| CircuitError::of(Fault::Calculator)(error.into()));
    compiled.and_then(|compiled| loaded.set_calculator(compiled)).map_err(about(path))
}

/// Reads the names of a circuit's inputs: from the file that the list names, otherwise from the readable file beside
/// the calculator, if there is one.
fn names(source: &Source, calculator: &Path) -> Result<BTreeMap<String, usize>, Error> {
    let read = |path: &Path| {
        let symbols = read(path, "a .sym file, the names of a circuit's signals")?;
        main_signals(&symbols).map_err(|error| about(path)(CircuitError::of(Fault::Inputs)(error.into())))
    };
    match &source.symbols {
        Some(path) => read(path).map_err(|error| source.at_symbols(error)),
        None => Ok(symbols_beside(calculator).and_then(|path| read(&path).ok()).unwrap_or_default()),
    }
}

/// Reads a file into memory.
fn read(path: &Path, expected: &'static str) -> Result<Bytes, Error> {
    Bytes::open(path, Access::Copy).map_err(|source| Error::Read { path: path.into(), expected, source })
}
