//! Exports keys, proofs and witnesses to other programs: contracts for Ethereum, JSON.

use std::io::Write;

use bucketwheel_circuit::verifying_key_text;
use bucketwheel_groth16::file::Wtns;
use bucketwheel_groth16::{snarkjs_name, solidity};

use super::{blame, in_file, MAX_JSON};
use crate::args::export::{ExportCalldataArgs, ExportSolidityArgs, ExportWitnessArgs};
use crate::error::Error;
use crate::files::{self, Output};
use crate::output::visible;

/// Writes the contract that verifies proofs.
///
/// # Errors
/// For unusable keys and unwritable outputs.
pub fn solidity(args: &ExportSolidityArgs, out: &mut dyn Write) -> Result<(), Error> {
    let key = files::map_as(&args.key, "a .zkey file, a verification_key.json or a key of ark-groth16")?;
    let text = verifying_key_text(&key).map_err(blame(&args.key, &args.key))?;
    let contract = solidity::contract(&text).map_err(in_file(&args.key))?;
    Output::with(&args.out, contract.as_bytes())?.finish()?;
    writeln!(out, "contract Groth16Verifier: {}", visible(args.out.display()))?;
    Ok(())
}

/// Prints the arguments of a call of the contract.
///
/// # Errors
/// For a file that is not a proof or not public signals.
pub fn calldata(args: &ExportCalldataArgs, out: &mut dyn Write) -> Result<(), Error> {
    let proof = files::read(&args.proof, MAX_JSON, "a proof.json")?;
    let public = files::read(&args.public, MAX_JSON, "a public.json")?;
    let points = solidity::proof_arguments(&proof).map_err(in_file(&args.proof))?;
    let signals = solidity::public_argument(&public).map_err(in_file(&args.public))?;
    writeln!(out, "{points},{signals}")?;
    Ok(())
}

/// Writes a witness as JSON, which only its owner may read.
///
/// # Errors
/// For unusable witnesses and unwritable outputs.
pub fn witness(args: &ExportWitnessArgs, out: &mut dyn Write) -> Result<(), Error> {
    let path = &args.witness.path;
    let map = files::map_as(path, "a .wtns file, a witness")?;
    let witness = Wtns::parse(&map).map_err(in_file(path))?;
    let mut file = Output::create_private(files::destination(&args.out))?;
    file.stream(|file| witness.write_json(file))?;
    file.finish()?;
    let (curve, values) = (snarkjs_name(witness.curve()), witness.len());
    writeln!(out, "{curve} witness of {values} values: {}", visible(args.out.display()))?;
    Ok(())
}
