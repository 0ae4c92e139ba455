//! The arguments of `table` and `bench table`.

use std::path::PathBuf;

use bucketwheel::{Backend, BasesOptions, CurveId, Error, GroupId, MAX_WINDOW, MIN_WINDOW};
use clap::value_parser;

use super::formats::{source, Source, WantedArgs};
use super::shared::{
    curve, named, with_backend, EngineArgs, OutputArgs, ThreadsArgs, TrustArgs, MAX_LOG_SIZE,
};
use crate::measure::Bytes;

/// Arguments of `table`.
#[derive(Debug, clap::Args)]
pub struct TableArgs {
    /// The points file
    pub points: PathBuf,
    /// The table file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Make the best table of at most this size, for example 512M or 2G
    #[arg(long, value_name = "BYTES", conflicts_with = "copies")]
    pub memory: Option<Bytes>,
    /// Keep up to N copies of the points, times powers of two
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = copies())]
    pub copies: u32,
    /// Also keep 2 and 3 times each copy, which needs fewer buckets: the construction of Luo, Fu and Gong
    #[arg(long, conflicts_with = "memory")]
    pub bucket_set: bool,
    /// Instead of copies, keep the points and their multiples by the K largest digits of windows of C bits: EdMSM's
    /// trade-off for little memory
    #[arg(long, value_name = "K:C", conflicts_with_all = ["memory", "copies", "bucket_set"])]
    pub k_points: Option<KPoints>,
    /// The format of the points file
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = source())]
    pub encoding: Source,
    /// The points.
    #[command(flatten)]
    pub wanted: WantedArgs,
    /// The check of the points.
    #[command(flatten)]
    pub trust: TrustArgs,
    /// The instruction set that will use the table [default: the fastest, or BUCKETWHEEL_BACKEND]
    #[arg(long, value_parser = named(&Backend::ALL, Backend::name))]
    pub backend: Option<Backend>,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// The form of the output.
    #[command(flatten)]
    pub output: OutputArgs,
}

impl TableArgs {
    /// Returns options for the preparation of the points.
    ///
    /// # Errors
    /// [`Error::Window`].
    pub fn bases<'a>(&self) -> Result<BasesOptions<'a>, Error> {
        let options = with_backend(self.backend).check(self.trust.check.into());
        match (self.memory, self.k_points) {
            (Some(Bytes(bytes)), _) => Ok(options.memory(bytes)),
            (None, Some(wanted)) => wanted.of(options),
            (None, None) if self.bucket_set => Ok(options.bucket_set(self.copies as usize)),
            (None, None) => Ok(options.copies(self.copies as usize)),
        }
    }
}

/// Number of multiples of each point, by the largest digits, and bits of the windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KPoints {
    count: u32,
    window: u32,
}

impl KPoints {
    /// Returns `options` with these multiples.
    ///
    /// # Errors
    /// [`Error::Window`].
    pub fn of(self, options: BasesOptions<'_>) -> Result<BasesOptions<'_>, Error> {
        options.k_points(self.count as usize, self.window)
    }
}

impl std::str::FromStr for KPoints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':').and_then(|(k, c)| Some((k.parse().ok()?, c.parse().ok()?)));
        match parts {
            Some((count @ 1..=1023, window @ MIN_WINDOW..=MAX_WINDOW)) => Ok(KPoints { count, window }),
            _ => Err(format!(
                "expected K:C, K from 1 to 1023 and C from {MIN_WINDOW} to {MAX_WINDOW}, as in 2:13"
            )),
        }
    }
}

/// Arguments of `bench table`.
#[derive(Debug, clap::Args)]
pub struct BenchTableArgs {
    /// The curve
    #[arg(long, value_parser = curve())]
    pub curve: CurveId,
    /// The group of the points
    #[arg(long, default_value = "g1", value_parser = named(&[GroupId::G1, GroupId::G2], GroupId::name))]
    pub group: GroupId,
    /// Use 2^N points
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(0..=i64::from(MAX_LOG_SIZE)))]
    pub log_size: u32,
    /// Measure tables with these numbers of copies
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "2,4,8,16", value_parser = copies())]
    pub copies: Vec<u32>,
    /// Measure tables with these numbers of copies, and 2 and 3 times each copy
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = copies())]
    pub bucket_sets: Vec<u32>,
    /// Measure points with their multiples by the K largest digits of windows of C bits
    #[arg(long, value_name = "K:C,...", value_delimiter = ',')]
    pub k_points: Vec<KPoints>,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// The engine's options.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Take the medians of N rounds, after one round that warms up
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = value_parser!(u32).range(1..=1000))]
    pub repetitions: u32,
    /// Print JSON: a list with one object for no table and for each table
    #[arg(long)]
    pub json: bool,
}

/// Returns a parser of numbers of copies. More copies than a scalar has bits are useless.
fn copies() -> clap::builder::RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..=256)
}
