//! A circuit that is loaded: what to prove and verify with, of any curve.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use bucketwheel_circuit::{Access, Error as CircuitError, Fault, Loaded, Source as Bytes};
use bucketwheel_groth16::file::ProofJson;
use bucketwheel_groth16::witness::Calculator;
use bucketwheel_groth16::{Error as Groth16Error, ProveOptions, Stage, TextClaim};
use rayon::ThreadPool;
use serde::Serialize;

use crate::config::Source;
use crate::refusal::Refusal;
use crate::Error;

/// The most proofs that are verified together: nothing stops that.
const TOGETHER: usize = 256;

/// The stage that is the time in the queue, and the one that is all of a proof behind it but the witness.
pub const QUEUE: &str = "queue";
pub const PROOF: &str = "proof";
/// The stage that calculates the witness.
pub const WITNESS: &str = "witness";

/// All stages, in their order.
pub fn stages() -> impl Iterator<Item = &'static str> {
    [QUEUE, WITNESS].into_iter().chain(Stage::ALL.map(Stage::name)).chain([PROOF])
}

/// Properties of a circuit.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// Its name.
    pub name: String,
    /// The curve, as snarkjs calls it.
    pub curve: &'static str,
    /// The length of a witness.
    pub signals: usize,
    /// The public signals of a proof.
    pub public: usize,
    /// The least power of two that has room for the constraints.
    pub domain_size: usize,
    /// True if it has a witness calculator.
    pub inputs: bool,
    /// Bytes of memory that the key's points take, where they are retained ([`Loading`](crate::Loading)); else 0.
    pub retained: usize,
    /// What the key's owner should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Input of a proof.
#[derive(Clone)]
pub enum Input {
    /// The circuit's inputs, a JSON.
    Json(axum::body::Bytes),
    /// A witness, the bytes of a .wtns file.
    Witness(axum::body::Bytes),
}

/// A proof.
pub struct Proven {
    pub proof: ProofJson,
    /// The public signals in decimal.
    pub public: Vec<String>,
    /// Time of each stage, by its name.
    pub stages: Vec<(&'static str, Duration)>,
}

/// A circuit that is loaded.
pub struct Circuit {
    info: Info,
    loaded: Loaded,
    /// The threads of its proofs.
    pool: Arc<ThreadPool>,
}

impl Circuit {
    /// Loads a circuit, whose proofs are made on the threads of `pool`; `retain` is that of [`Loading`](crate::Loading).
    ///
    /// The key is copied: a server outlives many a `cp new.zkey circuits/`, which would end a process that has mapped the file.
    pub fn load(source: &Source, pool: &Arc<ThreadPool>, retain: bool) -> Result<Self, Error> {
        let key = read(&source.key, "a .zkey file").map_err(|e| source.at_key(e))?;
        let about = |path: &Path| {
            let path = path.to_owned();
            move |source: CircuitError| Error::Circuit { path, source: Box::new(source) }
        };
        let compiled = source.witness.as_deref().map(|path| {
            let wasm = read(path, "a circuit's .wasm file, made by circom")?;
            let compiled = pool.install(|| Calculator::new().compile(&wasm));
            compiled.map_err(|error| about(path)(CircuitError::of(Fault::Calculator)(error.into())))
        });
        let compiled = compiled.transpose().map_err(|e| source.at_witness(e))?;
        let load = || {
            let loaded = Loaded::new(key)?;
            loaded.circuit().prepare(retain)?;
            Ok(loaded)
        };
        let loaded = pool.install(load).map_err(|error| source.at_key(about(&source.key)(error)))?;
        let header = loaded.circuit().info();
        let info = Info {
            name: source.name.clone(),
            curve: header.curve.name(),
            signals: header.signals,
            public: header.public,
            domain_size: header.domain_size,
            inputs: compiled.is_some(),
            retained: if retain { header.retained_bytes } else { 0 },
            warnings: loaded.circuit().warnings().iter().map(ToString::to_string).collect(),
        };
        let loaded = match compiled {
            Some(compiled) => loaded.with_calculator(compiled),
            None => loaded,
        };
        Ok(Circuit { info, loaded, pool: pool.clone() })
    }

    /// Properties of the circuit.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Proves, until it is cancelled or late.
    pub fn prove(&self, input: &Input, cancel: &Cancel, deadline: Instant) -> Result<Proven, Refusal> {
        let mut stages = Vec::new();
        let values = match input {
            Input::Witness(bytes) => self.pool.install(|| self.loaded.values(bytes))?,
            Input::Json(json) => {
                let start = Instant::now();
                let left = deadline.saturating_duration_since(start);
                let limits = Calculator::new().time_limit(left).cancel(cancel);
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

    /// The first of some proofs that does not hold, unless it is cancelled. One whose points are not in their groups does not.
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

/// Reads a file into memory.
fn read(path: &Path, expected: &'static str) -> Result<Bytes, Error> {
    Bytes::open(path, Access::Copy).map_err(|source| Error::Read { path: path.into(), expected, source })
}
