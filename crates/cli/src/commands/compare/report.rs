//! The rows of `compare`.

use std::io::Write;

use bucketwheel::{CurveId, GroupId};
use serde::Serialize;

use crate::error::Error;
use crate::measure::percent;

/// One strategy at one size on some threads.
#[derive(Serialize)]
pub struct Row {
    pub curve: CurveId,
    pub group: GroupId,
    pub log_size: u32,
    pub threads: usize,
    pub backend: &'static str,
    pub scheduler: &'static str,
    pub adder: &'static str,
    pub window: u32,
    /// The median.
    pub ms: f64,
    /// The interquartile range in % of the median.
    pub spread_percent: Option<f64>,
}

/// Prints a row, beside the time of the default strategy.
///
/// # Errors
/// If `out` cannot be written.
pub fn print(out: &mut dyn Write, row: &Row, auto: f64) -> Result<(), Error> {
    let Row { log_size, threads, backend, scheduler, adder, window, ms, .. } = row;
    writeln!(
        out,
        "{log_size:>8} {threads:>7} {backend:>10} {scheduler:>10} {adder:>15} {window:>6} {ms:>12.3} {:>8} {:>8.2}",
        percent(row.spread_percent),
        ms / auto
    )?;
    Ok(())
}
