//! `verify`: whether a proof holds.

use std::io::Write;

use bucketwheel_groth16::file::{public_from_json, ProofJson, VerifyingKeyJson};
use bucketwheel_groth16::{verify, with_curve, PairingCurve};
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
    /// How many public signals.
    public: usize,
}

/// Verifies and prints the verdict.
///
/// # Errors
/// For files that cannot be used, and if the proof does not hold.
pub fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), Error> {
    let key = files::map_at_most(&args.key, MAX_JSON, "a verification_key.json")?;
    let key = VerifyingKeyJson::parse(&key).map_err(in_file(&args.key))?;
    let curve = key.curve().map_err(in_file(&args.key))?;
    let verdict = with_curve!(curve, E => verdict::<E>(args, &key))??;
    if args.json {
        output::json(out, &verdict)?;
    }
    if !verdict.valid {
        return Err(Error::InvalidProof { proof: args.proof.clone(), public: args.public.clone() });
    }
    if !args.json {
        writeln!(out, "OK: the proof holds, {} with {} public signals", verdict.curve, verdict.public)?;
    }
    Ok(())
}

fn verdict<E: PairingCurve>(args: &VerifyArgs, key: &VerifyingKeyJson) -> Result<Verdict, Error> {
    let key = key.decode::<E>().map_err(in_file(&args.key))?;
    let public = files::map_at_most(&args.public, MAX_JSON, "a public.json")?;
    let public = public_from_json(&public).map_err(in_file(&args.public))?;
    let proof = files::map_at_most(&args.proof, MAX_PROOF, "a proof.json")?;
    let proof = ProofJson::parse(&proof).and_then(|json| json.decode::<E>()).map_err(in_file(&args.proof))?;
    let valid = verify(&key, &public, &proof).map_err(in_file(&args.public))?;
    Ok(Verdict { valid, curve: E::ID.name(), public: public.len() })
}
