//! The command `bucketwheel` as a library: arguments, file formats, commands. `main.rs` only calls it.
//!
//! A call of the command goes through [`args`], which clap reads, and one function of [`commands`]. The function runs
//! on the threads of `runtime.rs`, writes whole files by `bucketwheel-whole-file`, and returns an error of `error.rs`,
//! which names the file and the field. The parsers of points and scalars, in [`mod@format`], are the crate
//! `bucketwheel-formats`: pure functions of bytes, so tests can feed them anything.
//!
//! # Where changes go
//! - A command: its arguments in `args/`, its code in `commands/`, a line in each `mod.rs`, and its group in `help.rs`.
//! - Progress and cancellation: `runtime.rs`.
//! - An argument or an error of several commands: `args/shared.rs` and `error.rs`.
//! - A format of points or scalars: `crates/formats`. Input files, mapped or read: `files/`.
//! - Results as text and as JSON: `output.rs`; pictures: `picture/`; the times of `--verbose`: `stages.rs`.

#![warn(missing_docs)]

pub mod args;
pub mod commands;
pub mod error;
pub mod files;
pub mod help;
pub mod inputs;
pub mod interrupt;
pub mod measure;
pub mod output;
mod pages;
pub mod picture;
pub mod profile;
pub mod runtime;
pub mod stages;
pub mod trusted_setup;

pub use bucketwheel_formats as format;
pub use commands::run;
pub use error::Error;
