//! Finds the lanes for the name of an instruction set.

use core::fmt;

use crate::backend::Backend;
use crate::field::PrimeLanes;
use crate::prime::Prime;

impl Backend {
    /// Calls `visitor` with this backend's lanes of `P`. Returns the visitor if the CPU lacks the instructions, or `P`
    /// lacks the backend. The [example](crate::LaneField) uses it.
    pub fn visit<P: LanePrime, V: Visitor<P::Words>>(self, visitor: V) -> Result<V::Output, V> {
        P::visit(self, visitor)
    }
}

/// Calls `visitor` with these lanes, or returns the visitor if there are none.
pub(crate) fn call<L: PrimeLanes, V: Visitor<L::Words>>(
    lanes: Option<L>,
    visitor: V,
) -> Result<V::Output, V> {
    match lanes {
        Some(lanes) => Ok(visitor.visit(lanes)),
        None => Err(visitor),
    }
}

/// Code that is generic over the lanes, for [`Backend::visit`].
pub trait Visitor<W> {
    /// Result of the visit.
    type Output;

    /// Runs on these lanes. The [example](crate::LaneField) uses it.
    fn visit<L: PrimeLanes<Words = W>>(self, lanes: L) -> Self::Output;
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

/// Implements a prime's backends: the backends in 64-bit words, and the vector backends whose numbers of digits are
/// given (generator/constants.rs).
macro_rules! lane_prime {
    (
        $prime:ty, $words:literal, avx2 [$($signed_digits:literal)?], ifma [$($digits52:literal)?],
        wasm [$($double_digits:literal)?], $($backend:ident)*
    ) => {
        impl $crate::LanePrime for $prime {
            type Words = [u64; $words];
            const BACKENDS: &'static [$crate::Backend] = &[$($crate::Backend::$backend),*];

            fn visit<V>(backend: $crate::Backend, visitor: V) -> Result<V::Output, V>
            where
                V: $crate::Visitor<Self::Words>,
            {
                use $crate::visit::call;
                use $crate::Backend;
                let words = <$prime as $crate::Words64<$words>>::TABLE;
                match backend {
                    $(
                        // A build with relaxed SIMD is for hosts that have it: lanes in words would double the build's size.
                        #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
                        Backend::Portable | Backend::Adx | Backend::Aarch64 => {
                            const { assert!($double_digits > 0) };
                            Err(visitor)
                        }
                    )?
                    #[allow(unreachable_patterns)]
                    Backend::Portable | Backend::Adx | Backend::Aarch64 => {
                        call($crate::Radix64::detect(backend, words), visitor)
                    }
                    $(
                        #[cfg(feature = "model")]
                        Backend::Model => {
                            let digits = <$prime as $crate::Digits52<$digits52>>::TABLE;
                            call($crate::Model::detect(backend, digits, words), visitor)
                        }
                        #[cfg(target_arch = "x86_64")]
                        Backend::Avx512Ifma => {
                            let digits = <$prime as $crate::Digits52<$digits52>>::TABLE;
                            call($crate::Avx512Ifma::detect(backend, digits, words), visitor)
                        }
                    )?
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Backend::Avx2 => {
                            const PAIRS: usize = usize::div_ceil($signed_digits, 2);
                            type Lanes = $crate::Avx2<$words, $signed_digits, PAIRS>;
                            let digits = <$prime as $crate::SignedDigits<$signed_digits>>::TABLE;
                            call(Lanes::detect(backend, digits, words), visitor)
                        }
                    )?
                    $(
                        #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
                        Backend::Wasm => {
                            let digits = <$prime as $crate::DoubleDigits<$double_digits>>::TABLE;
                            call($crate::Wasm::detect(backend, digits, words), visitor)
                        }
                    )?
                    #[allow(unreachable_patterns)]
                    _ => Err(visitor),
                }
            }
        }
    };
}

pub(crate) use lane_prime;
