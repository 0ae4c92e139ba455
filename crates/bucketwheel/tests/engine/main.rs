//! Sums of the engine. The tests are one program, because they share generic code that the compiler instantiates once. A build
//! without some curves, for emulators, leaves out their tests.

mod bits;
mod cases;
mod catalogue;
mod differential;
#[cfg(feature = "edwards-curves")]
mod edwards;
mod few;
#[cfg(feature = "groups")]
mod groups;
mod inputs;
mod points;
mod raw;
mod stream;
mod tables;
mod threads;
