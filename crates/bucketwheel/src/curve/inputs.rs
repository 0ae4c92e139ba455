//! Points as adders take them.

use bucketwheel_lanes::LaneField;

use super::{Adder, BatchAffine, Coefficients, CompleteProjective, Point, Xyzz};
use crate::control::Control;
use crate::memory::Uninit;

/// An adder with the way from points at rest to its own.
pub trait Inputs<L: LaneField>: Adder<L> {
    /// Points as the formula takes them: as they are, or converted into `room`, which grows as it must. If cancelled, some
    /// are not converted.
    fn inputs<'a>(
        lanes: L,
        curve: &Coefficients<L::Words>,
        points: &'a [Point<L::Elem>],
        room: &'a mut Uninit<Self::Input>,
        control: &Control<'_>,
    ) -> &'a [Self::Input];
}

/// Formulas that take points as they are.
macro_rules! as_they_are {
    ($($adder:ident),*) => {
        $(impl<L: LaneField> Inputs<L> for $adder<L> {
            fn inputs<'a>(
                _: L,
                _: &Coefficients<L::Words>,
                points: &'a [Point<L::Elem>],
                _: &'a mut Uninit<Self::Input>,
                _: &Control<'_>,
            ) -> &'a [Self::Input] {
                points
            }
        })*
    };
}

as_they_are!(BatchAffine, Xyzz, CompleteProjective);
