//! Keys and proofs.

use std::path::PathBuf;
use std::sync::Arc;

use bucketwheel_circuit::{
    Access, Error as CircuitError, Fault, KeyPoints, Loaded, Protocol, Proven, Source,
};
use bucketwheel_groth16::file::zkey_protocol;
use bucketwheel_groth16::{solidity, ProveOptions};
use napi::bindgen_prelude::{AsyncTask, Either, Uint8Array};
use napi::{Env, Result, Task};
use napi_derive::napi;

use crate::error::{of_circuit, refuse};
use crate::job::Job;
use crate::work;

/// A key, ready to prove with.
#[napi]
pub struct Key(Arc<Loaded>);

/// Options of a proof.
#[napi(object)]
pub struct HowToProve {
    /// Number of threads; 0 stands for all threads of rayon's global pool.
    pub threads: u32,
    /// True to verify the proof before it is returned.
    pub verify: bool,
    /// Bound on the proof's memory in bytes; 0 for a proof in little memory.
    pub memory: Option<f64>,
}

/// A proof and its public signals.
#[napi(object)]
pub struct Texts {
    /// The proof, a `proof.json`.
    pub proof: String,
    /// The public signals in decimal.
    pub public: Vec<String>,
}

/// Loads a key from a file, which is mapped, or from bytes, which are copied. `retain` keeps its points in memory in the engine's
/// form. Resolves to the number of the protocol for a key of another protocol than Groth16.
#[napi]
pub fn load_key(key: Either<String, Uint8Array>, retain: bool) -> AsyncTask<Load> {
    let key = match key {
        Either::A(path) => Either::A(PathBuf::from(path)),
        Either::B(bytes) => Either::B(bytes.to_vec()),
    };
    AsyncTask::new(Load { key: Some(key), retain })
}

/// A load under way.
pub struct Load {
    key: Option<Either<PathBuf, Vec<u8>>>,
    retain: bool,
}

impl Task for Load {
    type Output = Either<Loaded, u32>;
    type JsValue = Either<Key, u32>;

    fn compute(&mut self) -> Result<Self::Output> {
        let (key, retain) = (self.key.take(), self.retain);
        work::run(0, || {
            let source = match key {
                Some(Either::A(path)) => Source::open(&path, Access::Map)
                    .map_err(|error| refuse(format!("{}: {error}", path.display())))?,
                Some(Either::B(bytes)) => Source::of(bytes),
                None => return Err(refuse("the key is loaded already")),
            };
            let path = source.path().map(PathBuf::from);
            load(source, retain).map_err(|error| of_circuit(path.as_deref(), error))
        })
    }

    fn resolve(&mut self, _env: Env, loaded: Self::Output) -> Result<Self::JsValue> {
        Ok(match loaded {
            Either::A(loaded) => Either::A(Key(Arc::new(loaded))),
            Either::B(protocol) => Either::B(protocol),
        })
    }
}

fn load(source: Source, retain: bool) -> std::result::Result<Either<Loaded, u32>, CircuitError> {
    let protocol = zkey_protocol(&source).map_err(|error| CircuitError::of(Fault::Key)(error.into()))?;
    if protocol != Protocol::Groth16.number() {
        return Ok(Either::B(protocol));
    }
    let loaded = Loaded::new(source)?;
    loaded.circuit().prepare(KeyPoints::retained_if(retain))?;
    Ok(Either::A(loaded))
}

#[napi]
impl Key {
    /// Proves knowledge of a witness, the bytes of a `.wtns`, which are copied.
    #[napi]
    pub fn prove(&self, witness: Uint8Array, how: HowToProve, job: &Job) -> AsyncTask<Prove> {
        AsyncTask::new(Prove { key: self.0.clone(), witness: witness.to_vec(), how, job: job.clone() })
    }

    /// Returns the verification key, a `verification_key.json`.
    #[napi]
    pub fn verification_key(&self) -> AsyncTask<Export> {
        AsyncTask::new(Export { key: self.0.clone(), what: What::VerificationKey })
    }

    /// Returns the contract in Solidity that verifies the key's proofs.
    #[napi]
    pub fn contract(&self) -> AsyncTask<Export> {
        AsyncTask::new(Export { key: self.0.clone(), what: What::Contract })
    }
}

/// A proof under way.
pub struct Prove {
    key: Arc<Loaded>,
    witness: Vec<u8>,
    how: HowToProve,
    job: Job,
}

impl Task for Prove {
    type Output = Proven;
    type JsValue = Texts;

    fn compute(&mut self) -> Result<Proven> {
        let Prove { key, witness, how, job } = self;
        let options = ProveOptions::new().verify(how.verify).cancel(&job.cancel).progress(&*job.steps);
        let options = how.memory.map_or(options, |bytes| options.memory(bytes as usize));
        let prove = || key.prove(&key.values(witness)?, options);
        work::run(how.threads, || prove().map_err(|error: CircuitError| of_circuit(key.key().path(), error)))
    }

    fn resolve(&mut self, _env: Env, proven: Proven) -> Result<Texts> {
        Ok(Texts { proof: proven.proof_text(), public: proven.public })
    }
}

/// The text to make from a key.
enum What {
    VerificationKey,
    Contract,
}

/// An export under way.
pub struct Export {
    key: Arc<Loaded>,
    what: What,
}

impl Task for Export {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> Result<String> {
        let Export { key, what } = self;
        work::run(0, || match what {
            What::VerificationKey => {
                let text = key.circuit().verifying_key().map(|key| key.to_text());
                text.map_err(|error| of_circuit(key.key().path(), error))
            }
            What::Contract => solidity::contract(key.key()).map_err(|error| refuse(error.to_string())),
        })
    }

    fn resolve(&mut self, _env: Env, text: String) -> Result<String> {
        Ok(text)
    }
}
