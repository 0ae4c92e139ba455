//! Reduction of scalars before digits are made of them.

use super::split::Split;

/// Conversion of scalars to magnitudes.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a> {
    /// True if scalars may be folded.
    pub in_subgroup: bool,
    /// Split of long scalars.
    pub split: Option<&'a Split>,
}
