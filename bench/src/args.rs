//! The command line.

use crate::cell::{CURVES, Distribution, Group};
use crate::groth16::Prover;
use crate::peers::{PeerKind, Preparation};
use crate::precompiles::Served;
use bucketwheel::{Backend, CurveId as Curve};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// Runs Bucketwheel beside its public peers on the same inputs.
#[derive(Parser)]
#[command(name = "bench", arg_required_else_help = false)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Measure products and squares
    Kernels(OperationsArgs),
    /// Measure additions of points
    Adders(OperationsArgs),
    /// Measure our multi-scalar multiplications, and the arithmetic of their additions
    Floor(FloorArgs),
    /// Measure multi-scalar multiplications
    Msm(MsmArgs),
    /// Join results of `msm` in one report
    Join(JoinArgs),
    /// Measure Ethereum's precompiles for sums
    Precompiles(PrecompilesArgs),
    /// Measure the transforms of a Groth16 proof
    Ntt(TransformsArgs),
    /// Measure Groth16 provers
    Groth16(Groth16Args),
    /// Measure proofs over HTTP
    Serve(ServeArgs),
    /// Make the tables of the documentation that compare the papers' figures with ours
    Reproduce(ReproduceArgs),
    /// Measure development keys of Groth16
    Setup(SetupArgs),
    /// Make one proof: `groth16` runs this for provers that are libraries
    #[command(hide = true)]
    Prove(ProveArgs),
    /// Answer calls of precompiles: `precompiles` runs this command for each library
    #[command(hide = true)]
    ServePrecompiles {
        /// The library
        library: Served,
    },
    /// Make one key: `setup` runs this command
    #[command(hide = true)]
    MakeKey(MakeKeyArgs),
}

#[derive(clap::Args)]
pub struct OperationsArgs {
    /// Curves to measure
    #[arg(long, value_delimiter = ',', value_parser = curve(), default_value = "bls12-381,bls12-377,bn254")]
    pub curves: Vec<Curve>,

    /// Our instruction sets; by default all that this CPU has
    #[arg(long, value_delimiter = ',', value_parser = backend)]
    backends: Vec<Backend>,

    /// Seconds to spend on an operation
    #[arg(long, default_value_t = 0.2, value_parser = seconds)]
    pub seconds: f64,

    /// Folder for the tables as Markdown and as CSV
    #[arg(long)]
    pub out: Option<PathBuf>,
}

impl OperationsArgs {
    /// One curve and one backend.
    pub fn of(curve: Curve, backend: Backend, seconds: f64) -> Self {
        Self { curves: vec![curve], backends: vec![backend], seconds, out: None }
    }

    /// Returns the chosen backends, or all except the model, which is for tests.
    pub fn backends(&self) -> Vec<Backend> {
        chosen_or_measured(&self.backends)
    }
}

fn chosen_or_measured(backends: &[Backend]) -> Vec<Backend> {
    if !backends.is_empty() {
        return backends.to_vec();
    }
    let is_measured = |backend: &Backend| *backend != Backend::Model && backend.is_supported();
    Backend::ALL.into_iter().filter(is_measured).collect()
}

#[derive(clap::Args)]
pub struct PrecompilesArgs {
    /// Our instruction sets; by default all that this CPU has
    #[arg(long, value_delimiter = ',', value_parser = backend)]
    backends: Vec<Backend>,

    /// Seconds to spend on a cell and library; there are always at least seven repetitions
    #[arg(long, default_value_t = 0.3, value_parser = seconds)]
    pub seconds: f64,

    /// Folder for the table as Markdown
    #[arg(long)]
    pub out: Option<PathBuf>,
}

impl PrecompilesArgs {
    /// Returns the chosen backends, or all except the model, which is for tests.
    pub fn backends(&self) -> Vec<Backend> {
        chosen_or_measured(&self.backends)
    }
}

#[derive(clap::Args)]
pub struct TransformsArgs {
    /// Curves over whose scalar field to measure
    #[arg(long, value_delimiter = ',', value_parser = curve(), default_value = "bls12-381,bn254")]
    pub curves: Vec<Curve>,

    /// Logarithms of the sizes: a list of numbers and of ranges, ends included
    #[arg(long, default_value = "12,14,16,18,20")]
    pub log_sizes: LogSizes,

    /// Our instruction sets; by default all that this CPU has
    #[arg(long, value_delimiter = ',', value_parser = backend)]
    backends: Vec<Backend>,

    /// Seconds to spend on a size and library; there are always at least three repetitions
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,

    /// Folder for the table as Markdown and as CSV
    #[arg(long)]
    pub out: Option<PathBuf>,
}

