//! Proofs as a table that grows on standard output, as CSV and as Markdown.

use super::kind::Prover;
use super::process::Peaks;
use crate::cell::threads;
use crate::files::write_atomically;
use crate::machine;
use crate::stats::Spread;
use anyhow::Result;
use bucketwheel_groth16::{CurveId, snarkjs_name};
use std::path::Path;

/// One prover's times on a cell, in seconds.
pub struct Timing {
    pub prover: Prover,
    /// From the start of its process to its end; for gnark, its call alone.
    pub seconds: Spread,
    /// Processor time of its process; median.
    pub processor: Option<f64>,
    /// Medians of the times that the prover states.
    pub load: f64,
    pub prove: f64,
    pub stages: Vec<(String, f64)>,
    pub memory: Option<Peaks>,
}

/// All provers' times on a workload with a number of threads.
pub struct CellResult {
    pub workload: String,
    pub curve: CurveId,
    pub constraints: usize,
    pub threads: usize,
    /// Core clock just before the cell.
    pub ghz: f64,
    pub repetitions: usize,
    pub timings: Vec<Timing>,
}

impl CellResult {
    pub fn timing(&self, prover: Prover) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.prover == prover)
    }

    /// Returns the factor by which a prover takes longer than ours.
    fn ratio(&self, timing: &Timing) -> Option<f64> {
        let ours = self.timing(Prover::Bucketwheel)?;
        Some(timing.seconds.median / ours.seconds.median)
    }
}

/// Replaces the reports in `folder`.
pub fn write(folder: &Path, results: &[CellResult]) -> Result<()> {
    write_atomically(&folder.join("provers.csv"), csv(results).as_bytes())?;
    write_atomically(&folder.join("provers.md"), markdown(results).as_bytes())
}

pub fn print_header() {
    println!(
        "{:<24}{:>12}{:>9}  {:<12}{:>10}{:>10}{:>10}{:>6}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>7}",
        "workload",
        "constraints",
        "threads",
        "prover",
        "median s",
        "min s",
        "max s",
        "reps",
        "cpu s",
        "load s",
        "prove s",
        "anon MB",
        "res MB",
        "vs ours",
        "GHz"
    );
}

