//! Time per point over the number of points in G1: a panel for each curve, a
//! line for each library.

use crate::cell::{Curve, Distribution, Group, threads};
use crate::peers::PeerKind;
use crate::results::CellResult;
use anyhow::{Result, anyhow};
use clap::ValueEnum;
use plotters::coord::Shift;
use plotters::prelude::*;

const PANEL: (u32, u32) = (440, 420);
const TITLE_HEIGHT: u32 = 40;
/// Distinct also to readers who tell few colours apart.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
];

/// The picture of the uniform cells with the fewest threads; `None` without any.
pub fn render(results: &[CellResult]) -> Result<Option<String>> {
    let shown = |result: &&CellResult| {
        result.cell.group == Group::G1 && result.cell.distribution == Distribution::Uniform
    };
    let counts = results.iter().filter(shown).map(|result| result.cell.threads);
    let Some(fewest) = counts.min() else {
        return Ok(None);
    };
    let results = results.iter().filter(shown);
    let results: Vec<_> = results.filter(|r| r.cell.threads == fewest).collect();
    let curves: Vec<Curve> = Curve::value_variants()
        .iter()
        .copied()
        .filter(|&curve| results.iter().any(|result| result.cell.curve == curve))
        .collect();

    let mut picture = String::new();
    let size = (PANEL.0 * curves.len() as u32, PANEL.1 + TITLE_HEIGHT);
    draw(&mut picture, size, &curves, &results, fewest)
        .map_err(|error| anyhow!("cannot draw the picture: {error}"))?;
    Ok(Some(picture))
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(
    picture: &mut String,
    size: (u32, u32),
    curves: &[Curve],
    results: &[&CellResult],
    fewest: usize,
) -> Drawn {
    let area = SVGBackend::with_string(picture, size).into_drawing_area();
    area.fill(&WHITE)?;
    let title = format!("G1, {}: ns per point by number of points", threads(fewest));
    let area = area.titled(&title, ("sans-serif", 20))?;
    for (panel, &curve) in area.split_evenly((1, curves.len())).iter().zip(curves) {
        let of_curve = results.iter().filter(|result| result.cell.curve == curve);
        draw_panel(panel, curve, &of_curve.copied().collect::<Vec<_>>())?;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(panel: &DrawingArea<SVGBackend, Shift>, curve: Curve, results: &[&CellResult]) -> Drawn {
    let lines: Vec<_> = PeerKind::value_variants()
        .iter()
        .zip(COLOURS)
        .map(|(&peer, colour)| (peer, colour, line(peer, results)))
        .filter(|(_, _, points)| !points.is_empty())
        .collect();
    let all = || lines.iter().flat_map(|(_, _, points)| points);
    let bounds = |value: fn(&(f64, f64)) -> f64| {
        let low = all().map(value).fold(f64::INFINITY, f64::min);
        let high = all().map(value).fold(0.0, f64::max);
        (low, high)
    };
    let (left, right) = bounds(|point| point.0);
    let (low, high) = bounds(|point| point.1);

    // Room above the lines for the legend.
    let mut chart = ChartBuilder::on(panel)
        .caption(curve.to_string(), ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(56)
        .build_cartesian_2d(
            (left * 0.9..right * 1.1).log_scale().base(2.0),
            (low * 0.8..high * 2.2).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_label_formatter(&|size| format!("2^{:.0}", size.log2()))
        .y_label_formatter(&|time| format!("{time:.0}"))
        .light_line_style(WHITE)
        .label_style(("sans-serif", 13))
        .draw()?;
    for (peer, colour, points) in lines {
        let width = if peer.is_ours() { 3 } else { 2 };
        let style = colour.stroke_width(width);
        let series = LineSeries::new(points, style).point_size(3);
        chart
            .draw_series(series)?
            .label(peer.to_string())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 13))
        .draw()?;
    Ok(())
}

/// Points (size, nanoseconds per point), by size.
fn line(peer: PeerKind, results: &[&CellResult]) -> Vec<(f64, f64)> {
    let mut points: Vec<_> = results
        .iter()
        .filter_map(|result| {
            let timing = result.timings.iter().find(|timing| timing.peer == peer)?;
            let size = result.cell.size() as f64;
            Some((size, timing.median.as_nanos() as f64 / size))
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn the_picture_names_curves_and_peers() {
        let results = [10, 12].map(|log_size| samples::cell(Group::G1, log_size));
        let picture = render(&results).unwrap().unwrap();
        for name in ["bls12-381", "blst", "arkworks", "2^10"] {
            assert!(picture.contains(name), "{name}");
        }
    }

    #[test]
    fn without_g1_there_is_no_picture() {
        assert!(render(&[samples::cell(Group::G2, 10)]).unwrap().is_none());
    }
}
