//! Circuits that are loaded, and proofs: `bw_groth16_...`, `bw_circuit_...`, and the bytes that they make: `bw_buffer_...`.

use std::ffi::{c_char, c_void};

use bucketwheel_circuit::{Access, Info, KeyPoints, Loaded, Source};
use bucketwheel_groth16::{TextClaim, TextVerifier};

use crate::abi::*;
use crate::border::{self, Place};
use crate::error::Error;
use crate::options::Options;
use crate::prepared::open;

/// Tells the first of some Groth16 proofs of one circuit that does not hold, BW_NO_INDEX if all hold: one whose points are not in
/// their groups does not. They are verified together, with random coefficients of 128 bits, on all threads of the library: that
/// takes about a third of the time that one after the other take. `key` is the text of a verification_key.json, over BN254 or
/// BLS12-381. No proofs are BW_ERROR_PROOF: a batch of none proves nothing.
///
/// # Safety
/// - `key` is NULL or points to `key_size` bytes.
/// - `proofs` is NULL or points to `count` of `bw_proof`, whose texts are NULL or as long as their sizes say.
/// - `first_bad` is NULL or points to a number that nobody else uses during the call.
/// - Nobody changes or frees what the call reads.
#[no_mangle]
pub unsafe extern "C" fn bw_groth16_verify_many(
    key: *const c_char,
    key_size: usize,
    proofs: *const bw_proof,
    count: usize,
    first_bad: *mut usize,
) -> bw_status {
    border::work(|| {
        // SAFETY: `first_bad` points to a number that is the call's, `key` to `key_size` bytes, and `proofs` to `count` structures
        // and the bytes of their texts. The slices end with this call.
        let (first_bad, key, claims) = unsafe {
            let first_bad = Place::new(first_bad, "first_bad")?;
            (first_bad, border::bytes(key.cast(), key_size, 1, "key")?, claims(proofs, count)?)
        };
        let bad = TextVerifier::new(key)?.first_bad(&claims)?;
        first_bad.set(bad.map_or(BW_NO_INDEX, |bad| bad.index));
        Ok(())
    })
}

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
    loaded.circuit().prepare(KeyPoints::retained_if(flags.retain))?;
    Ok(bw_circuit(loaded))
}

/// Loads a proving key, a .zkey of snarkjs, over BN254 or BLS12-381. `flags` are BW_CIRCUIT_... together. Without BW_CIRCUIT_COPY,
/// the file is mapped: nobody may shorten it before the handle is freed; another change is an error of the next proof.
///
/// # Safety
/// - `path` is NULL or points to a name that ends with a NUL, which nobody changes or frees during the call.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Without BW_CIRCUIT_COPY, nobody shortens the file before the handle is freed.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_from_file(
    path: *const c_char,
    flags: u32,
    out: *mut Option<Box<bw_circuit>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that is the call's.
        let out = unsafe { Place::new(out, "out") }?;
        let flags = Flags::new(flags)?;
        // SAFETY: `path` points to a name that ends with a NUL, which is used within this call.
        let path = unsafe { border::path(path) }?;
        let loaded = load(open(path, flags.access)?, &flags);
        out.give(loaded.map_err(|error| Error::InFile { path: path.into(), source: error.into() })?);
        Ok(())
    })
}

/// Loads a proving key that is in memory. Without BW_CIRCUIT_COPY, the bytes stay in use until the handle is freed.
///
/// # Safety
/// - `bytes` is NULL or points to `size` bytes, which nobody changes or frees during the call; without BW_CIRCUIT_COPY, before the
///   handle is freed.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_from_bytes(
    bytes: *const c_void,
    size: usize,
    flags: u32,
    out: *mut Option<Box<bw_circuit>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that is the call's.
        let out = unsafe { Place::new(out, "out") }?;
        let flags = Flags::new(flags)?;
        // SAFETY: `bytes` points to `size` bytes. They are used as long as the handle is there, unless they are copied below, and
        // nobody changes or frees them before.
        let bytes: &'static [u8] = unsafe { border::bytes(bytes, size, 1, "bytes") }?;
        let key = match flags.access {
            Access::Map => Source::of(bytes),
            Access::Copy => Source::of(copy(bytes)?),
        };
        out.give(load(key, &flags)?);
        Ok(())
    })
}

