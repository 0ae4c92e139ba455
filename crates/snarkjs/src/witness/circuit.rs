//! Running WebAssembly of a circuit, in bounded memory and time.

use std::sync::mpsc;

use rayon::ThreadPoolBuilder;
use wasmtime::{
    Config, Engine, Instance, Linker, Memory, MemoryType, Module, OptLevel, Store, Trap, TypedFunc,
    UpdateDeadline, WasmParams, WasmResults,
};

use super::host::{Host, Log, Refused};
use super::limits::Run;
use super::WitnessError;

/// The circuit's part of the stack in bytes. circom's functions may be recursive.
const CIRCUIT_STACK: usize = 16 << 20;

/// The stack of the thread that runs a circuit.
pub const STACK: usize = CIRCUIT_STACK + (2 << 20);

/// Number of bytes of a page of WebAssembly's memory.
const PAGE: usize = 1 << 16;

/// Largest number of pages of a memory that a circuit imports. Circom 1 puts its stack at the end of the memory, and
/// that address must fit a signed integer.
const MAX_PAGES: usize = (1 << 15) - 1;

/// Returns a compiler of circuits whose code can be stopped. Extensions of WebAssembly that circom does not need are off.
pub fn engine() -> Result<Engine, WitnessError> {
    let mut config = Config::new();
    // Optimised code runs a tenth faster but takes a fourth longer to compile, and compilation takes longer than one
    // run, or many.
    config.cranelift_opt_level(OptLevel::None);
    config.epoch_interruption(true).max_wasm_stack(CIRCUIT_STACK).wasm_backtrace(false);
    config.wasm_multi_memory(false).wasm_memory64(false);
    config.wasm_simd(false).wasm_relaxed_simd(false).wasm_tail_call(false).wasm_extended_const(false);
    Engine::new(&config).map_err(|e| damaged(&e))
}

/// Compiles and validates a circuit. Nothing interrupts the compiler. It has threads of its own, for which nobody
/// waits once `run` must stop. They end with the compilation, and its result is dropped.
pub fn compile(engine: &Engine, wasm: &[u8], run: &Run) -> Result<Module, WitnessError> {
    let pool =
        ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).panic_handler(|_| ()).build();
    let pool = pool.map_err(|error| WitnessError::Thread(error.to_string()))?;
    let (engine, wasm) = (engine.clone(), wasm.to_vec());
    let (sender, compiled) = mpsc::channel();
    pool.spawn(move || {
        // Without a receiver, nobody needs the result any more.
        let _ = sender.send(Module::from_binary(&engine, &wasm));
    });
    let compiled = run.wait(&compiled)?;
    compiled.ok_or_else(|| WitnessError::Module("the compiler fails".into()))?.map_err(|e| damaged(&e))
}

/// An instance of a circuit.
pub struct Circuit<'a> {
    store: Store<Host>,
    instance: Instance,
    memory: Memory,
    limits: &'a Run,
}

impl<'a> Circuit<'a> {
    /// Makes an instance of a circuit, which may have a function that runs at once. `define` defines the functions
    /// that the circuit may import.
    pub fn new(
        module: &Module,
        limits: &'a Run,
        log: Option<Log>,
        define: impl FnOnce(&mut Linker<Host>) -> wasmtime::Result<()>,
    ) -> Result<Self, WitnessError> {
        let engine = module.engine();
        let imports = |name| module.imports().any(|import| import.name() == name);
        let mut host = Host::new(limits.room(), log);
        host.ends_lines = imports("writeBufferMessage");
        host.tells_places = imports("printErrorMessage");
        let mut store = Store::new(engine, host);
        store.limiter(|host| &mut host.room);
        // An epoch ends when a calculation of the circuit must stop, this one or another: see `Run::stop`.
        let run = limits.clone();
        store.epoch_deadline_callback(move |_| match run.check() {
            Ok(()) => Ok(UpdateDeadline::Continue(1)),
            Err(_) => Err(Trap::Interrupt.into()),
        });
        store.set_epoch_deadline(1);
        let mut linker = Linker::new(engine);
        define(&mut linker).map_err(|e| damaged(&e))?;
        let failed = |error: &wasmtime::Error, store: &Store<Host>| match error.is::<Trap>() {
            true => call_error(error, limits),
            false if store.data().room.is_refused() => limits.memory_error(),
            false => damaged(error),
        };
        if let Some(wanted) = memory_import(module) {
            let memory = import_memory(&mut store, &wanted, limits).map_err(|e| failed(&e, &store))?;
            linker.define(&store, "env", "memory", memory).map_err(|e| damaged(&e))?;
            store.data_mut().memory = Some(memory);
        }
        let instance = linker.instantiate(&mut store, module).map_err(|e| failed(&e, &store))?;
        let memory = store.data().memory.or_else(|| instance.get_memory(&mut store, "memory"));
        let memory = memory.ok_or(WitnessError::Export("memory"))?;
        store.data_mut().memory = Some(memory);
        Ok(Circuit { store, instance, memory, limits })
    }

