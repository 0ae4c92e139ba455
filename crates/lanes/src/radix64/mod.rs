//! Elements in 64-bit words, four beside each other: any CPU, and CPUs with assembly for these products (ADX, 64-bit
//! Arm).
//!
//! [`Single`] is one element by itself.
//!
//! Four independent products give a superscalar core enough work. Conditional corrections keep vectors and
//! sums below a bound, 2p or p. Large functions are not inlined: plain code needs no instruction set's context.

mod kernels;
mod lanes;
mod single;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use kernels::correct;
pub use kernels::{Kernels, Plain, Target};
pub use single::{Arithmetic, QuadraticSingle, Single};

use crate::field::PrimeLanes;
use crate::prime::{WordTable, Words64};
use crate::visitor::{call, Visitor};

/// Elements of a vector.
pub const LANES: usize = 4;

/// The backends of primes of `N` words: [`Backend::Portable`](crate::Backend::Portable), [`Backend::Adx`](crate::Backend::Adx),
/// [`Backend::Aarch64`](crate::Backend::Aarch64).
#[derive(Clone, Copy, Debug)]
pub struct Radix64<const N: usize> {
    /// True if the assembly is used: the caller asked for its backend, and the CPU has the instructions.
    assembly: bool,
    prime: &'static WordTable<N>,
}

/// Calls `visitor` with the lanes of `P` in plain code.
pub(crate) fn visit_plain<P, V, const W: usize>(visitor: V) -> Result<V::Output, V>
where
    P: Words64<W>,
    V: Visitor<[u64; W]>,
    Target: Kernels<W>,
    Radix64<W>: PrimeLanes<Words = [u64; W]>,
{
    call(Some(Radix64::plain(P::TABLE)), visitor)
}

/// Calls `visitor` with the lanes of `P` on this target's assembly, or returns the visitor if the CPU lacks the instructions.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn visit_assembly<P, V, const W: usize>(visitor: V) -> Result<V::Output, V>
where
    P: Words64<W>,
    V: Visitor<[u64; W]>,
    Target: Kernels<W>,
    Radix64<W>: PrimeLanes<Words = [u64; W]>,
{
    call(Radix64::assembly(P::TABLE), visitor)
}
