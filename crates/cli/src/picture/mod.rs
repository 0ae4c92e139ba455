//! Pictures of rectangles, lines and texts, as SVG, PNG or PDF by the ending of the file.
//!
//! Texts have one size and one width of letters in all three forms, so a drawing knows which labels would touch.

mod pdf;
mod png;
mod shapes;
mod svg;

use std::path::Path;

pub use shapes::{Anchor, Colour, Pen, Picture, BLACK, GRID, LETTER, LETTER_WIDTH};

impl Picture {
    /// Returns the bytes of the file at this path; SVG unless the path has another ending.
    pub fn encode(&self, path: &Path) -> Vec<u8> {
        match Format::of(path).unwrap_or_default() {
            Format::Svg => svg::encode(self),
            Format::Png => png::encode(self),
            Format::Pdf => pdf::encode(self),
        }
    }
}

/// The form of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Shapes for browsers.
    #[default]
    Svg,
    /// Pixels.
    Png,
    /// A page.
    Pdf,
}

impl Format {
    /// Returns the form by the ending of a path; SVG without an ending.
    ///
    /// # Errors
    /// A message for the user if the ending is another one.
    pub fn of(path: &Path) -> Result<Self, &'static str> {
        match path.extension().map(|ending| ending.to_ascii_lowercase()) {
            None => Ok(Format::Svg),
            Some(ending) if ending == "svg" => Ok(Format::Svg),
            Some(ending) if ending == "png" => Ok(Format::Png),
            Some(ending) if ending == "pdf" => Ok(Format::Pdf),
            Some(_) => Err("expected a name that ends with .svg, .png or .pdf"),
        }
    }
}

/// Returns the first of some sets of labels whose labels do not touch: all neighbours are at least `least` apart. Returns the
/// last set if the labels of every set touch.
pub fn roomy<T>(sets: impl IntoIterator<Item = Vec<T>>, place: impl Fn(&T) -> f64, least: f64) -> Vec<T> {
    let mut last = Vec::new();
    for set in sets {
        let is_roomy = set.windows(2).all(|pair| (place(&pair[1]) - place(&pair[0])).abs() >= least);
        last = set;
        if is_roomy {
            break;
        }
    }
    last
}
