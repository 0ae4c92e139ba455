//! The arguments of `explore`.

use std::path::PathBuf;

use bucketwheel_hardware::boards::{Board, BOARDS};
use bucketwheel_hardware::resources::Density;
use bucketwheel_hardware::Curve;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::value_parser;

use super::shared::{described, named, picture, MAX_LOG_SIZE};

/// Arguments of `explore`.
#[derive(Debug, clap::Args)]
pub struct ExploreArgs {
    /// Explore one sum of 2^N points
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(0..=i64::from(MAX_LOG_SIZE)))]
    pub log_size: u32,
    /// The curve
    #[arg(long, default_value = "bls12-377", value_parser = named(&Curve::ALL, Curve::name))]
    pub curve: Curve,
    /// The board or the chip
    #[arg(long, default_value = "U250", ignore_case = true, value_parser = board())]
    pub board: Board,
    /// The source of LUTs and DSPs [default: both]
    #[arg(long, value_parser = described(&Density::ALL, Density::name, Density::about))]
    pub density: Option<Density>,
    /// The clock of all designs in MHz [default: the clocks of the designs' papers, 125 to 250]
    #[arg(long, value_name = "MHZ", value_parser = clock)]
    pub clock: Option<f64>,
    /// Leave a part of the board free: machines may take this share of its LUTs, DSPs and UltraRAMs
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = value_parser!(u32).range(1..=100))]
    pub fill: u32,
    /// Print the N fastest machines of each front
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = value_parser!(u32).range(1..))]
    pub rows: u32,
    /// Print whole fronts, and all machines that the board has no room for
    #[arg(long, conflicts_with = "rows")]
    pub all: bool,
    /// Run the cycle model for the N fastest machines of each front; takes seconds each at 2^20 points
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub verify: Option<u32>,
    /// Print JSON: one object, with whole fronts
    #[arg(long)]
    pub json: bool,
    /// Also write a picture of the fronts, as SVG, PNG or PDF by its ending
    #[arg(long, value_name = "FILE", value_parser = picture())]
    pub plot: Option<PathBuf>,
}

/// A parser of boards.
fn board() -> impl TypedValueParser<Value = Board> {
    PossibleValuesParser::new(BOARDS.iter().map(|board| board.name))
        .try_map(|name| Board::named(&name).ok_or(std::fmt::Error))
}

/// Parses a clock that all designs allow.
fn clock(text: &str) -> Result<f64, String> {
    let clock = text.parse().ok().filter(|clock| (1.0..=10_000.0).contains(clock));
    clock.ok_or_else(|| "expected 1 to 10000, as in 300".to_owned())
}
