//! SVG, written by hand: rectangles, lines and texts are all that [`Shape`] has, and PNG and PDF draw the same shapes. A library
//! for plots has letters of its own widths, and would make the command larger.

use std::fmt::Write;

use super::shapes::{Anchor, Colour, Picture, Shape, LETTER};

/// Returns a document.
pub fn encode(picture: &Picture) -> Vec<u8> {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = draw(&mut out, picture);
    out.into_bytes()
}

fn draw(out: &mut String, Picture { size: [width, height], shapes }: &Picture) -> std::fmt::Result {
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="monospace" font-size="{LETTER}">"#
    )?;
    writeln!(out, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    for shape in shapes {
        match shape {
            Shape::Rectangle { corner: [x, y], size: [width, height], colour, hint } => {
                write!(
                    out,
                    r#"<rect x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}" fill="{}""#,
                    hexadecimal(*colour)
                )?;
                match hint {
                    Some(hint) => writeln!(out, "><title>{}</title></rect>", escaped(hint))?,
                    None => writeln!(out, "/>")?,
                }
            }
            Shape::Line { points, pen } => {
                let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.2} {y:.2}")).collect();
                let dashes: Vec<String> = pen.dashes.iter().map(f64::to_string).collect();
                writeln!(
                    out,
                    r#"<path d="M{}" fill="none" stroke="{}" stroke-width="{}" stroke-dasharray="{}" stroke-linejoin="round"/>"#,
                    points.join("L"),
                    hexadecimal(pen.colour),
                    pen.width,
                    if dashes.is_empty() { "none".into() } else { dashes.join(" ") },
                )?;
            }
            Shape::Text { at: [x, y], anchor, text } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                writeln!(
                    out,
                    r#"<text x="{x:.2}" y="{y:.2}" text-anchor="{anchor}">{}</text>"#,
                    escaped(text)
                )?;
            }
        }
    }
    writeln!(out, "</svg>")
}

fn hexadecimal(Colour(colour): Colour) -> String {
    format!("#{colour:06x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
