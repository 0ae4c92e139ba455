//! Measured costs of a machine as text, and the installed profile, which plans use.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use ark_ff::{Field, PrimeField};
use bucketwheel_lanes::Backend;

use crate::curve::Curve;
use crate::plan::costs::Costs;

/// Parameters that costs depend on. Curves over fields of the same size take the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CurveKind {
    backend: Backend,
    /// Bits of the prime.
    bits: u32,
    /// Degree of the extension.
    degree: u64,
}

impl CurveKind {
    fn over<F: Field>(backend: Backend) -> Self {
        CurveKind { backend, bits: F::BasePrimeField::MODULUS_BIT_SIZE, degree: F::extension_degree() }
    }
}

/// The costs on one machine, as text: a heading, then one line for each backend and size of field.
///
/// ```
/// use ark_bls12_381::g1::Config;
/// use bucketwheel::{Backend, Costs, Profile};
///
/// let mut profile = Profile::default();
/// profile.set::<Config>(Backend::Avx2, Costs { aggregation: 1.5, ..Costs::of::<Config>(Backend::Avx2) });
/// let read: Profile = profile.to_string().parse()?;
/// assert_eq!(read, profile);
/// // Before the first MSM: plans are made with it from now on.
/// read.install()?;
/// assert_eq!(Costs::of::<Config>(Backend::Avx2).aggregation, 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile(Vec<(CurveKind, Costs)>);

static INSTALLED: OnceLock<Profile> = OnceLock::new();

const HEADING: &str = "bucketwheel profile 1";
const COLUMNS: &str = "# backend bits degree wide-digit aggregation window endomorphism-points";
/// Largest cost that a measurement of an MSM may have.
const MOST: f64 = 1e9;

impl Costs {
    /// Returns the costs of the [installed](crate::Profile::install) profile, or the defaults.
    /// The [example](crate::Profile) uses it.
    pub fn of<C: Curve>(backend: Backend) -> Self {
        Self::over::<C::BaseField>(backend)
    }

    /// Returns the costs of curves over this field.
    pub(crate) fn over<F: Field>(backend: Backend) -> Self {
        INSTALLED
            .get()
            .and_then(|profile| profile.get(CurveKind::over::<F>(backend)))
            .unwrap_or(Self::DEFAULT)
    }
}

impl Profile {
    /// Sets the costs on curves over fields of this size. The [example](Self) uses it.
    pub fn set<C: Curve>(&mut self, backend: Backend, costs: Costs) {
        let kind = CurveKind::over::<C::BaseField>(backend);
        self.0.retain(|&(other, _)| other != kind);
        self.0.push((kind, costs));
    }

    fn get(&self, kind: CurveKind) -> Option<Costs> {
        self.0.iter().find(|&&(other, _)| other == kind).map(|&(_, costs)| costs)
    }

    /// Makes all plans of this process with these costs. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`ProfileError::Installed`] if a profile is installed already.
    pub fn install(self) -> Result<(), ProfileError> {
        INSTALLED.set(self).map_err(|_| ProfileError::Installed)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}\n{COLUMNS}")?;
        self.0.iter().try_for_each(|(CurveKind { backend, bits, degree }, costs)| {
            let Costs { wide_digit, aggregation, window, endomorphism_points } = costs;
            writeln!(f, "{backend} {bits} {degree} {wide_digit} {aggregation} {window} {endomorphism_points}")
        })
    }
}

/// Reason why a text is no profile, or cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The first line is not the heading of this version.
    #[error("the first line is something else: expected {HEADING:?}")]
    Heading,
    /// A line lacks a part.
    #[error("line {line}: expected a backend and six numbers that are not negative, as in \"avx2 381 1 0.25 1.3 100 262144\"")]
    Line {
        /// Number of the line, counted from 1.
        line: usize,
    },
    /// A profile is installed already.
    #[error("another profile is installed")]
    Installed,
}

impl FromStr for Profile {
    type Err = ProfileError;

    fn from_str(text: &str) -> Result<Self, ProfileError> {
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, heading)| heading != HEADING) {
            return Err(ProfileError::Heading);
        }
        let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let entry = |(i, line)| parse_line(line).ok_or(ProfileError::Line { line: i + 1 });
        Ok(Profile(lines.map(entry).collect::<Result<_, _>>()?))
    }
}

fn parse_line(line: &str) -> Option<(CurveKind, Costs)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[backend, bits, degree, wide_digit, aggregation, window, points] = words.as_slice() else {
        return None;
    };
    let cost = |word: &str| word.parse().ok().filter(|cost| (0.0..=MOST).contains(cost));
    let kind =
        CurveKind { backend: backend.parse().ok()?, bits: bits.parse().ok()?, degree: degree.parse().ok()? };
    let costs = Costs {
        wide_digit: cost(wide_digit)?,
        aggregation: cost(aggregation)?,
        window: cost(window)?,
        endomorphism_points: points.parse().ok()?,
    };
    Some((kind, costs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_profiles_are_refused() {
        let parse = |text: &str| text.parse::<Profile>();
        assert_eq!(parse(&format!("{HEADING}\n\n# nothing\n")), Ok(Profile::default()));
        for text in ["", "bucketwheel profile 2\n", "\nbucketwheel profile 1"] {
            assert_eq!(parse(text), Err(ProfileError::Heading));
        }
        let good = "avx2 381 1 0.25 1.3 100 262144";
        assert!(parse(&format!("{HEADING}\n{good}")).is_ok());
        for (from, to) in [
            ("avx2", "avx3"),
            ("0.25", "-0.25"),
            ("1.3", "NaN"),
            ("100", "inf"),
            ("262144", ""),
            ("381", "381 1"),
        ] {
            let bad = format!("{HEADING}\n{}", good.replacen(from, to, 1));
            assert_eq!(parse(&bad), Err(ProfileError::Line { line: 2 }), "{bad}");
        }
    }
}
