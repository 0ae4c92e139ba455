//! Loaded circuits, and proofs: `bw_groth16_...`, `bw_circuit_...`. Buffers for the results: `bw_buffer_...`.

use std::ffi::{c_char, c_void};

use bucketwheel_circuit::{Access, Info, KeyPoints, Loaded, Proven, Source};
use bucketwheel_groth16::{TextClaim, TextVerifier};

use crate::abi::*;
use crate::border::{self, Place};
use crate::calculator;
use crate::error::Error;
use crate::options::Options;
use crate::prepared::open;

/// Verifies Groth16 proofs of one circuit. Reports the index of the first proof that does not hold, or BW_NO_INDEX if
/// all proofs hold. A proof whose points are not in their groups does not hold. The proofs are verified together, with
/// random coefficients of 128 bits, on all threads of the library: this takes about a third of the time of separate
/// verifications. `key` is the text of a verification_key.json, over BN254 or BLS12-381. A `count` of 0 is
/// BW_ERROR_PROOF: an empty batch proves nothing.
///
/// # Safety
/// - `key` is NULL or points to `key_size` bytes.
/// - `proofs` is NULL or points to `count` of `bw_proof`, whose texts are NULL or as long as their sizes say.
/// - `first_bad` is NULL or points to a number that nobody else uses during the call.
/// - Nobody changes or frees the memory of `key`, `proofs` and their texts during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_groth16_verify_many(
    key: *const c_char,
    key_size: usize,
    proofs: *const bw_proof,
    count: usize,
    first_bad: *mut usize,
) -> bw_status {
    border::work(|| {
        // SAFETY: `first_bad` points to a number that only this call uses, `key` to `key_size` bytes, and `proofs` to
        // `count` structures and the bytes of their texts. The slices end with this call.
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

/// Loads a proving key, a .zkey of snarkjs, over BN254 or BLS12-381. `flags` is a sum of BW_CIRCUIT_... Without
/// BW_CIRCUIT_COPY, the file is mapped: nobody may shorten it before the handle is freed. If the file changes
/// otherwise, the next proof reports an error.
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
        // SAFETY: `out` points to a pointer that only this call uses.
        let out = unsafe { Place::new(out, "out") }?;
        let flags = Flags::new(flags)?;
        // SAFETY: `path` points to a name that ends with a NUL, which is used within this call.
        let path = unsafe { border::path(path) }?;
        let loaded = load(open(path, flags.access)?, &flags);
        out.give(loaded.map_err(|error| Error::InFile { path: path.into(), source: error.into() })?);
        Ok(())
    })
}

/// Loads a proving key from memory. Without BW_CIRCUIT_COPY, the handle uses the bytes until it is freed.
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
        // SAFETY: `out` points to a pointer that only this call uses.
        let out = unsafe { Place::new(out, "out") }?;
        let flags = Flags::new(flags)?;
        // SAFETY: `bytes` points to `size` bytes. Unless the code below copies them, the handle uses them until it is
        // freed, and nobody changes or frees the bytes before.
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
        // SAFETY: `result` points to `size` bytes that only this call uses.
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

/// Returns the text of a circuit's verification_key.json.
///
/// # Safety
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_verification_key(
    circuit: Option<&bw_circuit>,
    out: *mut Option<Box<bw_buffer>>,
) -> bw_status {
    border::work(|| {
        // SAFETY: `out` points to a pointer that only this call uses.
        let out = unsafe { Place::new(out, "out") }?;
        let circuit = border::given(circuit, "circuit")?;
        out.give(bw_buffer(circuit.0.circuit().verifying_key()?.to_text().into_bytes()));
        Ok(())
    })
}

/// Proves that the caller knows a witness, the bytes of a .wtns file. Returns the texts of proof.json and public.json,
/// after verifying the proof. The options `memory`, `cancel` and `progress` matter; `memory` bounds all memory except
/// the key's, and 0 sets no bound.
///
/// # Safety
/// - `witness` is NULL or points to `witness_size` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `proof` and `public_signals` are NULL or point to two pointers that nobody else uses during the call.
/// - Nobody changes or frees the memory of `witness` and `options` during the call.
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
        // SAFETY: `options` points to `size` bytes and a handle or NULL, `witness` to `witness_size` bytes, whose slice
        // ends with this call, `proof` and `public_signals` to two pointers that only this call uses.
        let (options, witness, results) = unsafe {
            let (options, witness) =
                (Options::new(options)?, border::bytes(witness, witness_size, 1, "witness")?);
            (options, witness, Results::new(proof, public_signals)?)
        };
        let values = circuit.0.values(witness)?;
        results.give(&circuit.0.prove(&values, options.prove())?);
        Ok(())
    })
}