impl TransformsArgs {
    /// Returns the chosen backends, or all except the model, which is for tests.
    pub fn backends(&self) -> Vec<Backend> {
        chosen_or_measured(&self.backends)
    }
}

#[derive(clap::Args)]
pub struct FloorArgs {
    /// Curves to measure
    #[arg(long, value_delimiter = ',', value_parser = curve(), default_value = "bls12-381,bls12-377,bn254")]
    pub curves: Vec<Curve>,

    /// Groups: g1, g2
    #[arg(long, value_delimiter = ',', default_value = "g1,g2")]
    pub groups: Vec<Group>,

    /// Logarithms of the numbers of points: a list of numbers and of ranges
    #[arg(long, default_value = "10,12,14,16,18,20")]
    pub log_sizes: LogSizes,

    /// Our instruction sets; by default all that this CPU has
    #[arg(long, value_delimiter = ',', value_parser = backend)]
    backends: Vec<Backend>,

    /// Seconds to spend on a cell; there are always at least three repetitions
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,

    /// Folder for floor.md
    #[arg(long)]
    pub out: Option<PathBuf>,
}

impl FloorArgs {
    /// Returns the chosen backends, or all except the model, which is for tests.
    pub fn backends(&self) -> Vec<Backend> {
        chosen_or_measured(&self.backends)
    }
}

#[derive(clap::Args)]
pub struct MsmArgs {
    /// Curves to measure
    #[arg(
        long,
        value_delimiter = ',',
        value_parser = curve(),
        default_value = "bls12-381,bls12-377,bn254",
        default_value_if("protocol", "true", "bn254")
    )]
    pub curves: Vec<Curve>,

    /// Groups; pair is the same scalars over G1 and over G2
    #[arg(long, value_delimiter = ',', default_value = "g1,g2", default_value_if("protocol", "true", "g1"))]
    pub groups: Vec<Group>,

    /// Logarithms of the numbers of points: a list of numbers and of ranges, ends included, for example 10,12..16
    #[arg(long, default_value = "10,12,14,16", default_value_if("protocol", "true", "20"))]
    pub log_sizes: LogSizes,

    /// Numbers of points instead, for example 1,3,100
    #[arg(long, value_delimiter = ',', conflicts_with = "log_sizes", value_parser = points)]
    pub points: Vec<usize>,

    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = thread_count)]
    pub threads: Vec<usize>,

    /// Distributions of the scalars
    #[arg(long, value_delimiter = ',', default_value = "uniform")]
    pub distributions: Vec<Distribution>,

    /// Our instruction sets, each as a separate competitor; by default the fastest of this CPU
    #[arg(long, value_delimiter = ',', value_parser = backend)]
    backends: Vec<Backend>,

    /// Libraries to compare with; by default all, and none without a value
    #[arg(long, value_delimiter = ',', num_args = 0..)]
    peers: Option<Vec<PeerKind>>,

    /// Seconds to spend on a cell; there are always at least three repetitions
    #[arg(long, default_value_t = 3.0, value_parser = seconds)]
    pub seconds: f64,

    /// Make three calls to warm up and twenty that count, with any duration, and report the first call separately; by
    /// default for 2^20 points of BN254 G1
    #[arg(long)]
    pub protocol: bool,

    /// Prepare our points for each sum, in the measured time
    #[arg(long)]
    one_shot: bool,

    /// Seed of the points and the scalars
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Folder for results.csv, results.md and results.svg
    #[arg(long, default_value = "results")]
    pub out: PathBuf,
}

impl MsmArgs {
    /// Returns the options of `bench msm` with these arguments.
    pub fn of(options: &str) -> Result<Self, clap::Error> {
        let args = Args::try_parse_from(["bench", "msm"].into_iter().chain(options.split_whitespace()))?;
        match args.command {
            Command::Msm(args) => Ok(args),
            _ => unreachable!("the command is msm"),
        }
    }

    /// Returns the numbers of points, ascending.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = match self.points.is_empty() {
            true => self.log_sizes.0.iter().map(|&log_size| 1 << log_size).collect(),
            false => self.points.clone(),
        };
        sizes.sort_unstable();
        sizes
    }

    pub fn backends(&self) -> Result<Vec<Backend>, bucketwheel::Error> {
        if self.backends.is_empty() {
            return Ok(vec![bucketwheel::default_backend()?]);
        }
        Ok(self.backends.clone())
    }

    pub fn preparation(&self) -> Preparation {
        if self.one_shot { Preparation::EachSum } else { Preparation::Once }
    }

    pub fn peers(&self) -> &[PeerKind] {
        self.peers.as_deref().unwrap_or(PeerKind::value_variants())
    }
}

