//! The catalogue: each curve with a name, once. Everything that lists curves reads it, or a test compares it.

use super::group::GroupId;
use crate::named::named;

/// Groups of a curve with a pairing, or the group of a curve with a single named group.
macro_rules! groups {
    (one) => {
        &[GroupId::G1]
    };
    (both) => {
        &[GroupId::G1, GroupId::G2, GroupId::Pair]
    };
}

/// Applies `$one` to the configuration of a curve's only group, or `$both` to the configurations of its two groups.
#[doc(hidden)]
#[macro_export]
macro_rules! __configurations {
    (one, $variant:ident, $one:ident, $both:ident) => {
        $one!($crate::config::$variant)
    };
    (both, $variant:ident, $one:ident, $both:ident) => {
        $both!($crate::config::$variant::g1::Config, $crate::config::$variant::g2::Config)
    };
}

/// Makes everything that the library knows of the curves from their entries. An entry has the variant's name, the code, and
///
/// - `name`, `about`: the name on the command line and in Python, and a line of description;
/// - `feature`: the cargo feature of this crate, and the name of a macro that takes `{ this } { or that }` and expands
///   to `this` if the build has the feature. A `cfg` in the text of an exported macro would ask for the caller's
///   feature;
/// - `snarkjs`, `gnark`, `arkworks`: the curve's names there; the name in arkworks is a crate's;
/// - `words`: the 64-bit words of a coordinate over the prime field, and of a scalar; `degree`: the degree over the prime field
///   of the coordinates of a curve with one group, if it is not 1;
/// - `prime`, `order`: the modulus of the coordinates and the order of the groups, hexadecimal;
/// - `groups`: `one` with the configuration of the only group, or `both` with the crate that has `g1::Config` and `g2::Config`.
macro_rules! catalogue {
    ($d:tt $($variant:ident = $code:literal {
        name: $name:literal,
        about: $about:literal,
        feature: $feature:literal, $when:ident;
        snarkjs: $snarkjs:expr, gnark: $gnark:expr, arkworks: $arkworks:expr;
        words: $field:literal, $scalar:literal $(, degree: $degree:literal)?;
        prime: $prime:expr,
        order: $order:expr,
        groups: $groups:ident($($config:tt)+),
    })*) => {
        /// arkworks' configurations of the curves that this build has: the configuration of a curve's only group, or
        /// the crate that has both groups as `g1::Config` and `g2::Config`.
        pub mod config {
            $(#[cfg(feature = $feature)] pub use $($config)+ as $variant;)*
        }

        /// An elliptic curve, which this build may lack ([`with_curve!`](crate::with_curve)).
        ///
        /// ```
        /// use bucketwheel::{CurveId, GroupId};
        ///
        /// let curve = CurveId::Bn254;
        /// println!("{}: {}", curve.name(), curve.about());
        /// assert_eq!((CurveId::from_code(curve.code()), curve.check()), (Some(curve), Ok(())));
        /// assert_eq!((curve.feature(), curve.arkworks_name()), ("bn254", Some("ark-bn254")));
        /// assert_eq!((curve.snarkjs_name(), curve.gnark_name()), (Some("bn128"), Some("bn254")));
        /// assert_eq!((curve.field_bytes(), curve.scalar_bytes(), curve.scalar_bits()), (32, 32, 254));
        /// assert_eq!((curve.coefficients(GroupId::G2), curve.point_bytes(GroupId::Pair)), (2, 64 + 128));
        /// assert_eq!((curve.prime().len(), curve.order().len(), curve.has_pairing()), (32, 32, true));
        /// assert_eq!(curve.groups(), [GroupId::G1, GroupId::G2, GroupId::Pair]);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CurveId {
            $(#[doc = $about] $variant = $code,)*
        }

        named!(CurveId, "curve", $($variant => $name),*);

        impl CurveId {
            /// All codes and names, for messages.
            pub const CODES: &'static str = concat!($(", ", $code, " (", $name, ")"),*).split_at(2).1;

            /// Returns a description in one line. The [example](Self) uses it.
            pub fn about(self) -> &'static str {
                match self {
                    $(CurveId::$variant => $about),*
                }
            }

            /// Returns the cargo feature of this crate that has the curve. The [example](Self) uses it.
            pub fn feature(self) -> &'static str {
                match self {
                    $(CurveId::$variant => $feature),*
                }
            }

            /// Returns the name in the files of snarkjs, if it has the curve. The [example](Self) uses it.
            pub fn snarkjs_name(self) -> Option<&'static str> {
                match self {
                    $(CurveId::$variant => $snarkjs),*
                }
            }

            /// Returns the name of the curve's `ecc.ID` in gnark-crypto, if it has one. The [example](Self) uses it.
            pub fn gnark_name(self) -> Option<&'static str> {
                match self {
                    $(CurveId::$variant => $gnark),*
                }
            }

            /// Returns the name of arkworks' crate for the curve, if there is one. The [example](Self) uses it.
            pub fn arkworks_name(self) -> Option<&'static str> {
                match self {
                    $(CurveId::$variant => $arkworks),*
                }
            }

            /// Returns the modulus of the prime field that the points are over: little-endian, in whole words. The
            /// [example](Self) uses it.
            pub fn prime(self) -> &'static [u8] {
                match self {
                    $(CurveId::$variant => {
                        const BYTES: [u8; 8 * $field] = little_endian($prime);
                        &BYTES
                    })*
                }
            }

            /// Returns the order of the groups, the modulus of the scalars: little-endian, in whole words. The
            /// [example](Self) uses it.
            pub fn order(self) -> &'static [u8] {
                match self {
                    $(CurveId::$variant => {
                        const BYTES: [u8; 8 * $scalar] = little_endian($order);
                        &BYTES
                    })*
                }
            }

            /// Returns the groups of points: both groups of a pairing and their pair, or the only group, which is
            /// called the first. The [example](Self) uses it.
            pub fn groups(self) -> &'static [GroupId] {
                match self {
                    $(CurveId::$variant => groups!($groups)),*
                }
            }

            /// Returns the coefficients of a coordinate over the prime field; of a pair, the coefficients of a coordinate
            /// in each group. The [example](Self) uses it.
            pub fn coefficients(self, group: GroupId) -> usize {
                let of_the_only_group: &[usize] = match self {
                    $(CurveId::$variant => &[$($degree)?]),*
                };
                match (of_the_only_group, group) {
                    ([degree], _) => *degree,
                    (_, GroupId::G1) => 1,
                    (_, GroupId::G2) => 2,
                    (_, GroupId::Pair) => 3,
                }
            }

            /// Returns an error if this build lacks the curve. The [example](Self) uses it.
            ///
            /// # Errors
            /// [`MissingCurve`].
            pub fn check(self) -> Result<(), MissingCurve> {
                match self {
                    $(CurveId::$variant => if cfg!(feature = $feature) { Ok(()) } else { Err(MissingCurve(self)) }),*
                }
            }
        }

        $(
            #[cfg(feature = $feature)]
            #[doc(hidden)]
            #[macro_export]
            macro_rules! $when {
                ({ $d($d this:tt)* } { $d($d that:tt)* }) => { $d($d this)* };
            }

            #[cfg(not(feature = $feature))]
            #[doc(hidden)]
            #[macro_export]
            macro_rules! $when {
                ({ $d($d this:tt)* } { $d($d that:tt)* }) => { $d($d that)* };
            }
        )*

        /// Calls the macro `$one` with the configuration of a curve's only group, or `$both` with the configurations of its two
        /// groups. Returns `Ok` of the result, or [`MissingCurve`] if this build lacks the curve.
        /// [`with_curve!`](crate::with_curve) is one such call.
        #[macro_export]
        macro_rules! match_curve {
            ($d curve:expr, $d one:ident, $d both:ident) => {
                match $d curve {
                    $($crate::CurveId::$variant => $crate::$when! {
                        {
                            ::core::result::Result::<_, $crate::MissingCurve>::Ok(
                                $crate::__configurations!($groups, $variant, $d one, $d both)
                            )
                        }
                        { ::core::result::Result::<_, $crate::MissingCurve>::Err($crate::MissingCurve($crate::CurveId::$variant)) }
                    },)*
                }
            };
        }
    };
}

