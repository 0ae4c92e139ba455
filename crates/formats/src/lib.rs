//! Points of elliptic curves in the files of many tools: ours, arkworks, gnark-crypto, snarkjs and the Ethereum
//! ecosystem. `docs/file-format.md` describes our format, `docs/formats.md` the others.
//!
//! A [`Format`] tells the place of the points in a file, a [`Codec`] the encoding of one point; everything else is
//! the same for all. Readers are strict: they accept only files that the format's own tools write, even if these
//! tools read more. So a file that was read is written back to the same bytes.

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
pub use coder::{coder, Coder};
pub use element::Elements;
pub use error::{FormatError, PointError};
pub use formats::{detect, Body, Format, FormatId, Section, Target, Wanted};
pub use native::{
    decode_points, decode_scalars, encode_points, encode_scalars, padding, point_bytes, Header, Kind,
    PointsFile, ScalarsFile, HEADER_BYTES,
};
pub use points::{decode, encode, Failure};