#[derive(clap::Args)]
pub struct JoinArgs {
    /// Files results.csv; of a cell that several files have, the last one counts
    #[arg(required = true)]
    pub files: Vec<PathBuf>,

    /// Folder for results.csv, results.md and results.svg
    #[arg(long, default_value = "results")]
    pub out: PathBuf,
}

#[derive(clap::Args)]
pub struct Groth16Args {
    /// A folder that contains a folder for each workload, with circuit.zkey and witness.wtns
    pub folder: PathBuf,

    /// Names of workloads; by default all in the folder
    #[arg(long, value_delimiter = ',')]
    pub workloads: Vec<String>,

    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_parser = thread_count)]
    pub threads: Vec<usize>,

    /// Provers
    #[arg(long, value_delimiter = ',', default_value = "bucketwheel,arkworks,gnark,rapidsnark,snarkjs")]
    pub provers: Vec<Prover>,

    /// Seconds to spend on a workload with a number of threads; there are always at least three repetitions
    #[arg(long, default_value_t = 20.0, value_parser = seconds)]
    pub seconds: f64,

    /// Folder for provers.csv and provers.md
    #[arg(long, default_value = "results")]
    pub out: PathBuf,
}

#[derive(clap::Args)]
pub struct ServeArgs {
    /// A folder that contains a folder for each workload, with circuit.zkey and witness.wtns
    pub folder: PathBuf,

    /// Names of workloads
    #[arg(long, value_delimiter = ',', default_value = "semaphore")]
    pub workloads: Vec<String>,

    /// Numbers of simultaneous clients
    #[arg(long, value_delimiter = ',', default_value = "1,2,8,32", value_parser = thread_count)]
    pub clients: Vec<usize>,

    /// Number of threads to prove with; clients are on the same processors
    #[arg(long, default_value_t = 2, value_parser = thread_count)]
    pub threads: usize,

    /// Seconds to spend on each of six rounds with a number of clients
    #[arg(long, default_value_t = 5.0, value_parser = seconds)]
    pub seconds: f64,

    /// Folder for serve.md
    #[arg(long, default_value = "results")]
    pub out: PathBuf,
}

#[derive(clap::Args)]
pub struct ReproduceArgs {
    /// Names of tables in the marks of the documents; by default all, which takes hours
    #[arg(long, value_delimiter = ',')]
    pub tables: Vec<String>,

    /// Logarithms of the sizes of the rows or columns to make: a list of numbers and of ranges; other rows stay as
    /// they are
    #[arg(long)]
    pub log_sizes: Option<LogSizes>,

    /// Seconds to spend on a measured cell; there are at least three repetitions, unless a round of sums takes more than
    /// 40 seconds
    #[arg(long, default_value_t = 2.0, value_parser = seconds)]
    pub seconds: f64,

    /// Folder with jsnark's output for SimdMSM's workloads, for its Table 7: NAME.arith and NAME.in, also compressed
    /// as .xz
    #[arg(long)]
    pub jsnark: Option<PathBuf>,

    /// Folder with SimdMSM's own programs (github.com/JR-account/SimdMSM), to run beside ours: test_pip_ifma_N and
    /// test_pair_ifma_N for sums of 2^N points, and additions; programs may be missing
    #[arg(long)]
    pub simdmsm: Option<PathBuf>,

    /// Folder with programs of libsnark and of AVX-ZK, to prove beside ours: profile_r1cs_gg_ppzksnark and
    /// run_ppzksnark, in the folders libsnark and avx-zk; programs may be missing
    #[arg(long)]
    pub libsnark: Option<PathBuf>,

    /// Folder of the documents
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"))]
    pub docs: PathBuf,

    /// Write the tables into the documents
    #[arg(long)]
    pub write: bool,
}

#[derive(clap::Args)]
pub struct SetupArgs {
    /// A folder that contains a folder for each workload, with circuit.r1cs
    pub folder: PathBuf,

    /// Names of workloads
    #[arg(long, value_delimiter = ',', default_value = "chain-16")]
    pub workloads: Vec<String>,

    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_parser = thread_count)]
    pub threads: Vec<usize>,

    /// Folder for setup.md
    #[arg(long, default_value = "results")]
    pub out: PathBuf,
}

#[derive(clap::Args)]
pub struct MakeKeyArgs {
    /// The circuit, an .r1cs
    pub circuit: PathBuf,
    /// The key to write
    pub key: PathBuf,
    /// The number of threads
    #[arg(value_parser = thread_count)]
    pub threads: usize,
}

