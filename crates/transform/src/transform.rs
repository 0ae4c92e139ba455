//! What a transform is: between the coefficients of a polynomial and its values.

use bucketwheel::{Cancel, Progress};

use crate::{Error, TransformField};

/// A direction of a transform, on a domain of n points `w^i` or on its coset `g w^i`.
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
    /// All ways.
    pub const ALL: [Way; 4] = [Way::Forward, Way::Inverse, Way::CosetForward, Way::CosetInverse];
}

/// Options of a transform.
#[derive(Clone, Copy, Default)]
pub struct TransformOptions<'a> {
    /// Threads of the current rayon pool at most; all by default.
    pub threads: Option<usize>,
    /// Looked at a few hundred times or more.
    pub cancel: Option<&'a Cancel>,
    /// Told of each thread's share; of the progress in each pass anew.
    pub progress: Option<&'a dyn Progress>,
}

/// Transforms on one domain and on one coset of it. [`Ntt`](crate::Ntt) computes them fast, [`Naive`](crate::Naive) by
/// their definition.
pub trait Transform<F: TransformField> {
    /// The logarithm of the number of points.
    fn log_size(&self) -> u32;

    /// Transforms elements in place. After an error, their values are unspecified.
    ///
    /// # Errors
    /// [`Error::Length`] unless there are as many elements as points; [`bucketwheel::Error::Cancelled`];
    /// [`bucketwheel::Error::OutOfMemory`].
    fn transform(&self, way: Way, elements: &mut [F], options: &TransformOptions<'_>) -> Result<(), Error>;

    /// From coefficients to values on the domain.
    ///
    /// # Errors
    /// As for [`transform`](Self::transform).
    fn forward(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::Forward, elements, &TransformOptions::default())
    }

    /// From values on the domain to coefficients.
    ///
    /// # Errors
    /// As for [`transform`](Self::transform).
    fn inverse(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::Inverse, elements, &TransformOptions::default())
    }

    /// From coefficients to values on the coset.
    ///
    /// # Errors
    /// As for [`transform`](Self::transform).
    fn coset_forward(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::CosetForward, elements, &TransformOptions::default())
    }

    /// From values on the coset to coefficients.
    ///
    /// # Errors
    /// As for [`transform`](Self::transform).
    fn coset_inverse(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::CosetInverse, elements, &TransformOptions::default())
    }
}

/// Checks the number of elements of a transform.
pub fn check_length(found: usize, log_size: u32) -> Result<(), Error> {
    match found == 1 << log_size {
        true => Ok(()),
        false => Err(Error::Length { found, log_size }),
    }
}

/// Checks that there is such a domain, and a coset of it.
pub fn check_domain<F: TransformField>(log_size: u32, root: F, shift: F) -> Result<(), Error> {
    check_size::<F>(log_size)?;
    // Half the order leads to -1, which no root of a smaller order does.
    let half = (1..log_size).fold(root, |power, _| power.square());
    let good = if log_size == 0 { root.is_one() } else { half == -F::ONE };
    match good && !shift.is_zero() {
        true => Ok(()),
        false => Err(Error::Root { log_size }),
    }
}

/// Checks that the field has a root of unity of that order.
pub fn check_size<F: TransformField>(log_size: u32) -> Result<(), Error> {
    match log_size <= F::TWO_ADICITY {
        true => Ok(()),
        false => Err(Error::Domain { log_size, max: F::TWO_ADICITY }),
    }
}
