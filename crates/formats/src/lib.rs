//! Points of elliptic curves in the files of many tools: ours, those of arkworks, gnark-crypto, snarkjs and the
//! Ethereum ecosystem. `docs/file-format.md` describes ours, `docs/formats.md` the others.
//!
//! A [`Format`] says where in a file the points are, a [`Codec`] how one of them lies in its bytes; everything else is
//! the same for all. Readers are strict: of all that a format's own tools read, they accept what these tools write, so
//! that a file that was read is written back to the same bytes.

#![warn(missing_docs)]
// What a build without any curve does not call.
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
pub use coder::{coder, Coder};
pub use element::Elements;
pub use error::{FormatError, PointError};
pub use formats::{detect, Body, Format, FormatId, Section, Target, Wanted};
pub use native::{
    decode_points, decode_scalars, encode_points, encode_scalars, padding, point_bytes, Header, Kind,
    PointsFile, ScalarsFile, HEADER_BYTES,
};
pub use points::{decode, encode, Failure};