catalogue! { $
    Bls12_381 = 1 {
        name: "bls12-381",
        about: "BLS12-381: Ethereum's consensus layer, Zcash, Filecoin",
        feature: "bls12-381", __if_bls12_381;
        snarkjs: Some("bls12381"), gnark: Some("bls12_381"), arkworks: Some("ark-bls12-381");
        words: 6, 4;
        prime: "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
        order: "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
        groups: both(ark_bls12_381),
    }
    Bls12_377 = 2 {
        name: "bls12-377",
        about: "BLS12-377: Aleo, Celo",
        feature: "bls12-377", __if_bls12_377;
        snarkjs: None, gnark: Some("bls12_377"), arkworks: Some("ark-bls12-377");
        words: 6, 4;
        prime: "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
        order: "12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001",
        groups: both(ark_bls12_377),
    }
    Bn254 = 3 {
        name: "bn254",
        about: "BN254: Ethereum's precompiles, most deployed SNARKs",
        feature: "bn254", __if_bn254;
        snarkjs: Some("bn128"), gnark: Some("bn254"), arkworks: Some("ark-bn254");
        words: 4, 4;
        prime: "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
        order: "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
        groups: both(ark_bn254),
    }
    Pallas = 4 {
        name: "pallas",
        about: "Pallas, of the Pasta cycle: Halo 2, Mina",
        feature: "pasta", __if_pallas;
        snarkjs: None, gnark: None, arkworks: Some("ark-pallas");
        words: 4, 4;
        prime: "40000000000000000000000000000000224698fc094cf91b992d30ed00000001",
        order: "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001",
        groups: one(ark_pallas::PallasConfig),
    }
    Vesta = 5 {
        name: "vesta",
        about: "Vesta, of the Pasta cycle",
        feature: "pasta", __if_vesta;
        snarkjs: None, gnark: None, arkworks: Some("ark-vesta");
        words: 4, 4;
        prime: "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001",
        order: "40000000000000000000000000000000224698fc094cf91b992d30ed00000001",
        groups: one(ark_vesta::VestaConfig),
    }
    Grumpkin = 6 {
        name: "grumpkin",
        about: "Grumpkin, BN254's partner: Aztec",
        feature: "bn254", __if_grumpkin;
        snarkjs: None, gnark: Some("grumpkin"), arkworks: Some("ark-grumpkin");
        words: 4, 4;
        prime: "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
        order: "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
        groups: one(ark_grumpkin::GrumpkinConfig),
    }
    Jubjub = 7 {
        name: "jubjub",
        about: "Jubjub, over the scalars of BLS12-381: Zcash",
        feature: "edwards-curves", __if_jubjub;
        snarkjs: None, gnark: None, arkworks: Some("ark-ed-on-bls12-381");
        words: 4, 4;
        prime: "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
        order: "0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7",
        groups: one(ark_ed_on_bls12_381::JubjubConfig),
    }
    Bandersnatch = 8 {
        name: "bandersnatch",
        about: "Bandersnatch, over the scalars of BLS12-381, with an endomorphism: Ethereum's Verkle trees",
        feature: "edwards-curves", __if_bandersnatch;
        snarkjs: None, gnark: None, arkworks: Some("ark-ed-on-bls12-381-bandersnatch");
        words: 4, 4;
        prime: "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
        order: "1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1",
        groups: one(ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig),
    }
    Bls24_315 = 9 {
        name: "bls24-315",
        about: "The first group of BLS24-315, the inner curve of a chain",
        feature: "bls24-315", __if_bls24_315;
        snarkjs: None, gnark: Some("bls24_315"), arkworks: None;
        words: 5, 4;
        prime: "04c23a02b586d650d3f7498be97c5eafdec1d01aa27a1ae0421ee5da52bde5026fe802ff40300001",
        order: "196deac24a9da12b25fc7ec9cf927a98c8c480ece644e36419d0c5fd00c00001",
        groups: one(crate::bls24_315::G1),
    }
    Bw6_761 = 10 {
        name: "bw6-761",
        about: "The first group of BW6-761, the outer curve of BLS12-377",
        feature: "bw6-761", __if_bw6_761;
        snarkjs: None, gnark: Some("bw6_761"), arkworks: Some("ark-bw6-761");
        words: 12, 6;
        prime: concat!(
            "0122e824fb83ce0ad187c94004faff3eb926186a81d14688528275ef8087be41707ba638e584e91903cebaff25b42304",
            "8689c8ed12f9fd9071dcd3dc73ebff2e98a116c25667a8f8160cf8aeeaf0a437e6913e6870000082f49d00000000008b"
        ),
        order: "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
        groups: one(ark_bw6_761::g1::Config),
    }
    Tweedledum = 11 {
        name: "tweedledum",
        about: "Tweedledum, of Tweedle's cycle",
        feature: "tweedle", __if_tweedledum;
        snarkjs: None, gnark: None, arkworks: None;
        words: 4, 4;
        prime: "40000000000000000000000000000000038aa1276c3f59b9a14064e200000001",
        order: "40000000000000000000000000000000038aa127696286c9842cafd400000001",
        groups: one(crate::tweedle::Tweedledum),
    }
    Tweedledee = 12 {
        name: "tweedledee",
        about: "Tweedledee, of Tweedle's cycle",
        feature: "tweedle", __if_tweedledee;
        snarkjs: None, gnark: None, arkworks: None;
        words: 4, 4;
        prime: "40000000000000000000000000000000038aa127696286c9842cafd400000001",
        order: "40000000000000000000000000000000038aa1276c3f59b9a14064e200000001",
        groups: one(crate::tweedle::Tweedledee),
    }
    Mnt4_298 = 13 {
        name: "mnt4-298",
        about: "The first group of MNT4-298, of a cycle with MNT6-298",
        feature: "mnt", __if_mnt4_298;
        snarkjs: None, gnark: None, arkworks: Some("ark-mnt4-298");
        words: 5, 5;
        prime: "000003bcf7bcd473a266249da7b0548ecaeec9635d1330ea41a9e35e51200e12c90cd65a71660001",
        order: "000003bcf7bcd473a266249da7b0548ecaeec9635cf44194fb494c07925d6ad3bb4334a400000001",
        groups: one(ark_mnt4_298::g1::Config),
    }
    Mnt6_298 = 14 {
        name: "mnt6-298",
        about: "The first group of MNT6-298, of a cycle with MNT4-298",
        feature: "mnt", __if_mnt6_298;
        snarkjs: None, gnark: None, arkworks: Some("ark-mnt6-298");
        words: 5, 5;
        prime: "000003bcf7bcd473a266249da7b0548ecaeec9635cf44194fb494c07925d6ad3bb4334a400000001",
        order: "000003bcf7bcd473a266249da7b0548ecaeec9635d1330ea41a9e35e51200e12c90cd65a71660001",
        groups: one(ark_mnt6_298::g1::Config),
    }
    Mnt4_753 = 15 {
        name: "mnt4-753",
        about: "The first group of MNT4-753, of a cycle with MNT6-753",
        feature: "mnt", __if_mnt4_753;
        snarkjs: None, gnark: None, arkworks: Some("ark-mnt4-753");
        words: 12, 12;
        prime: concat!(
            "0001c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79",
            "db117e776f218059db80f0da5cb537e38685acce9767254a4638810719ac425f0e39d54522cdd119f5e9063de245e8001"
        ),
        order: concat!(
            "0001c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79",
            "db26c5c28c859a99b3eebca9429212636b9dff97634993aa4d6c381bc3f0057974ea099170fa13a4fd90776e240000001"
        ),
        groups: one(ark_mnt4_753::g1::Config),
    }
    Mnt6_753 = 16 {
        name: "mnt6-753",
        about: "The first group of MNT6-753, of a cycle with MNT4-753",
        feature: "mnt", __if_mnt6_753;
        snarkjs: None, gnark: None, arkworks: Some("ark-mnt6-753");
        words: 12, 12;
        prime: concat!(
            "0001c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79",
            "db26c5c28c859a99b3eebca9429212636b9dff97634993aa4d6c381bc3f0057974ea099170fa13a4fd90776e240000001"
        ),
        order: concat!(
            "0001c4c62d92c41110229022eee2cdadb7f997505b8fafed5eb7e8f96c97d87307fdb925e8a0ed8d99d124d9a15af79",
            "db117e776f218059db80f0da5cb537e38685acce9767254a4638810719ac425f0e39d54522cdd119f5e9063de245e8001"
        ),
        groups: one(ark_mnt6_753::g1::Config),
    }
    Bw6_761G2 = 17 {
        name: "bw6-761-g2",
        about: "The second group of BW6-761, over the same prime as the first",
        feature: "bw6-761-g2", __if_bw6_761_g2;
        snarkjs: None, gnark: None, arkworks: None;
        words: 12, 6;
        prime: concat!(
            "0122e824fb83ce0ad187c94004faff3eb926186a81d14688528275ef8087be41707ba638e584e91903cebaff25b42304",
            "8689c8ed12f9fd9071dcd3dc73ebff2e98a116c25667a8f8160cf8aeeaf0a437e6913e6870000082f49d00000000008b"
        ),
        order: "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
        groups: one(ark_bw6_761::g2::Config),
    }
    Bls24_315G2 = 18 {
        name: "bls24-315-g2",
        about: "The second group of BLS24-315, over the extension of degree four",
        feature: "bls24-315-g2", __if_bls24_315_g2;
        snarkjs: None, gnark: None, arkworks: None;
        words: 5, 4, degree: 4;
        prime: "04c23a02b586d650d3f7498be97c5eafdec1d01aa27a1ae0421ee5da52bde5026fe802ff40300001",
        order: "196deac24a9da12b25fc7ec9cf927a98c8c480ece644e36419d0c5fd00c00001",
        groups: one(crate::bls24_315::G2),
    }
}

