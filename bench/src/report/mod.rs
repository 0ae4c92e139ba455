//! Results for people and for programs.

mod csv;
mod markdown;
mod plot;
mod required;
pub mod table;

use crate::files::write_atomically;
use crate::results::CellResult;
use anyhow::Result;
use std::path::Path;

/// Replaces all reports in `folder`; called after every cell, so that a run
/// that is stopped leaves what it has.
pub fn write(folder: &Path, results: &[CellResult]) -> Result<()> {
    let file = |name| folder.join(name);
    write_atomically(&file("results.csv"), csv::render(results).as_bytes())?;
    write_atomically(&file("results.md"), markdown::render(results).as_bytes())?;
    if let Some(picture) = plot::render(results)? {
        write_atomically(&file("results.svg"), picture.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod samples {
    use crate::cell::{Cell, Curve, Distribution, Group};
    use crate::peers::PeerKind;
    use crate::results::{CellResult, Timing};
    use std::time::Duration;

    /// A one-thread cell with two peers; the n-th takes n times `1.25 ms`.
    pub fn cell(group: Group, log_size: u32) -> CellResult {
        let timing = |peer, factor| {
            let sample = |percent| Duration::from_micros(1250) * factor * percent / 100;
            Timing::new(peer, [90, 100, 120].map(sample).to_vec())
        };
        CellResult {
            cell: Cell {
                curve: Curve::Bls12_381,
                group,
                log_size,
                threads: 1,
                distribution: Distribution::Uniform,
            },
            ghz: 4.0,
            timings: vec![timing(PeerKind::Blst, 1), timing(PeerKind::Arkworks, 2)],
        }
    }
}
