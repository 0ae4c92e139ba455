//! Curves and groups by name.

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
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),*
                }
            }

            /// The code in a file's header.
            pub fn code(self) -> u8 {
                self as u8
            }

            /// The value of a header's code.
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

named! {
    /// An elliptic curve.
    CurveId:
    /// BLS12-381: Ethereum's consensus layer, Zcash, Filecoin
    Bls12_381 = 1 => "bls12-381",
    /// BLS12-377: Aleo, Celo
    Bls12_377 = 2 => "bls12-377",
    /// BN254: Ethereum's precompiles, most deployed SNARKs
    Bn254 = 3 => "bn254"
}

named! {
    /// A group of points, or both groups.
    GroupId:
    /// Points over the prime field
    G1 = 1 => "g1",
    /// Points over the quadratic extension
    G2 = 2 => "g2",
    /// Both: the same scalars times G1 points and times G2 points
    Pair = 3 => "pair"
}

impl CurveId {
    /// The bytes of an element of the prime field.
    pub fn field_bytes(self) -> usize {
        match self {
            CurveId::Bls12_381 | CurveId::Bls12_377 => 48,
            CurveId::Bn254 => 32,
        }
    }
}

impl GroupId {
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

pub(crate) use named;
