//! Calculates a witness.

use std::sync::{mpsc, Arc};
use std::time::Duration;

use ark_ff::BigInt;
use bucketwheel::{Cancel, Progress};
use num_bigint::{BigInt as Integer, BigUint};
use wasmtime::Module;

use super::circuit::{compile, engine, Circuit, STACK, VALUE_BYTES};
use super::host::Log;
use super::limits::{Limits, Run};
use super::{Inputs, WitnessError};
use crate::CurveId;

/// The version of circom's interface.
const VERSION: i32 = 2;

/// Values from one report to the next.
const STEP: usize = 1 << 12;

/// The witness of a circuit for some inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The curve whose order the circuit computes modulo.
    pub curve: CurveId,
    /// The values, canonical integers: 1, outputs, public and private inputs, intermediate signals.
    pub values: Vec<BigInt<4>>,
}

/// A circuit that is compiled: for many witnesses, which any number of threads may calculate at once.
#[derive(Clone)]
pub struct Compiled(Module);

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled").finish_non_exhaustive()
    }
}

/// Calculator of witnesses, with its limits.
#[derive(Clone)]
pub struct Calculator {
    limits: Limits,
    log: Option<Log>,
    progress: Option<Arc<dyn Progress + Send + Sync>>,
}

impl Default for Calculator {
    fn default() -> Self {
        Self::new()
    }
}

impl Calculator {
    /// The default limits: 2 GiB of memory and ten minutes. What the circuit logs is dropped.
    pub fn new() -> Self {
        let limits = Limits { memory: 2 << 30, time: Duration::from_secs(600), cancel: Cancel::new() };
        Calculator { limits, log: None, progress: None }
    }