    /// Returns true if the circuit exports a function with this name.
    pub fn has(&mut self, name: &str) -> bool {
        self.instance.get_func(&mut self.store, name).is_some()
    }

    /// Returns an exported function.
    pub fn function<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &'static str,
    ) -> Result<TypedFunc<P, R>, WitnessError> {
        self.instance.get_typed_func(&mut self.store, name).map_err(|_| WitnessError::Export(name))
    }

    /// Calls an exported function by name.
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
        function.call(&mut self.store, params).map_err(|error| call_error(&error, self.limits))
    }

    /// Returns state of the imported functions.
    pub fn host(&mut self) -> &mut Host {
        self.store.data_mut()
    }

    /// Reads bytes of the circuit's memory.
    pub fn read<const N: usize>(&self, address: usize) -> Result<[u8; N], WitnessError> {
        let mut bytes = [0; N];
        self.memory.read(&self.store, address, &mut bytes).map_err(|_| outside(address))?;
        Ok(bytes)
    }

    /// Writes bytes to the circuit's memory.
    pub fn write(&mut self, address: usize, bytes: &[u8]) -> Result<(), WitnessError> {
        self.memory.write(&mut self.store, address, bytes).map_err(|_| outside(address))
    }
}

/// Returns the memory that a circuit imports, if any.
fn memory_import(module: &Module) -> Option<MemoryType> {
    let import = module.imports().find(|import| (import.module(), import.name()) == ("env", "memory"))?;
    import.ty().memory().cloned()
}

/// Makes a memory that a circuit imports. It gets all pages that the limit allows, because circom 1 cannot ask for
/// more. Pages that the circuit never touches take no memory. If the system does not promise this number of pages, the
/// memory gets half of them. An eighth of the limit remains for the circuit's tables.
fn import_memory(
    store: &mut Store<Host>,
    wanted: &MemoryType,
    limits: &Run,
) -> Result<Memory, wasmtime::Error> {
    let least = wanted.minimum();
    let mut pages = (limits.memory() / PAGE / 8 * 7).min(MAX_PAGES) as u64;
    pages = pages.min(wanted.maximum().unwrap_or(u64::MAX)).max(least);
    let limit = wanted.maximum().map(u32::try_from).transpose()?;
    loop {
        match Memory::new(&mut *store, MemoryType::new(u32::try_from(pages)?, limit)) {
            Err(_) if pages > least && !store.data().room.is_refused() => {
                pages = (pages / 2).max(least);
                store.data_mut().room = limits.room();
            }
            made => return made,
        }
    }
}

fn outside(address: usize) -> WitnessError {
    WitnessError::Damaged(format!("its value at address {address} is not in its memory"))
}

/// Returns the error of a failed call.
fn call_error(error: &wasmtime::Error, limits: &Run) -> WitnessError {
    if let Some(refused) = error.downcast_ref::<Refused>() {
        return WitnessError::Refused(refused.0.clone());
    }
    match (error.downcast_ref::<Trap>(), limits.check()) {
        (Some(Trap::Interrupt), Err(stopped)) => stopped,
        (Some(Trap::UnreachableCodeReached), _) => {
            WitnessError::Damaged("it reaches code that should not be reachable".into())
        }
        _ => WitnessError::Damaged(one_line(error)),
    }
}

fn damaged(error: &wasmtime::Error) -> WitnessError {
    WitnessError::Module(one_line(error))
}

/// Returns the message of the compiler or the processor, without its context.
fn one_line(error: &wasmtime::Error) -> String {
    error.root_cause().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
