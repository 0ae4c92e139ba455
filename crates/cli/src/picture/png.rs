//! PNG, with two pixels for each pixel of the picture, as screens have them.
//!
//! This is code of our own, because pictures have nothing but rectangles, straight lines and letters, and a library for all shapes
//! would take 0.25 MB of the command, whose limit is 12 MB. The tests read the files with the library tiny-skia.

use miniz_oxide::deflate::compress_to_vec_zlib;
use noto_sans_mono_bitmap::{get_raster, get_raster_width, FontWeight, RasterHeight};

use super::shapes::{Colour, Pen, Picture, Shape, BLACK};

const SCALE: f64 = 2.0;
const WEIGHT: FontWeight = FontWeight::Regular;
/// Height of the letters; this font is hardly narrower than the letters of the other forms.
const HEIGHT: RasterHeight = RasterHeight::Size32;
/// Rows of a letter above the baseline.
const ASCENT: f64 = 25.0;
/// Effort of the compression, of 0 to 10.
const EFFORT: u8 = 6;

/// Returns a file.
pub fn encode(Picture { size, shapes }: &Picture) -> Vec<u8> {
    let mut canvas = Canvas::new(size.map(|length| (length * SCALE).ceil() as usize));
    for shape in shapes {
        match shape {
            Shape::Rectangle { corner, size, colour, .. } => {
                canvas.rectangle(corner.map(scaled), size.map(scaled), *colour);
            }
            Shape::Line { points, pen } => {
                let points: Vec<_> = points.iter().map(|point| point.map(scaled)).collect();
                canvas.line(&points, pen);
            }
            Shape::Text { at: [x, y], anchor, text } => {
                let step = get_raster_width(WEIGHT, HEIGHT) as f64;
                let left = scaled(*x) - anchor.share() * step * text.chars().count() as f64;
                for (i, c) in text.chars().enumerate() {
                    canvas.letter(c, [(left + step * i as f64).round(), (scaled(*y) - ASCENT).round()]);
                }
            }
        }
    }
    canvas.encode()
}

fn scaled(length: f64) -> f64 {
    length * SCALE
}

/// Red, green and blue of each pixel, row after row. The centre of the first pixel is (0.5, 0.5).
struct Canvas {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// Returns a white canvas.
    fn new([width, height]: [usize; 2]) -> Self {
        Canvas { width, pixels: vec![[255; 3]; width * height] }
    }

    /// Paints all pixels between two corners. `cover` returns the share of a pixel, by its centre, that gets the colour.
    fn paint(&mut self, corners: [[f64; 2]; 2], colour: Colour, cover: impl Fn([f64; 2]) -> f64) {
        let ends = [self.width, self.pixels.len() / self.width];
        let [columns, rows] = [0, 1].map(|axis| {
            // Casts saturate: no pixel is left of the first pixel or above it.
            corners[0][axis] as usize..(corners[1][axis].ceil() as usize).min(ends[axis])
        });
        for row in rows {
            for column in columns.clone() {
                let share = cover([column, row].map(|index| index as f64 + 0.5)).clamp(0.0, 1.0);
                let pixel = &mut self.pixels[row * self.width + column];
                for (value, ink) in pixel.iter_mut().zip(colour.channels()) {
                    *value = (f64::from(*value) * (1.0 - share) + f64::from(ink) * share).round() as u8;
                }
            }
        }
    }

    fn rectangle(&mut self, corner: [f64; 2], size: [f64; 2], colour: Colour) {
        let end = [0, 1].map(|axis| corner[axis] + size[axis]);
        let inside = |axis: usize, at: f64| (at + 0.5).min(end[axis]) - (at - 0.5).max(corner[axis]);
        self.paint([corner, end], colour, |[x, y]| inside(0, x).max(0.0) * inside(1, y).max(0.0));
    }

