//! The names of the instruction sets.

use core::fmt;
use core::str::FromStr;

/// Declares [`Backend`]: its variants from the fastest to the slowest, the model last, each with its code and its name.
macro_rules! backends {
    ($(#[doc = $about:literal] $variant:ident = $code:literal, $name:literal;)*) => {
        /// The instruction set of the lanes. Its number is its code in files, which no other instruction set ever gets.
        ///
        /// ```
        /// use bucketwheel_lanes::Backend;
        ///
        /// let backend = Backend::detect();
        /// assert!(backend.is_supported());
        /// assert_eq!(Backend::from_code(backend.code()), Some(backend));
        /// assert_eq!(backend.name().parse(), Ok(backend));
        /// assert_eq!(Backend::fastest(&[Backend::Portable]), Backend::Portable);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Backend {
            $(#[doc = $about] $variant = $code,)*
        }

        impl Backend {
            /// All backends, the fastest first; the model is for tests only and last.
            pub const ALL: [Backend; [$($code),*].len()] = [$(Backend::$variant),*];

            /// Returns the name on the command line. The [example](Self) uses it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Backend::$variant => $name,)*
                }
            }
        }
    };
}

// The generator lists them (generator/mod.rs).
include!(concat!(env!("OUT_DIR"), "/backends.rs"));

impl Backend {
    /// Returns the code in files. The [example](Self) uses it.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the backend of a file's code. The [example](Self) uses it.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.code() == code)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of an unknown backend's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownBackend;

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown backend; expected one of")?;
        Backend::ALL.iter().try_for_each(|backend| write!(f, " {backend}"))
    }
}

impl core::error::Error for UnknownBackend {}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|backend| backend.name() == name).ok_or(UnknownBackend)
    }
}
