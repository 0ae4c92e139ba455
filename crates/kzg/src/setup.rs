//! The trusted setup, and the tables and transforms that are made of it once.

use std::fmt::{self, Debug};

use ark_bls12_381::{g1::Config, Fr, G1Affine, G1Projective, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, FftField};
use ark_serialize::CanonicalDeserialize;
use bucketwheel::{default_backend, Bases, Groups};
use bucketwheel_transform::Ntt;

use crate::bytes::read_points;
use crate::points::transform;
use crate::sizes::{BYTES_PER_POINT, CELLS, ELEMENTS, ELEMENTS_PER_CELL, LEAST_CELLS};
use crate::Error;

/// Width of the tables of the points of proofs: 64 odd multiples of each point, 64 MiB in all.
const WIDTH: u32 = 7;

/// Logarithms of the numbers of elements of a cell, cells of a blob, elements of a blob, and values of an extended blob.
pub const LOG_CELL: u32 = ELEMENTS_PER_CELL.ilog2();
pub const LOG_CELLS: u32 = CELLS.ilog2();
pub const LOG_ELEMENTS: u32 = ELEMENTS.ilog2();
pub const LOG_EXTENDED: u32 = LOG_ELEMENTS + 1;

/// A trusted setup, ready for the calls of this crate. Any number of threads can use one value at the same time.
///
/// It has a table of 64 MiB, which takes most of the time of [`read`](Self::read).
pub struct Settings {
    /// Powers of the secret in G1: `s^i G`.
    pub(crate) powers: Bases<Config>,
    /// The first powers, for the values of a cell.
    pub(crate) cell_powers: Bases<Config>,
    /// `s^64` in G2.
    pub(crate) power_in_g2: G2Affine,
    /// The points of the sums of FK20: for each value of the transform, one point for each place in a cell.
    pub(crate) columns: Groups<Config>,
    /// Transforms of the values of a cell, of the coefficients of a column, of a blob, and of an extended blob.
    pub(crate) of_cell: Ntt<Fr>,
    pub(crate) of_column: Ntt<Fr>,
    pub(crate) of_blob: Ntt<Fr>,
    pub(crate) of_extended: Ntt<Fr>,
}

impl Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// The powers of the secret of Ethereum's ceremony in G1, and its power 64 in G2, compressed: from c-kzg-4844's `trusted_setup.txt`.
static ETHEREUM: &[u8; ELEMENTS * BYTES_PER_POINT + 2 * BYTES_PER_POINT] = include_bytes!("ethereum.bin");

impl Settings {
    /// Returns Ethereum's trusted setup, which this crate contains. See the [example](crate).
    ///
    /// # Errors
    /// [`Error::Engine`].
    pub fn ethereum() -> Result<Self, Error> {
        let (in_g1, in_g2) = ETHEREUM.split_at(ELEMENTS * BYTES_PER_POINT);
        let in_g1: Vec<_> =
            in_g1.chunks_exact(BYTES_PER_POINT).map(|point| point.try_into().expect("48 bytes")).collect();
        Self::decompress(&in_g1, in_g2)
    }

