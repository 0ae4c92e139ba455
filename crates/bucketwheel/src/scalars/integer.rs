//! The integers that are the scalars of some curve, of four words or six, and of five or twelve for the MNT curves.

use std::ops::Range;

use ark_ff::{BigInt, BigInteger};
use bucketwheel_lanes::Backend;

use super::bits::Bits;
use super::fold::Fold;
use super::layout::MagnitudeLayout;
use super::source::Scalars;
use super::words::{MontgomeryWords, Reduce};
use super::writing::Writing;
use crate::control::Control;
use crate::memory::{Array, Output};
use crate::schedule::Ref;
use crate::Error;

/// A scalar field whose elements fit four or six words; with the feature `mnt`, also five or twelve.
pub trait ScalarWords: MontgomeryWords<BigInt: Integer> {}

impl<F: MontgomeryWords<BigInt: Integer>> ScalarWords for F {}

/// Scalars as integers.
pub trait Integer: BigInteger + Reduce {
    /// Writes magnitudes. One function serves all fields of a length, compiled here, not in the crates that have curves.
    #[doc(hidden)]
    fn write_magnitudes(task: Writing<'_, Self>) -> Result<Vec<usize>, Error>;

    /// Finds the ones among bits. Also compiled here.
    #[doc(hidden)]
    fn ones(task: Bits<'_, Self>) -> Result<Option<Array<Ref>>, Error>;
}

/// Implements [`Integer`] for a number of words.
macro_rules! integer {
    ($words:literal) => {
        impl Integer for BigInt<$words> {
            fn write_magnitudes(task: Writing<'_, Self>) -> Result<Vec<usize>, Error> {
                task.run()
            }

            fn ones(task: Bits<'_, Self>) -> Result<Option<Array<Ref>>, Error> {
                task.ones()
            }
        }
    };
}

integer!(4);
integer!(6);
#[cfg(feature = "mnt")]
integer!(5);
#[cfg(feature = "mnt")]
integer!(12);

impl Fold<'_> {
    /// Writes the magnitudes of the scalars in `range` in their [layout](MagnitudeLayout::of), from `position` on into
    /// an array of `stride` magnitudes. If scalars split, the magnitudes of second halves follow behind. Returns the
    /// number of magnitudes of each length in bits.
    ///
    /// # Errors
    /// [`Error::ScalarRange`] for the first scalar that is not below the order, [`Error::Cancelled`]. Without an error,
    /// all magnitudes are written.
    ///
    /// # Safety
    /// - The array has room for these magnitudes.
    /// - Nobody else accesses this room during the call.
    pub unsafe fn write<F: ScalarWords>(
        &self,
        scalars: &Scalars<'_, F>,
        range: Range<usize>,
        (out, position, stride): (&Output<u64>, usize, usize),
        backend: Backend,
        control: &Control<'_>,
    ) -> Result<Vec<usize>, Error> {
        let (fold, layout, scalars) = (*self, MagnitudeLayout::of::<F>(self), scalars.source());
        let bits = F::MODULUS_BIT_SIZE;
        let writing = Writing { fold, layout, scalars, bits, range, out, position, stride, backend, control };
        F::BigInt::write_magnitudes(writing)
    }
}

/// Returns the points whose scalars are 1, in ascending order and without the points at infinity, or `None` if a scalar
/// is neither 0 nor 1.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::Cancelled`].
pub(crate) fn ones<F: ScalarWords>(
    scalars: &Scalars<'_, F>,
    infinities: &[u32],
    backend: Backend,
    control: &Control<'_>,
) -> Result<Option<Array<Ref>>, Error> {
    F::BigInt::ones(Bits { scalars: scalars.source(), len: scalars.len(), infinities, backend, control })
}
