//! The interface of circom 2's WebAssembly: values pass one at a time through one place in its memory.

use num_bigint::BigUint;
use wasmtime::{Caller, Error, Extern, Linker, TypedFunc};

use super::circuit::Circuit;
use super::host::{read, visible, Host, MAX_MESSAGE, MODULE};
use super::interface::{bytes, hash, Interface, Length, VALUE_BYTES};
use super::WitnessError;

/// The version of the interface.
const VERSION: i32 = 2;

/// Code of the error that an input does not exist.
const NOT_FOUND: i32 = 1;

/// Largest number of places of an error.
const MAX_PLACES: usize = 16;

/// A circuit of circom 2.
pub struct Circom2<'a> {
    circuit: Circuit<'a>,
    prime: BigUint,
    shared: usize,
    /// False for circom before 2.0.4, which does not return the lengths of inputs.
    length: Option<TypedFunc<(i32, i32), i32>>,
    set: TypedFunc<(i32, i32, i32), ()>,
    get: TypedFunc<i32, ()>,
}

impl<'a> Circom2<'a> {
    /// Finds the functions of the interface and the prime.
    pub fn open(mut circuit: Circuit<'a>) -> Result<Self, WitnessError> {
        let version = circuit.call("getVersion", ())?;
        if version != VERSION {
            return Err(WitnessError::Version(version));
        }
        let shared: i32 = circuit.call("getSharedRWMemoryStart", ())?;
        let shared = shared as u32 as usize;
        circuit.host().shared = shared;
        let words: i32 = circuit.call("getFieldNumLen32", ())?;
        if words as u32 as usize * 4 != VALUE_BYTES {
            return Err(WitnessError::Prime);
        }
        circuit.call::<(), ()>("getRawPrime", ())?;
        let prime = BigUint::from_bytes_le(&circuit.read::<VALUE_BYTES>(shared)?);
        let length = match circuit.has("getInputSignalSize") {
            true => Some(circuit.function("getInputSignalSize")?),
            false => None,
        };
        let (set, get) = (circuit.function("setInputSignal")?, circuit.function("getWitness")?);
        circuit.function::<i32, ()>("init")?;
        circuit.function::<(), i32>("getInputSize")?;
        circuit.function::<(), i32>("getWitnessSize")?;
        Ok(Circom2 { circuit, prime, shared, length, set, get })
    }
}

impl Interface for Circom2<'_> {
    fn prime(&self) -> &BigUint {
        &self.prime
    }

    fn start(&mut self) -> Result<(), WitnessError> {
        // The checks of hints are off, as circom's own runtime leaves them by default.
        self.circuit.call("init", 0)
    }

    fn needed(&mut self) -> Result<usize, WitnessError> {
        let needed: i32 = self.circuit.call("getInputSize", ())?;
        Ok(needed as u32 as usize)
    }

    fn length(&mut self, signal: &str) -> Result<Length, WitnessError> {
        let Some(length) = &self.length else { return Ok(Length::Untold) };
        // Most circuits return 0 for a signal that they do not have.
        Ok(match usize::try_from(self.circuit.run(length, hash(signal))?) {
            Err(_) | Ok(0) => Length::NoInput,
            Ok(length) => Length::Of(length),
        })
    }

    fn set(&mut self, signal: &str, index: usize, value: &BigUint) -> Result<(), WitnessError> {
        self.circuit.write(self.shared, &bytes(value))?;
        let (high, low) = hash(signal);
        self.circuit.run(&self.set, (high, low, index as i32)).map_err(|error| match error {
            WitnessError::Refused(_) if self.circuit.host().code == Some(NOT_FOUND) => {
                WitnessError::unknown(signal)
            }
            error => error,
        })
    }

    fn values(&mut self) -> Result<usize, WitnessError> {
        let values: i32 = self.circuit.call("getWitnessSize", ())?;
        Ok(values as u32 as usize)
    }

    fn value(&mut self, index: usize) -> Result<BigUint, WitnessError> {
        self.circuit.run(&self.get, index as i32)?;
        Ok(BigUint::from_bytes_le(&self.circuit.read::<VALUE_BYTES>(self.shared)?))
    }
}

/// Defines the imports of circom 2's WebAssembly.
pub fn define(linker: &mut Linker<Host>) -> Result<(), Error> {
    linker.func_wrap(MODULE, "exceptionHandler", |mut caller: Caller<'_, Host>, code: i32| {
        let what = match code {
            NOT_FOUND => "signal not found",
            2 => "too many signals set",
            3 => "signal already set",
            4 => "assertion failed",
            5 => "not enough memory",
            6 => "more values than the input signal has",
            _ => "unknown error",
        };
        if !caller.data().tells_places {
            tell_place(&mut caller)?;
        }
        let places = caller.data().places.join("; ");
        let separator = if places.is_empty() { "" } else { ": " };
        Err::<(), _>(caller.data_mut().refuse(code, format!("{what}{separator}{places}")))
    })?;
    linker.func_wrap(MODULE, "printErrorMessage", |mut caller: Caller<'_, Host>| tell_place(&mut caller))?;
    // A message that consists only of a line end ends the line.
    linker.func_wrap(MODULE, "writeBufferMessage", |mut caller: Caller<'_, Host>| {
        let message = message(&mut caller)?;
        let host = caller.data_mut();
        match message.as_str() {
            "\n" => host.end_line(),
            item => host.append(item),
        }
        Ok::<(), Error>(())
    })?;
    linker.func_wrap(MODULE, "showSharedRWMemory", |mut caller: Caller<'_, Host>| {
        let value = BigUint::from_bytes_le(&read::<VALUE_BYTES>(&caller, caller.data().shared)?);
        let host = caller.data_mut();
        host.append(&value.to_string());
        if !host.ends_lines {
            host.end_line();
        }
        Ok::<(), Error>(())
    })?;
    Ok(())
}

/// Keeps the circuit's current message as a place of an error.
fn tell_place(caller: &mut Caller<'_, Host>) -> Result<(), Error> {
    let place = message(caller)?.trim().replace('\n', "; ");
    let places = &mut caller.data_mut().places;
    if places.len() < MAX_PLACES && !place.is_empty() {
        places.push(place);
    }
    Ok(())
}

/// Reads the circuit's current message, character by character.
fn message(caller: &mut Caller<'_, Host>) -> Result<String, Error> {
    let next = caller.get_export("getMessageChar").and_then(Extern::into_func);
    let next = next.ok_or_else(|| Error::msg("it exports no function getMessageChar"))?;
    let next = next.typed::<(), i32>(&caller)?;
    let mut message = String::new();
    while message.len() < MAX_MESSAGE {
        match next.call(&mut *caller, ())? {
            0 => break,
            code => message.push(visible(u32::try_from(code).ok().and_then(char::from_u32))),
        }
    }
    Ok(message)
}
