//! The interface of circom 1's WebAssembly, 0.5.2 to 0.5.46. The circuit leaves elements of its field in its memory,
//! and a table of its signals.
//!
//! | address | content |
//! |---|---|
//! | 0 | the first free address: u32 |
//! | 4 | the stack, which grows down from the memory's end: u32 |
//! | 8 | the header: signals, components, values of all inputs, values of all outputs, values of the witness: u32
//! each; from 0.5.38 on the public ones; then pointers to the list of witness signals, the components and the bits
//! that mark input signals |
//!
//! A component has pointers to 256 slots of a hash table (hash: u64, index: u32) and to its entries (first signal,
//! pointer to the lengths, kind: u32 each), its own number, and the number of its inputs' values. The main component
//! is the first.

use num_bigint::BigUint;
use wasmtime::{Caller, Error, Linker, TypedFunc};

use super::circuit::Circuit;
use super::elements::{Elements, ELEMENT_BYTES};
use super::host::{read, visible, Host, MAX_MESSAGE, MODULE};
use super::interface::{curve, hash64, Interface, Length, VALUE_BYTES};
use super::WitnessError;

/// The address of the header.
const HEADER: usize = 8;
/// Number of slots of a hash table.
const SLOTS: u64 = 256;
/// The kind of an entry that is a signal.
const SIGNAL: u32 = 1;

/// A circuit of circom 1.
pub struct Circom1<'a> {
    circuit: Circuit<'a>,
    elements: Elements,
    table: Table,
    /// The address of the value to set, if it is known already.
    scratch: Option<usize>,
    set: TypedFunc<(i32, i32, i32, i32), ()>,
    get: TypedFunc<i32, i32>,
}

/// Addresses of the description of the main component's signals.
struct Table {
    needed: usize,
    slots: usize,
    entries: usize,
    inputs: usize,
}

impl<'a> Circom1<'a> {
    /// Finds the functions of the interface, the prime and the table of signals.
    pub fn open(mut circuit: Circuit<'a>) -> Result<Self, WitnessError> {
        let length: i32 = circuit.call("getFrLen", ())?;
        if length as u32 as usize != ELEMENT_BYTES {
            return Err(WitnessError::Prime);
        }
        let prime: i32 = circuit.call("getPRawPrime", ())?;
        let prime = BigUint::from_bytes_le(&circuit.read::<VALUE_BYTES>(prime as u32 as usize)?);
        // Arithmetic modulo another prime is not possible.
        curve(&prime)?;
        let elements = Elements::new(prime);
        circuit.host().elements = Some(elements.clone());
        let values: i32 = circuit.call("getNVars", ())?;
        let table = Table::find(&circuit, values as u32)?;
        let (set, get) = (circuit.function("setSignal")?, circuit.function("getPWitness")?);
        circuit.function::<i32, ()>("init")?;
        Ok(Circom1 { circuit, elements, table, scratch: None, set, get })
    }

    /// Returns the first signal of an input, and the number of its values.
    fn find(&self, signal: &str) -> Result<Option<(u32, usize)>, WitnessError> {
        let (circuit, hash) = (&self.circuit, hash64(signal));
        for step in 0..SLOTS {
            let slot = self.table.slots + 12 * (hash.wrapping_add(step) % SLOTS) as usize;
            match u64::from_le_bytes(circuit.read(slot)?) {
                0 => return Ok(None),
                found if found != hash => {}
                _ => {
                    let entry = self.table.entries + 12 * word(circuit, slot + 8)? as usize;
                    let [first, lengths] = [word(circuit, entry)?, word(circuit, entry + 4)?];
                    if word(circuit, entry + 8)? != SIGNAL {
                        return Ok(None);
                    }
                    let bits = word(circuit, self.table.inputs + (first / 32) as usize * 4)?;
                    let length = word(circuit, lengths as usize)? as usize;
                    return Ok((bits >> (first % 32) & 1 == 1).then_some((first, length)));
                }
            }
        }
        Ok(None)
    }
}

impl Table {
    fn find(circuit: &Circuit<'_>, values: u32) -> Result<Self, WitnessError> {
        let header = |index: usize| word(circuit, HEADER + 4 * index);
        let needed = header(2)?;
        let is_component = |address: usize| -> Result<bool, WitnessError> {
            Ok(word(circuit, address + 8)? == 0 && word(circuit, address + 12)? == needed)
        };
        // The table follows the list of witness signals, whose place is one word later from 0.5.38 on.
        for index in [7, 6] {
            let component = header(index)? as usize;
            if header(4)? == values && is_component(component).unwrap_or(false) {
                let [slots, entries] = [word(circuit, component)?, word(circuit, component + 4)?];
                let inputs = header(index + 1)? as usize;
                let [needed, slots, entries] = [needed, slots, entries].map(|word| word as usize);
                return Ok(Table { needed, slots, entries, inputs });
            }
        }
        Err(WitnessError::Damaged("its table of signals is not where circom 1 has it".into()))
    }
}

