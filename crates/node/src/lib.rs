//! Native part of the Node package `crates/node`: `js` has what users see.
//!
//! Work runs on libuv's threads, whose tasks wait for rayon's pool; nothing here blocks the event loop. What JavaScript hands over
//! is copied first, since JavaScript may change it meanwhile.

mod error;
mod job;
mod key;
mod verify;
mod work;
