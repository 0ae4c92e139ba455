//! The command line of Bucketwheel as a library: arguments, file formats, commands.
//!
//! The parsers in [`mod@format`] are pure functions of bytes, so that they can be tested with anything.

#![warn(missing_docs)]

pub mod args;
pub mod commands;
pub mod curve;
pub mod domain;
pub mod error;
pub mod files;
pub mod format;
pub mod inputs;
pub mod interrupt;
pub mod measure;
pub mod output;
pub mod runtime;

pub use commands::run;
pub use error::Error;
