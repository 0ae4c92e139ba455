//! The arguments of the commands on circuits, keys and proofs.

use std::path::PathBuf;

use bucketwheel_groth16::{curve_named, CurveId, CURVE_NAMES};
use clap::error::ErrorKind;
use clap::{value_parser, ArgMatches, FromArgMatches, Subcommand, ValueEnum};

use super::export::{ExportCalldataArgs, ExportSolidityArgs, ExportWitnessArgs, WitnessExport, ZkeyExport};
use super::shared::{picture, OutputArgs, ThreadsArgs};
use super::shell::example;
use crate::measure::Bytes;

/// A proving key.
#[derive(Debug, clap::Args)]
pub struct KeyFile {
    /// The key
    #[arg(id = "key", value_name = "KEY.zkey")]
    pub path: PathBuf,
}

/// A circuit.
#[derive(Debug, clap::Args)]
pub struct CircuitFile {
    /// The circuit
    #[arg(id = "circuit", value_name = "CIRCUIT.r1cs")]
    pub path: PathBuf,
}

/// A witness.
#[derive(Debug, clap::Args)]
pub struct WitnessFile {
    /// The witness
    #[arg(id = "witness", value_name = "WITNESS.wtns")]
    pub path: PathBuf,
}

/// Names of a circuit's signals.
#[derive(Debug, clap::Args)]
pub struct SymbolsFile {
    /// Names of the signals for messages, written by circom --sym [default: the .sym file beside the circuit]
    #[arg(id = "sym", long = "sym", value_name = "FILE.sym")]
    pub path: Option<PathBuf>,
}

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
pub struct ProveArgs {
    /// The key.
    #[command(flatten)]
    pub key: KeyFile,
    /// The witness and the outputs.
    #[command(flatten)]
    pub files: ProveFiles,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Memory for the proof, and before it for the witness's calculation, without the key, which stays in its file; an
    /// error names the least; 0 is for a proof in little memory [default: the fastest]
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    /// Copy the key into memory, so that the file may change during the proof
    #[arg(long)]
    pub no_map: bool,
    /// Do not verify the proof before writing it; a wrong witness then makes a worthless proof
    #[arg(long)]
    pub no_verify: bool,
    /// Draw the work of each thread over time, as SVG, PNG or PDF by the ending
    #[arg(long, value_name = "FILE", value_parser = picture())]
    pub trace: Option<PathBuf>,
    /// Make a reproducible proof that is not zero knowledge, for tests
    #[arg(long, value_name = "SEED", hide = true)]
    pub insecure_seed: Option<u64>,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// The source of a witness, and the files that `prove` writes.
#[derive(Clone, Debug)]
pub struct ProveFiles {
    /// The source of the witness.
    pub witness: WitnessSource,
    /// The proof to write.
    pub proof: PathBuf,
    /// The public signals to write.
    pub public: PathBuf,
}

/// The source of a witness.
#[derive(Clone, Debug)]
pub enum WitnessSource {
    /// A `.wtns` file.
    File(PathBuf),
    /// A circuit that runs on inputs; the witness stays in memory.
    Inputs {
        /// The circuit's WebAssembly.
        wasm: PathBuf,
        /// The values of its input signals.
        input: PathBuf,
    },
}

impl WitnessSource {
    /// Returns the file that is responsible for the values.
    pub fn path(&self) -> &PathBuf {
        match self {
            WitnessSource::File(path) | WitnessSource::Inputs { input: path, .. } => path,
        }
    }