    /// Draws lines from each point to the next one, and a disc between two lines. Pixels at the edge of both get a little more of
    /// the colour than their share.
    fn line(&mut self, points: &[[f64; 2]], pen: &Pen) {
        let half = scaled(pen.width) / 2.0;
        let reach = half + 0.5;
        for [from, to] in pieces(points, pen.dashes) {
            let [along_x, along_y] = [0, 1].map(|axis| to[axis] - from[axis]);
            let length = along_x.hypot(along_y);
            let corners = [
                [0, 1].map(|axis| from[axis].min(to[axis]) - reach),
                [0, 1].map(|axis| from[axis].max(to[axis]) + reach),
            ];
            self.paint(corners, pen.colour, |[x, y]| {
                let [x, y] = [x - from[0], y - from[1]];
                let outside = if length > 0.0 {
                    let along = (x * along_x + y * along_y) / length;
                    let across = (x * along_y - y * along_x).abs() / length;
                    (across - half).max(-along).max(along - length)
                } else {
                    x.hypot(y) - half
                };
                0.5 - outside
            });
        }
    }

    /// Draws a black letter.
    fn letter(&mut self, c: char, [left, top]: [f64; 2]) {
        let Some(raster) = get_raster(c, WEIGHT, HEIGHT).or_else(|| get_raster('?', WEIGHT, HEIGHT)) else {
            return;
        };
        let end = [left + raster.width() as f64, top + raster.height() as f64];
        self.paint([[left, top], end], BLACK, |[x, y]| {
            let ink = raster.pixel((x - left) as usize, (y - top) as usize);
            ink.map_or(0.0, |ink| f64::from(ink) / 255.0)
        });
    }

    /// Returns a file.
    fn encode(&self) -> Vec<u8> {
        let mut rows = Vec::with_capacity(4 * self.pixels.len());
        for row in self.pixels.chunks(self.width) {
            // The row is not the difference from another row.
            rows.push(0);
            rows.extend(row.iter().flatten());
        }
        let size = [self.width, self.pixels.len() / self.width].map(|length| (length as u32).to_be_bytes());
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        // Eight bits for each of red, green and blue; the only compression, the only filters, no interlacing.
        add_chunk(&mut file, b"IHDR", &[size.as_flattened(), &[8, 2, 0, 0, 0]].concat());
        add_chunk(&mut file, b"IDAT", &compress_to_vec_zlib(&rows, EFFORT));
        add_chunk(&mut file, b"IEND", &[]);
        file
    }
}

/// Returns the straight pieces of a line, without its gaps, and a piece of no length between two lines.
fn pieces(points: &[[f64; 2]], dashes: &[f64]) -> Vec<[[f64; 2]; 2]> {
    // Without dashes, the first one has no end. Dashes have even numbers, gaps have odd numbers.
    let length_of = |number: usize| match dashes {
        [] => f64::INFINITY,
        dashes => scaled(dashes[number % dashes.len()]),
    };
    let (mut number, mut left) = (0, length_of(0));
    let mut pieces = Vec::new();
    for (i, line) in points.windows(2).enumerate() {
        let [from, to] = [line[0], line[1]];
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let place = |done: f64| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * done / length);
        if i > 0 && number % 2 == 0 {
            pieces.push([from, from]);
        }
        let mut done = 0.0;
        while done < length {
            let step = left.min(length - done);
            if number % 2 == 0 {
                pieces.push([place(done), place(done + step)]);
            }
            done += step;
            left -= step;
            if left <= 0.0 {
                number += 1;
                left = length_of(number);
            }
        }
    }
    pieces
}

/// Adds a part of a PNG: its length, name, content and checksum.
fn add_chunk(file: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    file.extend((content.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(content);
    file.extend(crc32(&file[start..]).to_be_bytes());
}

fn crc32(bytes: &[u8]) -> u32 {
    let divided = |rest: u32, _| (rest >> 1) ^ (0xedb8_8320 & (rest & 1).wrapping_neg());
    !bytes.iter().fold(!0, |rest, &byte| (0..8).fold(rest ^ u32::from(byte), divided))
}
