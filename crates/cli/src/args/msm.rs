//! The arguments of `msm`.

use std::path::PathBuf;
use std::time::Duration;

use bucketwheel::{CurveId, GroupId, Msm, MAX_WINDOW, MIN_WINDOW};
use clap::value_parser;

use super::formats::{source, SectionArgs, Source};
use super::hardware::DeviceArgs;
use super::shared::{curve, group, EngineArgs, ThreadsArgs, TrustArgs};
use crate::measure::Bytes;

/// Arguments of `msm`.
#[derive(Debug, clap::Args)]
pub struct MsmArgs {
    /// The curve [default: the curve that the points file names]
    #[arg(long, value_parser = curve())]
    pub curve: Option<CurveId>,
    /// The group of the points [default: the group that the points file names]
    #[arg(long, value_parser = group())]
    pub group: Option<GroupId>,
    /// The format of the points file
    #[arg(long, value_name = "FORMAT", default_value = "bucketwheel", value_parser = source())]
    pub encoding: Source,
    /// The section.
    #[command(flatten)]
    pub section: SectionArgs,
    /// The points file, or a table
    pub points: PathBuf,
    /// The scalars files; each is one MSM
    #[arg(required = true)]
    pub scalars: Vec<PathBuf>,
    /// The threads.
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// The check of the points.
    #[command(flatten)]
    pub trust: TrustArgs,
    /// Find equal points and add up their scalars first (not with --check curve)
    #[arg(long)]
    pub deduplicate: bool,
    /// The engine's options.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The device that computes.
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Bits of a window [default: the best for these scalars]
    #[arg(long, value_name = "BITS", value_parser = value_parser!(u32).range(i64::from(MIN_WINDOW)..=i64::from(MAX_WINDOW)))]
    pub window: Option<u32>,
    /// Memory to compute in, and the checkpoint.
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Print JSON: a list with one result for each scalars file
    #[arg(long)]
    pub json: bool,
}

impl MsmArgs {
    /// Returns the MSM with these options.
    pub fn msm<'a>(&self) -> Msm<'a> {
        let msm = self.engine.msm();
        self.window.map_or(msm, |window| msm.window(window))
    }
}

/// Options for inputs larger than memory, and for checkpoints.
#[derive(Clone, Debug, clap::Args)]
pub struct StreamArgs {
    /// Memory to compute in, for example 512M or 2G; larger files are streamed [default: half of the
    /// machine's memory]
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    /// Save the state to this file and continue from it if it exists; deleted after success. The file reveals
    /// something about the scalars, so only its owner may read it
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds from one checkpoint to the next
    #[arg(long, value_name = "SECONDS", default_value = "60", requires = "checkpoint", value_parser = seconds)]
    pub every: Duration,
}

/// Parses a time in seconds, with fractions.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds, as in 60 or 0.5".into())
}
