//! A circuit's WebAssembly under way: circom 2's interface, in bounded memory and time.

use std::time::{Duration, Instant};

use bucketwheel::Cancel;
use wasmi::{
    Config, Engine, Instance, Linker, Memory, Module, Store, StoreLimitsBuilder, TrapCode, TypedFunc,
    TypedResumableCall, WasmParams, WasmResults,
};

use super::host::{define, Host, Log, Refused};
use super::WitnessError;

/// The bytes of a value: both fields have 256 bits.
pub const VALUE_BYTES: usize = 32;

/// Instructions, about, between two looks at the clock and at the cancellation: some tens of milliseconds.
const SLICE: u64 = 20_000_000;

/// Calls within calls; circom's functions may be recursive.
const MAX_DEPTH: usize = 10_000;

/// The interpreter's stack in bytes.
const MAX_STACK: usize = 64 << 20;

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

/// An instance of a circuit.
pub struct Circuit {
    store: Store<Host>,
    instance: Instance,
    memory: Memory,
    limits: Limits,
    deadline: Option<Instant>,
}

impl Circuit {
    /// Loads and validates a circuit.
    pub fn load(wasm: &[u8], limits: Limits, log: Option<Log>) -> Result<Self, WitnessError> {
        let deadline = Instant::now().checked_add(limits.time);
        let mut config = Config::default();
        config
            .consume_fuel(true)
            .allow_start_fn(false)
            .set_max_recursion_depth(MAX_DEPTH)
            .set_max_stack_height(MAX_STACK);
        let engine = Engine::new(&config);
        let damaged = |error: wasmi::Error| WitnessError::Module(one_line(&error));
        let module = Module::new(&engine, wasm).map_err(damaged)?;
        let store_limits = StoreLimitsBuilder::new().memory_size(limits.memory).build();
        let mut store = Store::new(&engine, Host::new(store_limits, log));
        store.limiter(|host| &mut host.limits);
        let mut linker = Linker::new(&engine);
        define(&mut linker).map_err(damaged)?;
        let pages = module.get_export("memory").and_then(|memory| Some(memory.memory()?.minimum()));
        let pages = pages.ok_or(WitnessError::Export("memory"))?;
        if pages.saturating_mul(1 << 16) > limits.memory as u64 {
            return Err(WitnessError::Memory { limit: limits.memory });
        }
        store.set_fuel(SLICE).map_err(damaged)?;
        let instance = linker.instantiate_and_start(&mut store, &module).map_err(damaged)?;
        let memory = instance.get_memory(&store, "memory").ok_or(WitnessError::Export("memory"))?;
        let mut circuit = Circuit { store, instance, memory, limits, deadline };
        let shared: i32 = circuit.call("getSharedRWMemoryStart", ())?;
        circuit.store.data_mut().shared = shared as u32 as usize;
        Ok(circuit)
    }

    /// An exported function.
    pub fn function<P: WasmParams, R: WasmResults>(
        &self,
        name: &'static str,
    ) -> Result<TypedFunc<P, R>, WitnessError> {
        self.instance.get_typed_func(&self.store, name).map_err(|_| WitnessError::Export(name))
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

    /// Calls a function: in slices, between which the limits are looked at.
    pub fn run<P: WasmParams, R: WasmResults>(
        &mut self,
        function: &TypedFunc<P, R>,
        params: P,
    ) -> Result<R, WitnessError> {
        let mut call = function.call_resumable(&mut self.store, params).map_err(|e| error(&e))?;
        loop {
            match call {
                TypedResumableCall::Finished(results) => return Ok(results),
                TypedResumableCall::HostTrap(trap) => return Err(error(trap.host_error())),
                TypedResumableCall::OutOfFuel(paused) => {
                    self.check()?;
                    self.store.set_fuel(SLICE.max(paused.required_fuel())).map_err(|e| error(&e))?;
                    call = paused.resume(&mut self.store).map_err(|e| error(&e))?;
                }
            }
        }
    }

    fn check(&self) -> Result<(), WitnessError> {
        if self.limits.cancel.is_cancelled() {
            return Err(WitnessError::Cancelled);
        }
        match self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            true => Err(WitnessError::Time { limit: self.limits.time }),
            false => Ok(()),
        }
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

fn error(error: &wasmi::Error) -> WitnessError {
    if let Some(refused) = error.downcast_ref::<Refused>() {
        return WitnessError::Refused(refused.0.clone());
    }
    WitnessError::Damaged(match error.as_trap_code() {
        Some(TrapCode::UnreachableCodeReached) => "it reaches code that should not be reachable".into(),
        _ => one_line(error),
    })
}

/// The interpreter's message, whose details follow on lines of their own.
fn one_line(error: &wasmi::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
