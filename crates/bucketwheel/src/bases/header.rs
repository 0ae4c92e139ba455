//! The header of a table file: the kind of the points behind it, and the builds that can read them.

use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::{Field, PrimeField};
use bucketwheel_lanes::Backend;

use crate::curve::{endomorphism, CoordinateField, Curve};
use crate::digits::largest::Largest;
use crate::digits::table::{Multiples, Table};
use crate::error::{TableError, TABLE_VERSION as VERSION};
use crate::plan::table::magnitude_bits;
use crate::scalars::{Split, PARTS};
use crate::schedule::Ref;
use crate::Error;

/// Length of the header in bytes. The bytes behind it have the alignment of the file.
pub(crate) const HEADER_BYTES: usize = 128;
/// Word that shows the order of its bytes.
const ORDER: u64 = 0x0102_0304_0506_0708;

/// Header of a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The instruction set whose layout the points have.
    pub backend: Backend,
    /// Number of points.
    pub points: usize,
    /// Number of copies of the points.
    pub copies: usize,
    /// Bits from one copy to the next.
    pub step: u32,
    /// Multiples of each copy: 1, 3 for the bucket-set construction, k + 1 for a table of the k largest digits.
    pub multiples: usize,
    /// Bits of the windows to whose largest digits the multiples belong; 0 for other multiples.
    pub digits_of: u32,
    /// The fingerprint of the points, the same for every backend and table ([`Bases::fingerprint`](crate::Bases)).
    pub fingerprint: u64,
    pub(super) curve: u64,
    /// Digest of all copies.
    pub(super) digest: u64,
    pub(super) point_bytes: u32,
    pub(super) in_subgroup: bool,
    pub(super) images: bool,
    pub(super) halves: bool,
}

impl TableHeader {
    /// Returns true if a file starts as a table file does. The [example](crate::BasesOptions) uses it.
    pub fn is_table(file: &[u8]) -> bool {
        file.starts_with(MAGIC)
    }

    /// Reads the header of a file. Its points are looked at when they are [loaded](crate::BasesOptions::load).
    /// The [example](crate::BasesOptions) uses it.
    ///
    /// # Errors
    /// [`TableError`], for any fault of the header.
    pub fn parse(file: &[u8]) -> Result<Self, TableError> {
        let damaged = |expected| TableError::Header { expected };
        if !Self::is_table(file) {
            return Err(TableError::Magic);
        }
        let Some(bytes) = file.first_chunk::<HEADER_BYTES>() else {
            return Err(TableError::Length { expected: HEADER_BYTES as u128, actual: file.len() });
        };
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let half = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if half(8) != VERSION {
            return Err(TableError::Version { found: half(8) });
        }
        if u64::from_ne_bytes(std::array::from_fn(|i| bytes[64 + i])) != ORDER {
            return Err(TableError::ByteOrder);
        }
        if word(120) != checksum(&bytes[..120]) {
            return Err(damaged("its checksum"));
        }
        let backend = Backend::from_code(bytes[12]).ok_or(damaged("the code of a backend"))?;
        if bytes[13] > 7 || bytes[15..16].iter().chain(&bytes[72..120]).any(|&byte| byte != 0) {
            return Err(damaged("zeros in unused bytes"));
        }
        Ok(TableHeader {
            backend,
            points: usize::try_from(word(24))
                .map_err(|_| damaged("a number of points that can be numbered"))?,
            copies: half(32) as usize,
            step: half(36),
            multiples: half(44) as usize,
            digits_of: u32::from(bytes[14]),
            fingerprint: word(48),
            curve: word(16),
            digest: word(56),
            point_bytes: half(40),
            in_subgroup: bytes[13] & 1 == 1,
            images: bytes[13] & 2 == 2,
            halves: bytes[13] & 4 == 4,
        })
    }

