//! Native part of the Node package; `js` has the functions that users call.
//!
//! Work runs on libuv's threads, which wait for rayon's pool, so nothing here blocks the event loop. Bytes of JavaScript are copied
//! first, because JavaScript may change them meanwhile.

// napi's macros register no functions in builds of unit tests.
#![cfg_attr(test, allow(dead_code))]

mod error;
mod job;
mod key;
mod verify;
mod work;
