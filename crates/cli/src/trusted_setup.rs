//! Ethereum's trusted setup.
//!
//! A commitment is `sum d_i L_i(tau) G` with the data's field elements `d_i` and the setup's points
//! `L_i(tau) G`; data element i belongs to the point whose index has i's bits in reverse.

use bucketwheel::{BasesOptions, Check, CurveId, GroupId};
use bucketwheel_dynamic::{group, groups, AnyPoints, DynBases};

use crate::error::{own, Error};
use crate::format::{Codec, Failure, FormatId, Section, Wanted};
use crate::output::hexadecimal;

/// The points of the setup.
pub const POINTS: usize = 4096;
/// Bytes of a compressed point.
pub const COMPRESSED_BYTES: usize = 48;
/// Bytes of a point as integers.
pub const INTEGERS_BYTES: usize = 96;

/// Compressed points of G1 in Lagrange form, of the setup; see data/README.md and build.rs.
const COMPRESSED: &[u8; POINTS * COMPRESSED_BYTES] =
    include_bytes!(concat!(env!("OUT_DIR"), "/trusted_setup.bin"));

/// Returns the beginning of the setup's original text: the numbers of points, and the points of G1 in Lagrange form.
pub fn text() -> Vec<u8> {
    let lines: String = COMPRESSED.chunks(COMPRESSED_BYTES).map(|point| hexadecimal(point) + "\n").collect();
    format!("{POINTS}\n65\n{lines}").into()
}

/// The setup does not parse.
#[derive(Debug, thiserror::Error)]
#[error("the trusted setup is damaged: {0}; restore crates/cli/data/trusted_setup.txt and build again")]
struct Damaged(String);

/// Points of G1 in Lagrange form, in the order of the data.
pub struct Setup {
    /// The bytes of the file, in the order of the data.
    pub compressed: Vec<[u8; COMPRESSED_BYTES]>,
    /// The points as integers, checked to lie in the prime-order subgroup.
    pub points: Vec<u8>,
}

impl Setup {
    /// Reads and checks the setup.
    ///
    /// # Errors
    /// For anything unexpected.
    pub fn load() -> Result<Self, Error> {
        Self::new(COMPRESSED)
    }

    /// Reads the text of a setup of `count` points, a power of two.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn parse(text: &str, count: usize) -> Result<Self, Error> {
        let wanted = Wanted { section: Some(Section::G1Lagrange), ..Wanted::default() };
        let body = FormatId::Kzg.format().open(text.as_bytes(), wanted);
        let body = body.map_err(|error| own(Damaged(error.to_string())))?;
        if body.count() != count {
            return Err(own(Damaged(format!("{} points: expected {count}", body.count()))));
        }
        Self::new(&body.bytes)
    }

    fn new(compressed: &[u8]) -> Result<Self, Error> {
        let group = group(CurveId::Bls12_381, GroupId::G1)?;
        let points = group.decode(&codec(), compressed, Check::Subgroup).map_err(failed)?;
        let (compressed, _) = compressed.as_chunks::<COMPRESSED_BYTES>();
        Ok(Setup {
            compressed: by_data(compressed),
            points: by_data(points.as_chunks::<INTEGERS_BYTES>().0).into_flattened(),
        })
    }

    /// Returns the prepared points.
    ///
    /// # Errors
    /// The engine's errors.
    pub fn prepare(&self, options: BasesOptions<'_>) -> Result<Box<dyn DynBases>, Error> {
        prepare(&self.points, options)
    }
}

/// Prepares points in the order of the data.
///
/// # Errors
/// The engine's errors.
pub fn prepare(points: &[u8], options: BasesOptions<'_>) -> Result<Box<dyn DynBases>, Error> {
    let groups = groups(CurveId::Bls12_381, GroupId::G1)?;
    Ok(groups.prepare(options, &[AnyPoints::integers(points)])?)
}

/// Arranges points, a power of two in number, in the order of the data elements that they belong to.
pub fn by_data<T: Copy>(points: &[T]) -> Vec<T> {
    let bits = points.len().trailing_zeros();
    (0..points.len()).map(|i| points[i.reverse_bits().rotate_left(bits)]).collect()
}

fn codec() -> Codec {
    let codec = FormatId::ZcashCompressed.format().codec(CurveId::Bls12_381, GroupId::G1);
    codec.expect("the format's curve")
}

fn failed(failure: Failure) -> Error {
    match failure {
        Failure::Point(index, reason) => own(Damaged(format!("point {index} {reason}"))),
        Failure::Engine(error) => error.into(),
    }
}

/// Returns a commitment, a point as integers, in its published form of 48 bytes.
///
/// # Errors
/// The engine's errors.
pub fn compress(commitment: &[u8]) -> Result<Vec<u8>, Error> {
    let group = group(CurveId::Bls12_381, GroupId::G1)?;
    group.encode(&codec(), commitment).map_err(failed)
}
