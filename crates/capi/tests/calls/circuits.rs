//! Circuits: witnesses, and keys that change. tests/c/calls.c tests the rest.

use std::ffi::{c_void, CString};
use std::io::Write;
use std::{fs, ptr};

use bucketwheel_c::*;

use crate::kit::*;

fn path(curve: &str, name: &str) -> String {
    format!("{}/../snarkjs/tests/data/{curve}/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the bytes of a buffer, and frees it.
fn taken(buffer: Option<Box<bw_buffer>>) -> Vec<u8> {
    let (data, size) = (bw_buffer_data(buffer.as_deref()), bw_buffer_size(buffer.as_deref()));
    // SAFETY: the buffer has `size` bytes at `data` until it is freed.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) }.to_vec();
    bw_buffer_free(buffer);
    bytes
}

fn witness(wasm: &[u8], inputs: &[u8]) -> Result<Vec<u8>, bw_status> {
    let mut out = None;
    let (wasm, wasm_size) = (wasm.as_ptr().cast::<c_void>(), wasm.len());
    let (inputs, size) = (inputs.as_ptr().cast(), inputs.len());
    match call!(bw_circuit_witness(wasm, wasm_size, inputs, size, ptr::null(), &mut out)) {
        BW_OK => Ok(taken(out)),
        error => Err(error),
    }
}

#[test]
#[cfg(feature = "witness")]
fn witnesses_are_calculated() {
    let wasm = wat::parse_str(include_str!("../../../snarkjs/tests/witness/circuit.wat")).unwrap();
    let made = witness(&wasm, br#"{ "a": 1, "b": [2, 3] }"#).unwrap();
    assert!(made.starts_with(b"wtns"));
    for (wasm, inputs, words) in [
        (&wasm[..], &br#"{ "a": 1 }"#[..], "missing"),
        (&wasm, b"[", "JSON"),
        (b"\0asm", b"{}", "expected WebAssembly made by circom"),
    ] {
        fails(witness(wasm, inputs).unwrap_err(), BW_ERROR_WITNESS, words);
    }
}

/// A circuit that is freed when dropped.
#[cfg(feature = "witness")]
struct Circuit(Option<Box<bw_circuit>>);

#[cfg(feature = "witness")]
impl Drop for Circuit {
    fn drop(&mut self) {
        bw_circuit_free(self.0.take());
    }
}

#[cfg(feature = "witness")]
impl Circuit {
    fn new(path: &std::path::Path) -> Self {
        let (path, mut circuit) = (CString::new(path.to_str().unwrap()).unwrap(), None);
        ok(call!(bw_circuit_from_file(path.as_ptr(), 0, &mut circuit)));
        Circuit(circuit)
    }

    fn load_wasm(&mut self, name: &str) -> bw_status {
        let wasm = fs::read(crate::keys::circom(name)).unwrap();
        call!(bw_circuit_load_wasm(self.0.as_deref_mut(), wasm.as_ptr().cast(), wasm.len(), ptr::null()))
    }

    /// Returns the texts of a proof and its public signals.
    fn prove_inputs(&self, inputs: &[u8], options: &bw_options) -> Result<[Vec<u8>; 2], bw_status> {
        let (mut proof, mut public) = (None, None);
        let (data, size) = (inputs.as_ptr().cast(), inputs.len());
        let circuit = self.0.as_deref();
        match call!(bw_circuit_prove_inputs(circuit, data, size, options, &mut proof, &mut public)) {
            BW_OK => Ok([taken(proof), taken(public)]),
            error => {
                assert!(proof.is_none() && public.is_none());
                Err(error)
            }
        }
    }
}

#[test]
#[cfg(feature = "witness")]
fn inputs_become_proofs() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("arrays.zkey");
    crate::keys::write_key(&key);
    let inputs = fs::read(crate::keys::circom("arrays.json")).unwrap();
    let mut circuit = Circuit::new(&key);
    let fails_with = |circuit: &Circuit, inputs: &[u8], options: &bw_options, code, words| {
        fails(circuit.prove_inputs(inputs, options).unwrap_err(), code, words);
    };
    fails_with(&circuit, &inputs, &options(), BW_ERROR_ARGUMENT, "no witness calculator");
    let other = "calculates 3 values, but the key expects 22: was it made for another circuit?";
    fails(circuit.load_wasm("no-inputs.wasm"), BW_ERROR_WITNESS, other);
    fails(
        Circuit::new(path("bls12-381", "power.zkey").as_ref()).load_wasm("arrays.wasm"),
        BW_ERROR_WITNESS,
        "curve",
    );
    fails(circuit.load_wasm("arrays.json"), BW_ERROR_WITNESS, "expected WebAssembly made by circom");

    ok(circuit.load_wasm("arrays.wasm"));
    let [proof, public] = circuit.prove_inputs(&inputs, &options()).unwrap();
    let claim = crate::proofs::proof(&proof, &public);
    let mut first_bad = 77;
    ok(call!(bw_circuit_verify(circuit.0.as_deref(), &claim, 1, &mut first_bad)));
    assert_eq!(first_bad, BW_NO_INDEX);

    fails_with(&circuit, b"{ \"aa\": 9 }", &options(), BW_ERROR_WITNESS, "no input `aa`");
    fails_with(&circuit, b"{}", &options(), BW_ERROR_WITNESS, "missing");
    fails_with(&circuit, b"[", &options(), BW_ERROR_WITNESS, "JSON");
    let small = bw_options { memory: 1, ..options() };
    fails_with(&circuit, &inputs, &small, BW_ERROR_MEMORY, "raise the limit");
    let mut cancel = None;
    ok(call!(bw_cancel_new(&mut cancel)));
    ok(bw_cancel_request(cancel.as_deref()));
    let cancelled = bw_options { cancel: cancel.as_deref().map_or(ptr::null(), ptr::from_ref), ..options() };
    fails_with(&circuit, &inputs, &cancelled, BW_ERROR_CANCELLED, "cancelled");
    bw_cancel_free(cancel);
}

#[test]
#[cfg(not(feature = "witness"))]
fn a_build_without_calculator_says_so() {
    fails(witness(b"\0asm", b"{}").unwrap_err(), BW_ERROR_ARGUMENT, "feature witness");
}

#[test]
fn a_key_that_has_changed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("circuit.zkey");
    let witness = fs::read(path("bn254", "power.wtns")).unwrap();
    let name = CString::new(key.to_str().unwrap()).unwrap();
    for (flags, expected) in [(0, BW_ERROR_KEY), (BW_CIRCUIT_COPY, BW_OK)] {
        fs::copy(path("bn254", "power.zkey"), &key).unwrap();
        let mut circuit = None;
        assert_eq!(call!(bw_circuit_from_file(name.as_ptr(), flags, &mut circuit)), BW_OK);
        // The test makes the file longer, because a shorter file ends a process that has mapped it.
        fs::OpenOptions::new().append(true).open(&key).unwrap().write_all(b"more").unwrap();
        let (mut proof, mut public) = (None, None);
        let (data, size) = (witness.as_ptr().cast(), witness.len());
        let status =
            call!(bw_circuit_prove(circuit.as_deref(), data, size, ptr::null(), &mut proof, &mut public));
        if expected == BW_OK {
            assert_eq!(status, BW_OK);
            assert!(taken(proof).starts_with(b"{") && taken(public).starts_with(b"["));
        } else {
            fails(status, expected, "has changed since it was loaded");
        }
        bw_circuit_free(circuit);
    }
}
