//! Any CPU: products in plain code, for [`Radix64`].

use crate::field::PrimeLanes;
use crate::prime::Words64;
use crate::radix64::{Kernels, Radix64, Target};
use crate::visitor::{call, Visitor};

pub(crate) fn is_supported() -> bool {
    true
}

/// Calls `visitor` with the lanes of `P`.
pub(crate) fn visit<P, V, const W: usize>(visitor: V) -> Result<V::Output, V>
where
    P: Words64<W>,
    V: Visitor<[u64; W]>,
    Target: Kernels<W>,
    Radix64<W>: PrimeLanes<Words = [u64; W]>,
{
    call(Some(Radix64::plain(P::TABLE)), visitor)
}
