//! `kzg`: commitments to Ethereum's blobs (EIP-4844).

use std::io::Write;

use ark_bls12_381::Fr;
use ark_ff::{BigInt, BigInteger, PrimeField};
use bucketwheel::{Msm, Scalars};

use super::demo::kzg::{compress, Setup, POINTS};
use crate::args::formats::{CommitArgs, KzgArgs, KzgCommand};
use crate::error::Error;
use crate::files;
use crate::runtime::{pool, Context};

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

/// Runs `kzg`.
///
/// # Errors
/// The command's.
pub fn run(args: &KzgArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    match &args.what {
        KzgCommand::Commit(args) => commit(args, context, out),
    }
}

fn commit(args: &CommitArgs, context: Context<'_>, out: &mut dyn Write) -> Result<(), Error> {
    let blob = files::read(&args.blob, BLOB_BYTES, "a blob, 4096 elements of 32 bytes")?;
    let scalars = elements(&blob).map_err(|source| Error::Blob { path: args.blob.clone(), source })?;
    let commitment = pool(args.threads)?.install(|| {
        let bar = context.bar_of("commit", &args.blob);
        let bases = args.bases().cancel(context.cancel).prepare(&Setup::load()?.points)?;
        Ok::<_, Error>(
            Msm::new().cancel(context.cancel).progress(&bar).run(&bases, Scalars::Integers(&scalars))?,
        )
    })?;
    let digits: String = compress(commitment).iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "0x{digits}")?;
    Ok(())
}

/// The elements of a blob.
///
/// # Errors
/// [`BlobError::Length`], [`BlobError::Element`] for the first one that is too large.
pub fn elements(blob: &[u8]) -> Result<Vec<BigInt<4>>, BlobError> {
    if blob.len() != BLOB_BYTES {
        return Err(BlobError::Length(blob.len()));
    }
    let integer = |bytes: &[u8]| {
        let bits: Vec<bool> =
            bytes.iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1)).collect();
        <BigInt<4> as BigInteger>::from_bits_be(&bits)
    };
    let element = |(index, bytes): (usize, &[u8])| {
        let integer = integer(bytes);
        if integer < Fr::MODULUS {
            Ok(integer)
        } else {
            Err(BlobError::Element(index))
        }
    };
    blob.chunks(ELEMENT_BYTES).enumerate().map(element).collect()
}