fn copy(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut copied = Vec::new();
    let missing = |_| bucketwheel::Error::OutOfMemory { bytes: bytes.len() };
    copied.try_reserve_exact(bytes.len()).map_err(missing)?;
    copied.extend_from_slice(bytes);
    Ok(copied)
}

/// Returns the properties of a circuit.
///
/// # Safety
/// - `result` is NULL or points to a struct of `result.size` bytes, which nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_info(
    circuit: Option<&bw_circuit>,
    result: *mut bw_circuit_properties,
) -> bw_status {
    border::call(|| {
        let circuit = border::given(circuit, "circuit")?;
        // SAFETY: `result` points to `size` bytes, which are the call's.
        let (result, size) = unsafe { Place::sized(result, "result", "bw_circuit_properties") }?;
        let info = circuit.0.circuit().info();
        let Info { protocol, curve, signals, public, domain_size, retained_bytes } = info;
        result.set(bw_circuit_properties {
            size,
            curve: curve.code().into(),
            protocol: protocol.number(),
            signals,
            public_signals: public,
            domain_size,
            retained_bytes,
        });
        Ok(())
    })
}

/// Makes the text of a circuit's verification_key.json.
///
/// # Safety
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_verification_key(
    circuit: Option<&bw_circuit>,
    out: *mut Option<Box<bw_buffer>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that is the call's.
        let out = unsafe { Place::new(out, "out") }?;
        let circuit = border::given(circuit, "circuit")?;
        out.give(bw_buffer(circuit.0.circuit().verifying_key()?.to_text().into_bytes()));
        Ok(())
    })
}

/// Proves that the caller knows a witness, the bytes of a .wtns file, and makes the texts of proof.json and public.json. The proof is
/// verified first. `memory`, `cancel` and `progress` of the options matter; `memory` bounds all but the key, 0 being no bound.
///
/// # Safety
/// - `witness` is NULL or points to `witness_size` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `proof` and `public_signals` are NULL or point to two pointers that nobody else uses during the call.
/// - Nobody changes or frees what the call reads.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_prove(
    circuit: Option<&bw_circuit>,
    witness: *const c_void,
    witness_size: usize,
    options: *const bw_options,
    proof: *mut Option<Box<bw_buffer>>,
    public_signals: *mut Option<Box<bw_buffer>>,
) -> bw_status {
    border::work(|| {
        let circuit = border::given(circuit, "circuit")?;
        // SAFETY: `options` points to `size` bytes and a handle or NULL, `witness` to `witness_size` bytes, whose slice ends with this
        // call, `proof` and `public_signals` to two pointers that are the call's.
        let (options, witness, proof, public_signals) = unsafe {
            let (options, witness) =
                (Options::new(options)?, border::bytes(witness, witness_size, 1, "witness")?);
            let proof = Place::new(proof, "proof")?;
            (options, witness, proof, Place::new(public_signals, "public_signals")?)
        };
        let values = circuit.0.values(witness)?;
        let proven = circuit.0.prove(&values, options.prove())?;
        proof.give(bw_buffer(proven.proof_text().into_bytes()));
        public_signals.give(bw_buffer(proven.public_text().into_bytes()));
        Ok(())
    })
}

