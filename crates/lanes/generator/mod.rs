//! The kernel generator: plain Rust that runs in `build.rs` and writes
//!
//! - `constants.rs`: the numbers of each prime in the radix of each backend,
//! - `adx.s`, `avx2.s`, `avx512ifma.s`: the multiplication kernels, in AT&T syntax.
//!
//! Compilers spill and fail to unroll these loops (13 accumulators in 16 registers), hence assembly; a
//! generator keeps it readable and checks the ranges it relies on while it writes (docs/kernels.md).

pub mod adx;
pub mod avx2;
pub mod avx512ifma;
pub mod constants;
pub mod primes;

/// Assembly text under construction.
#[derive(Default)]
pub struct Asm(String);

impl Asm {
    /// Starts a function; `doc` becomes a comment above it.
    pub fn function(&mut self, name: &str, doc: &str) {
        self.0 += &format!("\n# {doc}\n.p2align 6\n.globl {name}\n{name}:\n");
    }

    /// One instruction or label.
    pub fn push(&mut self, line: impl AsRef<str>) {
        self.0 += "    ";
        self.0 += line.as_ref();
        self.0 += "\n";
    }

    pub fn finish(self) -> String {
        format!(".text\n{}", self.0)
    }
}