pub fn print_rows(result: &CellResult) {
    for timing in &result.timings {
        let Spread { median, low, high } = timing.seconds;
        println!(
            "{:<24}{:>12}{:>9}  {:<12}{median:>10.3}{low:>10.3}{high:>10.3}{:>6}{:>9}{:>9.3}{:>9.3}{:>9}{:>9}{:>9}{:>7.2}",
            result.workload,
            result.constraints,
            result.threads,
            timing.prover.to_string(),
            result.repetitions,
            timing.processor.map_or("-".to_owned(), |seconds| format!("{seconds:.3}")),
            timing.load,
            timing.prove,
            timing.memory.map_or("-".to_owned(), |peaks| format!("{:.0}", megabytes(peaks.anonymous))),
            timing.memory.map_or("-".to_owned(), |peaks| format!("{:.0}", megabytes(peaks.resident))),
            result.ratio(timing).map_or("-".to_owned(), |ratio| format!("{ratio:.2}x")),
            result.ghz
        );
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

const HEADER: &str = "workload,curve,constraints,threads,prover,median_s,min_s,max_s,processor_s,load_s,prove_s,anonymous_bytes,resident_bytes,reps,ghz\n";

fn csv(results: &[CellResult]) -> String {
    let mut text = HEADER.to_owned();
    for result in results {
        for timing in &result.timings {
            let memory = timing
                .memory
                .map_or(",".to_owned(), |Peaks { anonymous, resident }| format!("{anonymous},{resident}"));
            let processor = timing.processor.map_or(String::new(), |seconds| format!("{seconds:.6}"));
            text += &format!(
                "{},{},{},{},{},{:.6},{:.6},{:.6},{processor},{:.6},{:.6},{memory},{},{:.3}\n",
                result.workload,
                snarkjs_name(result.curve),
                result.constraints,
                result.threads,
                timing.prover,
                timing.seconds.median,
                timing.seconds.low,
                timing.seconds.high,
                timing.load,
                timing.prove,
                result.repetitions,
                result.ghz
            );
        }
    }
    text
}

/// Returns, for each number of threads, the times, the memory, and the parts of our time.
fn markdown(results: &[CellResult]) -> String {
    let mut text = format!(
        "Groth16 on {}, one process for each proof: from its start to its end, with the key loaded from \
         a cached file and the proof written, ours verified too; of gnark, its prover's call alone, with its \
         key in memory. Medians of interleaved runs, seconds. In brackets: how many times longer than \
         bucketwheel; bold is less than required.\n",
        machine::processor()
    );
    let mut sorted: Vec<_> = results.iter().collect();
    sorted.sort_by_key(|result| result.threads);
    for members in sorted.chunk_by(|a, b| a.threads == b.threads) {
        text += &format!("\n### {}\n\n", threads(members[0].threads));
        text += &times(members);
        text += "\nThe most memory of the process, MB: anonymous, and resident, which has the mapped key's pages:\n\n";
        text += &memory(members);
        text += &format!(
            "\nWhere bucketwheel's time goes, seconds of {} together; *other* is without a stage: start, end, \
             and threads that wait:\n\n",
            threads(members[0].threads)
        );
        text += &stages(members);
    }
    text
}

/// The provers of some cells, in order of their first cell.
fn provers(members: &[&CellResult]) -> Vec<Prover> {
    let mut provers = Vec::new();
    for timing in members.iter().flat_map(|result| &result.timings) {
        if !provers.contains(&timing.prover) {
            provers.push(timing.prover);
        }
    }
    provers
}

fn table(columns: impl IntoIterator<Item = String>, rows: Vec<Vec<String>>) -> String {
    let columns: Vec<_> = columns.into_iter().collect();
    let mut text = format!("| {} |\n|---|{}\n", columns.join(" | "), "---:|".repeat(columns.len() - 1));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}

/// A table of workloads with a column for each prover.
fn by_prover(members: &[&CellResult], value: impl Fn(&CellResult, &Timing) -> String) -> String {
    let provers = provers(members);
    let head = ["workload", "constraints"].map(str::to_owned).into_iter();
    let rows = members.iter().map(|result| {
        let mut row = vec![result.workload.clone(), result.constraints.to_string()];
        let value = |prover: &Prover| Some(value(result, result.timing(*prover)?));
        row.extend(provers.iter().map(|prover| value(prover).unwrap_or("-".to_owned())));
        row
    });
    table(head.chain(provers.iter().map(Prover::to_string)), rows.collect())
}

fn times(members: &[&CellResult]) -> String {
    by_prover(members, |result, timing| {
        let seconds = timing.seconds.median;
        match (result.ratio(timing), timing.prover.required()) {
            (Some(ratio), Some(required)) if ratio < required => format!("{seconds:.3} (**{ratio:.2}**)"),
            (Some(ratio), _) if timing.prover != Prover::Bucketwheel => format!("{seconds:.3} ({ratio:.2})"),
            _ => format!("{seconds:.3}"),
        }
    })
}

fn memory(members: &[&CellResult]) -> String {
    by_prover(members, |_, timing| {
        timing.memory.map_or("-".to_owned(), |Peaks { anonymous, resident }| {
            format!("{:.1}, {:.1}", megabytes(anonymous), megabytes(resident))
        })
    })
}

fn stages(members: &[&CellResult]) -> String {
    let ours: Vec<_> =
        members.iter().filter_map(|result| Some((*result, result.timing(Prover::Bucketwheel)?))).collect();
    let Some((_, first)) = ours.first() else {
        return "-\n".to_owned();
    };
    let names = first.stages.iter().map(|(name, _)| name.clone());
    let head = ["workload", "load"].map(str::to_owned).into_iter().chain(names).chain(["other".to_owned()]);
    let rows = ours.iter().map(|(result, timing)| {
        // Loading counts for all threads, including idle ones.
        let threads = result.threads as f64;
        let mut seconds = vec![timing.load * threads];
        seconds.extend(timing.stages.iter().map(|(_, seconds)| seconds));
        seconds.push(timing.seconds.median * threads - seconds.iter().sum::<f64>());
        let seconds = seconds.iter().map(|seconds| format!("{seconds:.3}"));
        [result.workload.clone()].into_iter().chain(seconds).collect()
    });
    table(head, rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(workload: &str, threads: usize, peer: f64) -> CellResult {
        let timing = |prover, seconds: f64| Timing {
            prover,
            seconds: Spread { median: seconds, low: 0.5 * seconds, high: 2.0 * seconds },
            processor: Some(1.5),
            load: 0.125,
            prove: 0.75,
            stages: if prover == Prover::Bucketwheel {
                vec![("rows".to_owned(), 0.25), ("msm H".to_owned(), 0.5)]
            } else {
                Vec::new()
            },
            memory: Some(Peaks { anonymous: 12_340_000, resident: 23_440_000 }),
        };
        CellResult {
            workload: workload.to_owned(),
            curve: CurveId::Bn254,
            constraints: 1000,
            threads,
            ghz: 3.0,
            repetitions: 5,
            timings: vec![timing(Prover::Bucketwheel, 1.0), timing(Prover::Snarkjs, peer)],
        }
    }

    #[test]
    fn peers_are_set_against_ours_and_what_is_too_slow_is_bold() {
        let text = markdown(&[cell("fast", 2, 6.0), cell("slow", 2, 4.5)]);
        assert!(text.contains("| workload | constraints | bucketwheel | snarkjs |\n|---|---:|---:|---:|\n"));
        assert!(text.contains("| fast | 1000 | 1.000 | 6.000 (6.00) |"), "{text}");
        assert!(text.contains("| slow | 1000 | 1.000 | 4.500 (**4.50**) |"), "{text}");
        assert!(text.contains("| fast | 1000 | 12.3, 23.4 | 12.3, 23.4 |"), "{text}");
        // Two threads for a second: 2 x 0.125 to load, 0.25, 0.5, and the rest.
        assert!(text.contains("| fast | 0.250 | 0.250 | 0.500 | 1.000 |"), "{text}");
    }

    #[test]
    fn numbers_of_threads_have_tables_of_their_own() {
        let text = markdown(&[cell("a", 1, 6.0), cell("a", 2, 6.0), cell("b", 1, 6.0)]);
        assert_eq!(text.matches("### ").count(), 2);
        let first = text.split("### 2 threads").next().unwrap();
        assert!(first.contains("| b |") && text.matches("| b |").count() == 3);
    }

    #[test]
    fn the_csv_has_a_line_for_each_cell_and_prover() {
        let text = csv(&[cell("a", 1, 6.0), cell("b", 2, 6.0)]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        let ours = "a,bn128,1000,1,bucketwheel,1.000000,0.500000,2.000000,1.500000,0.125000,0.750000,12340000,23440000,5,3.000";
        assert_eq!(lines[1], ours);
        assert!(lines.iter().all(|line| line.split(',').count() == HEADER.split(',').count()));
    }
}