/// Places for the texts of a proof and its public signals.
struct Results {
    proof: Place<Option<Box<bw_buffer>>>,
    public_signals: Place<Option<Box<bw_buffer>>>,
}

impl Results {
    /// Returns the places that two arguments point to.
    ///
    /// # Safety
    /// - `proof` and `public_signals` are NULL or point to two pointers that nobody else uses as long as the result is
    ///   used.
    unsafe fn new(
        proof: *mut Option<Box<bw_buffer>>,
        public_signals: *mut Option<Box<bw_buffer>>,
    ) -> Result<Self, Error> {
        // SAFETY: both are NULL or point to a pointer that nobody else uses.
        unsafe {
            let proof = Place::new(proof, "proof")?;
            Ok(Results { proof, public_signals: Place::new(public_signals, "public_signals")? })
        }
    }

    fn give(self, proven: &Proven) {
        self.proof.give(bw_buffer(proven.proof_text().into_bytes()));
        self.public_signals.give(bw_buffer(proven.public_text().into_bytes()));
    }
}

/// Compiles a circuit's WebAssembly, which circom made, for `bw_circuit_prove_inputs`. No other thread may use the
/// circuit during the call. The options `cancel` and `memory` matter as they do for `bw_circuit_witness`.
/// BW_ERROR_ARGUMENT in a build without the feature `witness`.
///
/// # Safety
/// - `circuit` is NULL or a handle that no other thread uses during the call.
/// - `wasm` is NULL or points to `wasm_size` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - Nobody changes or frees the memory of `wasm` and `options` during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_load_wasm(
    circuit: Option<&mut bw_circuit>,
    wasm: *const c_void,
    wasm_size: usize,
    options: *const bw_options,
) -> bw_status {
    border::work(|| {
        let circuit = border::given(circuit, "circuit")?;
        // SAFETY: `options` points to `size` bytes and a handle or NULL, and `wasm` to `wasm_size` bytes, whose slice
        // ends with this call.
        let (options, wasm) = unsafe { (Options::new(options)?, border::bytes(wasm, wasm_size, 1, "wasm")?) };
        calculator::load(&mut circuit.0, wasm, &options)
    })
}

/// Proves that the caller knows inputs of a circuit: `bw_circuit_witness` and `bw_circuit_prove` in one call. `inputs` is
/// the text of an input.json. `bw_circuit_load_wasm` must have compiled the circuit's WebAssembly; otherwise, and in a
/// build without the feature `witness`, the call is BW_ERROR_ARGUMENT. The options `memory`, `cancel` and `progress`
/// matter; `memory` bounds the circuit's memory and then the prover's.
///
/// # Safety
/// - `inputs` is NULL or points to `inputs_size` bytes.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `proof` and `public_signals` are NULL or point to two pointers that nobody else uses during the call.
/// - Nobody changes or frees the memory of `inputs` and `options` during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_prove_inputs(
    circuit: Option<&bw_circuit>,
    inputs: *const c_char,
    inputs_size: usize,
    options: *const bw_options,
    proof: *mut Option<Box<bw_buffer>>,
    public_signals: *mut Option<Box<bw_buffer>>,
) -> bw_status {
    border::work(|| {
        let circuit = border::given(circuit, "circuit")?;
        // SAFETY: `options` points to `size` bytes and a handle or NULL, `inputs` to `inputs_size` bytes, whose slice
        // ends with this call, `proof` and `public_signals` to two pointers that only this call uses.
        let (options, inputs, results) = unsafe {
            let (options, inputs) =
                (Options::new(options)?, border::bytes(inputs.cast(), inputs_size, 1, "inputs")?);
            (options, inputs, Results::new(proof, public_signals)?)
        };
        let values = calculator::calculate(&circuit.0, inputs, &options)?;
        results.give(&circuit.0.prove(&values, options.prove())?);
        Ok(())
    })
}

