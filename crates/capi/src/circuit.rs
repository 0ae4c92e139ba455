//! Circuits that are loaded: `bw_circuit_...`, and the bytes that they make.

use std::ffi::{c_char, c_void};

use bucketwheel_circuit::{Access, Info, Loaded, Source};
use bucketwheel_groth16::TextClaim;

use crate::abi::*;
use crate::bases::open;
use crate::border;
use crate::error::Error;
use crate::options::Options;

/// Flags of a circuit.
struct Flags {
    access: Access,
    retain: bool,
}

impl Flags {
    fn new(code: u32) -> Result<Self, Error> {
        match code & !(BW_CIRCUIT_COPY | BW_CIRCUIT_RETAIN) {
            0 => Ok(Flags {
                access: if code & BW_CIRCUIT_COPY == 0 { Access::Map } else { Access::Copy },
                retain: code & BW_CIRCUIT_RETAIN != 0,
            }),
            _ => Err(Error::Code {
                what: "flags",
                code,
                expected: "0 to 3, BW_CIRCUIT_... together",
                status: BW_ERROR_ARGUMENT,
            }),
        }
    }
}

fn load(key: Source, flags: &Flags) -> Result<bw_circuit, Error> {
    let loaded = Loaded::new(key)?;
    loaded.circuit().prepare(flags.retain)?;
    Ok(bw_circuit(loaded))
}

/// Loads a proving key, a .zkey of snarkjs, over BN254 or BLS12-381. `flags` are BW_CIRCUIT_... together. Without BW_CIRCUIT_COPY,
/// the file is mapped: nobody may shorten it before the handle is freed; another change is an error of the next proof.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_from_file(
    path: *const c_char,
    flags: u32,
    out: *mut *mut bw_circuit,
) -> bw_status {
    border::work(|| {
        let make = || {
            let flags = Flags::new(flags)?;
            // SAFETY: what the header says of pointers, here and below.
            let path = unsafe { border::path(path) }?;
            load(open(path, flags.access)?, &flags)
                .map_err(|error| Error::InFile { path: path.into(), source: error.into() })
        };
        unsafe { border::create(out, make) }
    })
}

/// Loads a proving key that is in memory. Without BW_CIRCUIT_COPY, the bytes stay in use until the handle is freed.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_from_bytes(
    bytes: *const c_void,
    size: usize,
    flags: u32,
    out: *mut *mut bw_circuit,
) -> bw_status {
    border::work(|| {
        let make = || {
            let flags = Flags::new(flags)?;
            let bytes: &'static [u8] = unsafe { border::bytes(bytes, size, 1, "bytes") }?;
            let key = match flags.access {
                Access::Map => Source::of(bytes),
                Access::Copy => Source::of(copy(bytes)?),
            };
            load(key, &flags)
        };
        unsafe { border::create(out, make) }
    })
}

fn copy(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut copied = Vec::new();
    let missing = |_| bucketwheel::Error::OutOfMemory { bytes: bytes.len() };
    copied.try_reserve_exact(bytes.len()).map_err(missing)?;
    copied.extend_from_slice(bytes);
    Ok(copied)
}

/// Tells what a circuit is.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_info(
    circuit: *const bw_circuit,
    result: *mut bw_circuit_properties,
) -> bw_status {
    border::call(|| {
        let circuit = unsafe { border::handle(circuit, "circuit") }?;
        let Info { curve, signals, public, domain_size, retained_bytes, .. } = circuit.0.circuit().info();
        let properties = bw_circuit_properties {
            size: 0,
            curve: curve.code().into(),
            protocol: BW_PROTOCOL_GROTH16,
            signals,
            public_signals: public,
            domain_size,
            retained_bytes,
        };
        unsafe { border::tell_properties(result, properties) }
    })
}

/// Makes the text of a circuit's verification_key.json.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_verification_key(
    circuit: *const bw_circuit,
    out: *mut *mut bw_buffer,
) -> bw_status {
    border::work(|| {
        let make = || {
            let circuit = unsafe { border::handle(circuit, "circuit") }?;
            Ok(bw_buffer(circuit.0.circuit().verifying_key()?.to_text().into_bytes()))
        };
        unsafe { border::create(out, make) }
    })
}

/// Proves that the caller knows a witness, the bytes of a .wtns file, and makes the texts of proof.json and public.json. The proof is
/// verified first. `memory`, `cancel` and `progress` of the options matter; `memory` bounds all but the key, 0 being no bound.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_prove(
    circuit: *const bw_circuit,
    witness: *const c_void,
    witness_size: usize,
    options: *const bw_options,
    proof: *mut *mut bw_buffer,
    public_signals: *mut *mut bw_buffer,
) -> bw_status {
    border::work(|| {
        let circuit = unsafe { border::handle(circuit, "circuit") }?;
        let options = unsafe { Options::new(options) }?;
        let witness = unsafe { border::bytes(witness, witness_size, 1, "witness") }?;
        for (out, what) in [(proof, "proof"), (public_signals, "public_signals")] {
            if out.is_null() {
                return Err(Error::Null(what));
            }
        }
        let values = circuit.0.values(witness)?;
        let proven = circuit.0.prove(&values, options.prove())?;
        unsafe {
            border::create(proof, || Ok(bw_buffer(proven.proof_text().into_bytes())))?;
            border::create(public_signals, || Ok(bw_buffer(proven.public_text().into_bytes())))
        }
    })
}

