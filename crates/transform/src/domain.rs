//! The input of a transform: the numbers of a domain, a direction, options.

use bucketwheel::{Cancel, Progress};

/// A domain of 2^log_size elements, the powers of `root`, its coset by `shift`, and 1 / 2^log_size: words in Montgomery form.
#[derive(Clone, Copy)]
pub struct Numbers<W> {
    pub log_size: u32,
    pub root: W,
    pub shift: W,
    pub size_inverse: W,
    /// The element whose Montgomery form is the integer 1.
    pub unit: W,
}

/// The direction of a transform, on a domain of n points `w^i` or on its coset `g w^i`.
///
/// Coefficients and values are in natural order on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From coefficients `a_k` to the values `sum a_k w^(i k)`.
    Forward,
    /// From values on the domain to coefficients.
    Inverse,
    /// From coefficients `a_k` to the values `sum a_k (g w^i)^k`.
    CosetForward,
    /// From values on the coset to coefficients.
    CosetInverse,
}

impl Way {
    /// All directions.
    pub const ALL: [Way; 4] = [Way::Forward, Way::Inverse, Way::CosetForward, Way::CosetInverse];
}

/// Options of a transform.
#[derive(Clone, Copy, Default)]
pub struct TransformOptions<'a> {
    /// Largest number of threads of the current rayon pool; all by default.
    pub threads: Option<usize>,
    /// Cancels the transform, which checks it at least a few hundred times.
    pub cancel: Option<&'a Cancel>,
    /// Receives the share of each thread, and the progress in each pass from 0.
    pub progress: Option<&'a dyn Progress>,
}