/// Verifies proofs of a circuit. Reports the first proof that does not hold, as `bw_groth16_verify_many` does.
///
/// # Safety
/// - `proofs` is NULL or points to `count` of `bw_proof`, whose texts are NULL or as long as their sizes say.
/// - `first_bad` is NULL or points to a number that nobody else uses during the call.
/// - Nobody changes or frees the memory of `proofs` and their texts during the call.
#[no_mangle]
pub unsafe extern "C" fn bw_circuit_verify(
    circuit: Option<&bw_circuit>,
    proofs: *const bw_proof,
    count: usize,
    first_bad: *mut usize,
) -> bw_status {
    border::work(|| {
        // SAFETY: `first_bad` points to a number that only this call uses.
        let first_bad = unsafe { Place::new(first_bad, "first_bad") }?;
        let circuit = border::given(circuit, "circuit")?;
        // SAFETY: `proofs` points to `count` structures and the bytes of their texts. The slices end with this call.
        let claims = unsafe { claims(proofs, count) }?;
        first_bad.set(circuit.0.circuit().verify(&claims)?.map_or(BW_NO_INDEX, |bad| bad.index));
        Ok(())
    })
}

/// Returns the texts of `count` proofs.
///
/// # Safety
/// - `proofs` is NULL or points to `count` of [`bw_proof`], at any address, which nobody changes during the call.
/// - `proof` of each is NULL or points to `proof_size` initialised bytes, `public_signals` to `public_size`.
/// - Nobody changes or frees these bytes as long as the result is used.
unsafe fn claims<'a>(proofs: *const bw_proof, count: usize) -> Result<Vec<TextClaim<'a>>, Error> {
    // SAFETY: `proofs` is NULL or points to `count` of `bw_proof`, which nobody changes.
    let proofs = unsafe { border::read_all(proofs, count, "proofs") }?;
    // SAFETY: `text` comes from a `bw_proof`, so it is NULL or `size` initialised bytes, which nobody changes or frees
    // while 'a lasts.
    let bytes = |text: *const c_char, size, what| unsafe { border::bytes(text.cast(), size, 1, what) };
    let claim = |proof: &bw_proof| {
        Ok(TextClaim {
            public: bytes(proof.public_signals, proof.public_size, "public_signals")?,
            proof: bytes(proof.proof, proof.proof_size, "proof")?,
        })
    };
    proofs.iter().map(claim).collect()
}

/// Calculates a witness, the bytes of a .wtns file. `wasm` is the circuit's WebAssembly, which circom compiled;
/// `inputs` is the text of an input.json. The options `cancel` and `memory` matter; `memory` bounds the circuit's
/// memory, and 0 stands for 2 GiB. BW_ERROR_ARGUMENT in a build without the feature `witness`.
///
/// # Safety
/// - `wasm` is NULL or points to `wasm_size` bytes, `inputs` to `inputs_size`.
/// - `options` is NULL or points to a struct of `options.size` bytes; its `cancel` is NULL or a handle.
/// - `out` is NULL or points to a pointer that nobody else uses during the call.
/// - Nobody changes or frees the memory of `wasm`, `inputs` and `options` during the call.
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
        // SAFETY: `out` points to a pointer that only this call uses, `options` to `size` bytes and a handle or NULL,
        // `wasm` to `wasm_size` bytes, and `inputs` to `inputs_size`. The slices end with this call.
        let (out, options, wasm, inputs) = unsafe {
            let (out, options) = (Place::new(out, "out")?, Options::new(options)?);
            let wasm = border::bytes(wasm, wasm_size, 1, "wasm")?;
            (out, options, wasm, border::bytes(inputs.cast(), inputs_size, 1, "inputs")?)
        };
        out.give(bw_buffer(calculator::witness(wasm, inputs, &options)?));
        Ok(())
    })
}

/// Frees a circuit that no other thread uses. NULL is allowed.
#[no_mangle]
pub extern "C" fn bw_circuit_free(circuit: Option<Box<bw_circuit>>) {
    border::free(circuit);
}

/// Returns the bytes of a buffer, which stay unchanged until its handle is freed. Texts do not end with a NUL. NULL for
/// NULL.
#[no_mangle]
pub extern "C" fn bw_buffer_data(buffer: Option<&bw_buffer>) -> *const c_void {
    buffer.map_or(std::ptr::null(), |buffer| buffer.0.as_ptr().cast())
}

/// Returns the number of bytes of a buffer; 0 for NULL.
#[no_mangle]
pub extern "C" fn bw_buffer_size(buffer: Option<&bw_buffer>) -> usize {
    buffer.map_or(0, |buffer| buffer.0.len())
}

/// Frees a buffer. NULL is allowed.
#[no_mangle]
pub extern "C" fn bw_buffer_free(buffer: Option<Box<bw_buffer>>) {
    border::free(buffer);
}
