//! Tables for a README: ours against the fastest peer.

use super::required;
use crate::cell::{Cell, threads};
use crate::machine;
use crate::results::{CellResult, Timing, milliseconds};

pub fn render(results: &[CellResult]) -> String {
    let clocks = || results.iter().map(|result| result.ghz);
    let mut text = format!(
        "Medians of interleaved runs on {}, core clock {:.2} to {:.2} GHz.\n",
        machine::processor(),
        clocks().fold(f64::INFINITY, f64::min),
        clocks().fold(0.0, f64::max),
    );
    let mut titles = Vec::new();
    for result in results {
        let title = title(&result.cell);
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    for wanted in titles {
        text += &format!("\n### {wanted}\n\n");
        text += "| points | ours | fastest peer | ratio |\n";
        text += "|-------:|-----:|:-------------|------:|\n";
        for result in results.iter().filter(|r| title(&r.cell) == wanted) {
            text += &row(result);
        }
    }
    text
}

fn title(cell: &Cell) -> String {
    format!("{} {}, {}, {} scalars", cell.curve, cell.group, threads(cell.threads), cell.distribution)
}

fn row(result: &CellResult) -> String {
    let time = |timing: &Timing| format!("{:.3} ms", milliseconds(timing.median));
    let absent = || "-".to_owned();
    let ours = result.ours().map_or_else(absent, time);
    let peer = result.fastest_peer();
    let peer = peer.map_or_else(absent, |peer| format!("{} ({})", time(peer), peer.peer));
    let ratio = result.ratio().map_or_else(absent, |ratio| match required::ratio(&result.cell) {
        Some(required) if ratio < required => {
            format!("**{ratio:.2}x, below {required}x**")
        }
        _ => format!("{ratio:.2}x"),
    });
    format!("| 2^{} | {ours} | {peer} | {ratio} |\n", result.cell.log_size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Group;
    use crate::report::samples;

    #[test]
    fn a_table_for_each_group_and_a_row_for_each_size() {
        let cells = [(Group::G1, 10), (Group::G2, 10), (Group::G1, 12)];
        let text = render(&cells.map(|(group, log_size)| samples::cell(group, log_size)));
        assert_eq!(text.matches("###").count(), 2);
        assert_eq!(text.matches("1.250 ms (blst)").count(), 3);
    }

    #[cfg(feature = "engine")]
    #[test]
    fn a_ratio_below_the_required_one_is_flagged() {
        let mut result = samples::cell(Group::G1, 14);
        result.timings[0].peer = crate::peers::PeerKind::Bucketwheel;
        let text = render(&[result]);
        assert!(text.contains("2.500 ms (arkworks) | **2.00x, below 2.4x** |"));
    }
}
