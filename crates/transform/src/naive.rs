//! The transforms by their definition: a reference for tests, in quadratic time.

use bucketwheel::Cancel;

use crate::transform::{check_domain, check_length, check_size};
use crate::{Error, Transform, TransformField, TransformOptions, Way};

/// The transforms by their definition: each value is a sum over all elements.
#[derive(Clone, Copy, Debug)]
pub struct Naive<F> {
    log_size: u32,
    root: F,
    shift: F,
}

impl<F: TransformField> Naive<F> {
    /// Returns the transforms of [`Ntt::new`](crate::Ntt::new).
    ///
    /// # Errors
    /// [`Error::Domain`].
    pub fn new(log_size: u32) -> Result<Self, Error> {
        check_size::<F>(log_size)?;
        Ok(Naive { log_size, root: F::root_of_unity(log_size), shift: F::coset_shift(log_size) })
    }

    /// Returns the transforms of [`Ntt::with_root`](crate::Ntt::with_root).
    ///
    /// # Errors
    /// [`Error::Domain`], [`Error::Root`].
    pub fn with_root(log_size: u32, root: F, shift: F) -> Result<Self, Error> {
        check_domain(log_size, root, shift)?;
        Ok(Naive { log_size, root, shift })
    }
}

impl<F: TransformField> Transform<F> for Naive<F> {
    fn log_size(&self) -> u32 {
        self.log_size
    }

    fn transform(&self, way: Way, elements: &mut [F], options: &TransformOptions<'_>) -> Result<(), Error> {
        check_length(elements.len(), self.log_size)?;
        let inverse = |x: F| x.inverse().expect("neither a root nor a shift is 0");
        let (root, shift) = match way {
            Way::Forward => (self.root, F::ONE),
            Way::CosetForward => (self.root, self.shift),
            Way::Inverse => (inverse(self.root), F::ONE),
            Way::CosetInverse => (inverse(self.root), inverse(self.shift)),
        };
        let scale = inverse(F::from(1u64 << self.log_size));
        let mut values = Vec::with_capacity(elements.len());
        for i in 0..elements.len() as u64 {
            if options.cancel.is_some_and(Cancel::is_cancelled) {
                return Err(bucketwheel::Error::Cancelled.into());
            }
            let (point, factor) = match way {
                Way::Forward | Way::CosetForward => (shift * root.pow([i]), F::ONE),
                Way::Inverse | Way::CosetInverse => (root.pow([i]), scale * shift.pow([i])),
            };
            // Horner's rule.
            values.push(factor * elements.iter().rev().fold(F::ZERO, |sum, element| sum * point + element));
        }
        elements.copy_from_slice(&values);
        Ok(())
    }
}
