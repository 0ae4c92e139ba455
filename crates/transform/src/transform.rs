//! The trait of transforms between the coefficients of a polynomial and its values.

use crate::domain::{Numbers, TransformOptions, Way};
use crate::{Error, TransformField};

/// Transforms on one domain and on one coset of it. [`Ntt`](crate::Ntt) computes them fast, and
/// [`Naive`](crate::Naive) by their definition.
pub trait Transform<F: TransformField> {
    /// Returns the logarithm of the number of points.
    fn log_size(&self) -> u32;

    /// Transforms elements in place. After an error, their values are unspecified.
    ///
    /// # Errors
    /// [`Error::Length`] if the number of elements differs from the number of points;
    /// [`bucketwheel::Error::Cancelled`]; [`bucketwheel::Error::OutOfMemory`].
    fn transform(&self, way: Way, elements: &mut [F], options: &TransformOptions<'_>) -> Result<(), Error>;

    /// Transforms coefficients to values on the domain.
    ///
    /// # Errors
    /// As for [`transform`](Self::transform).
    fn forward(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::Forward, elements, &TransformOptions::default())
    }

    /// Transforms values on the domain to coefficients.
    ///
    /// # Errors
    /// As for [`transform`](Self::transform).
    fn inverse(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::Inverse, elements, &TransformOptions::default())
    }

    /// Transforms coefficients to values on the coset.
    ///
    /// # Errors
    /// As for [`transform`](Self::transform).
    fn coset_forward(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::CosetForward, elements, &TransformOptions::default())
    }

    /// Transforms values on the coset to coefficients.
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

/// Checks that the domain and its coset exist.
pub fn check_domain<F: TransformField>(log_size: u32, root: F, shift: F) -> Result<(), Error> {
    check_size::<F>(log_size)?;
    // Half the order leads to -1; no root of a smaller order does.
    let half = (1..log_size).fold(root, |power, _| power.square());
    let good = if log_size == 0 { root.is_one() } else { half == -F::ONE };
    match good && !shift.is_zero() {
        true => Ok(()),
        false => Err(Error::Root { log_size }),
    }
}

/// Checks that the field has a root of unity of this order.
pub fn check_size<F: TransformField>(log_size: u32) -> Result<(), Error> {
    match log_size <= F::TWO_ADICITY {
        true => Ok(()),
        false => Err(Error::Domain { log_size, max: F::TWO_ADICITY }),
    }
}

/// Returns the numbers of a domain and its coset.
///
/// # Errors
/// [`Error::Domain`], [`Error::Root`].
pub fn numbers<F: TransformField>(log_size: u32, root: F, shift: F) -> Result<Numbers, Error> {
    check_domain(log_size, root, shift)?;
    let size_inverse = F::from(1u64 << log_size).inverse().expect("a power of 2").montgomery_words();
    let (root, shift) = (root.montgomery_words(), shift.montgomery_words());
    Ok(Numbers { log_size, root, shift, size_inverse })
}
