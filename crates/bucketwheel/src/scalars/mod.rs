//! Scalars: in the callers' forms (`source`), as words (`words`, `integer`), their magnitudes and halves (`magnitude`,
//! `split`, `fold`), and the magnitudes in memory (`layout`), where `writing` puts them. Scalars that are all bits take
//! a path of their own (`bits`).

mod bits;
mod fold;
mod integer;
mod layout;
mod magnitude;
mod source;
mod split;
mod words;
mod writing;

pub(crate) use fold::Fold;
pub(crate) use integer::ones;
pub use integer::{Integer, ScalarWords};
pub(crate) use layout::{MagnitudeLayout, Magnitudes};
#[cfg(test)]
pub(crate) use magnitude::Magnitude;
pub use source::{RawScalars, Scalars};
pub use split::Split;
pub(crate) use split::{PARTS, PART_WORDS};
pub use words::MontgomeryWords;
pub(crate) use writing::PART;