    /// Returns the bytes of the header.
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12] = self.backend.code();
        bytes[13] = u8::from(self.in_subgroup) | u8::from(self.images) << 1 | u8::from(self.halves) << 2;
        bytes[14] = self.digits_of as u8;
        bytes[16..24].copy_from_slice(&self.curve.to_le_bytes());
        bytes[24..32].copy_from_slice(&(self.points as u64).to_le_bytes());
        bytes[32..36].copy_from_slice(&(self.copies as u32).to_le_bytes());
        bytes[36..40].copy_from_slice(&self.step.to_le_bytes());
        bytes[40..44].copy_from_slice(&self.point_bytes.to_le_bytes());
        bytes[44..48].copy_from_slice(&(self.multiples as u32).to_le_bytes());
        bytes[48..56].copy_from_slice(&self.fingerprint.to_le_bytes());
        bytes[56..64].copy_from_slice(&self.digest.to_le_bytes());
        bytes[64..72].copy_from_slice(&ORDER.to_ne_bytes());
        let checksum = checksum(&bytes[..120]);
        bytes[120..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Returns true if the points are of this curve and group. The [example](crate::BasesOptions) uses it.
    pub fn is_of<C: Curve>(&self) -> bool {
        self.curve == curve_code::<C>()
    }

    /// Returns the table and the split of scalars over it, after checking that all of the header fits together and fits
    /// `len` bytes of file.
    pub(super) fn table<C: Curve>(&self, len: usize) -> Result<(Table, Option<&'static Split>), Error> {
        let damaged = |expected| TableError::Header { expected };
        if !self.is_of::<C>() {
            return Err(TableError::Curve.into());
        }
        let endomorphism = endomorphism::<C>().filter(|_| self.images || self.halves);
        if (self.images || self.halves) && (endomorphism.is_none() || !self.in_subgroup) {
            return Err(damaged("halves of scalars only for points of the prime-order subgroup").into());
        }
        if self.images && self.halves {
            return Err(damaged("halves of scalars with images of points or without, not both").into());
        }
        let split = endomorphism.map(|endomorphism| &endomorphism.split);
        let multiples = match (self.multiples, self.digits_of) {
            (1, 0) => Some(Multiples::One),
            (3, 0) => Some(Multiples::BucketSet),
            (0, _) | (_, 0) => None,
            (count, width) => Largest::new(count - 1, width).ok().map(Multiples::Largest),
        };
        let multiples = multiples.filter(|multiples| multiples.count() == self.multiples);
        let multiples = multiples.ok_or(damaged("multiples of a known kind"))?;
        let stride = self.points as u128 * if self.images { PARTS as u128 } else { 1 };
        // The factors have at most 65, 32 and 10 bits.
        let inputs = stride * self.copies as u128 * self.multiples as u128;
        if self.copies == 0 || inputs > Ref::MAX_INDEX as u128 {
            return Err(damaged("a number of points and copies that can be numbered").into());
        }
        let bits = magnitude_bits::<C::ScalarField>(self.in_subgroup, split);
        let table =
            Table { halves: self.halves, ..Table::new(bits, self.copies, multiples, stride as usize) };
        if (table.copies, table.step) != (self.copies, self.step) {
            return Err(damaged("steps that cover the scalars").into());
        }
        if self.point_bytes as usize != C::BaseField::engine(self.backend)?.point_bytes() {
            return Err(damaged("the size of the backend's points").into());
        }
        let expected = HEADER_BYTES as u128 + inputs * u128::from(self.point_bytes);
        if len as u128 != expected {
            return Err(TableError::Length { expected, actual: len }.into());
        }
        Ok((table, split))
    }
}

const MAGIC: &[u8; 8] = b"BWTABLES";

/// Computes the FNV-1a hash, which finds damage, not intent.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns a number that identifies a curve and group, from the moduli, the degree and the coefficient b.
pub(super) fn curve_code<C: Curve>() -> u64 {
    let prime = <<C::BaseField as Field>::BasePrimeField as PrimeField>::MODULUS;
    let order = C::ScalarField::MODULUS;
    let words = prime.as_ref().iter().chain(order.as_ref());
    let b = <C as SWCurveConfig>::COEFF_B.to_words();
    let bytes = words.chain(C::BaseField::as_words(&b)).flat_map(|word| word.to_le_bytes());
    checksum(&bytes.collect::<Vec<u8>>())
}

/// Returns the part of one point in the digest of all points. The digest is the sum of all parts.
pub(super) fn part<F: CoordinateField>(index: usize, coordinates: &[F::Words; 2]) -> u64 {
    let words = coordinates.iter().flat_map(F::as_words);
    words.fold(index as u64 ^ ORDER, |hash, &word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    })
}
