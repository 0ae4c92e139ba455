//! One line for each cell and library.

use crate::cell::Cell;
use crate::peers::{Competitor, PeerKind};
use crate::results::{CellResult, Timing};
use crate::stats::Spread;
use anyhow::{Context, Result, anyhow, ensure};
use clap::ValueEnum;

const HEADER: &str = "curve,group,points,threads,distribution,library,avx512,prepare_ms,first_ms,median_ms,min_ms,max_ms,reps,ghz\n";

pub fn render(results: &[CellResult]) -> String {
    let mut text = HEADER.to_owned();
    for result in results {
        let cell = result.cell;
        for timing in &result.timings {
            text += &format!(
                "{},{},{},{},{},{},{},{:.6},{:.6},{:.6},{:.6},{:.6},{},{:.3}\n",
                cell.curve,
                cell.group,
                cell.points,
                cell.threads,
                cell.distribution,
                timing.competitor,
                timing.avx512,
                timing.prepare,
                timing.first,
                timing.milliseconds.median,
                timing.milliseconds.low,
                timing.milliseconds.high,
                result.repetitions,
                result.ghz,
            );
        }
    }
    text
}

/// Reads the text that [`render`] writes.
pub fn parse(text: &str) -> Result<Vec<CellResult>> {
    let lines = text.strip_prefix(HEADER).context("the first line does not name the columns")?.lines();
    let mut results: Vec<CellResult> = Vec::new();
    for (index, line) in lines.enumerate() {
        let (result, timing) = parse_line(line).with_context(|| format!("line {}", index + 2))?;
        match results.last_mut().filter(|last| last.cell == result.cell) {
            Some(last) => last.timings.push(timing),
            None => results.push(CellResult { timings: vec![timing], ..result }),
        }
    }
    Ok(results)
}

/// Returns a cell without times, and the time of a line.
fn parse_line(line: &str) -> Result<(CellResult, Timing)> {
    let columns: Vec<_> = line.split(',').collect();
    let count = HEADER.split(',').count();
    ensure!(columns.len() == count, "{} columns, expected {count}", columns.len());
    let cell = Cell {
        curve: columns[0].parse()?,
        group: value(columns[1])?,
        points: columns[2].parse()?,
        threads: columns[3].parse()?,
        distribution: value(columns[4])?,
    };
    let ours = columns[5].strip_prefix("bucketwheel (").and_then(|name| name.strip_suffix(')'));
    let timing = Timing {
        competitor: match ours {
            Some(backend) => Competitor::Ours(backend.parse().map_err(|error| anyhow!("{error}"))?),
            None => Competitor::Peer(value::<PeerKind>(columns[5])?),
        },
        avx512: columns[6].parse()?,
        prepare: columns[7].parse()?,
        first: columns[8].parse()?,
        milliseconds: Spread {
            median: columns[9].parse()?,
            low: columns[10].parse()?,
            high: columns[11].parse()?,
        },
    };
    let (repetitions, ghz) = (columns[12].parse()?, columns[13].parse()?);
    Ok((CellResult { cell, ghz, repetitions, timings: Vec::new() }, timing))
}

/// Returns the value of a name.
fn value<V: ValueEnum>(name: &str) -> Result<V> {
    V::from_str(name, false).map_err(|error| anyhow!("{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Group;
    use crate::report::samples;

    #[test]
    fn a_line_for_each_cell_and_library() {
        let text = render(&[samples::cell(Group::G2, 10)]);
        let lines: Vec<_> = text.lines().collect();
        let ours = "bls12-381,g2,1024,1,uniform,bucketwheel (avx512ifma),true,5.000000,4.000000,2.500000,2.250000,3.000000,3,4.000";
        assert_eq!(lines[1], ours);
        assert_eq!(lines.len(), 5);
        let columns = |line: &str| line.split(',').count();
        assert!(lines.iter().all(|line| columns(line) == columns(HEADER)));
    }

    #[test]
    fn results_are_read_as_they_were_written() {
        let text = render(&[samples::cell(Group::G2, 10), samples::cell(Group::G1, 12)]);
        let results = parse(&text).unwrap();
        assert_eq!((results.len(), render(&results)), (2, text.clone()));
        let wrong = text.replace("blst", "last");
        let error = format!("{:#}", parse(&wrong).err().unwrap());
        assert!(error.starts_with("line 5: last: "), "{error}");
        assert!(parse("").is_err());
    }
}
