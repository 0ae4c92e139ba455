//! Time per point over the number of points: a panel for each curve and group,
//! a line for each library. All panels have the same axes.
//!
//! `plotters` places the panels, the logarithmic axes, their ticks and the markers. The size of this program has no
//! limit. The command's size has one, so the command draws its pictures itself (crates/cli/src/picture).

use super::axis::{LogAxis, SizeAxis};
use super::heading;
use crate::cell::{CURVES, Cell, Distribution, Group, threads};
use crate::peers::{Competitor, PeerKind};
use crate::results::CellResult;
use anyhow::{Result, anyhow};
use bucketwheel::Backend;
use clap::ValueEnum;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const PANEL: (u32, u32) = (360, 300);
/// Height above the panels: of the title, and of each line of the legend.
const TITLE: u32 = 34;
const LEGEND: u32 = 20;
const FONT: &str = "sans-serif";

/// Draws the uniform cells with the fewest threads; `None` if no cell is uniform.
pub fn render(results: &[CellResult]) -> Result<Option<String>> {
    let uniform = || results.iter().filter(|result| result.cell.distribution == Distribution::Uniform);
    let Some(fewest) = uniform().map(|result| result.cell.threads).min() else {
        return Ok(None);
    };
    let is_shown =
        |result: &&CellResult| result.cell.threads == fewest && result.cell.points.is_power_of_two();
    let shown: Vec<_> = uniform().filter(is_shown).collect();
    let mut picture = String::new();
    draw(&mut picture, &shown, fewest).map_err(|error| anyhow!("cannot draw the picture: {error}"))?;
    Ok(Some(picture))
}

type Drawn = Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn draw(picture: &mut String, results: &[&CellResult], fewest: usize) -> Drawn {
    let curves = present(results, CURVES, |cell| cell.curve);
    let groups = present(results, Group::value_variants(), |cell| cell.group);
    let width = PANEL.0 * curves.len() as u32;
    let legend = legend(&competitors(results), width)?;
    let head = TITLE + LEGEND * legend.iter().map(|entry| entry.line + 1).max().unwrap_or(0);
    let size = (width, head + PANEL.1 * groups.len() as u32);
    let area = SVGBackend::with_string(picture, size).into_drawing_area();
    // Readable on dark pages too.
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(head);
    head.draw(&Text::new(format!("Time per point, {}", threads(fewest)), (INDENT as i32, 8), (FONT, 20)))?;
    legend.iter().try_for_each(|entry| entry.draw(&head))?;
    let axes = axes(results);
    let places = groups.iter().flat_map(|&group| curves.iter().map(move |&curve| (group, curve)));
    for (panel, (group, curve)) in body.split_evenly((groups.len(), curves.len())).iter().zip(places) {
        let members =
            results.iter().filter(|result| result.cell.curve == curve && result.cell.group == group);
        let members: Vec<_> = members.copied().collect();
        if !members.is_empty() {
            draw_panel(panel, &heading(curve, group), axes.clone(), &members)?;
        }
    }
    area.present()?;
    Ok(())
}

/// Returns axes with the measured sizes, and with room for all times.
fn axes(results: &[&CellResult]) -> (SizeAxis, LogAxis) {
    let mut sizes: Vec<_> = results.iter().map(|result| result.cell.points.ilog2() as i32).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let lines = competitors(results).into_iter().flat_map(|competitor| line(competitor, results));
    let (low, high) =
        lines.fold((f64::INFINITY, 0.0_f64), |(low, high), (_, time)| (low.min(time), high.max(time)));
    (SizeAxis(sizes), LogAxis(low * 0.8..high * 1.25))
}

/// Returns the values of `all` that occur.
fn present<T: Copy + PartialEq>(results: &[&CellResult], all: &[T], value: fn(&Cell) -> T) -> Vec<T> {
    let occurs = |&of: &T| results.iter().any(|result| value(&result.cell) == of);
    all.iter().copied().filter(occurs).collect()
}

/// Returns the competitors that have a line in some panel.
fn competitors(results: &[&CellResult]) -> Vec<Competitor> {
    let mut found = Vec::new();
    for timing in results.iter().flat_map(|result| &result.timings) {
        if !found.contains(&timing.competitor) {
            found.push(timing.competitor);
        }
    }
    found
}

/// Returns the style of a line. Our lines are warm and thick, so readers who see few colours can distinguish them, too.
fn style(competitor: Competitor) -> ShapeStyle {
    let (colour, width) = match competitor {
        Competitor::Ours(Backend::Avx2) => (RGBColor(240, 150, 60), 4),
        Competitor::Ours(_) | Competitor::Strategy(..) => (RGBColor(200, 30, 20), 4),
        Competitor::Peer(PeerKind::Arkworks) => (RGBColor(120, 120, 120), 2),
        Competitor::Peer(PeerKind::Blst) => (RGBColor(0, 90, 170), 2),
        Competitor::Peer(PeerKind::GnarkCrypto) => (RGBColor(0, 150, 110), 2),
        Competitor::Peer(PeerKind::Halo2curves) => (RGBColor(70, 170, 230), 2),
        Competitor::Peer(PeerKind::Mcl) => (RGBColor(150, 80, 170), 2),
    };
    colour.stroke_width(width)
}

