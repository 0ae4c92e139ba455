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
    Bn254 = 3 => "bn254",
    /// Pallas, of the Pasta cycle: Halo 2, Mina
    Pallas = 4 => "pallas",
    /// Vesta, of the Pasta cycle
    Vesta = 5 => "vesta",
    /// Grumpkin, BN254's partner: Aztec
    Grumpkin = 6 => "grumpkin",
    /// Jubjub, over the scalars of BLS12-381: Zcash
    Jubjub = 7 => "jubjub",
    /// Bandersnatch, over the scalars of BLS12-381, with an endomorphism: Ethereum's Verkle trees
    Bandersnatch = 8 => "bandersnatch",
    /// The first group of BLS24-315, the inner curve of a chain
    Bls24_315 = 9 => "bls24-315",
    /// The first group of BW6-761, the outer curve of BLS12-377
    Bw6_761 = 10 => "bw6-761"
}

/// arkworks' configurations of the curves with one group.
pub mod config {
    pub use ark_bw6_761::g1::Config as Bw6_761;
    pub use ark_ed_on_bls12_381::JubjubConfig as Jubjub;
    pub use ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig as Bandersnatch;
    pub use ark_grumpkin::GrumpkinConfig as Grumpkin;
    pub use ark_pallas::PallasConfig as Pallas;
    pub use ark_vesta::VestaConfig as Vesta;
    pub use bucketwheel::bls24_315::G1 as Bls24_315;
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
            CurveId::Bls24_315 => 40,
            CurveId::Bw6_761 => 96,
            _ => 32,
        }
    }

    /// The bytes of a scalar.
    pub fn scalar_bytes(self) -> usize {
        match self {
            CurveId::Bw6_761 => 48,
            _ => 32,
        }
    }

    /// The groups of points: those of a pairing and both together, or one, which is called the first.
    pub fn groups(self) -> &'static [GroupId] {
        match self {
            CurveId::Bls12_381 | CurveId::Bls12_377 | CurveId::Bn254 => GroupId::ALL,
            _ => &[GroupId::G1],
        }
    }

    /// Whether it has a pairing.
    pub fn has_pairing(self) -> bool {
        self.groups().contains(&GroupId::Pair)
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
