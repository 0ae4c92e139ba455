//! The arguments of every command.

pub mod explore;
pub mod export;
pub mod files;
pub mod formats;
mod groth16;
pub mod hardware;
pub mod msm;
pub mod serve;
pub mod shared;
pub mod shell;
pub mod table;
pub mod tune;

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use bucketwheel::{AdderKind, SchedulerKind, MAX_WINDOW, MIN_WINDOW};
use clap::{value_parser, ArgGroup, Parser, Subcommand};

use self::explore::ExploreArgs;
use self::formats::{CheckArgs, ConvertArgs, Eip2537Args, KzgCommand};
use self::hardware::{MsmacCommand, SimulateArgs};
use self::msm::MsmArgs;
use self::shared::{
    named, picture, BackendArgs, EngineArgs, GridArgs, GroupArgs, InputsArgs, OutputArgs, ThreadsArgs,
    MAX_LOG_SIZE, MAX_LOG_STREAMED,
};
use self::shell::{example, CompletionsArgs, ManArgs};
use self::table::{BenchTableArgs, TableArgs};
use self::tune::TuneArgs;
use crate::measure::{number, Unit};
use crate::runtime::ProgressArg;

pub use self::serve::{LogArg, ServeArgs};
pub use groth16::{
    ClaimFormat, ExportVkeyArgs, ImportCommand, ImportJsnarkArgs, ProveArgs, ProveFiles, R1csCommand,
    R1csInfoArgs, SetupArgs, SymbolsFile, VerifyArgs, WitnessArgs, WitnessCalculateArgs, WitnessCheckArgs,
    WitnessCommand, WitnessSource, ZkeyCheckArgs, ZkeyCommand, ZkeyInfoArgs,
};

