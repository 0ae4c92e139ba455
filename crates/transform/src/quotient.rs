//! The public interface of the quotient's transforms.

use std::marker::PhantomData;
use std::time::Duration;

use ark_ff::BigInt;
use bucketwheel::{Backend, Moment};

use super::domain::TransformOptions;
use super::field::TransformField;
use super::jobs::Jobs;
use super::passes::AnyPlan;
use super::transform::{check_size, numbers};
use super::vector::{Elements, Vector, Words};
use crate::Error;

/// A domain: the powers of a root of unity of order n = 2^log_size, with the constants of its transforms. It takes a
/// few hundred kilobytes, and any number of quotients can use it at the same time.
///
/// ```
/// use ark_bn254::Fr;
/// use bucketwheel::Backend;
/// use bucketwheel_transform::{Domain, TransformField, TransformOptions};
///
/// let domain = Domain::<Fr>::with_root(4, Backend::Portable, Fr::root_of_unity(4), Fr::coset_shift(4))?;
/// assert_eq!((domain.log_size(), domain.backend()), (4, Backend::Portable));
///
/// // Two threads may write the halves of A. Two more values follow the quotient's.
/// let mut evaluations = domain.evaluations_and(2)?;
/// let [a, mut b] = evaluations.elements();
/// assert_eq!((a.len(), a.is_empty()), (16, false));
/// let (mut low, mut high) = a.split_at(8);
/// *low.at(1) = Fr::from(3).montgomery_words();
/// *high.at(0) = Fr::from(4).montgomery_words();
/// *b.at(1) = Fr::from(5).montgomery_words();
/// let mut quotient = evaluations.quotient(&TransformOptions::default())?;
/// quotient.values.extend(&[1u64.into(), 2u64.into()]);
/// assert_eq!(quotient.values.as_ref().len(), 18);
///
/// // The domain with snarkjs' root, and room for A and B alone.
/// let domain = Domain::<Fr>::new(4, Backend::Portable)?;
/// assert_eq!(domain.evaluations()?.elements()[0].len(), 16);
/// # Ok::<(), bucketwheel_transform::Error>(())
/// ```
pub struct Domain<F> {
    plan: Box<dyn AnyPlan>,
    log_size: u32,
    backend: Backend,
    field: PhantomData<F>,
}

impl<F: TransformField> Domain<F> {
    /// Returns the domain of 2^log_size elements with snarkjs' root ([`TransformField::root_of_unity`]).
    ///
    /// # Errors
    /// [`Error::Domain`] if the field has no root of this order; [`bucketwheel::Error::UnsupportedBackend`].
    pub fn new(log_size: u32, backend: Backend) -> Result<Self, Error> {
        check_size::<F>(log_size)?;
        Self::with_root(log_size, backend, F::root_of_unity(log_size), F::coset_shift(log_size))
    }

    /// Returns the domain of the powers of `root`, which has order 2^log_size, and its coset by `shift`.
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new); [`Error::Root`] for a root of another order, and for a shift of 0.
    pub fn with_root(log_size: u32, backend: Backend, root: F, shift: F) -> Result<Self, Error> {
        let numbers = numbers(log_size, root, shift)?;
        let plan = F::plan(numbers, backend).ok_or(bucketwheel::Error::UnsupportedBackend(backend))?;
        Ok(Domain { plan, log_size, backend, field: PhantomData })
    }

    /// Returns the logarithm of the number of elements. The [example](Self) uses it.
    pub fn log_size(&self) -> u32 {
        self.log_size
    }

    /// Returns the instruction set. The [example](Self) uses it.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Returns room for the values of two polynomials, all zero. The [example](Self) uses it.
    ///
    /// # Errors
    /// [`bucketwheel::Error::OutOfMemory`].
    pub fn evaluations(&self) -> Result<Evaluations<'_, F>, Error> {
        self.evaluations_and(0)
    }

    /// Returns room as [`evaluations`](Self::evaluations) does, with `more` values behind the quotient's
    /// ([`Words::extend`]).
    /// The [example](Self) uses it.
    ///
    /// # Errors
    /// [`bucketwheel::Error::OutOfMemory`].
    pub fn evaluations_and(&self, more: usize) -> Result<Evaluations<'_, F>, Error> {
        let vector = |more| Vector::new(self.plan.slots(), 1 << self.log_size, more);
        Ok(Evaluations { domain: self, vectors: [vector(more)?, vector(0)?, vector(0)?] })
    }
}

/// The values of A and B on a domain.
///
/// Memory: three vectors of n elements (C = A B is the third), of the sizes in the [crate's documentation](crate#which-type).
/// It is touched only when values are written.
pub struct Evaluations<'a, F> {
    domain: &'a Domain<F>,
    vectors: [Vector; 3],
}

/// The quotient's values and the time that they took.
#[derive(Debug)]
pub struct Quotient<B = BigInt<4>> {
    /// A B - C at the n points of the coset, as canonical integers.
    pub values: Words<B>,
    /// Times of the three passes: columns to coefficients, rows to coefficients and to the coset, columns to the
    /// coset.
    pub passes: [Duration; 3],
}

impl<F: TransformField> Evaluations<'_, F> {
    /// Returns the values of A and B in the order of the domain, for writing in any order and by several threads
    /// ([`Elements::split_at`]). The [example](crate::Domain) uses it.
    pub fn elements(&mut self) -> [Elements<'_, F::Element>; 2] {
        let [a, b, _] = &mut self.vectors;
        [a.elements(), b.elements()]
    }

    /// Returns A B - C on the coset, where C is the polynomial of degree below n with the values of A B on the
    /// domain. The [example](crate::Domain) uses it.
    ///
    /// # Errors
    /// [`bucketwheel::Error::Cancelled`].
    pub fn quotient(mut self, options: &TransformOptions) -> Result<Quotient<F::BigInt>, Error> {
        let jobs = Jobs::new(options);
        let mut times = vec![Moment::now()];
        self.domain.plan.quotient(&mut self.vectors, jobs, &mut || times.push(Moment::now()))?;
        times.push(Moment::now());
        let mut passes = [Duration::ZERO; 3];
        for (pass, ends) in passes.iter_mut().zip(times.windows(2)) {
            *pass = ends[1].since(ends[0]);
        }
        let [a, ..] = self.vectors;
        Ok(Quotient { values: a.into_words::<F>(), passes })
    }
}
