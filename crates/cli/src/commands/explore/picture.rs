//! A picture of the fronts: a panel for each resource, with the time over the resource's use. A square is a machine of a front, and
//! steps join the machines that no other machine dominates in the panel's two numbers.

use bucketwheel_hardware::explore::Point;
use bucketwheel_hardware::resources::Density;

use super::report::{Explored, Front};
use crate::picture::{roomy, Anchor, Colour, Pen, Picture, BLACK, GRID, LETTER, LETTER_WIDTH};

const PANEL: [f64; 2] = [330.0, 230.0];
const LEFT: f64 = 64.0;
const RIGHT: f64 = 26.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 44.0;
const HEAD: f64 = 60.0;
const LINE: f64 = 18.0;
const SQUARE: f64 = 7.0;
/// Times beyond this multiple of the fastest are left out: nobody chooses these machines.
const SLOWEST: f64 = 40.0;

/// A resource of a panel: its name, and a machine's use of it.
type Resource = (&'static str, fn(&Point) -> Option<f64>);

const RESOURCES: [Resource; 4] = [
    ("LUTs, % of the board", |point| Some(point.luts.percent)),
    ("DSPs, % of the board", |point| Some(point.dsps.percent)),
    ("UltraRAMs, % of the board", |point| Some(point.urams.percent)),
    ("memory, GB/s", |point| Some(point.gigabytes_per_second)),
];

const WHITE: Colour = Colour(0xff_ff_ff);
const COLOURS: [(&str, Colour); 4] = [
    ("cyclone", Colour(0x1f77b4)),
    ("msmac", Colour(0x9467bd)),
    ("gypsophila", Colour(0x2ca02c)),
    ("reclaimer", Colour(0xd62728)),
];

fn colour(point: &Point) -> Colour {
    COLOURS.iter().find(|(name, _)| *name == point.design.name()).map_or(BLACK, |&(_, colour)| colour)
}

/// The scale of an axis: its values, and the pixels of their ends.
struct Axis {
    range: [f64; 2],
    pixels: [f64; 2],
    is_logarithmic: bool,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.is_logarithmic { value.ln() } else { value };
        let ([low, high], [from, to]) = (self.range.map(scale), self.pixels);
        let share = if high > low { (scale(value) - low) / (high - low) } else { 0.5 };
        from + share * (to - from)
    }

    /// Returns round numbers whose labels do not touch.
    fn ticks(&self, least: f64) -> Vec<f64> {
        let [low, high] = self.range;
        let within = |tick: &f64| (low..=high).contains(tick);
        let sets: Vec<Vec<f64>> = match self.is_logarithmic {
            true => {
                let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
                let set = |digits: &'static [f64]| {
                    let decade = |power: i32| digits.iter().map(move |digit| digit * 10f64.powi(power));
                    decades.clone().flat_map(decade).filter(within).collect()
                };
                vec![set(&[1.0, 2.0, 3.0, 5.0, 7.0]), set(&[1.0, 2.0, 5.0]), set(&[1.0])]
            }
            false => [5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]
                .map(|step| (0..=(high / step) as u32).map(|i| f64::from(i) * step).collect())
                .to_vec(),
        };
        roomy(sets, |tick| self.place(*tick), least)
    }
}

/// Draws the fronts.
pub fn draw(explored: &Explored) -> Picture {
    let [width, height] = [LEFT + PANEL[0] + RIGHT, TOP + PANEL[1] + BOTTOM];
    let mut picture = Picture::new([2.0 * width, HEAD + 2.0 * height]);
    let Explored { points, curve, board, fronts, .. } = explored;
    let title = format!("{points} points on {curve}, {}: ms by resources", board.name);
    picture.text([LEFT, 24.0], Anchor::Start, title);
    draw_legend(&mut picture, fronts);
    let fastest =
        fronts.iter().flat_map(|front| &front.rows).map(|row| row.point.ms).fold(f64::INFINITY, f64::min);
    let drawn = |front: &Front| -> Vec<Point> {
        let points = front.rows.iter().map(|row| &row.point);
        points.filter(|point| point.ms <= SLOWEST * fastest).cloned().collect()
    };
    let fronts: Vec<(Density, Vec<Point>)> =
        fronts.iter().map(|front| (front.density, drawn(front))).collect();
    for (number, resource) in RESOURCES.iter().enumerate() {
        let corner = [width * (number % 2) as f64, HEAD + height * (number / 2) as f64];
        draw_panel(&mut picture, corner, resource, &fronts);
    }
    picture
}