/// Multi-scalar multiplication (MSM): the sum of many points of an elliptic curve, each times its own scalar.
#[derive(Debug, Parser)]
#[command(name = "bucketwheel", version, after_help = example(&["demo", "info", "help msm"]))]
pub struct Args {
    /// Show progress on standard error in this form
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORM", help_heading = "General")]
    pub progress: ProgressArg,
    /// Show errors only on standard error: no progress, no warnings
    #[arg(short, long, global = true, help_heading = "General")]
    pub quiet: bool,
    /// Show the stages and their times on standard error
    #[arg(short, long, global = true, conflicts_with = "quiet", help_heading = "General")]
    pub verbose: bool,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a file of random points and one of random scalars; the same seed makes the same files
    #[command(after_help = example(&["generate --curve bls12-381 --log-size 16 --points p.bin --scalars s.bin"]))]
    Generate(GenerateArgs),
    /// Compute an MSM for each file of scalars, over one file of points or a table
    #[command(after_help = example(&["msm p.bin s.bin"]))]
    Msm(MsmArgs),
    /// Make a table of points, over which MSMs are faster
    #[command(after_help = example(&["table p.bin --out table.bin --memory 512M"]))]
    Table(TableArgs),
    /// Make a Groth16 key for development; never use it in production, because you could forge proofs with it
    #[command(after_help = example(&["setup circuit.r1cs --out circuit.zkey --vkey verification_key.json"]))]
    Setup(SetupArgs),
    /// Convert points from one format into another
    #[command(after_help = example(&["convert --to gnark p.bin p.gnark"]))]
    Convert(ConvertArgs),
    /// Check the points of a file of any format
    #[command(after_help = example(&["check --subgroup powers.ptau"]))]
    Check(CheckArgs),
    /// Run one of Ethereum's precompiles for sums on BLS12-381 (EIP-2537)
    #[command(after_help = example(&["eip2537 g1msm input.hex"]))]
    Eip2537(Eip2537Args),
    /// Commit to Ethereum's blobs (EIP-4844)
    #[command(subcommand)]
    #[command(after_help = example(&["kzg commit blob.bin"]))]
    Kzg(KzgCommand),
    /// Make a Groth16 proof from a key and a witness, or a circuit and its inputs, of circom and snarkjs
    #[command(
        alias = "fullprove",
        override_usage = "\
        bucketwheel prove [OPTIONS] <KEY.zkey> <WITNESS.wtns> <PROOF.json> <PUBLIC.json>\n       \
        bucketwheel prove [OPTIONS] --wasm <CIRCUIT.wasm> --input <INPUT.json>\n           \
        <KEY.zkey> <PROOF.json> <PUBLIC.json>"
    )]
    #[command(after_help = example(&[
        "prove circuit.zkey witness.wtns proof.json public.json",
        "prove circuit.zkey --wasm circuit.wasm --input input.json proof.json public.json",
    ]))]
    Prove(ProveArgs),
    /// Verify a Groth16 proof
    #[command(after_help = example(&["verify verification_key.json public.json proof.json"]))]
    Verify(VerifyArgs),
    /// Serve Groth16 proofs and their verification over HTTP
    #[command(after_help = example(&["serve circuits/ --listen 127.0.0.1:9080"]))]
    Serve(ServeArgs),
    /// Calculate a witness, check a witness against its circuit, or write it as JSON
    #[command(alias = "wtns")]
    #[command(after_help = example(&["witness circuit.wasm input.json witness.wtns", "witness check circuit.r1cs witness.wtns"]))]
    Witness(WitnessArgs),
    /// Show or check a proving key, or export its verifying key or a contract that verifies proofs
    #[command(subcommand)]
    #[command(after_help = example(&["zkey info circuit.zkey"]))]
    Zkey(ZkeyCommand),
    /// Show a circuit
    #[command(subcommand)]
    #[command(after_help = example(&["r1cs info circuit.r1cs"]))]
    R1cs(R1csCommand),
    /// Import circuits of other tools
    #[command(subcommand)]
    #[command(after_help = example(&["import jsnark circuit.arith circuit.in --r1cs circuit.r1cs --wtns witness.wtns"]))]
    Import(ImportCommand),
    /// Measure MSMs on inputs made in memory
    #[command(subcommand)]
    #[command(after_help = example(&["bench msm --curve bn254 --log-sizes 10..16"]))]
    Bench(BenchCommand),
    /// Measure all strategies and check that their sums agree
    #[command(after_help = example(&["compare --curve bn254 --log-sizes 10..16 --plot strategies.svg"]))]
    Compare(CompareArgs),
    /// Count a scheduler's batches and collisions for random points, without adding any
    #[command(after_help = example(&["schedule --scheduler delayed --points 2^20"]))]
    Schedule(ScheduleArgs),
    /// Simulate an MSM accelerator, cycle by cycle
    #[command(after_help = example(&["simulate cyclone --log-size 22"]))]
    Simulate(SimulateArgs),
    /// Find the best MSM accelerators for a board: the Pareto front of time and resources
    #[command(after_help = example(&["explore --log-size 22 --board u55c --plot front.svg"]))]
    Explore(ExploreArgs),
    /// Assemble and disassemble programs of the accelerator MSMAC
    #[command(subcommand)]
    #[command(after_help = example(&["msmac program --window 13"]))]
    Msmac(MsmacCommand),
    /// Plan sums over many machines, and measure the parts of a cluster (runs the Python package)
    #[command(disable_help_flag = true)]
    #[command(after_help = example(&["cluster plan --help"]))]
    Cluster(ClusterArgs),
    /// Measure windows and thresholds on this machine, and use them in later runs
    #[command(after_help = example(&["tune --curve bn254"]))]
    Tune(TuneArgs),
    /// Show the instruction sets of this CPU and the backend that runs
    #[command(after_help = example(&["info", "info --plans"]))]
    Info(InfoArgs),
    /// Run a demonstration: a commitment over Ethereum's trusted setup, a proof, and all curves beside other libraries
    #[command(after_help = example(&["demo --log-size 18"]))]
    Demo(DemoArgs),
    /// Print the completions of this command for a shell
    #[command(after_help = example(&["completions bash > ~/.local/share/bash-completion/completions/bucketwheel"]))]
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    #[command(hide = true, after_help = example(&["man target/man"]))]
    Man(ManArgs),
}

/// Arguments of `generate`.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("count").required(true).args(["log_size", "size"])))]
pub struct GenerateArgs {
    /// The curve and the group.
    #[command(flatten)]
    pub on: GroupArgs,
    /// Make 2^N points and scalars
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=i64::from(MAX_LOG_STREAMED)))]
    log_size: Option<u32>,
    /// Make N points and scalars, as in 1000, 2^20 or 1M
    #[arg(long, value_name = "N", value_parser = size)]
    size: Option<u64>,
    /// Seed and distribution.
    #[command(flatten)]
    pub inputs: InputsArgs,
    /// The points file to write
    #[arg(long, value_name = "FILE")]
    pub points: PathBuf,
    /// The scalars file to write
    #[arg(long, value_name = "FILE")]
    pub scalars: PathBuf,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

impl GenerateArgs {
    /// Returns the number of points, which is also the number of scalars.
    pub fn count(&self) -> u64 {
        self.log_size.map_or_else(|| self.size.unwrap_or(0), |log_size| 1 << log_size)
    }
}

