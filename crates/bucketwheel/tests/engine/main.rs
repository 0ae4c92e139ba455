//! Sums of the engine. One program: what a test makes the compiler instantiate, the others find there. A build without some
//! curves, for emulators, leaves out what is tested on them.

mod cases;
mod catalogue;
mod differential;
#[cfg(feature = "edwards-curves")]
mod edwards;
mod few;
mod inputs;
mod points;
mod raw;
mod stream;
mod tables;
mod threads;
