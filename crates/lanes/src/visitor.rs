//! Code that is generic over the lanes.

use crate::field::PrimeLanes;

/// Code that is generic over the lanes, for [`Backend::visit`](crate::Backend::visit).
pub trait Visitor<W> {
    /// Result of the visit.
    type Output;

    /// Runs on these lanes. The [example](crate::LaneField) uses it.
    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output;
}

/// Calls `visitor` with these lanes, or returns the visitor if there are none.
pub(crate) fn call<L: PrimeLanes, V: Visitor<L::Words>>(
    lanes: Option<L>,
    visitor: V,
) -> Result<V::Output, V> {
    match lanes {
        Some(lanes) => Ok(visitor.visit(lanes)),
        None => Err(visitor),
    }
}
