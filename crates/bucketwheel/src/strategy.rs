//! A strategy is a scheduler and an adder; a choice of one never touches the other.

use std::fmt;
use std::str::FromStr;

/// How points become batches of independent additions ([`schedule`](crate::schedule)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SchedulerKind {
    /// The best one.
    #[default]
    Auto,
    /// Pairwise, level by level.
    Tree,
    /// One after the other: the reference.
    Serial,
}

/// The formula that adds points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AdderKind {
    /// The best one.
    #[default]
    Auto,
    /// Affine, with one inversion per batch.
    Affine,
    /// Extended Jacobian coordinates (XYZZ).
    Xyzz,
    /// Complete projective formulas.
    Projective,
}

impl AdderKind {
    /// The coordinates of a sum in its formulas.
    pub(crate) fn coordinates(self) -> usize {
        match self {
            AdderKind::Auto | AdderKind::Affine => 2,
            AdderKind::Projective => 3,
            AdderKind::Xyzz => 4,
        }
    }
}

/// A scheduler and an adder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strategy {
    pub scheduler: SchedulerKind,
    pub adder: AdderKind,
}

impl Strategy {
    /// What `Auto` stands for.
    pub fn resolve(self) -> Self {
        Strategy {
            scheduler: match self.scheduler {
                SchedulerKind::Auto => SchedulerKind::Tree,
                scheduler => scheduler,
            },
            adder: match self.adder {
                AdderKind::Auto => AdderKind::Affine,
                adder => adder,
            },
        }
    }
}

/// The error of an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} {name:?}; expected one of {expected}")]
pub struct UnknownName {
    kind: &'static str,
    name: String,
    expected: String,
}

macro_rules! named {
    ($type:ty, $kind:literal, $($variant:ident => $name:literal),*) => {
        impl $type {
            /// All, in the order of the documentation.
            pub const ALL: &'static [$type] = &[$(<$type>::$variant),*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(<$type>::$variant => $name),*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL.iter().copied().find(|kind| kind.name() == name).ok_or_else(|| UnknownName {
                    kind: $kind,
                    name: name.into(),
                    expected: [$($name),*].join(", "),
                })
            }
        }
    };
}

named!(SchedulerKind, "scheduler", Auto => "auto", Tree => "tree", Serial => "serial");
named!(AdderKind, "adder", Auto => "auto", Affine => "affine", Xyzz => "xyzz", Projective => "projective");
