//! Operations as a Markdown table, which the terminal shows too, and as CSV.

use super::line::Row;
use crate::machine;

/// Returns the table under its title; `floors` adds columns for floors.
pub fn markdown(rows: &[Row], floors: bool) -> String {
    let title = format!("Medians and quartiles on {}.\n\n", machine::processor());
    let rows = rows.iter().map(|row| markdown_row(row, floors));
    [title, markdown_head(floors)].into_iter().chain(rows).collect()
}

pub fn markdown_head(floors: bool) -> String {
    let head =
        "| curve     |     | library    | operation        |       ns |           quartiles |  cycles |";
    let rule =
        "|:----------|:----|:-----------|:-----------------|---------:|--------------------:|--------:|";
    if floors {
        format!("{head} floor, ns | of floor |\n{rule}----------:|---------:|\n")
    } else {
        format!("{head}\n{rule}\n")
    }
}

pub fn markdown_row(row: &Row, floors: bool) -> String {
    let Row { curve, domain, line } = row;
    let ns = line.cost.ns;
    let mut text = format!(
        "| {curve:<9} | {domain:<3} | {:<10} | {:<16} | {:>8.2} | {:>8.2} - {:>8.2} | {:>7.1} |",
        line.library, line.operation, ns.median, ns.low, ns.high, line.cost.cycles,
    );
    if floors {
        let [floor, times] = match line.floor {
            Some(floor) => [format!("{floor:.1}"), format!("{:.2}x", ns.median / floor)],
            None => ["-".to_owned(), "-".to_owned()],
        };
        text += &format!(" {floor:>9} | {times:>8} |");
    }
    text + "\n"
}

pub fn csv(rows: &[Row]) -> String {
    let mut text =
        "curve,domain,library,operation,median_ns,quartile1_ns,quartile3_ns,cycles,floor_ns\n".to_owned();
    for Row { curve, domain, line } in rows {
        let floor = line.floor.map_or_else(String::new, |floor| format!("{floor:.3}"));
        text += &format!(
            "{curve},{domain},{},{},{:.3},{:.3},{:.3},{:.2},{floor}\n",
            line.library,
            line.operation,
            line.cost.ns.median,
            line.cost.ns.low,
            line.cost.ns.high,
            line.cost.cycles,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::line::Line;
    use super::super::sampling::Cost;
    use super::*;
    use crate::stats::Spread;
    use bucketwheel::CurveId as Curve;

    fn rows() -> [Row; 2] {
        let row = |library: &str, operation, floor| {
            let cost = Cost { ns: Spread { median: 90.0, low: 80.0, high: 110.0 }, cycles: 360.0 };
            let line = Line { floor, ..Line::new(library, operation, cost) };
            Row { curve: Curve::Bn254, domain: "G1", line }
        };
        [row("avx2", "affine", Some(60.0)), row("arkworks", "jacobian mixed", None)]
    }

    #[test]
    fn the_markdown_table_is_aligned() {
        for floors in [false, true] {
            let text = markdown(&rows(), floors);
            let lines: Vec<_> = text.lines().skip(2).collect();
            assert_eq!(lines.len(), 4);
            assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{text}");
        }
    }

    #[test]
    fn additions_are_set_against_their_floor() {
        let [ours, peer] = rows();
        assert!(markdown_row(&ours, true).ends_with("|      60.0 |    1.50x |\n"));
        assert!(markdown_row(&peer, true).ends_with("|         - |        - |\n"));
    }

    #[test]
    fn the_csv_has_a_line_for_each_row() {
        let text = csv(&rows());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[1], "bn254,G1,avx2,affine,90.000,80.000,110.000,360.00,60.000");
        assert_eq!(lines[2], "bn254,G1,arkworks,jacobian mixed,90.000,80.000,110.000,360.00,");
    }
}
