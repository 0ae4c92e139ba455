//! `verify`: verifies proofs.

use std::io::Write;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use bucketwheel_circuit::{verifying_key_text, GnarkVerifier};
use bucketwheel_groth16::{
    snarkjs_name, BadClaim, ClaimPart, Error as Groth16Error, TextClaim, TextVerifier,
};
use serde::Serialize;

use super::{blame, in_file, MAX_JSON};
use crate::args::{ClaimFormat, VerifyArgs};
use crate::error::{own, Error};
use crate::{files, output};

/// Largest number of bytes of a proof in any layout of the JSON: a proof is eight coordinates.
const MAX_PROOF: usize = 1 << 16;

/// Reason for a missing or a negative verdict.
#[derive(Debug, thiserror::Error)]
enum VerifyError {
    /// Public signals come without a proof.
    #[error("{}: expected a proof after these public signals; pass it too", .0.display())]
    NoProof(PathBuf),
    /// A proof does not hold.
    #[error(
        "{}: the proof does not hold for the public signals in {} and this key: was it made from another witness or circuit?",
        proof.display(),
        public.display()
    )]
    Invalid { proof: PathBuf, public: PathBuf },
}

#[derive(Serialize)]
struct Verdict {
    valid: bool,
    curve: &'static str,
    /// Number of proofs.
    proofs: usize,
    /// Number of public signals of each proof.
    public: usize,
    /// Index of the first proof that does not hold, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_bad: Option<usize>,
}

/// Verifies and prints the verdict.
///
/// # Errors
/// For unusable files, and if a proof does not hold.
pub fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let paths = claims(args).map_err(own)?;
    let [expected, public, proof] = match args.format {
        ClaimFormat::Snarkjs => {
            ["a verification_key.json or a key of ark-groth16", "a public.json", "a proof.json"]
        }
        ClaimFormat::Gnark => ["a verifying key of gnark", "a public witness of gnark", "a proof of gnark"],
    };
    let key = files::map_as(&args.key, expected)?;
    let read = |&paths: &(&Path, &Path)| {
        let public = files::map_at_most(paths.0, MAX_JSON, public)?;
        Ok((public, files::map_at_most(paths.1, MAX_PROOF, proof)?))
    };
    let read = || paths.iter().map(read).collect::<Result<Vec<_>, Error>>();
    let (curve, public, bad) = match args.format {
        ClaimFormat::Snarkjs => {
            let text = verifying_key_text(&key).map_err(blame(&args.key, &args.key))?;
            files::check_length(&args.key, text.len(), MAX_JSON, expected)?;
            let verifier = TextVerifier::new(&text).map_err(in_file(&args.key))?;
            (verifier.curve(), verifier.public(), verifier.first_bad(&claims_of(&read()?)))
        }
        ClaimFormat::Gnark => {
            files::check_length(&args.key, key.len(), MAX_JSON, expected)?;
            let verifier = GnarkVerifier::new(&key).map_err(blame(&args.key, &args.key))?;
            (verifier.curve(), verifier.public(), verifier.first_bad(&claims_of(&read()?)))
        }
    };
    let bad = bad.map_err(|error| match error {
        Groth16Error::Claim { index, part, source } => {
            let (public, proof) = paths[index];
            in_file(if part == ClaimPart::Public { public } else { proof })(*source)
        }
        error => in_file(&args.key)(error),
    })?;
    let first_bad = match bad {
        Some(BadClaim { index, point: Some(point) }) => return Err(in_file(paths[index].1)(point)),
        bad => bad.map(|bad| bad.index),
    };
    let verdict = Verdict {
        valid: first_bad.is_none(),
        curve: snarkjs_name(curve),
        proofs: paths.len(),
        public,
        first_bad,
    };
    if args.output.json {
        output::json(out, &verdict)?;
    }
    if let Some((public, proof)) = first_bad.map(|index| paths[index]) {
        return Err(own(VerifyError::Invalid { proof: proof.into(), public: public.into() }));
    }
    let Verdict { curve, proofs, public, .. } = verdict;
    match (args.output.json, proofs) {
        (true, _) => {}
        (false, 1) => writeln!(out, "OK: the proof holds, {curve} with {public} public signals")?,
        (false, _) => {
            writeln!(out, "OK: all {proofs} proofs hold, {curve} with {public} public signals each")?
        }
    }
    Ok(())
}

/// Returns the claims in these files, each its public signals and its proof.
fn claims_of<F: Deref<Target = [u8]>>(files: &[(F, F)]) -> Vec<TextClaim<'_>> {
    files.iter().map(|(public, proof)| TextClaim { public, proof }).collect()
}

/// Returns the paths of the public signals and the proof of each claim.
fn claims(args: &VerifyArgs) -> Result<Vec<(&Path, &Path)>, VerifyError> {
    let (more, rest) = args.more.as_chunks::<2>();
    match rest.first() {
        None => {
            let more = more.iter().map(|[public, proof]| (public.as_path(), proof.as_path()));
            Ok([(args.public.as_path(), args.proof.as_path())].into_iter().chain(more).collect())
        }
        Some(public) => Err(VerifyError::NoProof(public.clone())),
    }
}