    /// Allows the circuit this many bytes for its memory and its tables together, and as many for the witness. What its
    /// compilation takes, which depends on the length of its functions, is not counted.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.limits.memory = bytes;
        self
    }

    /// Allows the calculation this long, compilation included. Nothing interrupts the compiler: [`calculate`] returns in
    /// time, but threads go on until the circuit is compiled, or the process ends.
    ///
    /// [`calculate`]: Self::calculate
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.limits.time = time;
        self
    }

    /// Lets others stop the calculation, which is noticed after some tens of milliseconds.
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.limits.cancel = cancel.clone();
        self
    }

    /// Takes the lines that the circuit logs, 1 MiB of them at most.
    pub fn log(mut self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.log = Some(Arc::new(log));
        self
    }

    /// Reports how many of the witness' values the circuit has handed over. It computes them before the first one.
    pub fn progress(mut self, progress: Arc<dyn Progress + Send + Sync>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Runs a circuit, WebAssembly made by circom 2, on these inputs. Inputs are reduced modulo the circuit's prime.
    ///
    /// # Errors
    /// [`WitnessError`]: inputs that are not those of the circuit or that it refuses, no circuit, limits.
    pub fn calculate(&self, wasm: &[u8], inputs: &Inputs) -> Result<Witness, WitnessError> {
        let limits = self.limits.start();
        self.run(&compile(&engine()?, wasm, &limits)?, inputs, &limits)
    }

    /// Compiles a circuit, for [`calculate_compiled`](Self::calculate_compiled).
    ///
    /// # Errors
    /// As for [`calculate`](Self::calculate), of what is no circuit.
    pub fn compile(&self, wasm: &[u8]) -> Result<Compiled, WitnessError> {
        compile(&engine()?, wasm, &self.limits.start()).map(Compiled)
    }

    /// Runs a circuit that is compiled already.
    ///
    /// # Errors
    /// As for [`calculate`](Self::calculate).
    pub fn calculate_compiled(&self, circuit: &Compiled, inputs: &Inputs) -> Result<Witness, WitnessError> {
        self.run(&circuit.0, inputs, &self.limits.start())
    }

    /// Runs a circuit on a thread with the stack that it may take, beside one that stops it.
    fn run(&self, module: &Module, inputs: &Inputs, limits: &Run) -> Result<Witness, WitnessError> {
        let engine = module.engine();
        std::thread::scope(|scope| {
            let no_thread = |error: std::io::Error| WitnessError::Thread(error.to_string());
            let (running, ended) = mpsc::channel();
            let stop = move || limits.stop(engine, &ended);
            std::thread::Builder::new().spawn_scoped(scope, stop).map_err(no_thread)?;
            let run = move || {
                let _running = running;
                self.witness(module, inputs, limits)
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            thread.map_err(no_thread)?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn witness(&self, module: &Module, inputs: &Inputs, limits: &Run) -> Result<Witness, WitnessError> {
        let mut circuit = Circuit::new(module, limits, self.log.clone())?;
        let version = circuit.call("getVersion", ())?;
        if version != VERSION {
            return Err(WitnessError::Version(version));
        }
        let prime = prime(&mut circuit)?;
        let curve = CurveId::from_order(&prime.to_bytes_le()).ok_or(WitnessError::Prime)?;
        // Without the checks of hints that circom's own runtime leaves out by default.
        circuit.call::<i32, ()>("init", 0)?;
        set_inputs(&mut circuit, inputs, &prime)?;
        let values = self.values(&mut circuit, &prime, limits)?;
        Ok(Witness { curve, values })
    }

    fn values(
        &self,
        circuit: &mut Circuit<'_>,
        prime: &BigUint,
        limits: &Run,
    ) -> Result<Vec<BigInt<4>>, WitnessError> {
        let get = circuit.function::<i32, ()>("getWitness")?;
        let count: i32 = circuit.call("getWitnessSize", ())?;
        let count = count as u32 as usize;
        let mut values = limits.values(count)?;
        let prime = words(&bytes(prime));
        for index in 0..count {
            if let Some(progress) = self.progress.as_ref().filter(|_| index.is_multiple_of(STEP)) {
                progress.report(index, count);
            }
            circuit.run(&get, index as i32)?;
            let value = words(&circuit.shared()?);
            if value >= prime {
                return Err(WitnessError::Damaged(format!(
                    "value {index} of its witness is not below its prime"
                )));
            }
            values.push(value);
        }
        Ok(values)
    }
}

fn prime(circuit: &mut Circuit<'_>) -> Result<BigUint, WitnessError> {
    let words: i32 = circuit.call("getFieldNumLen32", ())?;
    if words as u32 as usize * 4 != VALUE_BYTES {
        return Err(WitnessError::Prime);
    }
    circuit.call::<(), ()>("getRawPrime", ())?;
    Ok(BigUint::from_bytes_le(&circuit.shared()?))
}

/// Gives the circuit its inputs; it computes when it has the last one.
fn set_inputs(circuit: &mut Circuit<'_>, inputs: &Inputs, prime: &BigUint) -> Result<(), WitnessError> {
    let size = circuit.function::<(i32, i32), i32>("getInputSignalSize")?;
    let set = circuit.function::<(i32, i32, i32), ()>("setInputSignal")?;
    let needed: i32 = circuit.call("getInputSize", ())?;
    let needed = needed as u32 as usize;

    // The circuit sees no difference between an input too few and one that comes later: look at all before.
    for (signal, values) in &inputs.0 {
        let (high, low) = hash(signal);
        match usize::try_from(circuit.run(&size, (high, low))?) {
            Err(_) => return Err(WitnessError::UnknownSignal { signal: signal.clone() }),
            Ok(expected) if expected != values.len() => {
                return Err(WitnessError::Count { signal: signal.clone(), found: values.len(), expected });
            }
            Ok(_) => {}
        }
    }
    let found: usize = inputs.0.iter().map(|(_, values)| values.len()).sum();
    if found < needed {
        return Err(WitnessError::Missing {
            missing: needed - found,
            expected: needed,
            found,
            given: inputs.0.iter().map(|(signal, _)| signal.clone()).collect(),
        });
    }

    for (signal, values) in &inputs.0 {
        let (high, low) = hash(signal);
        for (index, value) in (0..).zip(values) {
            circuit.share(&bytes(&reduced(value, prime)))?;
            circuit.run(&set, (high, low, index))?;
        }
    }
    Ok(())
}

/// The hash by which circom finds a signal: FNV-1a of 64 bits, in two halves.
fn hash(signal: &str) -> (i32, i32) {
    let step = |hash: u64, unit: u16| (hash ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = signal.encode_utf16().fold(0xcbf2_9ce4_8422_2325, step);
    ((hash >> 32) as i32, hash as i32)
}

fn reduced(value: &Integer, prime: &BigUint) -> BigUint {
    let rest = value.magnitude() % prime;
    match value.sign() {
        num_bigint::Sign::Minus if rest != BigUint::ZERO => prime - rest,
        _ => rest,
    }
}

/// The bytes of an integer that is below the prime.
fn bytes(value: &BigUint) -> [u8; VALUE_BYTES] {
    let mut bytes = [0; VALUE_BYTES];
    for (bytes, digit) in bytes.chunks_exact_mut(8).zip(value.iter_u64_digits()) {
        bytes.copy_from_slice(&digit.to_le_bytes());
    }
    bytes
}

fn words(bytes: &[u8; VALUE_BYTES]) -> BigInt<4> {
    let (words, _) = bytes.as_chunks();
    BigInt(std::array::from_fn(|i| u64::from_le_bytes(words[i])))
}
