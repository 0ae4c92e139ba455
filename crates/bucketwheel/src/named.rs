//! Names of enums: on the command line, in the environment, in files.

/// The error of an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} {name:?}; expected one of {expected}")]
pub struct UnknownName {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) expected: String,
}

/// Gives names to the variants of an enum, and finds variants by name.
macro_rules! named {
    ($type:ty, $kind:literal, $($variant:ident => $name:literal),*) => {
        impl $type {
            /// All variants, in the order of the documentation.
            pub const ALL: &'static [$type] = &[$(<$type>::$variant),*];

            /// Returns the name on the command line, as the [example](crate::GroupId) does.
            pub fn name(self) -> &'static str {
                match self {
                    $(<$type>::$variant => $name),*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                Self::ALL.iter().copied().find(|kind| kind.name() == name).ok_or_else(|| $crate::UnknownName {
                    kind: $kind,
                    name: name.into(),
                    expected: [$($name),*].join(", "),
                })
            }
        }
    };
}
pub(crate) use named;
