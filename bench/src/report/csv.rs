//! One line for each cell and library.

use crate::results::{CellResult, milliseconds};

const HEADER: &str = "curve,group,log_size,threads,distribution,peer,median_ms,min_ms,max_ms,reps\n";

pub fn render(results: &[CellResult]) -> String {
    let mut text = HEADER.to_owned();
    for result in results {
        let cell = result.cell;
        for timing in &result.timings {
            text += &format!(
                "{},{},{},{},{},{},{:.6},{:.6},{:.6},{}\n",
                cell.curve,
                cell.group,
                cell.log_size,
                cell.threads,
                cell.distribution,
                timing.peer,
                milliseconds(timing.median),
                milliseconds(timing.min),
                milliseconds(timing.max),
                timing.repetitions
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Group;
    use crate::report::samples;

    #[test]
    fn a_line_for_each_cell_and_peer() {
        let text = render(&[samples::cell(Group::G2, 10)]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], HEADER.trim_end());
        assert_eq!(lines[1], "bls12-381,g2,10,1,uniform,blst,1.250000,1.125000,1.500000,3");
        assert_eq!(lines.len(), 3);
    }
}
