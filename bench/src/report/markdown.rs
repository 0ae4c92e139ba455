//! Tables for a README that compare each of our instruction sets with its fastest peer.

use super::{heading, required};
use crate::cell::{Cell, threads};
use crate::machine;
use crate::peers::Competitor;
use crate::results::CellResult;
use bucketwheel::Backend;

/// A table for each number of threads and distribution.
pub fn render(results: &[CellResult]) -> String {
    let clocks = || results.iter().map(|result| result.ghz);
    let mut text = format!(
        "Medians of interleaved runs on {}, core clock {:.2} to {:.2} GHz. Bold: below what is required.\n",
        machine::processor(),
        clocks().fold(f64::INFINITY, f64::min),
        clocks().fold(0.0, f64::max),
    );
    let mut sorted: Vec<_> = results.iter().collect();
    sorted.sort_by_key(|result| order(&result.cell));
    for members in sorted.chunk_by(|a, b| title(&a.cell) == title(&b.cell)) {
        text += &format!("\n### {}\n\n{}", title(&members[0].cell), table(members, results));
    }
    text
}

fn title(cell: &Cell) -> String {
    format!("{}, {} scalars", threads(cell.threads), cell.distribution)
}

/// Tables by threads and distribution, their rows by group, curve and size.
fn order(cell: &Cell) -> impl Ord + use<> {
    let Cell { curve, group, points, threads, distribution } = *cell;
    (threads, distribution as usize, group as usize, curve as usize, points)
}

/// A row for each of the `members`; `results` has their cells with one thread.
fn table(members: &[&CellResult], results: &[CellResult]) -> String {
    let backends: Vec<Backend> = members[0].backends().collect();
    let has_speedup =
        |backend: Backend| members.iter().any(|result| result.speedup(backend, results).is_some());
    let (mut head, mut rule) = ("| curve, group | points |".to_owned(), "|---|---:|".to_owned());
    for &backend in &backends {
        let peer = if backend == Backend::Avx512Ifma { "best peer" } else { "best peer without AVX-512" };
        head += &format!(" {backend}, ms | {peer} | ratio |");
        rule += "---:|---:|---:|";
        if has_speedup(backend) {
            head += " over 1 thread |";
            rule += "---:|";
        }
    }
    let mut text = format!("{head}\n{rule}\n");
    for result in members {
        let cell = &result.cell;
        text += &format!("| {} | {} |", heading(cell.curve, cell.group), cell.size());
        for &backend in &backends {
            text += &columns(result, backend);
            if has_speedup(backend) {
                text += &format!(" {} |", judged(result.speedup(backend, results), required::speedup(cell)));
            }
        }
        text.push('\n');
    }
    text
}

/// Returns our time, the best peer's time, and their ratio.
fn columns(result: &CellResult, backend: Backend) -> String {
    let absent = || "-".to_owned();
    let ours = result.timing(Competitor::Ours(backend));
    let ours = ours.map_or_else(absent, |timing| format!("{:.2}", timing.milliseconds.median));
    let peer = result
        .best_peer(backend)
        .map_or_else(absent, |timing| format!("{:.1} ({})", timing.milliseconds.median, timing.competitor));
    let ratio = judged(result.ratio(backend), required::ratio(&result.cell, backend));
    format!(" {ours} | {peer} | {ratio} |")
}

/// Returns the figure, bold if it is below the requirement.
fn judged(figure: Option<f64>, required: Option<f64>) -> String {
    match (figure, required) {
        (None, _) => "-".to_owned(),
        (Some(figure), Some(required)) if figure < required => format!("**{figure:.2}**"),
        (Some(figure), _) => format!("{figure:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Distribution, Group};
    use crate::report::samples;
    use bucketwheel::CurveId as Curve;

    #[test]
    fn rows_are_sorted_by_group_curve_and_size() {
        let mut results = [(Group::G2, 10), (Group::G1, 12), (Group::G1, 10), (Group::G1, 9)]
            .map(|(group, log_size)| samples::cell(group, log_size));
        results[3].cell.curve = Curve::Bn254;
        let text = render(&results);
        let rows: Vec<_> = text.lines().filter(|line| line.contains(" 2^")).collect();
        let places = ["BLS12-381 G1 | 2^10", "BLS12-381 G1 | 2^12", "BN254 G1 | 2^9", "BLS12-381 G2 | 2^10"];
        assert_eq!(rows.len(), places.len());
        for (row, place) in rows.iter().zip(places) {
            assert!(row.contains(place), "{row}");
        }
    }

    #[test]
    fn every_backend_has_columns_and_what_is_too_slow_is_bold() {
        let text = render(&[samples::cell(Group::G1, 14)]);
        let row = "| BLS12-381 G1 | 2^14 | 2.50 | 7.5 (mcl) | 3.00 | 5.00 | 10.0 (blst) | **2.00** |";
        assert!(text.contains(row), "{text}");
        assert!(
            text.contains("| avx512ifma, ms | best peer | ratio | avx2, ms | best peer without AVX-512 |")
        );
        assert!(!text.contains("over 1 thread"));
    }

    #[test]
    fn more_threads_are_set_against_one() {
        let mut results = [14, 14, 12].map(|log_size| samples::cell(Group::G1, log_size));
        results[1..].iter_mut().for_each(|result| result.cell.threads = 2);
        let text = render(&results);
        assert_eq!(text.matches("over 1 thread").count(), 2);
        let rows: Vec<_> = text.lines().filter(|line| line.contains(" 2^")).collect();
        assert!(rows[1].ends_with("| - |"), "no cell with one thread: {}", rows[1]);
        assert!(rows[2].ends_with("| **1.00** |"), "{}", rows[2]);
    }

    #[test]
    fn distributions_have_tables_of_their_own() {
        let mut results = [10, 10].map(|log_size| samples::cell(Group::G1, log_size));
        results[1].cell.distribution = Distribution::Sparse;
        assert_eq!(render(&results).matches("###").count(), 2);
    }
}