fn draw_legend(picture: &mut Picture, fronts: &[Front]) {
    let y = 24.0 + LINE;
    let mut x = LEFT;
    for (name, colour) in COLOURS {
        let is_there = |front: &Front| front.rows.iter().any(|row| row.point.design.name() == name);
        if fronts.iter().any(is_there) {
            picture.rectangle([x, y - SQUARE - 1.0], [SQUARE, SQUARE], colour, None);
            picture.text([x + 12.0, y], Anchor::Start, name);
            x += 12.0 + LETTER_WIDTH * (name.len() + 3) as f64;
        }
    }
    for front in fronts {
        picture.line(vec![[x, y - 4.0], [x + 26.0, y - 4.0]], steps(front.density));
        let text = density_name(front.density);
        picture.text([x + 32.0, y], Anchor::Start, text);
        x += 32.0 + LETTER_WIDTH * (text.len() + 3) as f64;
    }
}

fn density_name(density: Density) -> &'static str {
    match density {
        Density::Papers => "the papers' density",
        Density::Ours => "our density",
    }
}

/// Lines of a density.
fn steps(density: Density) -> Pen {
    let dashes: &[f64] = match density {
        Density::Papers => &[],
        Density::Ours => &[5.0, 3.0],
    };
    Pen { dashes, ..Pen::thin(Colour(0x55_55_55)) }
}

fn draw_panel(
    picture: &mut Picture,
    [left, top]: [f64; 2],
    (name, of): &Resource,
    fronts: &[(Density, Vec<Point>)],
) {
    let all = || fronts.iter().flat_map(|(_, points)| points);
    let most = all().filter_map(of).fold(0.0, f64::max);
    let times = all().map(|point| point.ms);
    let times = times.fold([f64::INFINITY, 0.0f64], |[low, high], ms| [low.min(ms), high.max(ms)]);
    let [right, bottom] = [left + LEFT + PANEL[0], top + TOP + PANEL[1]];
    picture.text([left + LEFT, top + TOP - 12.0], Anchor::Start, format!("ms over {name}"));
    if most == 0.0 {
        picture.text([left + LEFT, top + TOP + 20.0], Anchor::Start, "nothing fits");
        return;
    }
    // Some room around the squares.
    let range = [times[0] / 1.15, times[1] * 1.15];
    let x = Axis { range: [0.0, 1.05 * most], pixels: [left + LEFT, right], is_logarithmic: false };
    let y = Axis { range, pixels: [bottom, top + TOP], is_logarithmic: true };
    for tick in y.ticks(1.2 * LETTER) {
        let height = y.place(tick);
        picture.line(vec![[left + LEFT, height], [right, height]], Pen::thin(GRID));
        picture.text([left + LEFT - 8.0, height + 4.0], Anchor::End, tick);
    }
    for tick in x.ticks(6.0 * LETTER_WIDTH) {
        let place = x.place(tick);
        picture.line(vec![[place, top + TOP], [place, bottom]], Pen::thin(GRID));
        picture.text([place, bottom + 18.0], Anchor::Middle, tick);
    }
    for (density, points) in fronts {
        let places: Vec<(f64, f64)> =
            points.iter().filter_map(|point| Some((of(point)?, point.ms))).collect();
        picture.line(staircase(places, &x, &y), steps(*density));
    }
    for (density, points) in fronts {
        for point in points {
            let Some(used) = of(point) else { continue };
            let mut square = |size: f64, colour, hint| {
                let corner = [x.place(used) - size / 2.0, y.place(point.ms) - size / 2.0];
                picture.rectangle(corner, [size, size], colour, hint);
            };
            let hint = Some(hint(*density, point));
            match density {
                Density::Papers => square(SQUARE, colour(point), hint),
                // A smaller square on white: both squares are visible where both densities have a machine.
                Density::Ours => {
                    square(SQUARE - 1.0, WHITE, None);
                    square(SQUARE - 3.5, colour(point), hint);
                }
            }
        }
    }
}

/// Returns the steps through the points that no other point dominates: to the right, less time.
fn staircase(mut points: Vec<(f64, f64)>, x: &Axis, y: &Axis) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut line: Vec<[f64; 2]> = Vec::new();
    let mut best = f64::INFINITY;
    for (used, ms) in points {
        if ms >= best {
            continue;
        }
        best = ms;
        let place = [x.place(used), y.place(ms)];
        line.extend(line.last().map(|last| [place[0], last[1]]));
        line.push(place);
    }
    line.extend(line.last().map(|last| [x.pixels[1], last[1]]));
    line
}

fn hint(density: Density, point: &Point) -> String {
    let Point { copies, elements, window, ms, .. } = point;
    let (design, density) = (point.design.name(), density_name(density));
    format!("{copies} x {design}, K = {elements}, window {window}, {density}: {ms:.1} ms")
}
