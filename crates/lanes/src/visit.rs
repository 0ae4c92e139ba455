//! Finds the lanes for the name of an instruction set.

use core::fmt;

use crate::backend::Backend;
use crate::prime::Prime;
use crate::visitor::Visitor;

impl Backend {
    /// Returns the fastest backend of this CPU. The [example](Self) uses it.
    pub fn detect() -> Backend {
        Self::fastest(&Self::ALL)
    }

    /// Returns the fastest of these backends on this CPU. The [example](Self) uses it.
    pub fn fastest(of: &[Backend]) -> Backend {
        let fastest = Self::ALL.into_iter().find(|backend| of.contains(backend) && backend.is_supported());
        fastest.unwrap_or(Backend::Portable)
    }

    /// Calls `visitor` with this backend's lanes of `P`. Returns the visitor if the CPU lacks the instructions, or `P`
    /// lacks the backend. The [example](crate::LaneField) uses it.
    pub fn visit<P: LanePrime, V: Visitor<P::Words>>(self, visitor: V) -> Result<V::Output, V> {
        P::visit(self, visitor)
    }
}

/// A prime with lanes.
pub trait LanePrime: Prime {
    /// An element outside.
    type Words: Copy + PartialEq + Default + fmt::Debug + Send + Sync;
    /// The backends that have lanes of this prime.
    const BACKENDS: &'static [Backend];

    #[doc(hidden)]
    fn visit<V: Visitor<Self::Words>>(backend: Backend, visitor: V) -> Result<V::Output, V>;
}

/// Asks an instruction set's folder whether the CPU has the instructions. A build without the folder lacks them.
macro_rules! supported {
    ($(#[$builds:meta] $backend:ident $folder:ident;)*) => {
        impl Backend {
            /// Returns true if this CPU (and operating system) has the instructions, and this build has the backend.
            /// The [example](Backend) uses it.
            pub fn is_supported(self) -> bool {
                match self {
                    $(#[$builds] Backend::$backend => crate::$folder::is_supported(),)*
                    #[allow(unreachable_patterns)]
                    _ => false,
                }
            }
        }
    };
}

/// Implements a prime's backends: each is a call of its folder's `visit`, with the prime's numbers of words and digits.
macro_rules! lane_prime {
    ($prime:ty, $words:literal; $(#[$builds:meta] $backend:ident $folder:ident [$($digits:literal),*];)*) => {
        impl LanePrime for $prime {
            type Words = [u64; $words];
            const BACKENDS: &'static [Backend] = &[$(Backend::$backend),*];

            fn visit<V: Visitor<[u64; $words]>>(backend: Backend, visitor: V) -> Result<V::Output, V> {
                match backend {
                    $(
                        #[$builds]
                        Backend::$backend => crate::$folder::visit::<$prime, V, $words $(, $digits)*>(visitor),
                    )*
                    #[allow(unreachable_patterns)]
                    _ => Err(visitor),
                }
            }
        }
    };
}

// The generator lists the instruction sets, and each prime's lanes (generator/mod.rs).
include!(concat!(env!("OUT_DIR"), "/dispatch.rs"));
