//! The kinds of iden3's binary files, and the names of their sections.

use std::fmt;

/// The formats that consist of sections.
///
/// ```
/// use bucketwheel_snarkjs::Kind;
///
/// assert_eq!(Kind::of(b"wtns\x02\0\0\0"), Some(Kind::Wtns));
/// assert_eq!((Kind::Wtns.magic(), Kind::Wtns.version()), ("wtns", 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A proving key.
    Zkey,
    /// A witness.
    Wtns,
    /// A system of constraints.
    R1cs,
    /// Powers of tau.
    Ptau,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Zkey, Kind::Wtns, Kind::R1cs, Kind::Ptau];

    /// Returns the kind of a file, by its first four letters. The [example](Self) uses it.
    pub fn of(file: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| file.starts_with(kind.magic().as_bytes()))
    }

    /// Returns the four letters at the start of the file. The [example](Self) uses it.
    pub fn magic(self) -> &'static str {
        match self {
            Kind::Zkey => "zkey",
            Kind::Wtns => "wtns",
            Kind::R1cs => "r1cs",
            Kind::Ptau => "ptau",
        }
    }

    /// Returns the version that is read and written. The [example](Self) uses it.
    pub fn version(self) -> u32 {
        match self {
            Kind::Zkey | Kind::R1cs | Kind::Ptau => 1,
            Kind::Wtns => 2,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.magic())
    }
}

/// The number of a section, and its name for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The number in the file.
    pub id: u32,
    /// Name of its content.
    pub name: &'static str,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "section {} ({})", self.id, self.name)
    }
}
