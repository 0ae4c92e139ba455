//! A picture of a proof's trace, with a row for each thread and a colour for each stage.

use std::time::Duration;

use bucketwheel_groth16::{Span, Stage, Trace};

use crate::measure::milliseconds;
use crate::picture::{Anchor, Colour, Pen, Picture, GRID, LETTER_WIDTH};

const WIDTH: f64 = 1040.0;
/// Space for the names of the threads, and on the right.
const MARGIN: f64 = 90.0;
const ROW: f64 = 34.0;
const TOP: f64 = 50.0;
const BOX: f64 = 12.0;

/// Draws a trace.
pub fn draw(trace: &Trace) -> Picture {
    let threads = trace.spans.iter().map(|span| span.thread + 1).max().unwrap_or(1);
    let total = trace.total.max(Duration::from_micros(1));
    let x = |time: Duration| MARGIN + (WIDTH - 2.0 * MARGIN) * time.as_secs_f64() / total.as_secs_f64();
    let bottom = TOP + threads as f64 * ROW;
    let mut picture = Picture::new([WIDTH, bottom + 50.0]);
    let mut left = 8.0;
    for stage in Stage::ALL {
        let text = format!("{} {:.1}", stage.name(), milliseconds(trace.elapsed(stage)));
        picture.rectangle([left, 12.0], [BOX, BOX], colour(stage), None);
        picture.text([left + BOX + 4.0, 23.0], Anchor::Start, &text);
        left += BOX + 4.0 + LETTER_WIDTH * (text.len() + 2) as f64;
    }
    for thread in 0..threads {
        let y = TOP + (thread as f64 + 0.6) * ROW;
        picture.text([8.0, y], Anchor::Start, format_args!("thread {thread}"));
    }
    // A span inside another span ends before it, and is drawn later, on top.
    for Span { stage, thread, start, end } in trace.spans.iter().rev() {
        let corner = [x(*start), TOP + *thread as f64 * ROW];
        let hint = format!("{}: {:.2} to {:.2} ms", stage.name(), milliseconds(*start), milliseconds(*end));
        picture.rectangle(corner, [x(*end) - corner[0], ROW - 6.0], colour(*stage), Some(hint));
    }
    for tick in ticks(milliseconds(total)) {
        let left = x(Duration::from_secs_f64(tick / 1e3));
        picture.line(vec![[left, TOP], [left, bottom]], Pen::thin(GRID));
        picture.text([left, bottom + 18.0], Anchor::Middle, tick);
    }
    picture.text([WIDTH / 2.0, bottom + 40.0], Anchor::Middle, "milliseconds");
    picture
}

/// Returns round numbers up to `end`, six to fifteen of them.
fn ticks(end: f64) -> impl Iterator<Item = f64> {
    let magnitude = 10f64.powf((end / 6.0).log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().map(|digit| digit * magnitude).find(|step| end / step >= 6.0);
    let step = step.unwrap_or(magnitude);
    (0..).map(move |i| f64::from(i) * step).take_while(move |tick| *tick <= end)
}

fn colour(stage: Stage) -> Colour {
    match stage {
        Stage::Rows => Colour(0x8c564b),
        Stage::Quotient => Colour(0x9467bd),
        Stage::A => Colour(0x1f77b4),
        Stage::B => Colour(0xff7f0e),
        Stage::C => Colour(0x2ca02c),
        Stage::H => Colour(0xd62728),
        Stage::Verify => Colour(0x7f7f7f),
    }
}
