//! Scalars that are all 0 or 1. One scan finds the ones, whose sum needs neither magnitudes nor a sort.

use std::sync::atomic::{AtomicBool, Ordering};

use ark_ff::BigInteger;
use bucketwheel_lanes::Backend;

use super::source::ScalarReader;
use super::words::Reduce;
use super::writing::PART;
use crate::control::Control;
use crate::memory::{Array, Output, Uninit};
use crate::schedule::Ref;
use crate::vectorize::{vectorize, Task};
use crate::Error;

/// Scalars that are read before the scan looks for a scalar that is no bit.
const BLOCK: usize = 64;

/// A scan under way.
pub struct Bits<'a, B> {
    pub(super) scalars: ScalarReader<'a, B>,
    pub(super) len: usize,
    /// Indices of the points to be left out, in ascending order.
    pub(super) infinities: &'a [u32],
    pub(super) backend: Backend,
    pub(super) control: &'a Control<'a>,
}

impl<B: BigInteger + Reduce> Bits<'_, B> {
    /// Returns the points whose scalars are 1, in ascending order, or `None` if a scalar is neither 0 nor 1.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Cancelled`].
    pub(super) fn ones(self) -> Result<Option<Array<Ref>>, Error> {
        let Bits { len, control, .. } = self;
        // Most vectors of scalars end here, before any memory is allocated.
        let first = 0..len.min(BLOCK);
        if !self.scalars.bits(first.clone(), &mut [0; BLOCK][first]) {
            return Ok(None);
        }
        let found: Uninit<u32> = Uninit::new(len)?;
        let output = found.output();
        let is_other = AtomicBool::new(false);
        // The indices of the ones of a part lie at the part's start.
        let counts = control.map(len.div_ceil(PART), |part| {
            let range = part * PART..len.min((part + 1) * PART);
            let ones = match is_other.load(Ordering::Relaxed) {
                true => None,
                false => vectorize(self.backend, Part { bits: &self, range, output: &output }),
            };
            is_other.fetch_or(ones.is_none(), Ordering::Relaxed);
            ones.unwrap_or(0)
        })?;
        if is_other.into_inner() {
            return Ok(None);
        }
        let ones: Uninit<Ref> = Uninit::new(counts.iter().sum())?;
        let points = ones.output();
        let mut end = 0;
        for (part, count) in counts.into_iter().enumerate() {
            // SAFETY: the part has written its ones, and the counts add up to the number of points.
            unsafe {
                let part = output.part(part * PART..part * PART + count);
                for (position, &mut index) in (end..).zip(part) {
                    points.write(position, Ref::positive(index as usize));
                }
            }
            end += count;
        }
        // SAFETY: all points have been written.
        Ok(Some(unsafe { ones.written() }))
    }
}

/// Part of the scalars: writes the indices of its ones, and returns their number unless a scalar is no bit.
struct Part<'a, B> {
    bits: &'a Bits<'a, B>,
    range: std::ops::Range<usize>,
    output: &'a Output<u32>,
}

impl<B: BigInteger + Reduce> Task for Part<'_, B> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let Part { bits: Bits { scalars, infinities, .. }, range, output } = self;
        let mut next = range.start;
        for first in range.clone().step_by(BLOCK) {
            let block = first..range.end.min(first + BLOCK);
            let mut bits = [0; BLOCK];
            let bits = &mut bits[..block.len()];
            if !scalars.bits(block, bits) {
                return None;
            }
            for (index, &bit) in (first..).zip(&*bits) {
                // This code has no branch, which would be mispredicted for half of the bits.
                // SAFETY: the position is at most the index, which is in the range, and other parts have other ranges.
                unsafe { output.write(next, index as u32) };
                next += usize::from(bit);
            }
        }
        let start = infinities.partition_point(|&index| (index as usize) < range.start);
        let mut infinities = infinities[start..].iter().peekable();
        if infinities.peek().is_none_or(|&&index| index as usize >= range.end) {
            return Some(next - range.start);
        }
        // SAFETY: these are the part's own indices, which it has written.
        let ones = unsafe { output.part(range.start..next) };
        let mut kept = 0;
        for position in 0..ones.len() {
            while infinities.next_if(|&&index| index < ones[position]).is_some() {}
            if infinities.peek() != Some(&&ones[position]) {
                ones[kept] = ones[position];
                kept += 1;
            }
        }
        Some(kept)
    }
}
