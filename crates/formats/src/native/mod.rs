//! The two files: points and scalars. `docs/file-format.md` describes them.
//!
//! Each file is a [`Header`] of 64 bytes and a payload of canonical little-endian integers.

mod header;
mod kind;
mod points;
mod scalars;

pub use header::Header;
pub use kind::{Kind, HEADER_BYTES};
pub(crate) use points::codec;
pub use points::{decode_points, encode_points, padding, PointsFile};
pub use scalars::{decode_scalars, encode_scalars, ScalarsFile};
