//! Results as text and as JSON.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::AnsiColor;
use bucketwheel::CurveId;
use bucketwheel_dynamic::AnySum;
pub use hex::encode as hexadecimal;
use serde::Serialize;

use crate::error::Error;

/// A field element in hexadecimal, the most significant digit first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// An element of a prime field.
    Prime(String),
    /// An element of an extension: its coefficients, the constant one first.
    Extension(Vec<String>),
}

impl Coordinate {
    /// Returns the coordinate with this number of coefficients, which are little-endian integers.
    fn new(bytes: &[u8], degree: usize) -> Self {
        let mut coefficients: Vec<_> = bytes
            .chunks(bytes.len() / degree)
            .map(|bytes| format!("0x{}", hexadecimal(bytes.iter().rev().copied().collect::<Vec<_>>())))
            .collect();
        match coefficients.len() {
            1 => Coordinate::Prime(coefficients.remove(0)),
            _ => Coordinate::Extension(coefficients),
        }
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coordinate::Prime(element) => f.write_str(element),
            Coordinate::Extension(coefficients) => write!(f, "[{}]", coefficients.join(", ")),
        }
    }
}

/// A point; infinity has coordinates 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The first coordinate.
    pub x: Coordinate,
    /// The second coordinate.
    pub y: Coordinate,
    /// True for the point at infinity.
    pub infinity: bool,
}

impl Point {
    /// Returns the point of these integers: x and y, with this number of coefficients each.
    pub fn of_integers(integers: &[u8], degree: usize) -> Self {
        let (x, y) = integers.split_at(integers.len() / 2);
        let infinity = integers.iter().all(|&byte| byte == 0);
        Point { x: Coordinate::new(x, degree), y: Coordinate::new(y, degree), infinity }
    }
}

/// The result of an MSM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Sum {
    /// The sum over one group.
    One(Point),
    /// The sums over both groups.
    Both {
        /// The sum in G1.
        g1: Point,
        /// The sum in G2.
        g2: Point,
    },
}

impl Sum {
    /// Returns the sums of one group or both.
    pub fn new(curve: CurveId, sums: &[AnySum]) -> Self {
        let point = |sum: &AnySum| Point::of_integers(&sum.integers, curve.coefficients(sum.group));
        match sums {
            [g1, g2] => Sum::Both { g1: point(g1), g2: point(g2) },
            sums => Sum::One(point(&sums[0])),
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |f: &mut fmt::Formatter<'_>, name: &str, point: &Point| match point.infinity {
            true => writeln!(f, "  {name}the point at infinity"),
            false => writeln!(f, "  {name}x = {}\n  {name}y = {}", point.x, point.y),
        };
        match self {
            Sum::One(point) => write(f, "", point),
            Sum::Both { g1, g2 } => write(f, "g1 ", g1).and_then(|()| write(f, "g2 ", g2)),
        }
    }
}

/// Writes a value as JSON if requested, otherwise with `print`.
///
/// # Errors
/// If the output is closed.
pub fn either<T: Serialize>(
    out: &mut dyn Write,
    as_json: bool,
    value: &T,
    print: impl FnOnce(&mut dyn Write, &T) -> Result<(), Error>,
) -> Result<(), Error> {
    match as_json {
        true => json(out, value),
        false => print(out, value),
    }
}

/// Writes a value as JSON in a form that people can read too.
///
/// # Errors
/// If the output is closed.
pub fn json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), Error> {
    // Formats the whole text first, so that an error writes nothing.
    let text = serde_json::to_string_pretty(value).map_err(std::io::Error::from)?;
    text.lines().try_for_each(|line| writeln!(out, "{}", visible(line)))?;
    Ok(())
}

/// Returns a text in one line. Names and files could use control and format characters to command a terminal, or to
/// reorder and hide text on it; these characters are escaped as in JSON.
pub fn visible(text: impl fmt::Display) -> String {
    let mut visible = String::new();
    for c in text.to_string().chars() {
        match is_visible(c) {
            false => {
                let mut units = [0; 2];
                visible.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
            }
            true => visible.push(c),
        }
    }
    visible
}

/// Returns true for a character that a terminal shows as it is: neither control nor format character.
pub fn is_visible(c: char) -> bool {
    !c.is_control() && !is_format(c)
}

/// Returns true for Unicode's format characters (Cf), among them characters that change the direction of text, and
/// for its separators of lines and paragraphs. The list is ours because a library has the category of each character
/// in its tables, tens of kilobytes; twenty ranges do. A test compares it with a library.
fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// True if warnings are not wanted.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Turns warnings off for this process.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// First words of messages, and their colours.
const HEADS: [(&str, AnsiColor); 4] = [
    ("error:", AnsiColor::Red),
    ("warning:", AnsiColor::Yellow),
    ("  tip:", AnsiColor::Green),
    ("Usage:", AnsiColor::Cyan),
];

/// Prints a message on standard error, in one line. A first word such as `error:` is coloured where a terminal shows
/// colours and neither NO_COLOR nor CLICOLOR forbids them.
pub fn tell(message: impl fmt::Display) {
    // Escapes everything except the colours of this function.
    let mut line = visible(message) + "\n";
    if let Some((head, colour)) = HEADS.into_iter().find(|(head, _)| line.starts_with(head)) {
        let style = colour.on_default().bold();
        line = format!("{style}{head}{style:#}{}", &line[head.len()..]);
    }
    // If standard error is closed, nobody can be told.
    let _ = anstream::stderr().write_all(line.as_bytes());
}

/// Prints a warning on standard error, in one line, unless warnings are not wanted.
pub fn warn(message: impl fmt::Display) {
    if !QUIET.load(Ordering::Relaxed) {
        tell(format_args!("warning: {message}"));
    }
}
