//! Shapes on a page, and their looks.

/// Size of the letters in pixels.
pub const LETTER: f64 = 13.0;
/// Width of each letter in pixels.
pub const LETTER_WIDTH: f64 = 0.6 * LETTER;
/// Colour of lines behind the data.
pub const GRID: Colour = Colour(0xcc_cc_cc);
/// Colour of texts.
pub const BLACK: Colour = Colour(0);

/// A colour, 0xRRGGBB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u32);

impl Colour {
    /// Returns red, green and blue.
    pub fn channels(self) -> [u8; 3] {
        let [_, red, green, blue] = self.0.to_be_bytes();
        [red, green, blue]
    }
}

/// The point of a text that lies at the given coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end of the text.
    Start,
    /// The middle of the text.
    Middle,
    /// The right end of the text.
    End,
}

impl Anchor {
    /// Returns the part of the text that is on the left of the given point.
    pub fn share(self) -> f64 {
        match self {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        }
    }
}

/// The looks of a line.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// The colour.
    pub colour: Colour,
    /// The width in pixels.
    pub width: f64,
    /// Lengths of dashes and gaps in turn, in pixels; empty for a line without gaps.
    pub dashes: &'static [f64],
}

impl Pen {
    /// Returns a thin line without gaps.
    pub fn thin(colour: Colour) -> Self {
        Pen { colour, width: 1.0, dashes: &[] }
    }
}

/// Something in a picture.
pub enum Shape {
    Rectangle { corner: [f64; 2], size: [f64; 2], colour: Colour, hint: Option<String> },
    Line { points: Vec<[f64; 2]>, pen: Pen },
    Text { at: [f64; 2], anchor: Anchor, text: String },
}

/// A white area with shapes on it. Coordinates are pixels, from the upper left corner. Later shapes cover earlier ones.
pub struct Picture {
    /// Width and height.
    pub size: [f64; 2],
    /// The shapes, the lowest one first.
    pub shapes: Vec<Shape>,
}

impl Picture {
    /// Returns an empty picture of this width and height.
    pub fn new(size: [f64; 2]) -> Self {
        Picture { size, shapes: Vec::new() }
    }

    /// Draws a filled rectangle; a viewer of SVG shows the hint under the pointer.
    pub fn rectangle(&mut self, corner: [f64; 2], size: [f64; 2], colour: Colour, hint: Option<String>) {
        self.shapes.push(Shape::Rectangle { corner, size, colour, hint });
    }

    /// Draws lines from each point to the next one.
    pub fn line(&mut self, points: Vec<[f64; 2]>, pen: Pen) {
        self.shapes.push(Shape::Line { points, pen });
    }

    /// Writes a text, whose baseline has this height.
    pub fn text(&mut self, at: [f64; 2], anchor: Anchor, text: impl ToString) {
        self.shapes.push(Shape::Text { at, anchor, text: text.to_string() });
    }
}