/// Tells the first of some proofs of a circuit that does not hold, as `bw_groth16_verify_many` does.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_verify(
    circuit: *const bw_circuit,
    proofs: *const bw_proof,
    count: usize,
    first_bad: *mut usize,
) -> bw_status {
    border::work(|| {
        let make = || {
            let circuit = unsafe { border::handle(circuit, "circuit") }?;
            let claims = unsafe { claims(proofs, count) }?;
            Ok(circuit.0.circuit().verify(&claims)?.map_or(BW_NO_INDEX, |bad| bad.index))
        };
        unsafe { border::tell(first_bad, "first_bad", make) }
    })
}

/// The texts of some proofs.
///
/// # Safety
/// The header's promise of the pointers and those in them.
pub unsafe fn claims<'a>(proofs: *const bw_proof, count: usize) -> Result<Vec<TextClaim<'a>>, Error> {
    // SAFETY: the caller's promise, here and below.
    let proofs = unsafe { border::read_all(proofs, count, "proofs") }?;
    let claim = |proof: &bw_proof| {
        let (public, size) = (proof.public_signals.cast(), proof.public_size);
        let public = unsafe { border::bytes(public, size, 1, "public_signals") }?;
        let proof = unsafe { border::bytes(proof.proof.cast(), proof.proof_size, 1, "proof") }?;
        Ok(TextClaim { public, proof })
    };
    proofs.iter().map(claim).collect()
}

/// Calculates a witness, the bytes of a .wtns file, by a circuit's WebAssembly, made by circom, from inputs, the text of an
/// input.json. `cancel` and `memory` of the options matter; `memory` bounds that of the circuit, 0 being 2 GiB. BW_ERROR_ARGUMENT in a
/// build without the feature `witness`.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_witness(
    wasm: *const c_void,
    wasm_size: usize,
    inputs: *const c_char,
    inputs_size: usize,
    options: *const bw_options,
    out: *mut *mut bw_buffer,
) -> bw_status {
    border::work(|| {
        let make = || {
            let options = unsafe { Options::new(options) }?;
            let wasm = unsafe { border::bytes(wasm, wasm_size, 1, "wasm") }?;
            let inputs = unsafe { border::bytes(inputs.cast(), inputs_size, 1, "inputs") }?;
            witness(wasm, inputs, &options).map(bw_buffer)
        };
        unsafe { border::create(out, make) }
    })
}

#[cfg(feature = "witness")]
fn witness(wasm: &[u8], inputs: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
    use std::io::Cursor;

    use bucketwheel_groth16::file::write_wtns;
    use bucketwheel_groth16::witness::{Calculator, Inputs};
    use bucketwheel_groth16::Error as Groth16Error;

    let calculate = || options.calculator(Calculator::new()).calculate(wasm, &Inputs::from_json(inputs)?);
    let witness = calculate().map_err(|error| Error::Witness(Groth16Error::from(error)))?;
    let written = write_wtns(Cursor::new(Vec::new()), witness.curve, &witness.values);
    // Into memory, of values that the circuit could count: nothing else can fail.
    written.map(Cursor::into_inner).map_err(|_| Error::Internal)
}

#[cfg(not(feature = "witness"))]
fn witness(_: &[u8], _: &[u8], _: &Options) -> Result<Vec<u8>, Error> {
    Err(Error::NoCalculator)
}

/// Frees a circuit, which nobody may be using; NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_free(circuit: *mut bw_circuit) {
    unsafe { border::free(circuit) };
}

/// The bytes of a buffer, which are not changed and end with its handle. Texts have no NUL at their end. NULL for NULL.
#[no_mangle]
pub unsafe extern "C" fn bw_buffer_data(buffer: *const bw_buffer) -> *const c_void {
    unsafe { buffer.as_ref() }.map_or(std::ptr::null(), |buffer| buffer.0.as_ptr().cast())
}

/// Number of bytes of a buffer; 0 for NULL.
#[no_mangle]
pub unsafe extern "C" fn bw_buffer_size(buffer: *const bw_buffer) -> usize {
    unsafe { buffer.as_ref() }.map_or(0, |buffer| buffer.0.len())
}

/// Frees a buffer; NULL is fine.
#[no_mangle]
pub unsafe extern "C" fn bw_buffer_free(buffer: *mut bw_buffer) {
    unsafe { border::free(buffer) };
}
