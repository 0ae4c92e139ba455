//! The trait of transforms between the coefficients of a polynomial and its values.

use crate::domain::{Numbers, TransformOptions, Way};
use crate::{Error, TransformField};

/// Transforms on one domain and on one coset of it. [`Ntt`](crate::Ntt) computes them fast, and
/// [`Naive`](crate::Naive) by their definition.
///
/// ```
/// use ark_bn254::Fr;
/// use bucketwheel::Backend;
/// use bucketwheel_transform::{Naive, Ntt, Transform, TransformField, TransformOptions, Way};
///
/// // A root of unity, and the coset of its powers.
/// let (root, shift) = (Fr::root_of_unity(4), Fr::coset_shift(4));
/// let fast = Ntt::with_root(4, Backend::Portable, root, shift)?;
/// let slow = Naive::with_root(4, root, shift)?;
/// assert_eq!((fast.backend(), fast.log_size(), Naive::<Fr>::new(4)?.log_size()), (Backend::Portable, 4, 4));
/// let mut elements: Vec<Fr> = (0..16).map(Fr::from).collect();
/// let mut same = elements.clone();
/// fast.forward(&mut elements)?;
/// slow.transform(Way::Forward, &mut same, &TransformOptions::default())?;
/// assert_eq!(elements, same);
/// fast.inverse(&mut elements)?;
/// assert_eq!(elements[3], Fr::from(3));
/// # Ok::<(), bucketwheel_transform::Error>(())
/// ```
pub trait Transform<F: TransformField> {
    /// Returns the logarithm of the number of points. The [example](Self) uses it.
    fn log_size(&self) -> u32;

    /// Transforms elements in place. After an error, their values are unspecified. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`Error::Length`] if the number of elements differs from the number of points;
    /// [`bucketwheel::Error::Cancelled`]; [`bucketwheel::Error::OutOfMemory`].
    fn transform(&self, way: Way, elements: &mut [F], options: &TransformOptions<'_>) -> Result<(), Error>;

    /// Transforms coefficients to values on the domain. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`transform`](Self::transform).
    fn forward(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::Forward, elements, &TransformOptions::default())
    }

    /// Transforms values on the domain to coefficients. The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`transform`](Self::transform).
    fn inverse(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::Inverse, elements, &TransformOptions::default())
    }

    /// Transforms coefficients to values on the coset. The [example](crate) uses it.
    ///
    /// # Errors
    /// The errors of [`transform`](Self::transform).
    fn coset_forward(&self, elements: &mut [F]) -> Result<(), Error> {
        self.transform(Way::CosetForward, elements, &TransformOptions::default())
    }

    /// Transforms values on the coset to coefficients. The [example](crate) uses it.
    ///
    /// # Errors
    /// The errors of [`transform`](Self::transform).
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
pub fn numbers<F: TransformField>(log_size: u32, root: F, shift: F) -> Result<Numbers<F::Element>, Error> {
    check_domain(log_size, root, shift)?;
    let size_inverse = F::from(1u64 << log_size).inverse().expect("a power of 2").montgomery_words();
    let (root, shift) = (root.montgomery_words(), shift.montgomery_words());
    let unit = F::from_montgomery(1u64.into()).montgomery_words();
    Ok(Numbers { log_size, root, shift, size_inverse, unit })
}
