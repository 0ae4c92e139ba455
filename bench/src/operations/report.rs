//! Operations as a Markdown table, which is also what the terminal shows, and
//! as CSV.

use super::Row;
use crate::machine;

/// The head of the Markdown table.
pub const HEADER: &str = "\
| curve     |     | library    | operation        |       ns |    fastest to slowest | cycles | floor, ns | of floor |
|:----------|:----|:-----------|:-----------------|---------:|----------------------:|-------:|----------:|---------:|
";

pub fn markdown(rows: &[Row]) -> String {
    let title = format!("Medians on {}.\n\n", machine::processor());
    let rows = rows.iter().map(markdown_row);
    [title, HEADER.to_owned()].into_iter().chain(rows).collect()
}

pub fn markdown_row(row: &Row) -> String {
    let Row { curve, domain, line } = row;
    let ns = line.cost.ns;
    let [floor, times] = match line.floor {
        Some(floor) => [format!("{floor:.1}"), format!("{:.2}x", ns.median / floor)],
        None => ["-".to_owned(), "-".to_owned()],
    };
    format!(
        "| {curve:<9} | {domain:<3} | {:<10} | {:<16} | {:>8.2} | {:>9.2} to {:>8.2} | {:>6.1} | {floor:>9} | {times:>8} |\n",
        line.library, line.operation, ns.median, ns.min, ns.max, line.cost.cycles,
    )
}

pub fn csv(rows: &[Row]) -> String {
    let mut text = "curve,domain,library,operation,median_ns,min_ns,max_ns,cycles,floor_ns\n".to_owned();
    for Row { curve, domain, line } in rows {
        let floor = line.floor.map_or_else(String::new, |floor| format!("{floor:.3}"));
        text += &format!(
            "{curve},{domain},{},{},{:.3},{:.3},{:.3},{:.2},{floor}\n",
            line.library,
            line.operation,
            line.cost.ns.median,
            line.cost.ns.min,
            line.cost.ns.max,
            line.cost.cycles,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Cost, Line};
    use super::*;
    use crate::cell::Curve;
    use crate::stats::Spread;

    fn rows() -> [Row; 2] {
        let row = |library: &str, operation, floor| {
            let cost = Cost { ns: Spread { median: 90.0, min: 80.0, max: 110.0 }, cycles: 360.0 };
            let line = Line { floor, ..Line::new(library, operation, cost) };
            Row { curve: Curve::Bn254, domain: "G1", line }
        };
        [row("avx2", "affine", Some(60.0)), row("arkworks", "jacobian mixed", None)]
    }

    #[test]
    fn the_markdown_table_has_aligned_rows_and_ratios_to_the_floor() {
        let text = markdown(&rows());
        let lines: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(lines.len(), 4);
        assert!(lines.iter().all(|line| line.len() == lines[0].len()));
        assert!(lines[2].ends_with("|      60.0 |    1.50x |"));
        assert!(lines[3].ends_with("|         - |        - |"));
    }

    #[test]
    fn the_csv_has_a_line_for_each_row() {
        let text = csv(&rows());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[1], "bn254,G1,avx2,affine,90.000,80.000,110.000,360.00,60.000");
        assert_eq!(lines[2], "bn254,G1,arkworks,jacobian mixed,90.000,80.000,110.000,360.00,");
    }
}
