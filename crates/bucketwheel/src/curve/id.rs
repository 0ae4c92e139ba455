//! Curves and groups by name, for those who learn at run time which one it is.

use crate::named::named;

/// arkworks' configurations of the groups, by the curve's name; of the curves that this build has.
pub mod config {
    #[cfg(feature = "bls12-377")]
    pub use ark_bls12_377 as bls12_377;
    #[cfg(feature = "bls12-381")]
    pub use ark_bls12_381 as bls12_381;
    #[cfg(feature = "bn254")]
    pub use ark_bn254 as bn254;
    #[cfg(feature = "bw6-761")]
    pub use ark_bw6_761::g1::Config as Bw6_761;
    #[cfg(feature = "edwards-curves")]
    pub use ark_ed_on_bls12_381::JubjubConfig as Jubjub;
    #[cfg(feature = "edwards-curves")]
    pub use ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig as Bandersnatch;
    #[cfg(feature = "bn254")]
    pub use ark_grumpkin::GrumpkinConfig as Grumpkin;
    #[cfg(feature = "pasta")]
    pub use ark_pallas::PallasConfig as Pallas;
    #[cfg(feature = "pasta")]
    pub use ark_vesta::VestaConfig as Vesta;

    #[cfg(feature = "bls24-315")]
    pub use crate::bls24_315::G1 as Bls24_315;
}

/// The groups of a curve with a pairing.
const BOTH: &[GroupId] = &[GroupId::G1, GroupId::G2, GroupId::Pair];
/// The group of a curve without, and of those whose second group has no name here.
const ONE: &[GroupId] = &[GroupId::G1];

/// The table of curves: the code in files, the name, what the curve is for, the feature that it comes with, the words of a
/// coordinate and of a scalar, the groups.
macro_rules! curves {
    ($($variant:ident = $code:literal, $name:literal, $about:literal, $feature:literal, $field:literal, $scalar:literal,
        $groups:ident;)*) => {
        /// An elliptic curve, which this build may lack ([`with_curve!`](crate::with_curve)).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CurveId {
            $(#[doc = $about] $variant = $code,)*
        }

        named!(CurveId, "curve", $($variant => $name),*);

        impl CurveId {
            /// Description in one line.
            pub fn about(self) -> &'static str {
                match self {
                    $(CurveId::$variant => $about),*
                }
            }

            /// The feature of this crate that it comes with.
            pub fn feature(self) -> &'static str {
                match self {
                    $(CurveId::$variant => $feature),*
                }
            }

            /// The bytes of an element of the prime field that its points are over, in whole words.
            pub fn field_bytes(self) -> usize {
                8 * match self {
                    $(CurveId::$variant => $field),*
                }
            }

            /// The bytes of a scalar, in whole words.
            pub fn scalar_bytes(self) -> usize {
                8 * match self {
                    $(CurveId::$variant => $scalar),*
                }
            }

            /// The groups of points: those of a pairing and both together, or one, which is called the first.
            pub fn groups(self) -> &'static [GroupId] {
                match self {
                    $(CurveId::$variant => $groups),*
                }
            }

            /// An error if this build lacks it.
            ///
            /// # Errors
            /// [`MissingCurve`].
            pub fn check(self) -> Result<(), MissingCurve> {
                match self {
                    $(CurveId::$variant => if cfg!(feature = $feature) { Ok(()) } else { Err(MissingCurve(self)) }),*
                }
            }
        }
    };
}

curves! {
    Bls12_381 = 1, "bls12-381", "BLS12-381: Ethereum's consensus layer, Zcash, Filecoin", "bls12-381", 6, 4, BOTH;
    Bls12_377 = 2, "bls12-377", "BLS12-377: Aleo, Celo", "bls12-377", 6, 4, BOTH;
    Bn254 = 3, "bn254", "BN254: Ethereum's precompiles, most deployed SNARKs", "bn254", 4, 4, BOTH;
    Pallas = 4, "pallas", "Pallas, of the Pasta cycle: Halo 2, Mina", "pasta", 4, 4, ONE;
    Vesta = 5, "vesta", "Vesta, of the Pasta cycle", "pasta", 4, 4, ONE;
    Grumpkin = 6, "grumpkin", "Grumpkin, BN254's partner: Aztec", "bn254", 4, 4, ONE;
    Jubjub = 7, "jubjub", "Jubjub, over the scalars of BLS12-381: Zcash", "edwards-curves", 4, 4, ONE;
    Bandersnatch = 8, "bandersnatch",
        "Bandersnatch, over the scalars of BLS12-381, with an endomorphism: Ethereum's Verkle trees",
        "edwards-curves", 4, 4, ONE;
    Bls24_315 = 9, "bls24-315", "The first group of BLS24-315, the inner curve of a chain", "bls24-315", 5, 4, ONE;
    Bw6_761 = 10, "bw6-761", "The first group of BW6-761, the outer curve of BLS12-377", "bw6-761", 12, 6, ONE;
}

