//! The command line.

use crate::cell::{Curve, Distribution, Group};
use crate::peers::PeerKind;
use clap::{Parser, Subcommand};
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
    /// Measure multi-scalar multiplications
    Msm(MsmArgs),
}

#[derive(clap::Args)]
pub struct MsmArgs {
    /// Curves to measure
    #[arg(long, value_delimiter = ',', default_value = "bls12-381,bls12-377,bn254")]
    pub curves: Vec<Curve>,

    /// Groups; pair is the same scalars over G1 and over G2
    #[arg(long, value_delimiter = ',', default_value = "g1,g2")]
    pub groups: Vec<Group>,

    /// Logarithms of the numbers of points: a list of numbers and of ranges,
    /// ends included, as in 10,12..16
    #[arg(long, default_value = "10,12,14,16")]
    pub log_sizes: LogSizes,

    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = thread_count)]
    pub threads: Vec<usize>,

    /// How the scalars are drawn
    #[arg(long, value_delimiter = ',', default_value = "uniform")]
    pub distributions: Vec<Distribution>,

    /// Libraries to compare; all if not given
    #[arg(long, value_delimiter = ',')]
    pub peers: Vec<PeerKind>,

    /// Seconds to spend on a cell; three repetitions are made in any case
    #[arg(long, default_value_t = 3.0, value_parser = seconds)]
    pub seconds: f64,

    /// Determines the points and the scalars
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Folder for results.csv, results.md and results.svg
    #[arg(long, default_value = "results")]
    pub out: PathBuf,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogSizes(pub Vec<u32>);

/// Larger inputs would not fit into the memory of the machines in mind.
const LARGEST_LOG_SIZE: u32 = 24;

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
        for wrong in ["", "0", "25", "9..8", "4,", "a", "..4", "1..=3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_defaults_are_valid() {
        let args = Args::try_parse_from(["bench", "msm"]).unwrap();
        let Command::Msm(args) = args.command;
        assert_eq!(args.curves.len(), 3);
        assert!(args.peers.is_empty());
    }
}
