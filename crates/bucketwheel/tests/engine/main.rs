//! Sums of the engine. One program: what a test makes the compiler instantiate, the others find there.

mod differential;
mod edwards;
mod inputs;
mod points;
mod raw;
mod stream;
mod tables;
mod threads;