/// Arguments of `cluster`, which the Python package reads.
#[derive(Debug, clap::Args)]
pub struct ClusterArgs {
    /// parts, plan or check, and their arguments; see `bucketwheel cluster --help`
    #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
    pub arguments: Vec<OsString>,
}

/// The benchmarks.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Measure MSMs over prepared points and uniform scalars, for each size and number of threads
    #[command(after_help = example(&["bench msm --curve bn254 --log-sizes 10..16 --threads 1,2"]))]
    Msm(BenchMsmArgs),
    /// Measure MSMs over tables, and the same MSM without a table
    #[command(after_help = example(&["bench table --curve bn254 --log-size 16 --copies 2,4,8"]))]
    Table(BenchTableArgs),
}

/// Arguments of `bench msm`.
#[derive(Debug, clap::Args)]
pub struct BenchMsmArgs {
    /// Subject of the measurement.
    #[command(flatten)]
    pub grid: GridArgs,
    /// The engine's options.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Take the median of N rounds, after one round that warms up; a round runs each number of threads
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=1000))]
    pub repetitions: u32,
    /// Print JSON: a list with one object for each size and number of threads
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    /// Subject of the measurement.
    #[command(flatten)]
    pub grid: GridArgs,
    /// The backend.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Schedulers to compare with auto [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = named(SchedulerKind::ALL, SchedulerKind::name))]
    pub schedulers: Vec<SchedulerKind>,
    /// Adders for each scheduler [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = named(AdderKind::ALL, AdderKind::name))]
    pub adders: Vec<AdderKind>,
    /// Batch size of the schedulers that accept unsorted points (T of delayed) [default: the adder's choice]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=2048))]
    pub batch: Option<u16>,
    /// Take the median of N rounds, after one round that warms up; a round runs each strategy, in an order of its own
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..=1000))]
    pub repetitions: u32,
    /// Print JSON: a list with one object for each size, number of threads and strategy
    #[arg(long)]
    pub json: bool,
    /// Also write a picture of the time per point over the size, as SVG, PNG or PDF by its ending
    #[arg(long, value_name = "FILE", value_parser = picture())]
    pub plot: Option<PathBuf>,
}

/// Arguments of `schedule`.
#[derive(Debug, clap::Args)]
pub struct ScheduleArgs {
    /// The scheduler
    #[arg(long, value_parser = named(SchedulerKind::ALL, SchedulerKind::name))]
    pub scheduler: SchedulerKind,
    /// Bits of the window; signed digits of c bits have 2^(c-1) buckets
    #[arg(long, value_name = "BITS", default_value_t = 16, value_parser = value_parser!(u32).range(i64::from(MIN_WINDOW)..=i64::from(MAX_WINDOW)))]
    pub window: u32,
    /// Number of points, as in 1000, 2^20 or 1M
    #[arg(long, value_name = "N", default_value = "2^20")]
    pub points: Count,
    /// Batch size: CycloneMSM's T, SimdMSM's chi
    #[arg(long, value_name = "T", default_value_t = 100, value_parser = value_parser!(u32).range(1..=1 << 20))]
    pub batch: u32,
    /// Keep a bucket in use for T more additions, as in hardware, instead of until the end of its batch (delayed only)
    #[arg(long)]
    pub pipeline: bool,
    /// Use only N different buckets [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub distinct: Option<u32>,
    /// Lanes of the adder, to count how many of them batches fill
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u32).range(1..=1 << 20))]
    pub lanes: u32,
    /// Seed of the points' buckets: any number
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Print JSON: one object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `info`.
#[derive(Debug, clap::Args)]
pub struct InfoArgs {
    /// Also show the windows and the memory of MSMs, by size; --json has them always
    #[arg(long)]
    pub plans: bool,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
pub struct DemoArgs {
    /// Commit to this file, of at most 126976 bytes [default: the beginning of the trusted setup's own file]
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Use 2^N points for the random MSMs
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(0..=24))]
    pub log_size: u32,
    /// The backend.
    #[command(flatten)]
    pub backend: BackendArgs,
}

/// A number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub usize);

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = number(text, Unit::Decimal).filter(|&count| count <= 1 << MAX_LOG_SIZE);
        count
            .map(|count| Count(count as usize))
            .ok_or_else(|| format!("expected a number up to 2^{MAX_LOG_SIZE}, as in 1000, 2^20 or 1M"))
    }
}

/// Parses the size of streamed files.
fn size(text: &str) -> Result<u64, String> {
    let size = number(text, Unit::Decimal).filter(|&size| size <= 1 << MAX_LOG_STREAMED);
    size.ok_or_else(|| format!("expected a number up to 2^{MAX_LOG_STREAMED}, as in 1000, 2^20 or 1M"))
}
