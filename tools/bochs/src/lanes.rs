//! Lanes, and the backend that they belong to.

use bucketwheel_lanes::radix52::{Eight, Radix52};
use bucketwheel_lanes::{Backend, LaneField, PrimeLanes, Quadratic};

/// Lanes of one backend.
pub trait Lanes: LaneField {
    const BACKEND: Backend;
}

impl<E: Eight, const W: usize, const N: usize> Lanes for Radix52<E, W, N>
where
    Self: LaneField,
{
    const BACKEND: Backend = E::BACKEND;
}

impl<L: PrimeLanes + Lanes> Lanes for Quadratic<L> {
    const BACKEND: Backend = L::BACKEND;
}