    /// Returns all files.
    pub fn paths(&self) -> Vec<&PathBuf> {
        match self {
            WitnessSource::File(path) => vec![path],
            WitnessSource::Inputs { wasm, input } => vec![wasm, input],
        }
    }
}

/// [`ProveFiles`] as words of a command line. With an option for the witness, the first of the three words is missing.
#[derive(Debug, clap::Args)]
struct ProveWords {
    /// The witness; leave it out if --witness or --wasm names its source
    #[arg(value_name = "WITNESS.wtns")]
    first: PathBuf,
    /// The proof to write
    #[arg(value_name = "PROOF.json")]
    second: PathBuf,
    /// The public signals to write
    #[arg(value_name = "PUBLIC.json")]
    third: Option<PathBuf>,
    /// The witness
    #[arg(long, value_name = "WITNESS.wtns", conflicts_with = "wasm")]
    witness: Option<PathBuf>,
    /// Run this circuit, circom's WebAssembly, on --input instead of reading a witness; the witness stays in memory
    #[arg(long, value_name = "CIRCUIT.wasm", requires = "input")]
    wasm: Option<PathBuf>,
    /// The values of the circuit's input signals
    #[arg(long, value_name = "INPUT.json", requires = "wasm")]
    input: Option<PathBuf>,
}

impl clap::Args for ProveFiles {
    fn augment_args(command: clap::Command) -> clap::Command {
        ProveWords::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        ProveWords::augment_args_for_update(command)
    }
}

impl FromArgMatches for ProveFiles {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let ProveWords { first, second, third, witness, wasm, input } =
            ProveWords::from_arg_matches(matches)?;
        let option = match (witness, wasm, input) {
            (Some(path), ..) => Some(WitnessSource::File(path)),
            (None, Some(wasm), Some(input)) => Some(WitnessSource::Inputs { wasm, input }),
            _ => None,
        };
        match (option, third) {
            (Some(witness), None) => Ok(ProveFiles { witness, proof: first, public: second }),
            (None, Some(public)) => {
                Ok(ProveFiles { witness: WitnessSource::File(first), proof: second, public })
            }
            (Some(_), Some(_)) => Err(wrong_files("an option names the witness: expected PROOF.json PUBLIC.json after the key")),
            (None, None) => Err(wrong_files(
                "no witness: pass WITNESS.wtns before PROOF.json, or --wasm CIRCUIT.wasm and --input INPUT.json",
            )),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn wrong_files(reason: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::WrongNumberOfValues, format!("{reason}\n"))
}

/// The program whose files `verify` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClaimFormat {
    /// JSON of snarkjs and rapidsnark; the key may be arkworks'
    Snarkjs,
    /// The bytes of gnark's WriteTo or WriteRawTo
    Gnark,
}

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// The verifying key: snarkjs' verification_key.json, a key of arkworks' ark-groth16, or gnark's
    #[arg(value_name = "VKEY.json")]
    pub key: PathBuf,
    /// The public signals: snarkjs' public.json, or gnark's public witness
    #[arg(value_name = "PUBLIC.json")]
    pub public: PathBuf,
    /// The proof: snarkjs' proof.json, or gnark's
    #[arg(value_name = "PROOF.json")]
    pub proof: PathBuf,
    /// The program that wrote the files
    #[arg(long, value_name = "FORMAT", default_value = "snarkjs")]
    pub format: ClaimFormat,
    /// More proofs by the same key, each after its public signals; verifying all together takes a third of the time, except with gnark's
    #[arg(value_name = "PUBLIC.json PROOF.json")]
    pub more: Vec<PathBuf>,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Commands on a proving key.
#[derive(Debug, Subcommand)]
pub enum ZkeyCommand {
    /// Show a key's curve, sizes and contributions
    #[command(after_help = example(&["zkey info circuit.zkey --json"]))]
    Info(ZkeyInfoArgs),
    /// Write a key's verification_key.json
    #[command(after_help = example(&["zkey export-vkey circuit.zkey verification_key.json"]))]
    ExportVkey(ExportVkeyArgs),
    /// Write a contract for Ethereum that verifies proofs, in Solidity, with the interface of snarkjs' contracts
    #[command(after_help = example(&["zkey export-solidity circuit.zkey Verifier.sol"]))]
    ExportSolidity(ExportSolidityArgs),
    /// Print a proof and its public signals as arguments of the contract, as snarkjs' generatecall does
    #[command(after_help = example(&["zkey export-calldata public.json proof.json"]))]
    ExportCalldata(ExportCalldataArgs),
    /// The same commands by snarkjs' names
    #[command(subcommand, hide = true)]
    Export(ZkeyExport),
    /// Check a stranger's key: its points and secrets, and the whole key with --r1cs and --ptau
    #[command(after_help = example(&["zkey check circuit.zkey --r1cs circuit.r1cs --ptau powers.ptau"]))]
    Check(ZkeyCheckArgs),
}

/// Arguments of `zkey info`.
#[derive(Debug, clap::Args)]
pub struct ZkeyInfoArgs {
    /// The key.
    #[command(flatten)]
    pub key: KeyFile,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Arguments of `zkey export-vkey`.
#[derive(Debug, clap::Args)]
pub struct ExportVkeyArgs {
    /// The key: a proving key, or any key of arkworks' ark-groth16
    #[arg(value_name = "KEY.zkey")]
    pub key: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT.json")]
    pub out: PathBuf,
}

/// Arguments of `zkey check`.
#[derive(Debug, clap::Args)]
pub struct ZkeyCheckArgs {
    /// The key.
    #[command(flatten)]
    pub key: KeyFile,
    /// The circuit; compares every section of the key with the circuit and --ptau
    #[arg(long, value_name = "CIRCUIT.r1cs", requires = "ptau")]
    pub r1cs: Option<PathBuf>,
    /// The powers of tau that made the key
    #[arg(long, value_name = "POWERS.ptau", requires = "r1cs")]
    pub ptau: Option<PathBuf>,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

/// Commands on a circuit.
#[derive(Debug, Subcommand)]
pub enum R1csCommand {
    /// Show a circuit's size
    #[command(after_help = example(&["r1cs info circuit.r1cs --json"]))]
    Info(R1csInfoArgs),
}

/// Arguments of `r1cs info`.
#[derive(Debug, clap::Args)]
pub struct R1csInfoArgs {
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitFile,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Arguments of `witness`: a command, or the arguments of `witness calculate`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct WitnessArgs {
    /// The command.
    #[command(subcommand)]
    pub what: Option<WitnessCommand>,
    /// The arguments without a command.
    #[command(flatten)]
    pub calculate: Option<WitnessCalculateArgs>,
}

/// Commands on a witness.
#[derive(Debug, Subcommand)]
pub enum WitnessCommand {
    /// Run a circuit's WebAssembly from circom on inputs; `witness` alone does the same
    #[command(after_help = example(&["witness calculate circuit.wasm input.json witness.wtns"]))]
    Calculate(WitnessCalculateArgs),
    /// Check that a witness satisfies a circuit, or show the first constraint that does not hold
    #[command(after_help = example(&["witness check circuit.r1cs witness.wtns"]))]
    Check(WitnessCheckArgs),
    /// Write a witness as JSON, a list of decimal strings, as snarkjs' wtns export json does
    #[command(after_help = example(&["witness export-json witness.wtns witness.json"]))]
    ExportJson(ExportWitnessArgs),
    /// The same command by snarkjs' name
    #[command(subcommand, hide = true)]
    Export(WitnessExport),
}

/// Arguments of `witness check`.
#[derive(Debug, clap::Args)]
pub struct WitnessCheckArgs {
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitFile,
    /// The witness.
    #[command(flatten)]
    pub witness: WitnessFile,
    /// The names.
    #[command(flatten)]
    pub symbols: SymbolsFile,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Arguments of `witness calculate`.
#[derive(Debug, clap::Args)]
pub struct WitnessCalculateArgs {
    /// The circuit
    #[arg(value_name = "CIRCUIT.wasm")]
    pub circuit: PathBuf,
    /// The values of its input signals
    #[arg(value_name = "INPUT.json")]
    pub inputs: PathBuf,
    /// The witness to write
    #[arg(value_name = "OUT.wtns")]
    pub out: PathBuf,
    /// Names of the signals for messages, written by circom --sym [default: the .sym file beside the circuit]
    // Not a flattened `SymbolsFile`: clap does not see that an optional group is there if arguments of it are nested.
    #[arg(long, value_name = "FILE.sym")]
    pub sym: Option<PathBuf>,
    /// Memory limit of the circuit, and of the witness
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = value_parser!(u32).range(1..=4096))]
    pub memory: u32,
    /// Time limit of the circuit, in seconds
    #[arg(long, value_name = "S", default_value_t = 600, value_parser = value_parser!(u32).range(1..))]
    pub timeout: u32,
}

/// Arguments of `setup`.
#[derive(Debug, clap::Args)]
pub struct SetupArgs {
    /// The circuit.
    #[command(flatten)]
    pub circuit: CircuitFile,
    /// The key to write
    #[arg(long, value_name = "KEY.zkey")]
    pub out: PathBuf,
    /// The verifying key to write
    #[arg(long, value_name = "VKEY.json")]
    pub vkey: Option<PathBuf>,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Draw the secrets from this number, which everybody can repeat, for tests
    #[arg(long, value_name = "N", hide = true)]
    pub insecure_seed: Option<u64>,
}

/// Formats to import from.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Import a circuit of jsnark (libsnark's input) and its inputs
    #[command(after_help = example(&["import jsnark circuit.arith circuit.in --r1cs circuit.r1cs --wtns witness.wtns"]))]
    Jsnark(ImportJsnarkArgs),
}

/// Arguments of `import jsnark`.
#[derive(Debug, clap::Args)]
pub struct ImportJsnarkArgs {
    /// The circuit
    #[arg(value_name = "CIRCUIT.arith")]
    pub circuit: PathBuf,
    /// The values of its input wires
    #[arg(value_name = "INPUTS.in")]
    pub inputs: PathBuf,
    /// The circuit to write
    #[arg(long, value_name = "OUT.r1cs")]
    pub r1cs: PathBuf,
    /// The witness to write
    #[arg(long, value_name = "OUT.wtns")]
    pub wtns: PathBuf,
    /// The curve whose order is the circuit's modulus, by snarkjs' name
    #[arg(long, default_value = "bn128", value_parser = groth16_curve, help = curve_help())]
    pub curve: CurveId,
}

fn groth16_curve(name: &str) -> Result<CurveId, String> {
    curve_named(name).ok_or_else(|| format!("expected {CURVE_NAMES}"))
}

fn curve_help() -> String {
    format!("The curve whose order is the circuit's modulus, by snarkjs' name: {CURVE_NAMES}")
}
