//! Large arrays, in mappings of their own: a heap would keep the holes that arrays leave. Their memory is kept for the next call.
//!
//! [`mapping`] asks the system, [`block`] is the memory of one array, [`stock`] keeps blocks between calls,
//! [`region`] and [`reserved`] set memory aside. The engine uses [`array`] and [`slots`].

mod array;
mod block;
mod mapping;
mod region;
mod reserved;
mod slots;
mod stock;

pub use array::{Array, Output, Uninit};
pub use reserved::{reserve_memory, Reserved, Zeroed};
pub use slots::{Room, Slots};
pub use stock::release_memory;
