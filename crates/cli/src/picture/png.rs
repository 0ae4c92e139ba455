//! PNG, with two pixels for each pixel of the picture, as screens have them.

use noto_sans_mono_bitmap::{get_raster, get_raster_width, FontWeight, RasterHeight};
use tiny_skia::{Color, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform};

use super::shapes::{Colour, Picture, Shape};

const SCALE: f32 = 2.0;
const WEIGHT: FontWeight = FontWeight::Regular;
/// Height of the letters; this font is hardly narrower than the letters of the other forms.
const HEIGHT: RasterHeight = RasterHeight::Size32;
/// Rows of a letter above the baseline.
const ASCENT: i32 = 25;

/// Returns a file.
pub fn encode(Picture { size, shapes }: &Picture) -> Vec<u8> {
    let [width, height] = size.map(|length| (length as f32 * SCALE).ceil() as u32);
    let mut pixels = Pixmap::new(width, height).expect("a picture has a size");
    pixels.fill(Color::WHITE);
    let transform = Transform::from_scale(SCALE, SCALE);
    for shape in shapes {
        match shape {
            Shape::Rectangle { corner: [x, y], size: [width, height], colour, .. } => {
                // A rectangle without a width or height has no pixels.
                if let Some(area) = Rect::from_xywh(*x as f32, *y as f32, *width as f32, *height as f32) {
                    pixels.fill_rect(area, &paint(*colour), transform, None);
                }
            }
            Shape::Line { points, pen } => {
                let mut path = PathBuilder::new();
                for (i, [x, y]) in points.iter().enumerate() {
                    let [x, y] = [*x as f32, *y as f32];
                    if i == 0 {
                        path.move_to(x, y)
                    } else {
                        path.line_to(x, y)
                    }
                }
                let stroke = Stroke {
                    width: pen.width as f32,
                    line_cap: LineCap::Butt,
                    line_join: LineJoin::Round,
                    dash: StrokeDash::new(pen.dashes.iter().map(|&length| length as f32).collect(), 0.0),
                    ..Stroke::default()
                };
                // A line of one point has no pixels.
                if let Some(path) = path.finish() {
                    pixels.stroke_path(&path, &paint(pen.colour), &stroke, transform, None);
                }
            }
            Shape::Text { at: [x, y], anchor, text } => {
                let step = get_raster_width(WEIGHT, HEIGHT) as i32;
                let width = f64::from(step) * text.chars().count() as f64;
                let left = (x * f64::from(SCALE) - anchor.share() * width).round() as i32;
                let top = (y * f64::from(SCALE)).round() as i32 - ASCENT;
                for (c, left) in text.chars().zip((left..).step_by(step as usize)) {
                    letter(&mut pixels, c, [left, top]);
                }
            }
        }
    }
    pixels.encode_png().expect("memory has room for the file")
}

/// Draws a black letter.
fn letter(pixels: &mut Pixmap, c: char, [left, top]: [i32; 2]) {
    let Some(raster) = get_raster(c, WEIGHT, HEIGHT).or_else(|| get_raster('?', WEIGHT, HEIGHT)) else {
        return;
    };
    let [width, height] = [pixels.width() as i32, pixels.height() as i32];
    for (y, row) in (top..).zip(raster.rows()) {
        for (x, &ink) in (left..).zip(row) {
            if (0..width).contains(&x) && (0..height).contains(&y) {
                let pixel = &mut pixels.data_mut()[4 * (y * width + x) as usize..][..3];
                pixel
                    .iter_mut()
                    .for_each(|value| *value = (u32::from(*value) * u32::from(255 - ink) / 255) as u8);
            }
        }
    }
}

fn paint(colour: Colour) -> Paint<'static> {
    let [red, green, blue] = colour.channels();
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}
