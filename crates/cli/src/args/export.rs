//! The arguments of the commands that export keys, proofs and witnesses to other programs.

use std::path::PathBuf;

use clap::Subcommand;

use super::groth16::{ExportVkeyArgs, WitnessFile};

/// Arguments of `zkey export-solidity`.
#[derive(Debug, clap::Args)]
pub struct ExportSolidityArgs {
    /// The key: a proving key, snarkjs' verification_key.json, or a key of arkworks' ark-groth16
    #[arg(value_name = "KEY.zkey|VKEY.json")]
    pub key: PathBuf,
    /// The contract to write
    #[arg(value_name = "OUT.sol")]
    pub out: PathBuf,
}

/// Arguments of `zkey export-calldata`.
#[derive(Debug, clap::Args)]
pub struct ExportCalldataArgs {
    /// The public signals, snarkjs' public.json
    #[arg(value_name = "PUBLIC.json")]
    pub public: PathBuf,
    /// The proof, snarkjs' proof.json
    #[arg(value_name = "PROOF.json")]
    pub proof: PathBuf,
}

/// Commands of `zkey export`, by snarkjs' names.
#[derive(Debug, Subcommand)]
pub enum ZkeyExport {
    /// Do the same as `zkey export-vkey`
    #[command(name = "verificationkey")]
    Vkey(ExportVkeyArgs),
    /// Do the same as `zkey export-solidity`
    #[command(name = "solidityverifier")]
    Solidity(ExportSolidityArgs),
    /// Do the same as `zkey export-calldata`
    #[command(name = "soliditycalldata")]
    Calldata(ExportCalldataArgs),
}

/// Arguments of `witness export-json`.
#[derive(Debug, clap::Args)]
pub struct ExportWitnessArgs {
    /// The witness.
    #[command(flatten)]
    pub witness: WitnessFile,
    /// The file to write
    #[arg(value_name = "OUT.json")]
    pub out: PathBuf,
}

/// Commands of `witness export`, by snarkjs' names.
#[derive(Debug, Subcommand)]
pub enum WitnessExport {
    /// Do the same as `witness export-json`
    Json(ExportWitnessArgs),
}
