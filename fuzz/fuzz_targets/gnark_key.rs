#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bucketwheel_fuzz::groth16::gnark_key(bytes));
