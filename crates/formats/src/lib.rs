//! Points of elliptic curves in the files of many tools: ours, those of arkworks, gnark-crypto, snarkjs and the
//! Ethereum ecosystem. `docs/file-format.md` describes ours, `docs/formats.md` the others.
//!
//! A [`Format`] says where in a file the points are, a [`Codec`] how one of them lies in its bytes; everything else is
//! the same for all. Readers are strict: of all that a format's own tools read, they accept what these tools write, so
//! that a file that was read is written back to the same bytes.

#![warn(missing_docs)]

mod codec;
pub mod curve;
mod element;
mod error;
mod formats;
mod memory;
mod native;
mod points;

pub use codec::{Codec, Encoded, FlagBits};
pub use element::Elements;
pub use error::{FormatError, PointError};
pub use formats::{detect, Body, Format, FormatId, Section, Target, Wanted};
pub use native::{
    decode_points, decode_scalars, encode_points, encode_scalars, padding, point_bytes, Header, Kind,
    PointsFile, ScalarsFile, HEADER_BYTES,
};
pub use points::{decode, encode, Failure};

/// Evaluates an expression with `$config` bound to the arkworks configuration of one group of a curve, both known at run
/// time. The pair counts as its first group; so does any group of a curve that has one only.
#[macro_export]
macro_rules! with_curve {
    ($curve:expr, $group:expr, $config:ident => $body:expr) => {{
        use $crate::curve::{config, CurveId, GroupId};
        macro_rules! one_group {
            ($one:ty) => {{
                type $config = $one;
                $body
            }};
        }
        macro_rules! group {
            ($g1:ty, $g2:ty) => {{
                if $group == GroupId::G2 {
                    type $config = $g2;
                    $body
                } else {
                    type $config = $g1;
                    $body
                }
            }};
        }
        match $curve {
            CurveId::Bls12_381 => group!(ark_bls12_381::g1::Config, ark_bls12_381::g2::Config),
            CurveId::Bls12_377 => group!(ark_bls12_377::g1::Config, ark_bls12_377::g2::Config),
            CurveId::Bn254 => group!(ark_bn254::g1::Config, ark_bn254::g2::Config),
            CurveId::Pallas => one_group!(config::Pallas),
            CurveId::Vesta => one_group!(config::Vesta),
            CurveId::Grumpkin => one_group!(config::Grumpkin),
            CurveId::Jubjub => one_group!(config::Jubjub),
            CurveId::Bandersnatch => one_group!(config::Bandersnatch),
            CurveId::Bls24_315 => one_group!(config::Bls24_315),
            CurveId::Bw6_761 => one_group!(config::Bw6_761),
        }
    }};
}
