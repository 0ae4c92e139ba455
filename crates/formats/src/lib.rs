//! Points of elliptic curves in the files of many tools: ours, arkworks, gnark-crypto, snarkjs and the Ethereum
//! ecosystem. `docs/file-format.md` describes our format, `docs/formats.md` the others.
//!
//! A [`Format`] tells the place of the points in a file, a [`Codec`] the encoding of one point. All other code is shared.
//! Readers are strict: they accept only files that the format's own tools write, even if these tools read more. So a file
//! that was read is written back to the same bytes.
//!
//! ```
//! use bucketwheel::{Check, CurveId, GroupId};
//! use bucketwheel_formats::{coder, detect, FormatId, Target, Wanted};
//!
//! // A file of gnark-crypto with one point, BN254's generator of G1.
//! let (curve, group) = (CurveId::Bn254, GroupId::G1);
//! let generator = [1u64, 0, 0, 0, 2, 0, 0, 0].map(u64::to_le_bytes);
//! let format = FormatId::GnarkCompressed.format();
//! let mut file = format.start(Target { curve, group, section: None, count: 1 })?;
//! let codec = format.codec(curve, group).expect("a group of the format");
//! let points = coder(curve, group)?.encode(&codec, generator.as_flattened()).expect("points of the group");
//! file.extend(format.wrap(points, codec.bytes(curve, group))?);
//!
//! // The bytes tell format, curve and group.
//! let (found, wanted) = detect(&file, Wanted::default())?;
//! let body = found.format().open(&file, wanted)?;
//! assert_eq!((found, body.curve, body.count()), (FormatId::GnarkCompressed, curve, 1));
//! let points = coder(body.curve, body.group)?.decode(&body.codec, &body.bytes, Check::Subgroup);
//! assert_eq!(points.expect("points of the group"), generator.as_flattened());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Types instead of names
//! A program that knows its curve reads and writes typed points and scalars.
//! ```
//! use ark_bn254::{g1::Config, Fr, G1Affine};
//! use ark_ec::AffineRepr;
//! use bucketwheel::{Check, CurveId, GroupId};
//! use bucketwheel_formats::*;
//! // A points file in our format.
//! let (curve, group) = (CurveId::Bn254, GroupId::G1);
//! let points = [G1Affine::generator(); 3];
//! let mut file = Header { curve, group: Some(group), count: 3 }.encode().to_vec();
//! encode_points::<Config>(&points, &mut file)?;
//! assert_eq!(file.len(), HEADER_BYTES + 3 * curve.point_bytes(group));
//! assert_eq!(decode_points::<Config>(group, PointsFile::parse(&file)?.g1)?, points);
//! // A scalars file in our format.
//! let scalars = [1u64, 2, 3].map(ark_ff::BigInt::<4>::from);
//! let mut file = Header { curve, group: None, count: 3 }.encode().to_vec();
//! encode_scalars(&scalars, &mut file)?;
//! assert_eq!(decode_scalars::<Fr>(ScalarsFile::parse(&file)?.payload)?.as_ref(), scalars);
//! // The points in another format.
//! let codec = FormatId::GnarkCompressed.format().codec(curve, group).expect("a group of the format");
//! let bytes = encode(&codec, &points).expect("points of the group");
//! assert_eq!(bytes.len(), 3 * codec.bytes(curve, group));
//! assert_eq!(decode::<Config>(&codec, &bytes, Check::Subgroup).expect("points of the group"), points);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where changes go
//! - A format: its file in `formats/`, and a line each in `id.rs` and `mod.rs` there. Our own files: `native/`.
//! - The encoding of one point: `codec.rs`; many points, by all threads: `points.rs`.
//! - The format of a file that names none: `formats/detect.rs`; an error: `error.rs`.

#![warn(missing_docs)]
// A build without any curve does not call everything.
#![cfg_attr(not(feature = "all-curves"), allow(unused))]

mod codec;
mod coder;
mod element;
mod error;
mod formats;
mod memory;
mod named;
mod native;
mod points;

pub use codec::{Codec, Encoded, FlagBits};
pub use coder::{coder, coder_of, Coder};
pub use element::Elements;
pub use error::{FormatError, PointError};
pub use formats::{detect, Body, Format, FormatId, Section, Target, Wanted};
pub use native::{
    decode_points, decode_scalars, encode_points, encode_scalars, padding, Header, Kind, PointsFile,
    ScalarsFile, HEADER_BYTES,
};
pub use points::{decode, encode, Failure};
