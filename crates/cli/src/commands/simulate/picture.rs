//! A picture of a simulation: one bar of all phases, the hidden work, and the paper's time.

use bucketwheel_hardware::{Phase, Report};

use crate::picture::{Anchor, Colour, Pen, Picture, BLACK};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 20.0;
const BAR: f64 = 34.0;
const LINE: f64 = 20.0;
const TOP: f64 = 56.0;
const COLOURS: [Colour; 5] =
    [Colour(0x1f77b4), Colour(0xff7f0e), Colour(0x2ca02c), Colour(0xd62728), Colour(0x9467bd)];

/// Draws a report.
pub fn draw(report: &Report) -> Picture {
    let Report { design, curve, points, tasks, clock_mhz, ms, phases, paper, .. } = report;
    let plural = if *tasks == 1 { "" } else { "s" };
    let height = TOP + 3.0 * BAR + LINE * (phases.len() as f64 + 2.0);
    let longest = paper.as_ref().map_or(*ms, |paper| paper.ms.max(*ms)).max(f64::MIN_POSITIVE);
    let per_ms = WIDTH / longest;
    let per_cycle = per_ms * *ms / report.cycles.max(1) as f64;
    let mut picture = Picture::new([WIDTH + 2.0 * LEFT, height]);
    let title =
        format!("{design}, {curve}, {points} points, {tasks} task{plural}, {clock_mhz} MHz: {ms:.3} ms");
    picture.text([LEFT, 28.0], Anchor::Start, title);
    let mut visible = LEFT;
    let coloured = || phases.iter().zip(COLOURS.into_iter().cycle());
    for (phase, colour) in coloured() {
        let width = phase.cycles as f64 * per_cycle;
        let (x, y, height) = match phase.hidden {
            true => (LEFT, TOP + BAR + 4.0, BAR / 3.0),
            false => (visible, TOP, BAR),
        };
        // Hidden work of several adders may take longer than everything else.
        let drawn = width.min(LEFT + WIDTH - x).max(0.0);
        picture.rectangle([x, y], [drawn, height], colour, None);
        if !phase.hidden {
            visible += width;
        }
    }
    if let Some(paper) = paper {
        let x = LEFT + paper.ms * per_ms;
        let pen = Pen { width: 2.0, ..Pen::thin(BLACK) };
        picture.line(vec![[x, TOP - 6.0], [x, TOP + BAR + 6.0]], pen);
        let text = format!("{}: {} ms ({:+.2} %)", paper.table, paper.ms, 100.0 * paper.deviation);
        // On the side that has room.
        let anchor = if x > LEFT + WIDTH / 2.0 { Anchor::End } else { Anchor::Start };
        picture.text([x, TOP + 2.2 * BAR], anchor, text);
    }
    for (i, (phase, colour)) in coloured().enumerate() {
        let y = TOP + 3.0 * BAR + LINE * i as f64;
        picture.rectangle([LEFT, y], [14.0, 14.0], colour, None);
        picture.text([LEFT + 22.0, y + 12.0], Anchor::Start, legend(phase, report));
    }
    picture
}

fn legend(phase: &Phase, report: &Report) -> String {
    let share = 100.0 * phase.cycles as f64 / report.cycles.max(1) as f64;
    let hidden = if phase.hidden { ", at the same time as others" } else { "" };
    format!("{}: {} cycles, {share:.2} %{hidden}", phase.name, phase.cycles)
}