impl CurveId {
    /// The code in a file's header.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The curve of a header's code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|curve| curve.code() == code)
    }

    /// Returns true if the curve has a pairing.
    pub fn has_pairing(self) -> bool {
        self.groups().contains(&GroupId::Pair)
    }
}

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

/// The error of a curve that this build lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this build has no {0}: expected one with its feature, {feature}; build again with that", feature = .0.feature())]
pub struct MissingCurve(pub CurveId);

/// A macro for each feature that takes `{ this } { or that }`: this where the build has the feature. The condition is this
/// crate's, where in a macro's text it would be that of the crate that calls it.
macro_rules! if_feature {
    ($d:tt $($name:ident = $feature:literal),*) => {$(
        #[cfg(feature = $feature)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            ({ $d($d this:tt)* } { $d($d that:tt)* }) => { $d($d this)* };
        }

        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            ({ $d($d this:tt)* } { $d($d that:tt)* }) => { $d($d that)* };
        }
    )*};
}

if_feature!($
    __if_bn254 = "bn254",
    __if_bls12_381 = "bls12-381",
    __if_bls12_377 = "bls12-377",
    __if_pasta = "pasta",
    __if_edwards_curves = "edwards-curves",
    __if_bw6_761 = "bw6-761",
    __if_bls24_315 = "bls24-315"
);

/// Calls the macro `$one` with the configuration of a curve's only group, or `$both` with those of its two groups: `Ok` of
/// what comes of that, or [`MissingCurve`] if this build lacks the curve. [`with_curve!`](crate::with_curve) is one call.
#[macro_export]
macro_rules! match_curve {
    ($curve:expr, $one:ident, $both:ident) => {
        $crate::match_curve! { @ $curve;
            Bls12_381, __if_bls12_381, $both!($crate::config::bls12_381::g1::Config, $crate::config::bls12_381::g2::Config);
            Bls12_377, __if_bls12_377, $both!($crate::config::bls12_377::g1::Config, $crate::config::bls12_377::g2::Config);
            Bn254, __if_bn254, $both!($crate::config::bn254::g1::Config, $crate::config::bn254::g2::Config);
            Pallas, __if_pasta, $one!($crate::config::Pallas);
            Vesta, __if_pasta, $one!($crate::config::Vesta);
            Grumpkin, __if_bn254, $one!($crate::config::Grumpkin);
            Jubjub, __if_edwards_curves, $one!($crate::config::Jubjub);
            Bandersnatch, __if_edwards_curves, $one!($crate::config::Bandersnatch);
            Bls24_315, __if_bls24_315, $one!($crate::config::Bls24_315);
            Bw6_761, __if_bw6_761, $one!($crate::config::Bw6_761);
        }
    };
    (@ $curve:expr; $($variant:ident, $if:ident, $call:expr;)*) => {
        match $curve {
            $($crate::CurveId::$variant => $crate::$if! {
                { ::core::result::Result::<_, $crate::MissingCurve>::Ok($call) }
                { ::core::result::Result::<_, $crate::MissingCurve>::Err($crate::MissingCurve($crate::CurveId::$variant)) }
            },)*
        }
    };
}

/// Evaluates an expression with `$config` bound to the arkworks configuration of one group of a curve, both known at run
/// time: `Ok` of it, or [`MissingCurve`] if this build lacks the curve. The pair counts as its first group; so does any
/// group of a curve that has one only.
///
/// ```
/// use bucketwheel::{with_curve, Bases, CurveId, GroupId};
///
/// let curve: CurveId = "bn254".parse()?;
/// let backend = with_curve!(curve, GroupId::G2, C => Bases::<C>::new(&[])?.backend())?;
/// # let _ = backend;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! with_curve {
    ($curve:expr, $group:expr, $config:ident => $body:expr) => {{
        macro_rules! one {
            ($one:ty) => {{
                type $config = $one;
                $body
            }};
        }
        macro_rules! both {
            ($g1:ty, $g2:ty) => {{
                if $group == $crate::GroupId::G2 {
                    type $config = $g2;
                    $body
                } else {
                    type $config = $g1;
                    $body
                }
            }};
        }
        $crate::match_curve!($curve, one, both)
    }};
}
