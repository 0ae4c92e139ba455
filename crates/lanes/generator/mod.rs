//! The generator: plain Rust that runs in `build.rs` and writes
//!
//! - `constants.rs`: each prime as a type, with its numbers in the radix of each instruction set,
//! - `backends.rs` and `dispatch.rs`: the names of the instruction sets, and the way from a name to the lanes,
//! - `adx.s`, `avx2.s`, `avx512ifma.s` (in AT&T syntax) and `aarch64.s`: the multiplication kernels,
//! - `libbucketwheel_wasm.a` and `libbucketwheel_wasm_plain.a`: WebAssembly's kernels as object code.
//!
//! Compilers spill and fail to unroll these loops (13 accumulators in 16 registers), hence assembly. A generator keeps
//! the assembly readable, and checks the ranges that it relies on while it writes (docs/kernels.md).

pub mod aarch64;
pub mod adx;
pub mod asm;
pub mod avx2;
pub mod avx512ifma;
pub mod constants;
pub mod digits52;
pub mod dispatch;
pub mod doubles;
pub mod instruction_set;
pub mod primes;
pub mod signed_digits;
pub mod wasm;
pub mod wasm_object;
pub mod words;

use instruction_set::{InstructionSet, Names};

/// All instruction sets, the fastest first; the model is for tests only and last. A build has at most one of several sets of a name.
pub const INSTRUCTION_SETS: [&dyn InstructionSet; 8] = [
    &avx512ifma::Avx512Ifma,
    &avx2::Avx2,
    &adx::Adx,
    &aarch64::Aarch64,
    &wasm::Relaxed,
    &wasm::Plain,
    &words::Portable,
    &avx512ifma::Model,
];

/// Returns the names of the instruction sets, each name once.
pub fn backend_names() -> Vec<Names> {
    let mut list: Vec<Names> = Vec::new();
    for names in INSTRUCTION_SETS.iter().map(|set| set.names()) {
        if list.iter().all(|before| before.variant != names.variant) {
            list.push(names);
        }
    }
    list
}
