//! Turns scalars into magnitudes, on all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use ark_ff::BigInteger;
use bucketwheel_lanes::Backend;

use super::fold::Fold;
use super::layout::MagnitudeLayout;
use super::magnitude::Magnitude;
use super::source::ScalarReader;
use super::words::Reduce;
use crate::control::Control;
use crate::memory::Output;
use crate::vectorize::{vectorize, Task};
use crate::Error;

/// Scalars that a task reads.
pub(crate) const PART: usize = 1 << 12;

/// Magnitudes that are being written. The fields are the arguments of [`Fold::write`].
pub struct Writing<'a, B> {
    pub(super) fold: Fold<'a>,
    pub(super) layout: MagnitudeLayout,
    pub(super) scalars: ScalarReader<'a, B>,
    /// Bits of the order.
    pub(super) bits: u32,
    pub(super) range: Range<usize>,
    pub(super) out: &'a Output<u64>,
    pub(super) position: usize,
    pub(super) stride: usize,
    pub(super) backend: Backend,
    pub(super) control: &'a Control<'a>,
}

/// Scalars that are converted together: they stay in the first-level cache.
const BLOCK: usize = 64;

impl<B: BigInteger + Reduce> Writing<'_, B> {
    /// Returns the number of magnitudes of each length.
    pub(crate) fn run(self) -> Result<Vec<usize>, Error> {
        let len = self.range.len();
        let none = || vec![0; self.bits as usize + 1];
        let first = AtomicUsize::new(len);
        let counts = self.control.for_each(len.div_ceil(PART), none, |counts, part| {
            let part = part * PART..len.min((part + 1) * PART);
            if part.start < first.load(Ordering::Relaxed) {
                if let Some(bad) = vectorize(self.backend, Part { writing: &self, part, counts }) {
                    first.fetch_min(bad, Ordering::Relaxed);
                }
            }
        });
        self.control.check()?;
        let bad = Some(first.into_inner()).filter(|&bad| bad < len);
        bad.map_or(Ok(()), |i| Err(Error::ScalarRange { index: self.range.start + i }))?;
        let mut sum = none();
        for counts in counts {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(sum)
    }
}

/// Part of the scalars of a range, by their places in the range. Writes their magnitudes, up to the first scalar that
/// is not below the order.
struct Part<'a, B> {
    writing: &'a Writing<'a, B>,
    part: Range<usize>,
    counts: &'a mut [usize],
}

impl<B: BigInteger + Reduce> Task for Part<'_, B> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self) -> Option<usize> {
        let Part { writing, part, counts } = self;
        let Writing { fold, layout, scalars, range, out, position, stride, .. } = writing;
        let mut put = |i: usize, magnitude: &Magnitude<B>| {
            counts[magnitude.bits() as usize] += 1;
            // SAFETY: the caller of `Fold::write` vouches for the room and for exclusive access to it.
            unsafe { layout.write(position + i, *stride, magnitude, out) };
        };
        let mut integers = [B::default(); BLOCK];
        for first in part.clone().step_by(BLOCK) {
            let integers = &mut integers[..BLOCK.min(part.end - first)];
            scalars.read(range.start + first, integers);
            for (i, &integer) in (first..).zip(&*integers) {
                let Some(magnitude) = Magnitude::of(&scalars.order, integer, fold.in_subgroup) else {
                    return Some(i);
                };
                match fold.split {
                    None => put(i, &magnitude),
                    Some(split) => {
                        for (part, magnitude) in split.apply(magnitude).iter().enumerate() {
                            put(part * range.len() + i, magnitude);
                        }
                    }
                }
            }
        }
        None
    }
}
