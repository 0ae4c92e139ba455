//! Names of enums.

/// Values with a name on the command line and a code in files.
macro_rules! named {
    ($(#[$meta:meta])* $type:ident: $($(#[$doc:meta])* $variant:ident = $code:literal => $name:literal),*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
        pub enum $type {
            $($(#[$doc])* #[cfg_attr(feature = "clap", value(name = $name))] #[serde(rename = $name)] $variant = $code),*
        }

        impl $type {
            /// All values.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// Returns the name on the command line. The [example](crate::Format) uses it.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),*
                }
            }

            /// Returns the code in a file's header. The [example](crate::Format) uses it.
            pub fn code(self) -> u8 {
                self as u8
            }

            /// Returns the value of a header's code. The [example](crate::Format) uses it.
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.code() == code)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use named;
