//! Results for people and for programs.

mod axis;
mod csv;
mod markdown;
mod plot;
mod required;
pub mod table;

use crate::args::JoinArgs;
use crate::cell::Group;
use crate::files::write_atomically;
use crate::results::CellResult;
use anyhow::{Context, Result};
use bucketwheel::CurveId as Curve;
use std::fs;
use std::path::Path;

/// Replaces all reports in `folder`. It is called after every cell, so that a stopped run leaves its results.
pub fn write(folder: &Path, results: &[CellResult]) -> Result<()> {
    let file = |name| folder.join(name);
    write_atomically(&file("results.csv"), csv::render(results).as_bytes())?;
    write_atomically(&file("results.md"), markdown::render(results).as_bytes())?;
    if let Some(picture) = plot::render(results)? {
        write_atomically(&file("results.svg"), picture.as_bytes())?;
    }
    Ok(())
}

/// Replaces all reports in a folder by the results of several runs.
pub fn join(args: &JoinArgs) -> Result<()> {
    let mut results: Vec<CellResult> = Vec::new();
    for path in &args.files {
        let name = || path.display().to_string();
        let more = csv::parse(&fs::read_to_string(path).with_context(name)?).with_context(name)?;
        results.retain(|result| more.iter().all(|other| other.cell != result.cell));
        results.extend(more);
    }
    results.sort_by_key(|result| result.cell.points);
    write(&args.out, &results)
}

/// Returns the name in running text: "BLS12-381 G1".
fn heading(curve: Curve, group: Group) -> String {
    let group = match group {
        Group::G1 => "G1",
        Group::G2 => "G2",
        Group::Pair => "pair",
    };
    format!("{} {group}", curve.to_string().to_uppercase())
}

#[cfg(test)]
pub mod samples {
    use super::*;
    use crate::cell::{Cell, Distribution};
    use crate::peers::{Competitor, PeerKind};
    use crate::results::Timing;
    use crate::stats::Spread;
    use bucketwheel::Backend;

    /// A one-thread cell with two backends and two peers: AVX-512 takes 2.5 ms,
    /// AVX2 twice as long, mcl (with AVX-512) three times and blst four times.
    pub fn cell(group: Group, log_size: u32) -> CellResult {
        let timing = |competitor, avx512, factor: f64| Timing {
            competitor,
            avx512,
            prepare: 5.0 * factor,
            first: 4.0 * factor,
            milliseconds: Spread::range([2.25, 2.5, 3.0].map(|sample| sample * factor).to_vec()),
        };
        let (with_avx512, without) = (true, false);
        CellResult {
            cell: Cell {
                curve: Curve::Bls12_381,
                group,
                points: 1 << log_size,
                threads: 1,
                distribution: Distribution::Uniform,
            },
            ghz: 4.0,
            repetitions: 3,
            timings: vec![
                timing(Competitor::Ours(Backend::Avx512Ifma), with_avx512, 1.0),
                timing(Competitor::Ours(Backend::Avx2), without, 2.0),
                timing(Competitor::Peer(PeerKind::Mcl), with_avx512, 3.0),
                timing(Competitor::Peer(PeerKind::Blst), without, 4.0),
            ],
        }
    }
}
