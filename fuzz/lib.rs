//! libFuzzer targets, one per parser: `cargo +nightly fuzz run points`. `tools/fuzz.sh` runs them all, from valid files.
//!
//! The targets check the same properties as the tests do in their short run.

pub use bucketwheel_properties::files as groth16;

/// Properties of the parsers of points and of the command.
pub mod properties {
    pub use bucketwheel_properties::command::*;
    pub use bucketwheel_properties::points::*;
}
