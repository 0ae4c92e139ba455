//! Calculates a witness.

use std::collections::BTreeMap;
use std::sync::{mpsc, Arc};
use std::time::Duration;

use ark_ff::BigInt;
use bucketwheel::{Cancel, Progress};
use num_bigint::{BigInt as Integer, BigUint};
use wasmtime::Module;

use super::circuit::{compile, engine, STACK};
use super::host::Log;
use super::interface::{words, Interface};
use super::limits::{Limits, Run};
use super::names::{check_inputs, Names};
use super::version::open;
use super::{Inputs, WitnessError};
use crate::CurveId;

/// Number of values between two reports.
const STEP: usize = 1 << 12;

/// The witness of a circuit for some inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The curve whose order is the modulus of the circuit.
    pub curve: CurveId,
    /// The values, canonical integers: 1, outputs, public and private inputs, intermediate signals.
    pub values: Vec<BigInt<4>>,
}

/// A compiled circuit, for many witnesses. Any number of threads may calculate at once.
#[derive(Clone)]
pub struct Compiled {
    module: Module,
    curve: CurveId,
    values: usize,
}

impl Compiled {
    /// Returns the curve whose order is the modulus of the circuit. The [example](crate::witness::Calculator) uses it.
    pub fn curve(&self) -> CurveId {
        self.curve
    }

    /// Returns the number of values of a witness. The [example](crate::witness::Calculator) uses it.
    pub fn values(&self) -> usize {
        self.values
    }
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled")
            .field("curve", &self.curve)
            .field("values", &self.values)
            .finish_non_exhaustive()
    }
}

/// Calculator of witnesses, with its limits.
///
/// ```no_run
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use bucketwheel::Cancel;
/// use bucketwheel_snarkjs::{main_signals, witness::{Calculator, Inputs}};
///
/// let (wasm, sym) = (std::fs::read("circuit.wasm")?, std::fs::read("circuit.sym")?);
/// let cancel = Cancel::new();
/// let calculator = Calculator::new()
///     .memory_limit(1 << 30)
///     .time_limit(Duration::from_secs(60))
///     .cancel(&cancel)
///     .names(Arc::new(main_signals(&sym)?))
///     .log(|line| println!("{line}"));
/// let circuit = calculator.compile(&wasm)?;
/// println!("{} values over {}", circuit.values(), circuit.curve());
/// for json in [r#"{ "a": 3 }"#, r#"{ "a": 4 }"#] {
///     match calculator.calculate_compiled(&circuit, &Inputs::from_json(json.as_bytes())?) {
///         Ok(witness) => println!("{}", witness.values[1]),
///         Err(error) if error.is_about_inputs() => eprintln!("{json}: {error}"),
///         Err(error) => return Err(error.into()),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Calculator {
    limits: Limits,
    log: Option<Log>,
    progress: Option<Arc<dyn Progress + Send + Sync>>,
    names: Names,
}

impl Default for Calculator {
    fn default() -> Self {
        Self::new()
    }
}

impl Calculator {
    /// Returns a calculator with the default limits: 2 GiB of memory and ten minutes. It drops the circuit's log.
    /// The [example](crate::witness::Calculator) uses it.
    pub fn new() -> Self {
        let limits = Limits { memory: 2 << 30, time: Duration::from_secs(600), cancel: Cancel::new() };
        Calculator { limits, log: None, progress: None, names: Names::default() }
    }

