//! The table on standard output, which grows while the run goes on.

use crate::results::{CellResult, milliseconds};

pub fn print_header() {
    println!(
        "{:<10}{:<6}{:>5}{:>9}  {:<10}{:<14}{:>12}{:>12}{:>12}{:>7}{:>10}{:>9}{:>7}",
        "curve",
        "group",
        "size",
        "threads",
        "scalars",
        "peer",
        "median ms",
        "min ms",
        "max ms",
        "reps",
        "ns/point",
        "vs ours",
        "GHz"
    );
}

pub fn print_rows(result: &CellResult) {
    let cell = result.cell;
    let ours = result.ours();
    for timing in &result.timings {
        let times_ours = ours.map_or("-".to_owned(), |ours| {
            let ratio = timing.median.as_secs_f64() / ours.median.as_secs_f64();
            format!("{ratio:.2}x")
        });
        println!(
            "{:<10}{:<6}{:>5}{:>9}  {:<10}{:<14}{:>12.3}{:>12.3}{:>12.3}{:>7}{:>10.0}{:>9}{:>7.2}",
            cell.curve,
            cell.group,
            format!("2^{}", cell.log_size),
            cell.threads,
            cell.distribution,
            timing.peer,
            milliseconds(timing.median),
            milliseconds(timing.min),
            milliseconds(timing.max),
            timing.repetitions,
            timing.median.as_nanos() as f64 / cell.size() as f64,
            times_ours,
            result.ghz
        );
    }
}