impl CurveId {
    /// Returns the code in files and in C. The [example](Self) uses it.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns the curve of a code. The [example](Self) uses it.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|curve| curve.code() == code)
    }

    /// Returns the bytes of an element of the prime field that the points are over, in whole words. The [example](Self)
    /// uses it.
    pub fn field_bytes(self) -> usize {
        self.prime().len()
    }

    /// Returns the bytes of a point of integers, x and y; of a pair, the bytes of both points. The [example](Self) uses it.
    pub fn point_bytes(self, group: GroupId) -> usize {
        2 * self.coefficients(group) * self.field_bytes()
    }

    /// Returns the bytes of a scalar, in whole words. The [example](Self) uses it.
    pub fn scalar_bytes(self) -> usize {
        self.order().len()
    }

    /// Returns the bits of the groups' order. The [example](Self) uses it.
    pub fn scalar_bits(self) -> u32 {
        let order = self.order();
        let zeros: u32 = order
            .iter()
            .rev()
            .scan(true, |leading, byte| {
                let zeros = leading.then_some(byte.leading_zeros());
                *leading &= *byte == 0;
                zeros
            })
            .sum();
        8 * order.len() as u32 - zeros
    }

    /// Returns true if the curve has a pairing. The [example](Self) uses it.
    pub fn has_pairing(self) -> bool {
        self.groups().contains(&GroupId::Pair)
    }
}

