//! The kernel generator: plain Rust that runs in `build.rs` and writes
//!
//! - `constants.rs`: each prime as a type, with its numbers in the radix of each backend,
//! - `libbucketwheel_wasm.a`: WebAssembly's kernels as object code,
//! - `adx.s`, `avx2.s`, `avx512ifma.s` (in AT&T syntax) and `aarch64.s`: the multiplication kernels.
//!
//! Compilers spill and fail to unroll these loops (13 accumulators in 16 registers), hence assembly. A generator keeps
//! the assembly readable, and checks the ranges that it relies on while it writes (docs/kernels.md).

pub mod aarch64;
pub mod adx;
pub mod avx2;
pub mod avx512ifma;
pub mod constants;
pub mod doubles;
pub mod primes;
pub mod wasm;
pub mod wasm_object;

/// Assembly text under construction.
pub struct Asm {
    text: String,
    /// Start of a comment: `#` or `//`.
    comment: &'static str,
}

impl Asm {
    pub fn with_comments(comment: &'static str) -> Self {
        Asm { text: String::new(), comment }
    }

    /// Starts a function; `doc` becomes a comment above it. On some systems, names have a leading underscore.
    pub fn function(&mut self, name: &str, doc: &str) {
        self.text += &format!("\n{} {doc}\n.p2align 6\n", self.comment);
        for name in [name, &format!("_{name}")] {
            self.text += &format!(".globl {name}\n{name}:\n");
        }
    }

    /// Appends one instruction or label.
    pub fn push(&mut self, line: impl AsRef<str>) {
        self.text += "    ";
        self.text += line.as_ref();
        self.text += "\n";
    }

    pub fn finish(self) -> String {
        format!(".text\n{}", self.text)
    }
}
