//! Shared by fuzzing and tests: properties of every parser, for any bytes, valid files, and damaged ones.
//!
//! A property is a function. It checks that a parser does not panic, and that an error says in one line what was
//! expected. Parsed content must be written back to the same bytes. Tests call a property with a bounded number of
//! damaged files ([`mutator`]), the targets in `fuzz/` with libFuzzer's inputs, and `torture` until its time is over.
//!
//! # Where changes go
//! - A parser of points: `points.rs`; of keys, witnesses and circuits: `files.rs` (a feature); of the command:
//!   `command.rs` (a feature). Each property also has a target in `fuzz/fuzz_targets` and a line in
//!   `crates/torture/src/files.rs`.
//! - Another kind of damage: `mutator.rs`.
//! - Files of other tools: `samples.rs`; keys with faults: `key_parts.rs`.

#![warn(missing_docs)]

#[cfg(feature = "command")]
pub mod command;
#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "files")]
pub mod key_parts;
pub mod mutator;
pub mod points;
pub mod samples;

/// Checks that an error says in one line what was expected.
#[track_caller]
pub fn explains(error: &impl std::fmt::Display) {
    let message = error.to_string();
    assert!(message.contains("expected") && message.lines().count() == 1, "{message:?}");
}
