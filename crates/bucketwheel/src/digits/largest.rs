//! Multiples by the largest digits: EdMSM's trade-off of memory for time (section 4.2).
//!
//! A table keeps the multiples of each point by the k largest digits of windows of c bits. A point with one of these
//! digits puts the multiple into the bucket of 1 instead of itself into the digit's bucket. So k buckets of each window
//! need no aggregation: `b/c (n + 2^c - k)` additions for b-bit scalars in the paper, `b/c (n + 2^(c-1) - k)` and fewer
//! here, since digits are signed and half as large. The table takes (k + 1) n points of memory.
//!
//! The digits of any window are looked up by value, so that sums are right with any windows. The saving needs windows
//! of exactly c bits, which the plan makes.

use super::packed::MULTIPLE_BITS;
use crate::windows::{MAX_WINDOW, MIN_WINDOW};
use crate::Error;

/// The `count` largest digits of windows of `width` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Largest {
    pub count: u32,
    pub width: u32,
}

impl Largest {
    /// Returns at most `count` digits: at least one digit keeps its bucket, and a packed digit has bits for a limited
    /// number of multiples.
    ///
    /// # Errors
    /// [`Error::Window`].
    pub fn new(count: usize, width: u32) -> Result<Self, Error> {
        if !(MIN_WINDOW..=MAX_WINDOW).contains(&width) {
            return Err(Error::Window { window: width, min: MIN_WINDOW, max: MAX_WINDOW });
        }
        let most = ((1 << (width - 1)) - 1).min((1 << MULTIPLE_BITS) - 1);
        Ok(Largest { count: count.min(most) as u32, width })
    }

    /// Returns the largest digit's magnitude.
    pub fn half(self) -> u32 {
        1 << (self.width - 1)
    }

    /// Returns the factor of multiple `index`, from 1 on, of a point: the largest digit first.
    pub fn factor(self, index: u32) -> u32 {
        self.half() + 1 - index
    }

    /// Returns the index of a digit's multiple, or 0 if the digit has none.
    #[inline(always)]
    pub fn index(self, magnitude: u32) -> u32 {
        let index = self.half().wrapping_add(1).wrapping_sub(magnitude);
        if index.wrapping_sub(1) < self.count {
            index
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_the_multiples_that_are_theirs() {
        for width in 1..=12 {
            for count in [0, 1, 2, 3, 7, 100, 5000] {
                let largest = Largest::new(count, width).expect("a window");
                assert!(largest.count as usize <= count && largest.count < largest.half().min(1024));
                for digit in 1..=4 * largest.half() {
                    let has_one = digit <= largest.half() && digit > largest.half() - largest.count;
                    match largest.index(digit) {
                        0 => assert!(!has_one, "{digit} of {largest:?}"),
                        index => assert!(has_one && largest.factor(index) == digit, "{digit} of {largest:?}"),
                    }
                }
            }
        }
        for width in [0, 23, u32::MAX] {
            assert_eq!(Largest::new(1, width), Err(Error::Window { window: width, min: 1, max: 22 }));
        }
    }
}