#[derive(clap::Args)]
pub struct ProveArgs {
    /// Bucketwheel or arkworks
    pub prover: Prover,
    /// The key: a .zkey, or a key in arkworks' form
    pub key: PathBuf,
    /// The witness, a .wtns
    pub witness: PathBuf,
    /// The proof to write
    pub proof: PathBuf,
    /// The public signals to write
    pub public: PathBuf,
    /// The number of threads
    #[arg(value_parser = thread_count)]
    pub threads: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogSizes(pub Vec<u32>);

/// The largest of a paper's tables; larger inputs would not fit the memory of typical machines.
const LARGEST_LOG_SIZE: u32 = 25;

impl FromStr for LogSizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let value = text.parse().ok();
            let value = value.filter(|n| (1..=LARGEST_LOG_SIZE).contains(n));
            value.ok_or_else(|| format!("'{text}' is not a number from 1 to {LARGEST_LOG_SIZE}"))
        };
        let mut sizes = Vec::new();
        for item in text.split(',') {
            match item.split_once("..") {
                Some((first, last)) => {
                    let (first, last) = (number(first)?, number(last)?);
                    if first > last {
                        return Err(format!("the range '{item}' is empty"));
                    }
                    sizes.extend(first..=last);
                }
                None => sizes.push(number(item)?),
            }
        }
        Ok(Self(sizes))
    }
}

/// One of the [`CURVES`], by its name in the catalogue.
fn curve() -> impl TypedValueParser<Value = Curve> {
    PossibleValuesParser::new(CURVES.iter().map(|curve| curve.name())).try_map(|name| name.parse::<Curve>())
}

fn backend(text: &str) -> Result<Backend, String> {
    let backend = text.parse::<Backend>().map_err(|error| error.to_string())?;
    backend.is_supported().then_some(backend).ok_or_else(|| "this CPU lacks its instructions".to_owned())
}

fn points(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|n| (1..=1 << LARGEST_LOG_SIZE).contains(n));
    count.ok_or_else(|| format!("not a number from 1 to 2^{LARGEST_LOG_SIZE}"))
}

fn thread_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|n| (1..=1024).contains(n));
    count.ok_or_else(|| "not a number from 1 to 1024".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s| (0.0..=3600.0).contains(s));
    seconds.ok_or_else(|| "not a number from 0 to 3600".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_sizes_are_lists_of_numbers_and_ranges() {
        let parse = |text: &str| text.parse::<LogSizes>().map(|sizes| sizes.0);
        assert_eq!(parse("10..13"), Ok(vec![10, 11, 12, 13]));
        assert_eq!(parse("4,8..9,20"), Ok(vec![4, 8, 9, 20]));
        for wrong in ["", "0", "26", "9..8", "4,", "a", "..4", "1..=3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    fn msm(arguments: &[&str]) -> Result<MsmArgs, clap::Error> {
        MsmArgs::of(&arguments.join(" "))
    }

    #[test]
    fn without_options_all_peers_meet_one_backend() {
        let args = msm(&[]).unwrap();
        assert_eq!(args.curves.len(), 3);
        assert_eq!(args.backends().unwrap().len(), 1);
        assert_eq!(args.peers(), PeerKind::value_variants());
    }

    #[test]
    fn the_protocol_has_a_cell_of_its_own() {
        let args = msm(&["--protocol"]).unwrap();
        assert_eq!(
            (args.curves, args.groups, args.log_sizes.0),
            (vec![Curve::Bn254], vec![Group::G1], vec![20])
        );
        let args = msm(&["--protocol", "--log-sizes", "16"]).unwrap();
        assert_eq!((args.curves, args.log_sizes.0), (vec![Curve::Bn254], vec![16]));
    }

    #[test]
    fn backends_and_peers_are_lists() {
        let args = msm(&["--backends", "adx,portable", "--peers", "mcl,blst"]).unwrap();
        assert_eq!(args.backends().unwrap(), [Backend::Adx, Backend::Portable]);
        assert_eq!(args.peers(), [PeerKind::Mcl, PeerKind::Blst]);
        assert!(msm(&["--peers"]).unwrap().peers().is_empty());
        for wrong in ["", "sse2", "avx2,", "portable;model"] {
            assert!(msm(&["--backends", wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn operations_are_measured_with_all_backends_of_this_cpu() {
        for command in ["kernels", "adders"] {
            let args = Args::try_parse_from(["bench", command]).unwrap();
            let (Command::Kernels(args) | Command::Adders(args)) = args.command else { unreachable!() };
            let backends = args.backends();
            assert!(backends.contains(&Backend::Portable) && !backends.contains(&Backend::Model));
        }
    }
}
