//! Arguments that several commands share.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use bucketwheel::{AdderKind, Backend, BasesOptions, Check, CurveId, GroupId, Msm, SchedulerKind, ThreadsBy};
use bucketwheel_dynamic::inputs::Distribution;
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{value_parser, ValueEnum};

use crate::error::Error;
use crate::picture::Format;
use crate::runtime::{self, Pool};

/// Logarithm of the largest size: the engine numbers no more points.
pub const MAX_LOG_SIZE: u32 = 29;
/// Logarithm of the largest size of streamed files, which are never in memory as a whole.
pub const MAX_LOG_STREAMED: u32 = 40;
const MAX_THREADS: u64 = 1024;

/// The threads of a command.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ThreadsArgs {
    /// Threads to use [default: all]
    #[arg(id = "threads", long = "threads", value_name = "N", value_parser = threads())]
    pub number: Option<usize>,
}

impl ThreadsArgs {
    /// Returns a pool with this number of threads.
    ///
    /// # Errors
    /// If the operating system refuses them.
    pub fn pool(self) -> Result<Pool, Error> {
        runtime::pool(self.number)
    }
}

/// The form of a command's output.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct OutputArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A curve and a group on it, also a pair.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct GroupArgs {
    /// The curve
    #[arg(long, value_parser = curve())]
    pub curve: CurveId,
    /// The group of the points
    #[arg(long, default_value = "g1", value_parser = group())]
    pub group: GroupId,
}

/// Sizes by numbers of threads.
#[derive(Clone, Debug, clap::Args)]
pub struct GridArgs {
    /// The curve and the group.
    #[command(flatten)]
    pub on: GroupArgs,
    /// Sizes 2^A to 2^B, both included; one number for one size
    #[arg(long, value_name = "A..B", default_value = "16")]
    pub log_sizes: LogSizes,
    /// Numbers of threads, for example 1,2,4 [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = threads())]
    pub threads: Vec<usize>,
}

/// Generated inputs.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct InputsArgs {
    /// Seed of points and scalars: any number
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Distribution of the scalars
    #[arg(long, default_value = "uniform", value_parser = distribution())]
    pub distribution: Distribution,
}

/// The check of points that are trusted by default.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TrustArgs {
    /// Check every point
    #[arg(long, value_name = "CHECK", default_value = "none")]
    pub check: CheckArg,
}

/// The backend.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct BackendArgs {
    /// The instruction set [default: the fastest, or BUCKETWHEEL_BACKEND]
    #[arg(id = "backend", long = "backend", value_name = "BACKEND", value_parser = named(&Backend::ALL, Backend::name))]
    pub wanted: Option<Backend>,
}

impl BackendArgs {
    /// Returns options for points of this backend.
    pub fn bases<'a>(self) -> BasesOptions<'a> {
        with_backend(self.wanted)
    }
}

/// Options of the engine.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct EngineArgs {
    /// The backend.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Scheduler, which makes batches of independent additions
    #[arg(long, default_value = "auto", value_parser = named(SchedulerKind::ALL, SchedulerKind::name))]
    pub scheduler: SchedulerKind,
    /// The formula that adds points
    #[arg(long, default_value = "auto", value_parser = named(AdderKind::ALL, AdderKind::name))]
    pub adder: AdderKind,
    /// Divide the work among threads: loop splits the points of each window and locks its buckets (not with the
    /// scheduler tree)
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = named(ThreadsBy::ALL, ThreadsBy::name))]
    pub threads_by: ThreadsBy,
    /// Batch size of the schedulers that accept unsorted points (T of delayed) [default: the adder's choice]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=2048))]
    pub batch: Option<u16>,
}

impl EngineArgs {
    /// Returns an MSM with these options.
    pub fn msm<'a>(&self) -> Msm<'a> {
        let msm = Msm::new().scheduler(self.scheduler).adder(self.adder).threads_by(self.threads_by);
        self.batch.map_or(msm, |batch| msm.batch(batch.into()))
    }

    /// Returns options for points of this backend and adder.
    pub fn bases<'a>(&self) -> BasesOptions<'a> {
        self.backend.bases().edwards(self.adder.is_edwards())
    }
}

/// Returns options for points of this backend, by default the fastest.
pub fn with_backend<'a>(backend: Option<Backend>) -> BasesOptions<'a> {
    backend.map_or(BasesOptions::new(), |backend| BasesOptions::new().backend(backend))
}

/// The engine's [`Check`] by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckArg {
    /// Check nothing: the file comes from a trusted source, and its points are in the prime-order subgroup
    None,
    /// Check the curve's equation, which finds damaged files
    Curve,
    /// Also check the prime-order subgroup, for files from strangers; may take longer than the MSM
    Subgroup,
}

impl From<CheckArg> for Check {
    fn from(check: CheckArg) -> Check {
        match check {
            CheckArg::None => Check::None,
            CheckArg::Curve => Check::Curve,
            CheckArg::Subgroup => Check::Subgroup,
        }
    }
}

/// Logarithms of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSizes(pub RangeInclusive<u32>);

impl FromStr for LogSizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|&log_size| log_size <= MAX_LOG_SIZE);
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(LogSizes(first..=last)),
            _ => Err(format!("expected A..B or A with 0 <= A <= B <= {MAX_LOG_SIZE}, as in 10..16")),
        }
    }
}

/// Returns a parser of paths of pictures, whose endings say their form.
pub fn picture() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path: PathBuf| Format::of(&path).map(|_| path))
}

/// Returns a parser of numbers of threads.
pub fn threads() -> impl TypedValueParser<Value = usize> {
    value_parser!(u64).range(1..=MAX_THREADS).map(|threads| threads as usize)
}

/// Returns a parser of curves, which the help describes.
pub fn curve() -> impl TypedValueParser<Value = CurveId> {
    described(CurveId::ALL, CurveId::name, CurveId::about)
}

/// Returns a parser of groups, which the help describes.
pub fn group() -> impl TypedValueParser<Value = GroupId> {
    described(GroupId::ALL, GroupId::name, GroupId::about)
}

/// Returns a parser of distributions of scalars, which the help describes.
fn distribution() -> impl TypedValueParser<Value = Distribution> {
    described(Distribution::ALL, Distribution::name, Distribution::about)
}

/// Returns a parser of the engine's names, which the help lists with descriptions.
pub fn described<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let value = move |&value: &T| PossibleValue::new(name(value)).help(about(value));
    PossibleValuesParser::new(all.iter().map(value))
        .try_map(move |text| all.iter().copied().find(|&value| name(value) == text).ok_or(std::fmt::Error))
}

/// Returns a parser of the engine's names, which the help lists.
pub fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(move |&value| name(value)))
        .try_map(move |text| all.iter().copied().find(|&value| name(value) == text).ok_or(std::fmt::Error))
}
