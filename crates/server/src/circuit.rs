//! A circuit that is loaded: what to prove and verify with, of any curve.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use bucketwheel_groth16::file::{zkey_curve, FileError, ProofJson, Wtns, Zkey};
use bucketwheel_groth16::witness::{Calculator, Compiled, Inputs};
use bucketwheel_groth16::{
    with_curve, Error as Groth16Error, PairingCurve, PreparedVerifyingKey, ProveOptions, Prover, Stage,
    TextClaim,
};
use memmap2::Mmap;
use rayon::ThreadPool;
use serde::Serialize;

use crate::config::Source;
use crate::refusal::Refusal;
use crate::Error;

/// The most proofs that are verified together: nothing stops that.
const TOGETHER: usize = 256;

/// The stage that is the time in the queue, and the one that is all of a proof behind it but the witness.
pub const QUEUE: &str = "queue";
const PROOF: &str = "proof";
/// The stage that calculates the witness.
const WITNESS: &str = "witness";

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

/// A circuit, of whatever curve.
pub trait Circuit: Send + Sync {
    /// Properties of the circuit.
    fn info(&self) -> &Info;

    /// Proves, until it is cancelled or late.
    fn prove(&self, input: &Input, cancel: &Cancel, deadline: Instant) -> Result<Proven, Refusal>;

    /// The first of some proofs that does not hold, unless it is cancelled. One whose points are not in their groups does not.
    fn verify(&self, claims: &[TextClaim<'_>], cancel: &Cancel) -> Result<Option<usize>, Refusal>;
}

/// Loads a circuit, whose proofs are made on the threads of `pool`; `retain` is that of [`Loading`](crate::Loading).
pub fn load(source: &Source, pool: &Arc<ThreadPool>, retain: bool) -> Result<Arc<dyn Circuit>, Error> {
    // Keys are there as long as the server, which is as long as the process.
    let key: &'static Mmap =
        Box::leak(Box::new(map(&source.key, "a .zkey file").map_err(|e| source.at_key(e))?));
    let about = |path: &Path| {
        let path = path.to_owned();
        move |source: Groth16Error| Error::Circuit { path, source: Box::new(source) }
    };
    let compiled = source.witness.as_deref().map(|path| {
        let wasm = map(path, "a circuit's .wasm file, made by circom")?;
        pool.install(|| Calculator::new().compile(&wasm)).map_err(|error| about(path)(error.into()))
    });
    let compiled = compiled.transpose().map_err(|e| source.at_witness(e))?;
    let load = || {
        let curve = zkey_curve(key)?;
        with_curve!(curve, E => {
            let loaded = Loaded::<E>::new(source.name.clone(), key, compiled, pool.clone(), retain)?;
            Ok(Arc::new(loaded) as Arc<dyn Circuit>)
        })?
    };
    pool.install(load).map_err(|error| source.at_key(about(&source.key)(error)))
}

fn map(path: &Path, expected: &'static str) -> Result<Mmap, Error> {
    let map = || {
        // Asked before opening: opening a pipe would wait for its writer.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let file = File::open(path)?;
        // SAFETY: the one thing to fear is another process that changes the file meanwhile: this shows as other
        // numbers, which harm no memory, or ends this process if the file gets shorter.
        unsafe { Mmap::map(&file) }
    };
    map().map_err(|source| Error::Read { path: path.into(), expected, source })
}

struct Loaded<E: PairingCurve> {
    info: Info,
    prover: Prover<E, Zkey<'static, E>>,
    verifier: PreparedVerifyingKey<E>,
    calculator: Option<Compiled>,
    pool: Arc<ThreadPool>,
}

impl<E: PairingCurve> Loaded<E> {
    fn new(
        name: String,
        key: &'static [u8],
        calculator: Option<Compiled>,
        pool: Arc<ThreadPool>,
        retain: bool,
    ) -> Result<Self, Groth16Error> {
        let key = Zkey::<E>::parse(key)?;
        let verifier = key.verifying_key()?.prepare();
        let header = &key.header;
        let info = Info {
            name,
            curve: E::ID.name(),
            signals: header.signals,
            public: header.public,
            domain_size: header.domain_size,
            inputs: calculator.is_some(),
            retained: if retain { Prover::retained_bytes(&key) } else { 0 },
            warnings: key.warnings().iter().map(ToString::to_string).collect(),
        };
        let prover = if retain { Prover::retaining(key)? } else { Prover::new(key)? };
        Ok(Loaded { info, prover, verifier, calculator, pool })
    }
}

impl<E: PairingCurve> Circuit for Loaded<E> {
    fn info(&self) -> &Info {
        &self.info
    }

    fn prove(&self, input: &Input, cancel: &Cancel, deadline: Instant) -> Result<Proven, Refusal> {
        let mut stages = Vec::new();
        let other = |found| Groth16Error::from(FileError::OtherCurve { expected: E::ID, found });
        let values = match input {
            Input::Witness(bytes) => self.pool.install(|| {
                let witness = Wtns::parse(bytes)?;
                match witness.curve() == E::ID {
                    true => witness.to_vec(),
                    false => Err(other(witness.curve())),
                }
            })?,
            Input::Json(json) => {
                let calculator = self.calculator.as_ref().ok_or(Refusal::NoCalculator)?;
                let start = Instant::now();
                let inputs = Inputs::from_json(json).map_err(Groth16Error::from)?;
                let left = deadline.saturating_duration_since(start);
                let limits = Calculator::new().time_limit(left).cancel(cancel);
                let witness = limits.calculate_compiled(calculator, &inputs).map_err(Groth16Error::from)?;
                if witness.curve != E::ID {
                    return Err(other(witness.curve).into());
                }
                stages.push((WITNESS, start.elapsed()));
                witness.values
            }
        };
        let options = ProveOptions::new().cancel(cancel);
        let proven = self.pool.install(|| self.prover.prove(&values, options))?;
        stages.extend(Stage::ALL.map(|stage| (stage.name(), proven.trace.elapsed(stage))));
        stages.push((PROOF, proven.trace.total));
        let public = proven.public.iter().map(ToString::to_string).collect();
        Ok(Proven { proof: ProofJson::encode(&proven.proof), public, stages })
    }

    fn verify(&self, claims: &[TextClaim<'_>], cancel: &Cancel) -> Result<Option<usize>, Refusal> {
        for (part, claims) in claims.chunks(TOGETHER).enumerate() {
            if cancel.is_cancelled() {
                return Err(Groth16Error::from(bucketwheel::Error::Cancelled).into());
            }
            let first = part * TOGETHER;
            let bad =
                self.pool.install(|| self.verifier.first_bad_text(claims)).map_err(|error| match error {
                    Groth16Error::Claim { index, source, .. } => {
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
