//! A picture of a proof's trace, with a row for each thread and a colour for each stage.

use std::time::Duration;

use bucketwheel_groth16::{Span, Stage, Trace};

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 70.0;
const ROW: f64 = 34.0;
const TOP: f64 = 50.0;

/// Returns an SVG document.
pub fn svg(trace: &Trace) -> String {
    let threads = trace.spans.iter().map(|span| span.thread + 1).max().unwrap_or(1);
    let total = trace.total.max(Duration::from_micros(1));
    let x = |time: Duration| MARGIN + (WIDTH - 2.0 * MARGIN) * time.as_secs_f64() / total.as_secs_f64();
    let bottom = TOP + threads as f64 * ROW;
    let mut out = String::new();
    let mut line = |text: std::fmt::Arguments<'_>| {
        out.push_str(&text.to_string());
        out.push('\n');
    };
    line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {}" font-family="sans-serif" font-size="13">"#,
        bottom + 50.0
    ));
    line(format_args!(r#"<rect width="100%" height="100%" fill="white"/>"#));
    for (i, stage) in Stage::ALL.into_iter().enumerate() {
        let (left, milliseconds) = (MARGIN + i as f64 * 118.0, 1e3 * trace.elapsed(stage).as_secs_f64());
        line(format_args!(r#"<rect x="{left}" y="12" width="12" height="12" fill="{}"/>"#, colour(stage)));
        line(format_args!(r#"<text x="{}" y="23">{} {milliseconds:.1}</text>"#, left + 16.0, stage.name()));
    }
    for thread in 0..threads {
        let y = TOP + (thread as f64 + 0.6) * ROW;
        line(format_args!(r#"<text x="8" y="{y}">thread {thread}</text>"#));
    }
    // A span inside another span ends before it, and is drawn later, on top.
    for Span { stage, thread, start, end } in trace.spans.iter().rev() {
        let (left, y) = (x(*start), TOP + *thread as f64 * ROW);
        line(format_args!(
            r#"<rect x="{left:.2}" y="{y}" width="{:.2}" height="{}" fill="{}"><title>{}: {:.2} to {:.2} ms</title></rect>"#,
            x(*end) - left,
            ROW - 6.0,
            colour(*stage),
            stage.name(),
            1e3 * start.as_secs_f64(),
            1e3 * end.as_secs_f64(),
        ));
    }
    for tick in ticks(1e3 * total.as_secs_f64()) {
        let left = x(Duration::from_secs_f64(tick / 1e3));
        line(format_args!(r##"<path d="M{left:.2} {TOP}V{bottom}" stroke="#0003"/>"##));
        line(format_args!(r#"<text x="{left:.2}" y="{}" text-anchor="middle">{tick}</text>"#, bottom + 18.0));
    }
    line(format_args!(
        r#"<text x="{}" y="{}" text-anchor="middle">milliseconds</text>"#,
        WIDTH / 2.0,
        bottom + 40.0
    ));
    line(format_args!("</svg>"));
    out
}

/// Returns round numbers up to `end`, six to fifteen of them.
fn ticks(end: f64) -> impl Iterator<Item = f64> {
    let magnitude = 10f64.powf((end / 6.0).log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().map(|digit| digit * magnitude).find(|step| end / step >= 6.0);
    let step = step.unwrap_or(magnitude);
    (0..).map(move |i| f64::from(i) * step).take_while(move |tick| *tick <= end)
}

fn colour(stage: Stage) -> &'static str {
    match stage {
        Stage::Rows => "#8c564b",
        Stage::Quotient => "#9467bd",
        Stage::A => "#1f77b4",
        Stage::B => "#ff7f0e",
        Stage::C => "#2ca02c",
        Stage::H => "#d62728",
        Stage::Verify => "#7f7f7f",
    }
}
