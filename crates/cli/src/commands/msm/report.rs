//! The report of an MSM.

use std::io::Write;

use bucketwheel::{CurveId, GroupId};
use serde::Serialize;

use crate::error::Error;
use crate::output::{visible, Sum};

/// One MSM and facts about its computation.
#[derive(Serialize)]
pub struct Outcome {
    /// The scalars file, whose name need not be Unicode.
    pub scalars: String,
    pub curve: CurveId,
    pub group: GroupId,
    pub size: usize,
    #[serde(flatten)]
    pub sum: Sum,
    /// Time without reading and preparing the points, but with both if the MSM was streamed.
    pub ms: f64,
    pub window: u32,
    /// Number of bucket sets: fewer than windows over a table.
    pub bucket_sets: usize,
    pub backend: &'static str,
    pub threads: usize,
    /// After --deduplicate: the remaining points, and the cost; for a pair, in G1.
    #[serde(flatten)]
    pub deduplication: Option<Merged>,
    /// The engine's bound on the memory of the MSM beyond points and scalars.
    pub memory_bound_bytes: usize,
    /// The measured memory, unless the MSM was streamed.
    pub memory_bytes: Option<u64>,
    /// The peak memory of the whole process so far.
    pub peak_memory_bytes: Option<u64>,
    pub streamed: Option<Streamed>,
}

/// Result of the search for equal points, and its times.
#[derive(Serialize)]
pub struct Merged {
    pub distinct: usize,
    /// Time of the search, once, while the points are prepared.
    pub hashing_ms: f64,
    /// Time in this MSM; `None` if too few points repeat.
    pub merging_ms: Option<f64>,
}

/// Blocks and checkpoints of a streamed MSM.
#[derive(Serialize)]
pub struct Streamed {
    /// Number of points at a time.
    pub block: usize,
    /// Number of points that a checkpoint had consumed.
    pub resumed_at: Option<usize>,
    /// Number of written checkpoints.
    pub checkpoints: usize,
}

fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Prints the report.
///
/// # Errors
/// If `out` cannot be written.
pub fn print(out: &mut dyn Write, outcome: &Outcome) -> Result<(), Error> {
    let Outcome { curve, group, size, ms, backend, threads, .. } = outcome;
    writeln!(out, "{}", visible(&outcome.scalars))?;
    write!(out, "{}", outcome.sum)?;
    write!(out, "  {curve} {group}, {size} points: {ms:.2} ms")?;
    write!(out, ", window {}, backend {backend}, threads {threads}", outcome.window)?;
    write!(out, ", memory at most {} MiB", mebibytes(outcome.memory_bound_bytes as u64))?;
    if let Some(Merged { distinct, hashing_ms, merging_ms }) = &outcome.deduplication {
        write!(out, ", {distinct} of {size} points distinct (found in {hashing_ms:.2} ms")?;
        match merging_ms {
            Some(ms) => write!(out, ", scalars merged in {ms:.2} ms)")?,
            None => write!(out, ", too many to merge scalars)")?,
        }
    }
    if let Some(bytes) = outcome.memory_bytes {
        write!(out, ", measured {} MiB", mebibytes(bytes))?;
    }
    if let Some(bytes) = outcome.peak_memory_bytes {
        write!(out, ", of the whole process {} MiB", mebibytes(bytes))?;
    }
    if let Some(Streamed { block, resumed_at, checkpoints }) = &outcome.streamed {
        write!(out, ", streamed {block} points at a time")?;
        if let Some(position) = resumed_at {
            write!(out, ", resumed at point {position}")?;
        }
        if *checkpoints > 0 {
            write!(out, ", {checkpoints} checkpoints")?;
        }
    }
    writeln!(out)?;
    Ok(())
}