/// An entry of the legend, and its position.
struct Entry {
    competitor: Competitor,
    line: u32,
    x: u32,
}

/// Pixels left of the legend.
const INDENT: u32 = 12;
/// Pixels of a legend entry's stroke, with the space behind it.
const STROKE: u32 = 25;

/// Places the entries in lines no longer than `width`.
fn legend(competitors: &[Competitor], width: u32) -> Result<Vec<Entry>, Box<dyn std::error::Error>> {
    let (mut line, mut x) = (0, INDENT);
    let mut entries = Vec::new();
    for &competitor in competitors {
        let entry_width = STROKE + (FONT, 15).into_font().box_size(&competitor.to_string())?.0;
        if x > INDENT && x + entry_width > width {
            (line, x) = (line + 1, INDENT);
        }
        entries.push(Entry { competitor, line, x });
        x += entry_width + 20;
    }
    Ok(entries)
}

impl Entry {
    fn draw(&self, head: &Area) -> Drawn {
        let (x, y) = (self.x as i32, (TITLE + LEGEND * self.line + LEGEND / 2) as i32);
        let stroke = [(x, y), (x + STROKE as i32 - 5, y)];
        head.draw(&PathElement::new(stroke, style(self.competitor)))?;
        let text = (FONT, 15).into_text_style(head).pos(Pos::new(HPos::Left, VPos::Center));
        head.draw(&Text::new(self.competitor.to_string(), (x + STROKE as i32, y), text))?;
        Ok(())
    }
}

fn draw_panel(
    panel: &Area,
    caption: &str,
    (sizes, times): (SizeAxis, LogAxis),
    results: &[&CellResult],
) -> Drawn {
    let lines: Vec<_> = competitors(results).into_iter().map(|one| (one, line(one, results))).collect();

    let mut chart = ChartBuilder::on(panel)
        .caption(caption, (FONT, 17))
        .margin(8)
        .margin_right(16)
        .x_label_area_size(40)
        .y_label_area_size(66)
        .build_cartesian_2d(sizes, times)?;
    chart
        .configure_mesh()
        .x_desc("points")
        .y_desc("ns per point")
        .x_label_formatter(&|log_size| format!("2^{log_size}"))
        .y_label_formatter(&|time| format!("{time:.0}"))
        .disable_x_mesh()
        .bold_line_style(BLACK.mix(0.12))
        .light_line_style(TRANSPARENT)
        .label_style((FONT, 14))
        .draw()?;
    // Our lines are drawn on top.
    for (competitor, points) in lines.into_iter().rev() {
        let style = style(competitor);
        chart.draw_series(LineSeries::new(points.clone(), style))?;
        chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, style.filled())))?;
    }
    Ok(())
}

/// Returns logarithms of sizes and nanoseconds per point, by size.
fn line(competitor: Competitor, results: &[&CellResult]) -> Vec<(i32, f64)> {
    let point = |result: &&CellResult| {
        let milliseconds = result.timing(competitor)?.milliseconds.median;
        Some((result.cell.points.ilog2() as i32, milliseconds * 1e6 / result.cell.points as f64))
    };
    let mut points: Vec<_> = results.iter().filter_map(point).collect();
    points.sort_by_key(|point| point.0);
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Group;
    use crate::report::samples;

    #[test]
    fn the_picture_names_curves_groups_and_libraries() {
        let results = [(Group::G1, 10), (Group::G1, 12), (Group::G2, 10)]
            .map(|(group, log_size)| samples::cell(group, log_size));
        let picture = render(&results).unwrap().unwrap();
        for name in ["BLS12-381 G1", "BLS12-381 G2", "bucketwheel (avx2)", "blst", "2^10", "ns per point"] {
            assert!(picture.contains(name), "{name}");
        }
    }

    #[test]
    fn a_panel_without_cells_stays_empty() {
        let mut results = [Group::G1, Group::G2].map(|group| samples::cell(group, 10));
        results[1].cell.curve = bucketwheel::CurveId::Bn254;
        let picture = render(&results).unwrap().unwrap();
        assert!(picture.contains("BN254 G2") && !picture.contains("BN254 G1"));
    }

    #[test]
    fn without_uniform_cells_there_is_no_picture() {
        let mut result = samples::cell(Group::G2, 10);
        result.cell.distribution = Distribution::Equal;
        assert!(render(&[result]).unwrap().is_none());
    }
}
