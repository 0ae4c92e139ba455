//! One line for each cell and library.

use crate::results::CellResult;

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
}
