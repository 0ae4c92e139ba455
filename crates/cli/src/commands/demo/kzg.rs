//! Ethereum's trusted setup and the data to commit to.
//!
//! A commitment is `sum d_i L_i(tau) G` with the data's field elements `d_i` and the setup's points
//! `L_i(tau) G`; data element i belongs to the point whose index has i's bits in reverse.

use std::path::{Path, PathBuf};

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::{BigInt, PrimeField};
use ark_serialize::CanonicalSerialize;
use bucketwheel::Check;

use crate::error::Error;
use crate::files;
use crate::format::{decode, Failure, FormatId, Section, Wanted};
use crate::output::visible;

/// The points of the setup.
pub const POINTS: usize = 4096;
/// Bytes of a compressed point.
pub const COMPRESSED_BYTES: usize = 48;
/// Bytes of data in a field element: any 31 bytes are below the order.
const ELEMENT_BYTES: usize = 31;
/// The most data that one commitment covers.
const MAX_BYTES: usize = POINTS * ELEMENT_BYTES;

/// The setup's text, see data/README.md.
pub const SETUP: &str = include_str!("../../../data/trusted_setup.txt");

/// The setup's G1 points in Lagrange form, in the order of the data.
pub struct Setup {
    /// As they are in the file, but for the order.
    pub compressed: Vec<[u8; COMPRESSED_BYTES]>,
    /// Checked to lie in the prime-order subgroup.
    pub points: Vec<G1Affine>,
}

impl Setup {
    /// Reads and checks the setup.
    ///
    /// # Errors
    /// [`Error::Setup`] for anything unexpected.
    pub fn load() -> Result<Self, Error> {
        Self::parse(SETUP, POINTS)
    }

    /// Reads the text of a setup of `count` points, a power of two.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn parse(text: &str, count: usize) -> Result<Self, Error> {
        let wanted = Wanted { section: Some(Section::G1Lagrange), ..Wanted::default() };
        let body = FormatId::Kzg.format().open(text.as_bytes(), wanted);
        let body = body.map_err(|error| Error::Setup(error.to_string()))?;
        if body.count() != count {
            return Err(Error::Setup(format!("{} points: expected {count}", body.count())));
        }
        let in_file: Vec<G1Affine> =
            decode(&body.codec, &body.bytes, Check::Subgroup).map_err(|failure| match failure {
                Failure::Point(index, reason) => Error::Setup(format!("point {index} {reason}")),
                Failure::Engine(error) => error.into(),
            })?;
        let reverse = |i: usize| i.reverse_bits().rotate_left(count.trailing_zeros());
        let (in_file_compressed, _) = body.bytes.as_chunks::<COMPRESSED_BYTES>();
        Ok(Setup {
            compressed: (0..count).map(|i| in_file_compressed[reverse(i)]).collect(),
            points: (0..count).map(|i| in_file[reverse(i)]).collect(),
        })
    }
}

/// The 48 bytes in which commitments are published.
pub fn compress(point: G1Projective) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(COMPRESSED_BYTES);
    point.into_affine().serialize_compressed(&mut bytes).expect("memory takes all bytes");
    bytes
}

/// Data to commit to.
pub struct Blob {
    bytes: Vec<u8>,
    path: Option<PathBuf>,
}

impl Blob {
    /// The file's bytes; without a file, as much as fits of the setup's own text.
    ///
    /// # Errors
    /// If the file cannot be read or does not fit.
    pub fn load(path: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = path else {
            return Ok(Blob { bytes: SETUP.as_bytes()[..MAX_BYTES].into(), path: None });
        };
        let bytes =
            files::read(path, MAX_BYTES, "a file to commit to, no longer than one commitment covers")?;
        Ok(Blob { bytes, path: Some(path.into()) })
    }

    /// Description of the data: its length and its file.
    pub fn description(&self) -> String {
        let name = self.path.as_ref().map(|path| visible(path.display()));
        let name = name.unwrap_or("the beginning of the trusted setup's own file".into());
        format!("{} bytes, {name}", self.bytes.len())
    }

    /// The data as field elements: 31 bytes each, the most significant first, and zeros to the end.
    pub fn scalars(&self) -> Vec<BigInt<4>> {
        let element = |chunk: &[u8]| {
            let mut bytes = [0; ELEMENT_BYTES];
            bytes[..chunk.len()].copy_from_slice(chunk);
            Fr::from_be_bytes_mod_order(&bytes).into_bigint()
        };
        let mut scalars: Vec<_> = self.bytes.chunks(ELEMENT_BYTES).map(element).collect();
        scalars.resize(POINTS, BigInt::zero());
        scalars
    }
}
