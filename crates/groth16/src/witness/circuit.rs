//! A circuit's WebAssembly under way: circom 2's interface, in bounded memory and time.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use wasmtime::{
    Config, Engine, Instance, Linker, Memory, Module, Store, StoreLimitsBuilder, Trap, TypedFunc, WasmParams,
    WasmResults,
};

use super::host::{define, Host, Log, Refused};
use super::WitnessError;

/// The bytes of a value: both fields have 256 bits.
pub const VALUE_BYTES: usize = 32;

/// The circuit's part of the stack in bytes: circom's functions may be recursive.
const CIRCUIT_STACK: usize = 16 << 20;

/// The stack of the thread that a circuit runs on.
pub const STACK: usize = CIRCUIT_STACK + (2 << 20);

/// The time between two looks at the cancellation.
const WATCH: Duration = Duration::from_millis(10);

/// What a circuit may use.
#[derive(Clone)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: usize,
    /// Time for the whole calculation.
    pub time: Duration,
    /// A request to stop.
    pub cancel: Cancel,
}

impl Limits {
    /// Stops what `engine` runs, for good, once it was cancelled or its time is over; returns when `ended` is closed.
    pub fn watch(&self, engine: &Engine, ended: &Receiver<()>) {
        let deadline = Instant::now().checked_add(self.time);
        while ended.recv_timeout(WATCH) == Err(RecvTimeoutError::Timeout) {
            if self.cancel.is_cancelled() || deadline.is_some_and(|deadline| Instant::now() > deadline) {
                engine.increment_epoch();
            }
        }
    }

    /// What a call that failed says.
    fn error(&self, error: &wasmtime::Error) -> WitnessError {
        if let Some(refused) = error.downcast_ref::<Refused>() {
            return WitnessError::Refused(refused.0.clone());
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) if self.cancel.is_cancelled() => WitnessError::Cancelled,
            Some(Trap::Interrupt) => WitnessError::Time { limit: self.time },
            Some(Trap::UnreachableCodeReached) => {
                WitnessError::Damaged("it reaches code that should not be reachable".into())
            }
            _ => WitnessError::Damaged(one_line(error)),
        }
    }
}

/// A compiler of circuits whose code can be stopped.
pub fn engine() -> Result<Engine, WitnessError> {
    let mut config = Config::new();
    config.epoch_interruption(true).max_wasm_stack(CIRCUIT_STACK).wasm_backtrace(false);
    Engine::new(&config).map_err(|e| WitnessError::Module(one_line(&e)))
}

/// An instance of a circuit.
pub struct Circuit {
    store: Store<Host>,
    instance: Instance,
    memory: Memory,
    limits: Limits,
}

impl Circuit {
    /// Compiles and validates a circuit.
    pub fn load(
        engine: &Engine,
        wasm: &[u8],
        limits: Limits,
        log: Option<Log>,
    ) -> Result<Self, WitnessError> {
        let damaged = |error: wasmtime::Error| WitnessError::Module(one_line(&error));
        let module = Module::from_binary(engine, wasm).map_err(damaged)?;
        let store_limits = StoreLimitsBuilder::new().memory_size(limits.memory).build();
        let mut store = Store::new(engine, Host::new(store_limits, log));
        store.limiter(|host| &mut host.limits);
        // The next epoch is the end of it: see `Limits::watch`.
        store.set_epoch_deadline(1);
        let mut linker = Linker::new(engine);
        define(&mut linker).map_err(damaged)?;
        let pages = module.get_export("memory").and_then(|memory| Some(memory.memory()?.minimum()));
        let pages = pages.ok_or(WitnessError::Export("memory"))?;
        if pages.saturating_mul(1 << 16) > limits.memory as u64 {
            return Err(WitnessError::Memory { limit: limits.memory });
        }
        let instance = linker.instantiate(&mut store, &module).map_err(|error| match error.is::<Trap>() {
            true => limits.error(&error),
            false => damaged(error),
        })?;
        let memory = instance.get_memory(&mut store, "memory").ok_or(WitnessError::Export("memory"))?;
        let mut circuit = Circuit { store, instance, memory, limits };
        let shared: i32 = circuit.call("getSharedRWMemoryStart", ())?;
        circuit.store.data_mut().shared = shared as u32 as usize;
        Ok(circuit)
    }

    /// An exported function.
    pub fn function<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &'static str,
    ) -> Result<TypedFunc<P, R>, WitnessError> {
        self.instance.get_typed_func(&mut self.store, name).map_err(|_| WitnessError::Export(name))
    }

    /// Calls an exported function by its name.
    pub fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &'static str,
        params: P,
    ) -> Result<R, WitnessError> {
        let function = self.function(name)?;
        self.run(&function, params)
    }

    /// Calls a function.
    pub fn run<P: WasmParams, R: WasmResults>(
        &mut self,
        function: &TypedFunc<P, R>,
        params: P,
    ) -> Result<R, WitnessError> {
        function.call(&mut self.store, params).map_err(|error| self.limits.error(&error))
    }

    /// The value that the circuit has ready.
    pub fn shared(&self) -> Result<[u8; VALUE_BYTES], WitnessError> {
        let mut bytes = [0; VALUE_BYTES];
        self.memory.read(&self.store, self.store.data().shared, &mut bytes).map_err(|_| outside())?;
        Ok(bytes)
    }

    /// Gives the circuit a value.
    pub fn share(&mut self, bytes: &[u8; VALUE_BYTES]) -> Result<(), WitnessError> {
        let shared = self.store.data().shared;
        self.memory.write(&mut self.store, shared, bytes).map_err(|_| outside())
    }
}

fn outside() -> WitnessError {
    WitnessError::Damaged("its shared value is not in its memory".into())
}

/// The compiler's or the processor's message, without what it was doing then.
fn one_line(error: &wasmtime::Error) -> String {
    error.root_cause().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