/// The error of a curve that this build lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this build has no {0}: expected one with its feature, {feature}; build again with that", feature = .0.feature())]
pub struct MissingCurve(pub CurveId);

/// Returns the bytes of a hexadecimal number, the lowest first. It must have two digits for each byte. The crate `hex` does not
/// decode in constants, and the macro of `hex-literal` takes no `concat!`, which the longest prime needs.
const fn little_endian<const N: usize>(hexadecimal: &str) -> [u8; N] {
    const fn digit(character: u8) -> u8 {
        match character {
            b'0'..=b'9' => character - b'0',
            b'a'..=b'f' => character - b'a' + 10,
            _ => panic!("expected a hexadecimal digit"),
        }
    }
    let digits = hexadecimal.as_bytes();
    assert!(digits.len() == 2 * N, "expected two digits for each byte");
    let mut bytes = [0; N];
    let mut at = 0;
    while at < N {
        let high = 2 * (N - 1 - at);
        bytes[at] = digit(digits[high]) << 4 | digit(digits[high + 1]);
        at += 1;
    }
    bytes
}

/// Evaluates an expression with `$config` bound to the arkworks configuration of one group of a curve. Curve and group
/// are known at run time only. Returns `Ok` of the expression, or [`MissingCurve`] if this build lacks the curve. The
/// pair counts as its first group, and so does any group of a curve with one group only.
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
