//! A picture of strategies: time per point over size, with a panel for each number of threads and a line for each
//! strategy.

use std::fmt::Write;

use super::report::Row;

/// The lines of a panel, and the space around them.
const PANEL: [f64; 2] = [420.0, 340.0];
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 50.0;
/// Space for the names.
const LEGEND: f64 = 190.0;
const LINE: f64 = 18.0;

/// Logarithmic axis: a range of values, and the pixels of its ends.
struct Axis {
    range: [f64; 2],
    pixels: [f64; 2],
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Self {
        let around = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
        Axis { range: values.fold([f64::INFINITY, f64::NEG_INFINITY], around), pixels }
    }

    fn place(&self, value: f64) -> f64 {
        let [[low, high], [from, to]] = [self.range.map(f64::ln), self.pixels];
        // A single value is in the middle.
        let share = if high > low { (value.ln() - low) / (high - low) } else { 0.5 };
        from + share * (to - from)
    }

    /// Returns round numbers, six in a decade.
    fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        let [low, high] = self.range;
        let decades = low.log10().floor() as i32..=high.log10().floor() as i32;
        let ticks =
            decades.flat_map(|decade| [1.0, 1.5, 2.0, 3.0, 5.0, 7.0].map(|digit| digit * 10f64.powi(decade)));
        ticks.filter(move |tick| (low..=high).contains(tick))
    }
}

fn ns_per_point(row: &Row) -> f64 {
    row.ms * 1e6 / f64::from(row.log_size).exp2()
}

/// An SVG document.
pub fn svg(rows: &[Row]) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = draw(&mut out, rows);
    out
}

fn draw(out: &mut String, rows: &[Row]) -> std::fmt::Result {
    let mut threads: Vec<usize> = rows.iter().map(|row| row.threads).collect();
    threads.sort();
    threads.dedup();
    let [width, height] = [LEFT + PANEL[0] + RIGHT, TOP + PANEL[1] + BOTTOM];
    let total = [width * threads.len() as f64 + LEGEND, height];
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="sans-serif" font-size="13">"#,
        total[0], total[1]
    )?;
    writeln!(out, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    let x = Axis::new(rows.iter().map(|row| f64::from(row.log_size).exp2()), [LEFT, LEFT + PANEL[0]]);
    let y = Axis::new(rows.iter().map(ns_per_point), [TOP + PANEL[1], TOP]);
    for (i, &threads) in threads.iter().enumerate() {
        writeln!(out, r#"<g transform="translate({} 0)">"#, i as f64 * width)?;
        let panel: Vec<&Row> = rows.iter().filter(|row| row.threads == threads).collect();
        draw_panel(out, &panel, &x, &y)?;
        writeln!(out, "</g>")?;
    }
    for (i, (scheduler, adder)) in strategies(rows.iter()).into_iter().enumerate() {
        let [left, y] = [total[0] - LEGEND, TOP + i as f64 * LINE];
        writeln!(out, r#"<path d="M{left} {y}h26" {}/>"#, style(scheduler, adder))?;
        writeln!(out, r#"<text x="{}" y="{}">{scheduler}, {adder}</text>"#, left + 32.0, y + 4.0)?;
    }
    writeln!(out, "</svg>")
}

fn draw_panel(out: &mut String, rows: &[&Row], x: &Axis, y: &Axis) -> std::fmt::Result {
    if let Some(Row { curve, group, threads, backend, .. }) = rows.first() {
        let plural = if *threads == 1 { "" } else { "s" };
        let title = format!("{curve} {group}, {threads} thread{plural}, {backend}: ns per point");
        writeln!(out, r#"<text x="{LEFT}" y="28" font-size="15">{title}</text>"#)?;
    }
    let bottom = TOP + PANEL[1];
    for tick in y.ticks() {
        let place = y.place(tick);
        writeln!(out, r##"<path d="M{LEFT} {place:.2}h{}" stroke="#0003"/>"##, PANEL[0])?;
        let right = LEFT - 8.0;
        writeln!(out, r#"<text x="{right}" y="{:.2}" text-anchor="end">{tick}</text>"#, place + 4.0)?;
    }
    let mut sizes: Vec<u32> = rows.iter().map(|row| row.log_size).collect();
    sizes.dedup();
    for size in sizes {
        let place = x.place(f64::from(size).exp2());
        let below = bottom + 20.0;
        writeln!(out, r#"<text x="{place:.2}" y="{below}" text-anchor="middle">2^{size}</text>"#)?;
    }
    for (scheduler, adder) in strategies(rows.iter().copied()) {
        let line = rows.iter().filter(|row| (row.scheduler, row.adder) == (scheduler, adder));
        let points: Vec<String> = line
            .map(|row| {
                format!("{:.2} {:.2}", x.place(f64::from(row.log_size).exp2()), y.place(ns_per_point(row)))
            })
            .collect();
        let style = style(scheduler, adder);
        writeln!(out, r#"<path d="M{}" {style}/>"#, points.join("L"))?;
    }
    Ok(())
}

/// Returns the names that occur, in the order of the table.
fn strategies<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<(&'static str, &'static str)> {
    let mut strategies = Vec::new();
    for row in rows {
        if !strategies.contains(&(row.scheduler, row.adder)) {
            strategies.push((row.scheduler, row.adder));
        }
    }
    strategies
}

/// A colour for the scheduler, dashes for the adder.
fn style(scheduler: &str, adder: &str) -> String {
    let colour = match scheduler {
        "auto" => "black",
        "tree" => "#d62728",
        "three-tier" => "#1f77b4",
        "delayed" => "#ff7f0e",
        "greedy" => "#2ca02c",
        _ => "#7f7f7f",
    };
    let dashes = match adder {
        "xyzz" => "7 3",
        "projective" => "2 3",
        "edwards" => "12 3",
        "edwards-unified" => "12 3 2 3",
        _ => "none",
    };
    let width = if scheduler == "auto" { 4 } else { 2 };
    format!(
        r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dashes}" stroke-linecap="round""#
    )
}
