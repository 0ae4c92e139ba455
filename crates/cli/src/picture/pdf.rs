//! PDF: a page with a point for each pixel.

use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

use super::shapes::{Colour, Picture, Shape, BLACK, LETTER, LETTER_WIDTH};

const FONT: Name<'static> = Name(b"F");

/// Returns a document.
pub fn encode(Picture { size: [width, height], shapes }: &Picture) -> Vec<u8> {
    // The page's origin is its lower left corner.
    let place = |[x, y]: [f64; 2]| [x as f32, (height - y) as f32];
    let mut content = Content::new();
    for shape in shapes {
        match shape {
            Shape::Rectangle { corner, size, colour, .. } => {
                let [x, y] = place([corner[0], corner[1] + size[1]]);
                fill(&mut content, *colour);
                content.rect(x, y, size[0] as f32, size[1] as f32).fill_nonzero();
            }
            Shape::Line { points, pen } => {
                let [red, green, blue] = unit(pen.colour);
                content.set_stroke_rgb(red, green, blue).set_line_width(pen.width as f32);
                content.set_line_join(LineJoinStyle::RoundJoin);
                content.set_dash_pattern(pen.dashes.iter().map(|&length| length as f32), 0.0);
                for (i, [x, y]) in points.iter().copied().map(place).enumerate() {
                    if i == 0 {
                        content.move_to(x, y)
                    } else {
                        content.line_to(x, y)
                    };
                }
                content.stroke();
            }
            Shape::Text { at: [x, y], anchor, text } => {
                let width = LETTER_WIDTH * text.chars().count() as f64;
                let [x, y] = place([x - anchor.share() * width, *y]);
                fill(&mut content, BLACK);
                content.begin_text().set_font(FONT, LETTER as f32).next_line(x, y);
                // The standard fonts have codes of ASCII.
                let codes: Vec<u8> =
                    text.chars().map(|c| if c.is_ascii() { c as u8 } else { b'?' }).collect();
                content.show(Str(&codes)).end_text();
            }
        }
    }
    let [catalogue, pages, page, font, stream] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalogue).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut leaf = pdf.page(page);
    leaf.media_box(Rect::new(0.0, 0.0, *width as f32, *height as f32)).parent(pages).contents(stream);
    leaf.resources().fonts().pair(FONT, font);
    leaf.finish();
    // Every viewer has this font, and its letters have the width that the pictures expect.
    pdf.type1_font(font).base_font(Name(b"Courier"));
    pdf.stream(stream, &content.finish());
    pdf.finish()
}

fn fill(content: &mut Content, colour: Colour) {
    let [red, green, blue] = unit(colour);
    content.set_fill_rgb(red, green, blue);
}

fn unit(colour: Colour) -> [f32; 3] {
    colour.channels().map(|channel| f32::from(channel) / 255.0)
}
