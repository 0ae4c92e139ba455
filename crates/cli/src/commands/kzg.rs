//! `kzg`: commits to Ethereum's blobs (EIP-4844).

use std::io::Write;
use std::path::Path;

use ark_bls12_381::{Fr, G1Affine};
use ark_ec::AffineRepr;
use ark_ff::{BigInteger, Field, PrimeField};
use bucketwheel::{BasesOptions, Check, CurveId, Msm};
use bucketwheel_dynamic::{group, AnyScalars, DynBases};

use super::convert::{for_each_block, identify, open};
use crate::args::formats::{CommitArgs, Source};
use crate::error::{in_file, Error};
use crate::files;
use crate::format::{encode_points, Kind, Section, Wanted};
use crate::output::hexadecimal;
use crate::runtime::Context;
use crate::trusted_setup::{by_data, compress, prepare, Setup, INTEGERS_BYTES, POINTS};

/// Number of bytes of a field element, a big-endian integer below the order.
const ELEMENT_BYTES: usize = 32;
/// Number of bytes of a blob.
pub const BLOB_BYTES: usize = POINTS * ELEMENT_BYTES;

/// The file is not a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// The length is wrong.
    #[error("{0} bytes: expected {BLOB_BYTES}, {POINTS} elements of {ELEMENT_BYTES} bytes")]
    Length(usize),
    /// An element is not canonical.
    #[error("element {0} is not below the order of the group: expected canonical big-endian integers")]
    Element(usize),
}

/// The set-up cannot commit to blobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The number of points is wrong.
    #[error("{0} points in section g1-lagrange: expected {POINTS}")]
    Count(usize),
    /// The points are not the Lagrange polynomials at a point.
    #[error(
        "the points of section g1-lagrange do not sum to the generator: expected them in Lagrange form; take \
         another set-up, such as trusted_setup.txt of c-kzg"
    )]
    Sum,
}

/// Reads a set-up and prepares its points in Lagrange form.
fn open_setup(
    path: &Path,
    options: BasesOptions<'_>,
    context: Context<'_>,
) -> Result<Box<dyn DynBases>, Error> {
    let map = files::map(path, Kind::Points)?;
    let curve = CurveId::Bls12_381;
    let wanted = Wanted { curve: Some(curve), section: Some(Section::G1Lagrange), group: None };
    let (format, wanted) = identify(path, &map, Source(None), wanted)?;
    let body = open(path, format, &map, wanted)?;
    if body.count() != POINTS {
        return Err(in_file(path)(SetupError::Count(body.count())));
    }
    let group = group(curve, body.group)?;
    let mut points = Vec::new();
    for_each_block(&*group, path, &body, Check::Subgroup, context, |block| {
        points.extend_from_slice(block);
        Ok(())
    })?;
    let (points, _) = points.as_chunks::<INTEGERS_BYTES>();
    let bases = prepare(by_data(points).as_flattened(), options)?;
    let ones = Fr::ONE.into_bigint().to_bytes_le().repeat(POINTS);
    let (sums, _) = bases.run(Msm::new().cancel(context.cancel), AnyScalars::integers(&ones))?;
    let mut generator = Vec::new();
    encode_points(&[G1Affine::generator()], &mut generator)?;
    match sums[0].integers == generator {
        true => Ok(bases),
        false => Err(in_file(path)(SetupError::Sum)),
    }
}

/// Commits to each blob, over the setup's points, which are prepared once.
///
/// # Errors
/// For a file that is not a blob or not a set-up, and cancellation.
pub fn commit(args: &CommitArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let pool = args.threads.pool()?;
    let options = args.backend.bases().cancel(context.cancel);
    let bases = pool.install(|| match &args.setup {
        None => Setup::load()?.prepare(options),
        Some(path) => open_setup(path, options, context),
    })?;
    for path in &args.blobs {
        let blob = files::read(path, BLOB_BYTES, "a blob, 4096 elements of 32 bytes")?;
        let scalars = elements(&blob).map_err(in_file(path))?;
        let bar = context.bar_of("commit", path);
        let msm = Msm::new().cancel(context.cancel).progress(&bar);
        let (sums, _) = pool.install(|| bases.run(msm, AnyScalars::integers(&scalars)))?;
        drop(bar);
        writeln!(out, "0x{}", hexadecimal(&compress(&sums[0].integers)?))?;
    }
    Ok(())
}

/// Returns the elements of a blob as little-endian integers.
///
/// # Errors
/// [`BlobError::Length`]; [`BlobError::Element`] for the first element that is too large.
pub fn elements(blob: &[u8]) -> Result<Vec<u8>, BlobError> {
    if blob.len() != BLOB_BYTES {
        return Err(BlobError::Length(blob.len()));
    }
    let order = Fr::MODULUS.to_bytes_be();
    if let Some(index) = blob.chunks(ELEMENT_BYTES).position(|element| *element >= order[..]) {
        return Err(BlobError::Element(index));
    }
    Ok(blob.chunks(ELEMENT_BYTES).flat_map(|element| element.iter().rev()).copied().collect())
}
