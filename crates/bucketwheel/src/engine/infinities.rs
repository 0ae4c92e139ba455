//! The point at infinity among points that are to be added.

/// The point at infinity among the points of a sum. Adders may skip a test where it is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infinities {
    /// All points are finite.
    Absent,
    /// Any of the points may be the point at infinity.
    Possible,
}

impl Infinities {
    /// Returns [`Possible`](Self::Possible) if the condition holds, else [`Absent`](Self::Absent).
    /// See the [example](crate::provider::Provider).
    pub fn possible_if(condition: bool) -> Self {
        match condition {
            true => Infinities::Possible,
            false => Infinities::Absent,
        }
    }

    /// Returns true if a point may be the point at infinity. See the [example](crate::provider::Provider).
    pub fn are_possible(self) -> bool {
        self == Infinities::Possible
    }
}
