//! `kzg`: commitments to Ethereum's blobs (EIP-4844).

use std::io::Write;

use ark_bls12_381::Fr;
use ark_ff::{BigInteger, PrimeField};
use bucketwheel::Msm;
use bucketwheel_dynamic::AnyScalars;

use crate::args::formats::CommitArgs;
use crate::error::{in_file, Error};
use crate::files;
use crate::output::hexadecimal;
use crate::runtime::Context;
use crate::trusted_setup::{compress, Setup, POINTS};

/// The bytes of a field element, a big-endian integer below the order.
const ELEMENT_BYTES: usize = 32;
/// The bytes of a blob.
pub const BLOB_BYTES: usize = POINTS * ELEMENT_BYTES;

/// A blob that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// Another length.
    #[error("{0} bytes: expected {BLOB_BYTES}, {POINTS} elements of {ELEMENT_BYTES} bytes")]
    Length(usize),
    /// An element is not canonical.
    #[error("element {0} is not below the order of the group: expected canonical big-endian integers")]
    Element(usize),
}

/// Commits to each blob, over the setup's points once prepared.
///
/// # Errors
/// For a file that is no blob, or if cancelled.
pub fn commit(args: &CommitArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let pool = args.threads.pool()?;
    let options = args.backend.bases().cancel(context.cancel);
    let bases = pool.install(|| Setup::load()?.prepare(options))?;
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

/// The elements of a blob as little-endian integers.
///
/// # Errors
/// [`BlobError::Length`], [`BlobError::Element`] for the first one that is too large.
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
