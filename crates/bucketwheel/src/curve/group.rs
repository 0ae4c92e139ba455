//! Groups of points by name.

use crate::named::named;

/// A group of points, or both groups.
///
/// ```
/// use bucketwheel::GroupId;
///
/// assert_eq!(GroupId::from_code(GroupId::G2.code()), Some(GroupId::G2));
/// assert_eq!(GroupId::Pair.parts(), [GroupId::G1, GroupId::G2]);
/// println!("{}: {}", GroupId::G1.name(), GroupId::G1.about());
/// ```
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
    /// Returns a description in one line. The [example](Self) uses it.
    pub fn about(self) -> &'static str {
        match self {
            GroupId::G1 => "Points over the prime field",
            GroupId::G2 => "Points over the quadratic extension",
            GroupId::Pair => "Both: the same scalars times G1 points and times G2 points",
        }
    }

    /// Returns the code in a file's header. The [example](Self) uses it.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the group of a header's code. The [example](Self) uses it.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|group| group.code() == code)
    }

    /// Returns the groups that a points file holds, one after the other. The [example](Self) uses it.
    pub fn parts(self) -> &'static [GroupId] {
        match self {
            GroupId::G1 => &[GroupId::G1],
            GroupId::G2 => &[GroupId::G2],
            GroupId::Pair => &[GroupId::G1, GroupId::G2],
        }
    }
}
