//! The arguments of `tune`.

use bucketwheel::{CurveId, GroupId};
use clap::value_parser;

use super::shared::{curve, group, BackendArgs, LogSizes};

/// Arguments of `tune`.
#[derive(Debug, clap::Args)]
pub struct TuneArgs {
    /// Curves to measure [default: the curves with pairings]
    #[arg(long = "curve", value_name = "LIST", value_delimiter = ',', value_parser = curve())]
    pub curves: Vec<CurveId>,
    /// Groups to measure [default: all]
    #[arg(long = "group", value_name = "LIST", value_delimiter = ',', value_parser = group())]
    pub groups: Vec<GroupId>,
    /// Sizes 2^A to 2^B, both included; larger sizes take longer and measure wider windows
    #[arg(long, value_name = "A..B", default_value = "10..16")]
    pub log_sizes: LogSizes,
    /// The backend.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Run each window N times and take the fastest run
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=1000))]
    pub repetitions: u32,
    /// Also keep a profile of noisy times, whose interquartile range exceeds 5 % of the median
    #[arg(long)]
    pub allow_noise: bool,
    /// Print JSON: the path of the profile, and a list with one object for each curve, group and size
    #[arg(long)]
    pub json: bool,
}
