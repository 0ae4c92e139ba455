//! Groups of points by name.

use crate::named::named;

/// A group of points, or both groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupId {
    /// Points over the prime field
    G1 = 1,
    /// Points over the quadratic extension
    G2 = 2,
    /// Both: the same scalars times G1 points and times G2 points
    Pair = 3,
}

named!(GroupId, "group", G1 => "g1", G2 => "g2", Pair => "pair");

impl GroupId {
    /// Description in one line.
    pub fn about(self) -> &'static str {
        match self {
            GroupId::G1 => "Points over the prime field",
            GroupId::G2 => "Points over the quadratic extension",
            GroupId::Pair => "Both: the same scalars times G1 points and times G2 points",
        }
    }

    /// The code in a file's header.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The group of a header's code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|group| group.code() == code)
    }

    /// The groups that a points file holds, one after the other.
    pub fn parts(self) -> &'static [GroupId] {
        match self {
            GroupId::G1 => &[GroupId::G1],
            GroupId::G2 => &[GroupId::G2],
            GroupId::Pair => &[GroupId::G1, GroupId::G2],
        }
    }

    /// The elements of the prime field in one point (of a pair: in both points).
    pub fn elements(self) -> usize {
        match self {
            GroupId::G1 => 2,
            GroupId::G2 => 4,
            GroupId::Pair => 6,
        }
    }
}
