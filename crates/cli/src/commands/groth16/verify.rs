//! `verify`: whether proofs hold.

use std::io::Write;
use std::path::Path;

use bucketwheel_groth16::file::{public_from_json, ProofJson, VerifyingKeyJson};
use bucketwheel_groth16::{with_curve, Error as Groth16Error, PairingCurve};
use serde::Serialize;

use super::{in_file, MAX_JSON};
use crate::args::VerifyArgs;
use crate::error::Error;
use crate::{files, output};

/// More bytes than a proof has, in any layout of the JSON: it is eight coordinates.
const MAX_PROOF: usize = 1 << 16;

#[derive(Serialize)]
struct Verdict {
    valid: bool,
    curve: &'static str,
    /// How many proofs.
    proofs: usize,
    /// How many public signals each has.
    public: usize,
    /// The first proof that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_bad: Option<usize>,
}

/// Verifies and prints the verdict.
///
/// # Errors
/// For files that cannot be used, and if a proof does not hold.
pub fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let claims = args.claims()?;
    let key = files::map_at_most(&args.key, MAX_JSON, "a verification_key.json")?;
    let key = VerifyingKeyJson::parse(&key).map_err(in_file(&args.key))?;
    let curve = key.curve().map_err(in_file(&args.key))?;
    let verdict = with_curve!(curve, E => verdict::<E>(args, &claims, &key))??;
    if args.json {
        output::json(out, &verdict)?;
    }
    if let Some((public, proof)) = verdict.first_bad.map(|index| claims[index]) {
        return Err(Error::InvalidProof { proof: proof.into(), public: public.into() });
    }
    let Verdict { curve, proofs, public, .. } = verdict;
    match (args.json, proofs) {
        (true, _) => {}
        (false, 1) => writeln!(out, "OK: the proof holds, {curve} with {public} public signals")?,
        (false, _) => {
            writeln!(out, "OK: all {proofs} proofs hold, {curve} with {public} public signals each")?
        }
    }
    Ok(())
}

fn verdict<E: PairingCurve>(
    args: &VerifyArgs,
    claims: &[(&Path, &Path)],
    key: &VerifyingKeyJson,
) -> Result<Verdict, Error> {
    let key = key.decode::<E>().map_err(in_file(&args.key))?;
    let read = |&(public_path, proof_path): &(&Path, &Path)| {
        let public = files::map_at_most(public_path, MAX_JSON, "a public.json")?;
        let public = public_from_json::<E::ScalarField>(&public).map_err(in_file(public_path))?;
        let proof = files::map_at_most(proof_path, MAX_PROOF, "a proof.json")?;
        let proof = ProofJson::parse(&proof).and_then(|json| json.decode::<E>());
        if public.len() != key.public() {
            let source = Groth16Error::PublicSignals { expected: key.public(), found: public.len() };
            return Err(in_file(public_path)(source));
        }
        Ok((public, proof.map_err(in_file(proof_path))?))
    };
    let read = claims.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    let read: Vec<_> = read.iter().map(|(public, proof)| (&public[..], *proof)).collect();
    let first_bad = key.prepare().verify_many(&read).map_err(in_file(&args.key))?;
    let (proofs, public) = (claims.len(), key.public());
    Ok(Verdict { valid: first_bad.is_none(), curve: E::ID.name(), proofs, public, first_bad })
}
