//! The public interface of the transforms of one vector.

use bucketwheel::Backend;

use crate::jobs::Jobs;
use crate::natural::AnyNatural;
use crate::transform::{check_length, check_size, numbers};
use crate::{Error, Transform, TransformField, TransformOptions, Way};

/// Transforms in SIMD lanes: n = 2^log_size points, the powers of a root of unity w, and their coset by g.
///
/// Any number of threads can use one value at the same time. It has tables of about `8 sqrt(n)` elements for each
/// [`Way`], which the first transform in that direction makes.
pub struct Ntt<F: TransformField> {
    natural: Box<dyn AnyNatural<F::Element>>,
    log_size: u32,
    backend: Backend,
}

impl<F: TransformField> Ntt<F> {
    /// Returns the transforms of 2^log_size points, with snarkjs' root of unity ([`TransformField::root_of_unity`])
    /// and coset ([`TransformField::coset_shift`]).
    ///
    /// # Errors
    /// [`Error::Domain`] if the field has no root of this order; [`bucketwheel::Error::UnsupportedBackend`].
    pub fn new(log_size: u32, backend: Backend) -> Result<Self, Error> {
        check_size::<F>(log_size)?;
        Self::with_root(log_size, backend, F::root_of_unity(log_size), F::coset_shift(log_size))
    }

    /// Returns the transforms for the powers of `root`, which has order 2^log_size, and for their coset by `shift`,
    /// which is not 0. arkworks' root is `F::get_root_of_unity(1 << log_size)`.
    /// The [example](crate::Transform) uses it.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new); [`Error::Root`] for a root of another order and for a shift of 0.
    pub fn with_root(log_size: u32, backend: Backend, root: F, shift: F) -> Result<Self, Error> {
        let numbers = numbers(log_size, root, shift)?;
        let natural = F::natural(numbers, backend).ok_or(bucketwheel::Error::UnsupportedBackend(backend))?;
        Ok(Ntt { natural, log_size, backend })
    }

    /// Returns the instruction set. The [example](crate::Transform) uses it.
    pub fn backend(&self) -> Backend {
        self.backend
    }
}

impl<F: TransformField> Transform<F> for Ntt<F> {
    fn log_size(&self) -> u32 {
        self.log_size
    }

    fn transform(&self, way: Way, elements: &mut [F], options: &TransformOptions<'_>) -> Result<(), Error> {
        check_length(elements.len(), self.log_size)?;
        Ok(self.natural.transform(way, F::words_mut(elements), Jobs::new(options))?)
    }
}

impl<F: TransformField> std::fmt::Debug for Ntt<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ntt")
            .field("log_size", &self.log_size)
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}