    /// Reads a trusted setup in c-kzg-4844's format, the file `trusted_setup.txt`: the numbers 4096 and 65, and in hexadecimal 4096 points
    /// of G1 in Lagrange form, 65 powers of the secret in G2, and 4096 powers in G1. The powers are checked, and the points in
    /// Lagrange form are not used.
    ///
    /// # Errors
    /// [`Error::Setup`], [`Error::Engine`].
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut words = text.split_ascii_whitespace();
        let mut next = |what: &str| words.next().ok_or_else(|| Error::Setup(format!("ends before {what}")));
        for (what, expected) in [("points in G1", ELEMENTS), ("points in G2", ELEMENTS_PER_CELL + 1)] {
            let count = next(&format!("the number of {what}"))?;
            if count.parse() != Ok(expected) {
                return Err(Error::Setup(format!("{count} {what}, and Ethereum has {expected}")));
            }
        }
        for index in 0..ELEMENTS {
            next(&format!("Lagrange point {index}"))?;
        }
        let mut in_g2 = Vec::with_capacity(ELEMENTS_PER_CELL + 1);
        for index in 0..=ELEMENTS_PER_CELL {
            let what = format!("power {index} in G2");
            in_g2.push(decode::<{ 2 * BYTES_PER_POINT }>(next(&what)?, &what)?);
        }
        let mut in_g1 = Vec::with_capacity(ELEMENTS);
        for index in 0..ELEMENTS {
            let what = format!("power {index} in G1");
            in_g1.push(decode::<BYTES_PER_POINT>(next(&what)?, &what)?);
        }
        if let Some(word) = words.next() {
            return Err(Error::Setup(format!("goes on after its last point: {word}")));
        }
        Self::decompress(&in_g1, &in_g2[ELEMENTS_PER_CELL])
    }

    /// Decompresses and checks the powers of the secret in G1, and its power 64 in G2.
    fn decompress(in_g1: &[[u8; BYTES_PER_POINT]], in_g2: &[u8]) -> Result<Self, Error> {
        let power_in_g2 = G2Affine::deserialize_compressed(in_g2)
            .map_err(|error| Error::Setup(format!("power {ELEMENTS_PER_CELL} in G2: {error}")))?;
        let powers = read_points(in_g1, "power in G1").map_err(|error| match error {
            Error::Point { .. } => Error::Setup(error.to_string()),
            error => error,
        })?;
        Self::new(&powers, power_in_g2)
    }

    /// Prepares the powers of the secret in G1, which were checked, and its power 64 in G2.
    fn new(powers: &[G1Affine], power_in_g2: G2Affine) -> Result<Self, Error> {
        let backend = default_backend()?;
        let ntt = |log_size| Ntt::with_root(log_size, backend, root(log_size), Fr::GENERATOR);
        Ok(Settings {
            powers: Bases::new(powers)?,
            cell_powers: Bases::new(&powers[..ELEMENTS_PER_CELL])?,
            power_in_g2,
            columns: columns(powers)?,
            of_cell: ntt(LOG_CELL)?,
            of_column: ntt(LOG_CELLS)?,
            of_blob: ntt(LOG_ELEMENTS)?,
            of_extended: ntt(LOG_EXTENDED)?,
        })
    }
}

/// Returns the root of unity of the specification: arkworks' root.
pub fn root(log_size: u32) -> Fr {
    Fr::get_root_of_unity(1 << log_size).expect("the field has roots of order 2^32")
}

/// Returns the transforms of the powers of the secret: for each place i in a cell, of the vector with `s^(64 u + i)` at -u.
fn columns(powers: &[G1Affine]) -> Result<Groups<Config>, Error> {
    let mut vectors = vec![G1Projective::ZERO; ELEMENTS_PER_CELL * CELLS];
    for (place, vector) in vectors.chunks_exact_mut(CELLS).enumerate() {
        for multiple in 0..LEAST_CELLS - 1 {
            vector[(CELLS - multiple) % CELLS] = powers[ELEMENTS_PER_CELL * multiple + place].into_group();
        }
    }
    transform(&mut vectors, root(LOG_CELLS), LOG_CELLS)?;
    let vectors = G1Projective::normalize_batch(&vectors);
    let column = |value: usize| (0..ELEMENTS_PER_CELL).map(move |place| place * CELLS + value);
    let points: Vec<G1Affine> = (0..CELLS).flat_map(column).map(|index| vectors[index]).collect();
    Ok(Groups::new(&points, ELEMENTS_PER_CELL, WIDTH)?)
}

/// Decodes hexadecimal bytes.
fn decode<const N: usize>(text: &str, what: &str) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    match hex::decode_to_slice(text, &mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Error::Setup(format!("{what}: {error}"))),
    }
}
