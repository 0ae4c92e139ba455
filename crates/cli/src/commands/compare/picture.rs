//! A picture of strategies: time per point over size, with a panel for each number of threads and a line for each
//! strategy. All panels have the same axes.

use super::report::Row;
use crate::picture::{roomy, Anchor, Colour, Pen, Picture, BLACK, GRID, LETTER, LETTER_WIDTH};

/// The lines of a panel, and the space around them.
const PANEL: [f64; 2] = [420.0, 340.0];
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 50.0;
const LINE: f64 = 18.0;
/// Length of the line before a name.
const SAMPLE: f64 = 26.0;

/// Digits of round numbers, from many in a decade to one.
const DIGITS: [&[f64]; 3] = [&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0], &[1.0, 2.0, 5.0], &[1.0]];

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

    /// Returns round numbers whose labels do not touch.
    fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.range;
        let sets = DIGITS.map(|digits| {
            let decades = low.log10().floor() as i32..=high.log10().floor() as i32;
            let all = decades.flat_map(|decade| digits.iter().map(move |digit| digit * 10f64.powi(decade)));
            all.filter(|tick| (low..=high).contains(tick)).collect()
        });
        roomy(sets, |tick| self.place(*tick), 1.2 * LETTER)
    }
}

fn size_of(log_size: u32) -> f64 {
    f64::from(log_size).exp2()
}

fn ns_per_point(row: &Row) -> f64 {
    row.ms * 1e6 / size_of(row.log_size)
}

/// Draws the rows.
pub fn draw(rows: &[Row]) -> Picture {
    let mut threads: Vec<usize> = rows.iter().map(|row| row.threads).collect();
    threads.sort();
    threads.dedup();
    let names = strategies(rows.iter());
    let legend = |(scheduler, adder): &Strategy| format!("{scheduler}, {adder}");
    let letters = names.iter().map(|name| legend(name).len()).max().unwrap_or(0);
    let [width, height] = [LEFT + PANEL[0] + RIGHT, TOP + PANEL[1] + BOTTOM];
    let right = width * threads.len() as f64;
    let mut picture = Picture::new([
        right + SAMPLE + LETTER_WIDTH * (letters + 2) as f64,
        height.max(TOP + LINE * names.len() as f64),
    ]);
    let x = Axis::new(rows.iter().map(|row| size_of(row.log_size)), [LEFT, LEFT + PANEL[0]]);
    let y = Axis::new(rows.iter().map(ns_per_point), [TOP + PANEL[1], TOP]);
    for (i, &threads) in threads.iter().enumerate() {
        let panel: Vec<&Row> = rows.iter().filter(|row| row.threads == threads).collect();
        draw_panel(&mut picture, i as f64 * width, &panel, &x, &y);
    }
    for (i, name) in names.iter().enumerate() {
        let y = TOP + i as f64 * LINE;
        picture.line(vec![[right, y], [right + SAMPLE, y]], pen(*name));
        picture.text([right + SAMPLE + LETTER_WIDTH, y + 4.0], Anchor::Start, legend(name));
    }
    picture
}

fn draw_panel(picture: &mut Picture, left: f64, rows: &[&Row], x: &Axis, y: &Axis) {
    if let Some(Row { curve, group, threads, backend, .. }) = rows.first() {
        let plural = if *threads == 1 { "" } else { "s" };
        let title = format!("{curve} {group}, {threads} thread{plural}, {backend}: ns per point");
        picture.text([left + LEFT, 28.0], Anchor::Start, title);
    }
    let place = |size: f64, time: f64| [left + x.place(size), y.place(time)];
    for tick in y.ticks() {
        let height = y.place(tick);
        picture.line(vec![[left + LEFT, height], [left + LEFT + PANEL[0], height]], Pen::thin(GRID));
        picture.text([left + LEFT - 8.0, height + 4.0], Anchor::End, tick);
    }
    let mut sizes: Vec<u32> = rows.iter().map(|row| row.log_size).collect();
    sizes.dedup();
    let sets = (1..=sizes.len().max(1)).map(|step| sizes.iter().copied().step_by(step).collect());
    for size in roomy(sets, |&size| x.place(size_of(size)), 5.0 * LETTER_WIDTH) {
        let place = [left + x.place(size_of(size)), TOP + PANEL[1] + 20.0];
        picture.text(place, Anchor::Middle, format!("2^{size}"));
    }
    for name in strategies(rows.iter().copied()) {
        let line = rows.iter().filter(|row| (row.scheduler, row.adder) == name);
        let points: Vec<_> = line.map(|row| place(size_of(row.log_size), ns_per_point(row))).collect();
        picture.line(points, pen(name));
    }
}

/// Names of a scheduler and of an adder.
type Strategy = (&'static str, &'static str);

/// Returns the names that occur, in the order of the table.
fn strategies<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Strategy> {
    let mut strategies = Vec::new();
    for row in rows {
        if !strategies.contains(&(row.scheduler, row.adder)) {
            strategies.push((row.scheduler, row.adder));
        }
    }
    strategies
}

/// A colour for the scheduler, dashes for the adder.
fn pen((scheduler, adder): Strategy) -> Pen {
    let colour = match scheduler {
        "auto" => BLACK,
        "tree" => Colour(0xd62728),
        "three-tier" => Colour(0x1f77b4),
        "delayed" => Colour(0xff7f0e),
        "greedy" => Colour(0x2ca02c),
        _ => Colour(0x7f7f7f),
    };
    let dashes: &[f64] = match adder {
        "xyzz" => &[7.0, 3.0],
        "projective" => &[2.0, 3.0],
        "edwards" => &[12.0, 3.0],
        "edwards-unified" => &[12.0, 3.0, 2.0, 3.0],
        _ => &[],
    };
    Pen { colour, width: if scheduler == "auto" { 4.0 } else { 2.0 }, dashes }
}