    /// Allows the circuit this number of bytes for its memory and its tables together, and the same for the witness.
    /// The memory of its compilation, which depends on the length of its functions, does not count.
    /// The [example](crate::witness::Calculator) uses it.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.limits.memory = bytes;
        self
    }

    /// Allows the calculation this time, including compilation. Nothing interrupts the compiler: [`calculate`]
    /// returns in time, but threads continue until the circuit is compiled, or the process ends.
    ///
    /// [`calculate`]: Self::calculate
    ///
    /// The [example](crate::witness::Calculator) uses it.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.limits.time = time;
        self
    }

    /// Lets others stop the calculation, which notices it after some tens of milliseconds.
    /// The [example](crate::witness::Calculator) uses it.
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.limits.cancel = cancel.clone();
        self
    }

    /// Receives the lines that the circuit logs, at most 1 MiB. The [example](crate::witness::Calculator) uses it.
    pub fn log(mut self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.log = Some(Arc::new(log));
        self
    }

    /// Reports the number of witness values that the circuit has returned. The circuit computes all of them before it
    /// returns the first. See the [example](crate::witness::Calculator).
    pub fn progress(mut self, progress: Arc<dyn Progress + Send + Sync>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Names inputs in errors. `signals` has the signals of the main component and the number of values of each, as
    /// [`main_signals`](crate::main_signals) reads them from a `.sym` file.
    /// The [example](crate::witness::Calculator) uses it.
    pub fn names(mut self, signals: Arc<BTreeMap<String, usize>>) -> Self {
        self.names = Names(signals);
        self
    }

    /// Runs a circuit, WebAssembly from circom, on these inputs. Inputs are reduced modulo the circuit's prime.
    /// The [example](crate::witness) uses it.
    ///
    /// # Errors
    /// [`WitnessError`]: inputs that the circuit does not have or refuses, bytes that are no circuit, limits.
    pub fn calculate(&self, wasm: &[u8], inputs: &Inputs) -> Result<Witness, WitnessError> {
        let limits = self.limits.start();
        self.run(&compile(&engine()?, wasm, &limits)?, inputs, &limits)
    }

    /// Compiles a circuit for [`calculate_compiled`](Self::calculate_compiled), and makes an instance of it to check
    /// that it can run. The [example](crate::witness::Calculator) uses it.
    ///
    /// # Errors
    /// The errors of [`calculate`](Self::calculate), for bytes that are no circuit.
    pub fn compile(&self, wasm: &[u8]) -> Result<Compiled, WitnessError> {
        let limits = self.limits.start();
        let module = compile(&engine()?, wasm, &limits)?;
        let (curve, values) = on_thread(&module, &limits, || {
            let (mut circuit, curve) = open(&module, &limits, None)?;
            Ok((curve, circuit.values()?))
        })?;
        Ok(Compiled { module, curve, values })
    }

    /// Runs a compiled circuit. The [example](crate::witness::Calculator) uses it.
    ///
    /// # Errors
    /// The errors of [`calculate`](Self::calculate).
    pub fn calculate_compiled(&self, circuit: &Compiled, inputs: &Inputs) -> Result<Witness, WitnessError> {
        self.run(&circuit.module, inputs, &self.limits.start())
    }

    fn run(&self, module: &Module, inputs: &Inputs, limits: &Run) -> Result<Witness, WitnessError> {
        on_thread(module, limits, || self.witness(module, inputs, limits))
    }

    fn witness(&self, module: &Module, inputs: &Inputs, limits: &Run) -> Result<Witness, WitnessError> {
        let (mut circuit, curve) = open(module, limits, self.log.clone())?;
        circuit.start()?;
        check_inputs(&mut *circuit, inputs, &self.names)?;
        let prime = circuit.prime().clone();
        for (signal, values) in &inputs.0 {
            for (index, value) in values.iter().enumerate() {
                circuit.set(signal, index, &reduced(value, &prime))?;
            }
        }
        let values = self.values(&mut *circuit, &prime, limits)?;
        Ok(Witness { curve, values })
    }

    fn values(
        &self,
        circuit: &mut dyn Interface,
        prime: &BigUint,
        limits: &Run,
    ) -> Result<Vec<BigInt<4>>, WitnessError> {
        let count = circuit.values()?;
        let mut values = limits.values(count)?;
        for index in 0..count {
            if let Some(progress) = self.progress.as_ref().filter(|_| index.is_multiple_of(STEP)) {
                progress.report(index, count);
            }
            let value = circuit.value(index)?;
            if value >= *prime {
                return Err(WitnessError::Damaged(format!(
                    "value {index} of its witness is not below its prime"
                )));
            }
            values.push(words(&value));
        }
        Ok(values)
    }
}

/// Runs a part of a circuit on a thread with a stack of its own, beside a thread that stops it.
fn on_thread<T: Send>(
    module: &Module,
    limits: &Run,
    part: impl FnOnce() -> Result<T, WitnessError> + Send,
) -> Result<T, WitnessError> {
    let engine = module.engine();
    std::thread::scope(|scope| {
        let no_thread = |error: std::io::Error| WitnessError::Thread(error.to_string());
        let (running, ended) = mpsc::channel();
        let stop = move || limits.stop(engine, &ended);
        std::thread::Builder::new().spawn_scoped(scope, stop).map_err(no_thread)?;
        let run = move || {
            // The other thread ends when this channel does.
            let _running: mpsc::Sender<()> = running;
            part()
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.map_err(no_thread)?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn reduced(value: &Integer, prime: &BigUint) -> BigUint {
    let rest = value.magnitude() % prime;
    match value.sign() {
        num_bigint::Sign::Minus if rest != BigUint::ZERO => prime - rest,
        _ => rest,
    }
}
