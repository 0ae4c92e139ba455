//! The table on standard output, which grows during the run.

use crate::peers::Competitor;
use crate::results::CellResult;

pub fn print_header() {
    println!(
        "{:<10}{:<6}{:>5}{:>9}  {:<10}{:<25}{:>12}{:>12}{:>12}{:>12}{:>12}{:>7}{:>10}{:>9}{:>7}",
        "curve",
        "group",
        "size",
        "threads",
        "scalars",
        "library",
        "prepare ms",
        "first ms",
        "median ms",
        "min ms",
        "max ms",
        "reps",
        "ns/point",
        "vs ours",
        "GHz"
    );
}

/// Returns the rows of a cell; all are compared with our first instruction set.
pub fn print_rows(result: &CellResult) {
    let cell = result.cell;
    let ours = result.backends().next().and_then(|backend| result.timing(Competitor::Ours(backend)));
    for timing in &result.timings {
        let ms = timing.milliseconds;
        let times_ours =
            ours.map_or("-".to_owned(), |ours| format!("{:.2}x", ms.median / ours.milliseconds.median));
        println!(
            "{:<10}{:<6}{:>5}{:>9}  {:<10}{:<25}{:>12.3}{:>12.3}{:>12.3}{:>12.3}{:>12.3}{:>7}{:>10.0}{times_ours:>9}{:>7.2}",
            cell.curve,
            cell.group,
            cell.size(),
            cell.threads,
            cell.distribution,
            timing.competitor,
            timing.prepare,
            timing.first,
            ms.median,
            ms.low,
            ms.high,
            result.repetitions,
            ms.median * 1e6 / cell.points as f64,
            result.ghz
        );
    }
}