/// Tells the first of some proofs of a circuit that does not hold, as `bw_groth16_verify_many` does.
///
/// # Safety
/// - `proofs` is NULL or points to `count` of `bw_proof`, whose texts are NULL or as long as their sizes say.
/// - `first_bad` is NULL or points to a number that nobody else uses during the call.
/// - Nobody changes or frees what the call reads.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_verify(
    circuit: Option<&bw_circuit>,
    proofs: *const bw_proof,
    count: usize,
    first_bad: *mut usize,
) -> bw_status {
    border::work(|| {
        // SAFETY: `first_bad` points to a number that is the call's.
        let first_bad = unsafe { Place::new(first_bad, "first_bad") }?;
        let circuit = border::given(circuit, "circuit")?;
        // SAFETY: `proofs` points to `count` structures and the bytes of their texts. The slices end with this call.
        let claims = unsafe { claims(proofs, count) }?;
        first_bad.set(circuit.0.circuit().verify(&claims)?.map_or(BW_NO_INDEX, |bad| bad.index));
        Ok(())
    })
}

/// Returns the texts of some proofs.
///
/// # Safety
/// - `proofs` is NULL or points to `count` of [`bw_proof`], at any address, which nobody changes during the call.
/// - `proof` of each is NULL or points to `proof_size` initialised bytes, `public_signals` to `public_size`.
/// - Nobody changes or frees these bytes as long as the result is used.
unsafe fn claims<'a>(proofs: *const bw_proof, count: usize) -> Result<Vec<TextClaim<'a>>, Error> {
    // SAFETY: `proofs` is NULL or points to `count` of `bw_proof`, which nobody changes.
    let proofs = unsafe { border::read_all(proofs, count, "proofs") }?;
    // SAFETY: `text` is one of a `bw_proof`, so NULL or `size` initialised bytes, which nobody changes or frees while 'a lasts.
    let bytes = |text: *const c_char, size, what| unsafe { border::bytes(text.cast(), size, 1, what) };
    let claim = |proof: &bw_proof| {
        Ok(TextClaim {
            public: bytes(proof.public_signals, proof.public_size, "public_signals")?,
            proof: bytes(proof.proof, proof.proof_size, "proof")?,
        })
    };
    proofs.iter().map(claim).collect()
}

/// Calculates a witness, the bytes of a .wtns file, by a circuit's WebAssembly, made by circom, from inputs, the text
/// of an input.json. `cancel` and `memory` of the options matter; `memory` bounds the circuit's memory, and 0 is 2
/// GiB. BW_ERROR_ARGUMENT in a build without the feature `witness`.
///
/// # Safety
/// - `wasm` is NULL or points to `wasm_size` bytes, `inputs` to `inputs_size`.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees what the call reads.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_witness(
    wasm: *const c_void,
    wasm_size: usize,
    inputs: *const c_char,
    inputs_size: usize,
    options: *const bw_options,
    out: *mut Option<Box<bw_buffer>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that is the call's, `options` to `size` bytes and a handle or NULL, `wasm` to `wasm_size`
        // bytes, and `inputs` to `inputs_size`. The slices end with this call.
        let (out, options, wasm, inputs) = unsafe {
            let (out, options) = (Place::new(out, "out")?, Options::new(options)?);
            let wasm = border::bytes(wasm, wasm_size, 1, "wasm")?;
            (out, options, wasm, border::bytes(inputs.cast(), inputs_size, 1, "inputs")?)
        };
        out.give(bw_buffer(witness(wasm, inputs, &options)?));
        Ok(())
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
pub extern "C" fn bw_circuit_free(circuit: Option<Box<bw_circuit>>) {
    border::free(circuit);
}

/// The bytes of a buffer, which are not changed and end with its handle. Texts have no NUL at their end. NULL for NULL.
#[no_mangle]
pub extern "C" fn bw_buffer_data(buffer: Option<&bw_buffer>) -> *const c_void {
    buffer.map_or(std::ptr::null(), |buffer| buffer.0.as_ptr().cast())
}

/// Number of bytes of a buffer; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_buffer_size(buffer: Option<&bw_buffer>) -> usize {
    buffer.map_or(0, |buffer| buffer.0.len())
}

/// Frees a buffer; NULL is fine.
#[no_mangle]
pub extern "C" fn bw_buffer_free(buffer: Option<Box<bw_buffer>>) {
    border::free(buffer);
}
