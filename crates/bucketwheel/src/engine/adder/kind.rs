//! Choice of the formula that adds points.

use crate::named::named;

/// The formula that adds points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AdderKind {
    /// The best formula.
    #[default]
    Auto,
    /// Affine coordinates, with one inversion per batch.
    Affine,
    /// Extended Jacobian coordinates (XYZZ).
    Xyzz,
    /// Projective formulas, complete for two sums (SimdMSM).
    Projective,
    /// Extended twisted Edwards coordinates, for curves that have the form and points that are prepared for it
    /// ([`BasesOptions::edwards`](crate::BasesOptions::edwards)).
    Edwards,
    /// Extended twisted Edwards coordinates with EdMSM's unified law, which also holds for equal summands. Takes the
    /// same points as `Edwards`.
    EdwardsUnified,
}

impl AdderKind {
    /// Returns the kind that `Auto` stands for, or the kind itself.
    pub(crate) fn resolved(self) -> Self {
        match self {
            AdderKind::Auto => AdderKind::Affine,
            kind => kind,
        }
    }

    /// Returns true if this build has the adder. See the example of [`Msm`](crate::Msm).
    pub fn is_built(self) -> bool {
        cfg!(feature = "strategies") || self.resolved() == AdderKind::Affine
    }

    /// Returns true if the adder's formulas hold only on curves with a = 0.
    pub(crate) fn needs_zero_a(self) -> bool {
        self == AdderKind::Projective
    }

    /// Returns the number of coordinates of a sum in the adder's formulas.
    pub(crate) fn coordinates(self) -> usize {
        match self {
            AdderKind::Auto | AdderKind::Affine => 2,
            AdderKind::Projective => 3,
            AdderKind::Xyzz | AdderKind::Edwards | AdderKind::EdwardsUnified => 4,
        }
    }

    /// Returns the number of coordinates of a point in the adder's formulas, or 0 if they take x and y. The
    /// [example](crate::TwistedEdwards) uses it.
    pub fn own_coordinates(self) -> usize {
        match self.is_edwards() {
            true => 4,
            false => 0,
        }
    }

    /// Returns true if the adder takes points in the curve's Edwards form. The [example](crate::TwistedEdwards) uses it.
    pub fn is_edwards(self) -> bool {
        matches!(self, AdderKind::Edwards | AdderKind::EdwardsUnified)
    }
}

named!(AdderKind, "adder", Auto => "auto", Affine => "affine", Xyzz => "xyzz", Projective => "projective", Edwards => "edwards",
    EdwardsUnified => "edwards-unified");
