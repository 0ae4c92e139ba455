//! The version of circom that made a circuit, judged by its exported functions.

use wasmtime::Module;

use super::circuit::Circuit;
use super::host::Log;
use super::interface::{curve, Interface};
use super::limits::Run;
use super::{circom1, circom2, WitnessError};
use crate::CurveId;

/// Makes an instance of a circuit, and finds the interface of its version and its curve.
pub fn open<'a>(
    module: &Module,
    limits: &'a Run,
    log: Option<Log>,
) -> Result<(Box<dyn Interface + 'a>, CurveId), WitnessError> {
    let mut circuit = Circuit::new(module, limits, log, |linker| {
        circom1::define(linker)?;
        circom2::define(linker)
    })?;
    // Circom 1 has no function that returns the version.
    let interface: Box<dyn Interface> = match circuit.has("getFrLen") && !circuit.has("getVersion") {
        true => Box::new(circom1::Circom1::open(circuit)?),
        false => Box::new(circom2::Circom2::open(circuit)?),
    };
    let curve = curve(interface.prime())?;
    Ok((interface, curve))
}
