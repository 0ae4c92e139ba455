//! Native part of the Node package, which has snarkjs' interface: Groth16 proofs, their verification, and checks of
//! witnesses. `install.mjs` builds it; `js` has the functions that users call, and docs/javascript.md describes them.
//!
//! JavaScript loads a key once (`key::load_key`) and proves with it many times. It verifies by `verify::verify`. It hands long
//! calls a `job::Job`, to cancel them and to read their progress. Work runs on libuv's threads, which wait for rayon's pool, so
//! nothing here blocks the event loop. Bytes of JavaScript are copied first, because JavaScript may change them meanwhile.
//!
//! # Where changes go
//! - Keys and proofs: `key.rs`, and `js/keys.cjs`, which calls it.
//! - Verification, and checks of witnesses: `verify.rs`, and `js/groth16.cjs` and `js/wtns.cjs`, which call it.
//! - A function that users call: its file in `js/`, and its types in `index.d.cts`.
//! - Witnesses, which JavaScript calculates: `js/wtns.cjs` and `js/witness.mjs`.
//! - The package without this native part: `js/portable.cjs`.
//! - The message of an error, in snarkjs' words: `error.rs`.
//! - Threads, panics, cancellation and progress: `work.rs` and `job.rs`.

#![warn(missing_docs)]
// napi's macros register no functions in builds of unit tests.
#![cfg_attr(test, allow(dead_code))]

mod error;
mod job;
mod key;
mod verify;
mod work;
