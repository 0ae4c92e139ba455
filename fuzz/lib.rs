//! libFuzzer targets, one per parser: `cargo +nightly fuzz run points`. `tools/fuzz.sh` runs them all, from valid files.
//!
//! The targets check the same properties as the tests do in their short run.

#[path = "../crates/snarkjs/tests/files/properties.rs"]
pub mod groth16;
#[path = "../crates/cli/tests/cli/properties.rs"]
pub mod properties;
