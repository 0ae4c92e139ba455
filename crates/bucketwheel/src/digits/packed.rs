//! A digit in 32 bits: its sign, the bucket that it belongs to, and the multiple of the point that goes there.

use super::bucket_set::DigitForm;

/// First packed digit without a bucket: from here on, the digit is 0.
pub(super) const NO_BUCKET: u32 = u32::MAX - 1;

/// Returns the bucket of a packed digit that is not 0.
#[inline(always)]
pub(crate) fn bucket(packed: u32) -> usize {
    (packed >> 1 & ((1 << DigitForm::BUCKET_BITS) - 1)) as usize
}

/// Bits of the multiple in a packed digit.
pub(super) const MULTIPLE_BITS: u32 = u32::BITS - 1 - DigitForm::BUCKET_BITS;

/// Returns which multiple of the point goes to the bucket: 0 for the point itself.
#[inline(always)]
pub(super) fn multiple(packed: u32) -> usize {
    (packed >> (DigitForm::BUCKET_BITS + 1)) as usize
}
