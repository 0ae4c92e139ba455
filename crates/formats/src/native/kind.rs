//! The two kinds of files.

use std::fmt;

/// Length of the header. The payload starts behind it, hence at a multiple of 64 bytes.
pub const HEADER_BYTES: usize = 64;

/// Content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Points of one group or of both.
    Points,
    /// Scalars.
    Scalars,
}

impl Kind {
    /// Returns the eight bytes that the file starts with. The [example](crate::Header) uses it.
    pub fn magic(self) -> [u8; 8] {
        match self {
            Kind::Points => *b"BWPOINTS",
            Kind::Scalars => *b"BWSCALAR",
        }
    }

    pub(crate) fn magic_text(self) -> String {
        String::from_utf8_lossy(&self.magic()).into_owned()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Points => "points",
            Kind::Scalars => "scalars",
        })
    }
}
