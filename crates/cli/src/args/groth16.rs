//! The arguments of the commands on circuits, keys and proofs.

use std::path::PathBuf;

use clap::Subcommand;

use super::threads;

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
pub struct ProveArgs {
    /// The key
    #[arg(value_name = "KEY.zkey")]
    pub key: PathBuf,
    /// The witness
    #[arg(value_name = "WITNESS.wtns")]
    pub witness: PathBuf,
    /// The proof to write
    #[arg(value_name = "PROOF.json")]
    pub proof: PathBuf,
    /// The public signals to write
    #[arg(value_name = "PUBLIC.json")]
    pub public: PathBuf,
    /// Threads to use [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
    /// Do not verify the proof before it is written: a wrong witness then makes a worthless proof
    #[arg(long)]
    pub no_verify: bool,
    /// Draw what each thread did when
    #[arg(long, value_name = "FILE.svg")]
    pub trace: Option<PathBuf>,
    /// For tests: a reproducible proof that is not zero knowledge
    #[arg(long, value_name = "SEED", hide = true)]
    pub insecure_seed: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// The verifying key, snarkjs' verification_key.json
    #[arg(value_name = "VKEY.json")]
    pub key: PathBuf,
    /// The public signals, snarkjs' public.json
    #[arg(value_name = "PUBLIC.json")]
    pub public: PathBuf,
    /// The proof, snarkjs' proof.json
    #[arg(value_name = "PROOF.json")]
    pub proof: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `zkey`.
#[derive(Debug, clap::Args)]
pub struct ZkeyArgs {
    /// What to do.
    #[command(subcommand)]
    pub what: ZkeyCommand,
}

/// What to do with a proving key.
#[derive(Debug, Subcommand)]
pub enum ZkeyCommand {
    /// Show what a key is for
    Info(ZkeyInfoArgs),
    /// Write a key's verification_key.json
    ExportVkey(ExportVkeyArgs),
    /// Check that all points of a key are in their groups, for keys from strangers
    Check(ZkeyCheckArgs),
}

/// Arguments of `zkey info`.
#[derive(Debug, clap::Args)]
pub struct ZkeyInfoArgs {
    /// The key
    #[arg(value_name = "KEY.zkey")]
    pub key: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `zkey export-vkey`.
#[derive(Debug, clap::Args)]
pub struct ExportVkeyArgs {
    /// The key
    #[arg(value_name = "KEY.zkey")]
    pub key: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT.json")]
    pub out: PathBuf,
}

/// Arguments of `zkey check`.
#[derive(Debug, clap::Args)]
pub struct ZkeyCheckArgs {
    /// The key
    #[arg(value_name = "KEY.zkey")]
    pub key: PathBuf,
    /// Threads to use [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
}

/// Arguments of `r1cs`.
#[derive(Debug, clap::Args)]
pub struct R1csArgs {
    /// What to do.
    #[command(subcommand)]
    pub what: R1csCommand,
}

/// What to do with a circuit.
#[derive(Debug, Subcommand)]
pub enum R1csCommand {
    /// Show a circuit's size
    Info(R1csInfoArgs),
}

/// Arguments of `r1cs info`.
#[derive(Debug, clap::Args)]
pub struct R1csInfoArgs {
    /// The circuit
    #[arg(value_name = "CIRCUIT.r1cs")]
    pub circuit: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `witness`.
#[derive(Debug, clap::Args)]
pub struct WitnessArgs {
    /// What to do.
    #[command(subcommand)]
    pub what: WitnessCommand,
}

/// What to do with a witness.
#[derive(Debug, Subcommand)]
pub enum WitnessCommand {
    /// Check that a witness satisfies a circuit; names the first constraint that does not hold
    Check(WitnessCheckArgs),
}

/// Arguments of `witness check`.
#[derive(Debug, clap::Args)]
pub struct WitnessCheckArgs {
    /// The circuit
    #[arg(value_name = "CIRCUIT.r1cs")]
    pub circuit: PathBuf,
    /// The witness
    #[arg(value_name = "WITNESS.wtns")]
    pub witness: PathBuf,
    /// Threads to use [default: all]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
}
