//! A picture of a simulation: one bar of all phases, the hidden work, and the paper's time.

use std::fmt::Write;

use bucketwheel_hardware::{Phase, Report};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 20.0;
const BAR: f64 = 34.0;
const LINE: f64 = 20.0;
const TOP: f64 = 56.0;
const COLOURS: [&str; 5] = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"];

/// Returns an SVG document.
pub fn svg(report: &Report) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = draw(&mut out, report);
    out
}

fn draw(out: &mut String, report: &Report) -> std::fmt::Result {
    let Report { design, curve, points, tasks, clock_mhz, ms, phases, paper, .. } = report;
    let plural = if *tasks == 1 { "" } else { "s" };
    let height = TOP + 3.0 * BAR + LINE * (phases.len() as f64 + 2.0);
    let longest = paper.as_ref().map_or(*ms, |paper| paper.ms.max(*ms)).max(f64::MIN_POSITIVE);
    let per_ms = WIDTH / longest;
    let per_cycle = per_ms * *ms / report.cycles.max(1) as f64;
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {height}" font-family="sans-serif" font-size="13">"#,
        WIDTH + 2.0 * LEFT
    )?;
    writeln!(out, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    writeln!(
        out,
        r#"<text x="{LEFT}" y="28" font-size="15">{design}, {curve}, {points} points, {tasks} task{plural}, {clock_mhz} MHz: {ms:.3} ms</text>"#
    )?;
    let mut visible = LEFT;
    for (phase, colour) in phases.iter().zip(COLOURS.iter().cycle()) {
        let width = phase.cycles as f64 * per_cycle;
        let (x, y, height) = match phase.hidden {
            true => (LEFT, TOP + BAR + 4.0, BAR / 3.0),
            false => (visible, TOP, BAR),
        };
        // Hidden work of several adders may take longer than everything else.
        let drawn = width.min(LEFT + WIDTH - x).max(0.0);
        writeln!(out, r#"<rect x="{x:.2}" y="{y}" width="{drawn:.2}" height="{height}" fill="{colour}"/>"#)?;
        if !phase.hidden {
            visible += width;
        }
    }
    if let Some(paper) = paper {
        let x = LEFT + paper.ms * per_ms;
        writeln!(out, r#"<path d="M{x:.2} {}v{}" stroke="black" stroke-width="2"/>"#, TOP - 6.0, BAR + 12.0)?;
        let y = TOP + 2.2 * BAR;
        let text = format!("{}: {} ms ({:+.2} %)", paper.table, paper.ms, 100.0 * paper.deviation);
        writeln!(out, r#"<text x="{x:.2}" y="{y}" text-anchor="end">{text}</text>"#)?;
    }
    for (i, (phase, colour)) in phases.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let y = TOP + 3.0 * BAR + LINE * i as f64;
        writeln!(out, r#"<rect x="{LEFT}" y="{y}" width="14" height="14" fill="{colour}"/>"#)?;
        writeln!(out, r#"<text x="{}" y="{}">{}</text>"#, LEFT + 22.0, y + 12.0, legend(phase, report))?;
    }
    writeln!(out, "</svg>")
}

fn legend(phase: &Phase, report: &Report) -> String {
    let share = 100.0 * phase.cycles as f64 / report.cycles.max(1) as f64;
    let hidden = if phase.hidden { ", at the same time as others" } else { "" };
    format!("{}: {} cycles, {share:.2} %{hidden}", phase.name, phase.cycles)
}
