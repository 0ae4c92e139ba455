//! Prime fields in lanes: multiplication kernels for MSM, one trait over every instruction set.
//!
//! [`LaneField`] has an element per lane, and one operation works on all elements. [`Backend`] names the instruction
//! sets. Each has a folder, with the same file names: `kernels` (products, mostly in assembly), `vector` (operations on
//! registers) and `lanes` (the operations of a field). Code that instruction sets share is in a folder for their radix:
//!
//! | folder | kernels | vector | lanes |
//! |---|---|---|---|
//! | [`radix64`] | `words`, plain | | shared |
//! | `portable`: any CPU | plain | | [`radix64`]'s |
//! | `adx`, `aarch64` | assembly | | [`radix64`]'s |
//! | [`avx2`] | assembly | its own | its own |
//! | [`radix52`] | a trait | a trait | shared |
//! | [`avx512ifma`] | assembly | zmm registers | [`radix52`]'s |
//! | [`model`] | plain | arrays of eight words | [`radix52`]'s |
//! | [`doubles`] | a trait, and plain | a trait | shared |
//! | `wasm` | assembly | registers of two lanes | [`doubles`]'s |
//!
//! A generator writes the assembly and the primes at build time (`generator/`). The list of primes is
//! `generator/primes.rs`. docs/kernels.md derives why digits stay in range.
//!
//! ```
//! use bucketwheel_lanes::{Backend, Bn254Fq, LaneField, PrimeLanes, Visitor};
//!
//! /// Squares 3 in every lane.
//! struct Square;
//!
//! impl Visitor<[u64; 4]> for Square {
//!     type Output = [u64; 4];
//!
//!     fn visit<L: PrimeLanes<Words = [u64; 4]>>(self, lanes: L) -> [u64; 4] {
//!         let one = lanes.one();
//!         let three = lanes.add(&lanes.add(&lanes.lift(&one), &lanes.lift(&one)), &lanes.lift(&one));
//!         let three = lanes.reduce(&three);
//!         let mut nine = three;
//!         lanes.square(&three, &mut nine);
//!         lanes.decode(&nine)[0]
//!     }
//! }
//!
//! let fastest = Backend::detect().visit::<Bn254Fq, _>(Square);
//! let portable = Backend::Portable.visit::<Bn254Fq, _>(Square);
//! assert_eq!(fastest.ok(), portable.ok());
//! ```
//!
//! The time of some arithmetic (inversion) depends on the values: do not rely on it for secrets.
//!
//! # Where changes go
//! - A prime: its entry in `generator/primes.rs`.
//! - An instruction set: its folder, its file in `generator/`, and their lines in `lib.rs` and `generator/mod.rs`.
//! - A kernel in assembly: the instruction set's file in `generator/`.
//! - An operation on lanes: its trait in `field.rs`, the `lanes` of each radix and of `avx2`, `quadratic.rs` and
//!   `quartic.rs` for extensions, and `out_of_line.rs`.
//! - The inverse of a single element: `words/invert.rs`.

#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]
// A lane or digit indexes several arrays at once.
#![allow(clippy::needless_range_loop)]

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod adx;
#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512ifma;
mod backend;
pub mod doubles;
#[doc(hidden)]
pub mod each;
#[cfg(target_arch = "x86_64")]
mod features;
mod field;
pub mod model;
mod out_of_line;
mod portable;
mod prefetch;
mod prime;
mod primes;
mod quadratic;
mod quartic;
pub mod radix52;
pub mod radix64;
mod visit;
mod visitor;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub mod wasm;
pub mod words;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512ifma::Avx512Ifma;
pub use backend::{Backend, UnknownBackend};
pub use field::{LaneField, PrimeLanes, Task, MAX_LANES};
pub use model::Model;
pub use out_of_line::OutOfLine;
pub use prime::*;
pub use primes::*;
pub use quadratic::Quadratic;
pub use quartic::{Quartic, QuarticSingle};
pub use radix64::Radix64;
pub use visit::LanePrime;
pub use visitor::Visitor;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Wasm;