fn word(circuit: &Circuit<'_>, address: usize) -> Result<u32, WitnessError> {
    Ok(u32::from_le_bytes(circuit.read(address)?))
}

impl Interface for Circom1<'_> {
    fn prime(&self) -> &BigUint {
        &self.elements.prime
    }

    fn start(&mut self) -> Result<(), WitnessError> {
        // The checks of constraints are on: they name the place where a witness fails; see `is_passed_over`.
        self.circuit.call("init", 1)
    }

    fn needed(&mut self) -> Result<usize, WitnessError> {
        Ok(self.table.needed)
    }

    fn length(&mut self, signal: &str) -> Result<Length, WitnessError> {
        Ok(self.find(signal)?.map_or(Length::NoInput, |(_, length)| Length::Of(length)))
    }

    fn set(&mut self, signal: &str, index: usize, value: &BigUint) -> Result<(), WitnessError> {
        let (first, _) = self.find(signal)?.ok_or_else(|| WitnessError::unknown(signal))?;
        let scratch = match self.scratch {
            Some(scratch) => scratch,
            None => {
                // The circuit keeps its stack away from memory that is not free.
                let free = word(&self.circuit, 0)?;
                self.circuit.write(0, &free.wrapping_add(ELEMENT_BYTES as u32).to_le_bytes())?;
                *self.scratch.insert(free as usize)
            }
        };
        self.circuit.write(scratch, &self.elements.encode(value))?;
        let signal = first.wrapping_add(index as u32) as i32;
        self.circuit.run(&self.set, (0, 0, signal, scratch as i32))
    }

    fn values(&mut self) -> Result<usize, WitnessError> {
        let values: i32 = self.circuit.call("getNVars", ())?;
        Ok(values as u32 as usize)
    }

    fn value(&mut self, index: usize) -> Result<BigUint, WitnessError> {
        let address = self.circuit.run(&self.get, index as i32)?;
        Ok(self.elements.decode(&self.circuit.read(address as u32 as usize)?))
    }
}

/// Defines the imports of circom 1's WebAssembly.
pub fn define(linker: &mut Linker<Host>) -> Result<(), Error> {
    linker.func_wrap(
        MODULE,
        "error",
        |mut caller: Caller<'_, Host>, code: i32, what: i32, a: i32, b: i32, c: i32, d: i32| {
            if is_passed_over(caller.data_mut(), code) {
                return Ok(());
            }
            let what = text(&caller, what)?;
            let message = match code {
                7 => {
                    let [left, right] = [element(&caller, b)?, element(&caller, c)?];
                    format!("{what}: {left} is not {right}, {}", text(&caller, d)?)
                }
                9 => format!("{what}: {}", text(&caller, c)?),
                _ => format!("{what}, {a} {b} {c} {d}"),
            };
            Err(caller.data_mut().refuse(code, message))
        },
    )?;
    linker.func_wrap(MODULE, "log", |mut caller: Caller<'_, Host>, address: i32| {
        let value = element(&caller, address)?;
        let host = caller.data_mut();
        host.append(&value.to_string());
        host.end_line();
        Ok::<(), Error>(())
    })?;
    for name in ["logSetSignal", "logGetSignal"] {
        linker.func_wrap(MODULE, name, |_: i32, _: i32| ())?;
    }
    for name in ["logStartComponent", "logFinishComponent"] {
        linker.func_wrap(MODULE, name, |_: i32| ())?;
    }
    Ok(())
}

/// Returns true for errors that circom 1 finds only with its checks on: a signal is read before it is set (5), or set
/// twice (6). snarkjs leaves the checks off and calculates the witness all the same. After a signal without a value was
/// read, constraints (7) and assertions (9) may fail that hold in the end.
fn is_passed_over(host: &mut Host, code: i32) -> bool {
    host.has_read_unset |= code == 5;
    matches!(code, 5 | 6) || (matches!(code, 7 | 9) && host.has_read_unset)
}

fn element(caller: &Caller<'_, Host>, address: i32) -> Result<BigUint, Error> {
    let bytes = read(caller, address as u32 as usize)?;
    let elements = caller.data().elements.as_ref();
    elements.map(|elements| elements.decode(&bytes)).ok_or_else(|| Error::msg("it logs before it starts"))
}

/// Returns a text of the circuit up to its zero byte, on one line.
fn text(caller: &Caller<'_, Host>, address: i32) -> Result<String, Error> {
    let mut text = String::new();
    for address in (address as u32 as usize..).take(MAX_MESSAGE) {
        match read::<1>(caller, address)? {
            [0] => break,
            [byte] => text.push(visible(Some(byte.into()))),
        }
    }
    Ok(text.trim().replace('\n', "; "))
}
