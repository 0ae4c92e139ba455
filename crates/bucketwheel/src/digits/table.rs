//! Tables: copies `2^(j t) P_i` of all points, j < m, so that windows share buckets.
//!
//! A scalar's bits are cut into m steps of t bits, and each step into windows (windows.rs). Window w of step j has
//! its points in copy j, and its digits count as much as the digits of window w of any other step: all of them go to
//! one set of buckets. There are m times fewer buckets, so that wider windows pay, and t doublings at the end. With
//! a copy for each window, there is one set of buckets. (Brickell, Gordon, McCurley, Wilson, EUROCRYPT 1992, for
//! one point; the plain tables that Luo, Fu, Gong, TCHES 2023, start from.)
//!
//! A table splits scalars into steps as the endomorphism splits them into halves: no code behind the sort knows of
//! tables. Tables hold on the whole curve. Digits are made of the scalars themselves; r - k for -k remains the
//! subgroup's shortcut.
//!
//! In the subgroup, the endomorphism halves the scalars too, without images of the points. Second halves come first,
//! their buckets' sums are turned into their images (engine/buckets/images.rs), and first halves are added to these.
//! So the table's steps are half as long, and the number of sets of buckets is halved.

use super::largest::Largest;
use crate::scalars::PARTS;

/// Number and spacing of the copies, and their multiples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// The copies, the points themselves included; at least 1.
    pub copies: usize,
    /// The bits of a step: copy j holds the multiples by `2^(j step)`.
    pub step: u32,
    /// The multiples of each copy.
    pub multiples: Multiples,
    /// The inputs of a copy, images under the endomorphism included.
    pub stride: usize,
    /// True if the steps are steps of scalars' halves, over points without images.
    pub halves: bool,
}

/// Multiples of a point in each copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiples {
    /// The point itself.
    One,
    /// 1, 2 and 3 times it, for the [bucket-set construction](crate::digits::bucket_set).
    BucketSet,
    /// The point itself and its multiples by the [largest digits](crate::digits::largest).
    Largest(Largest),
    /// This number of odd multiples. Only the module `groups` makes tables of odd multiples. Windows use the point itself alone.
    #[cfg_attr(not(feature = "groups"), allow(dead_code))]
    Odd(u32),
}

impl Multiples {
    /// Returns the number of multiples, the point itself included.
    pub fn count(self) -> usize {
        match self {
            Multiples::One => 1,
            Multiples::BucketSet => 3,
            Multiples::Largest(largest) => largest.count as usize + 1,
            Multiples::Odd(count) => count as usize,
        }
    }

    /// Returns the bits of the windows to whose largest digits the multiples belong; 0 for other multiples.
    pub fn digits_of(self) -> u32 {
        match self {
            Multiples::Largest(largest) => largest.width,
            Multiples::One | Multiples::BucketSet | Multiples::Odd(_) => 0,
        }
    }

    /// Returns the factors of the multiples, without the point itself.
    pub fn factors(self) -> Vec<u32> {
        match self {
            Multiples::One => Vec::new(),
            Multiples::BucketSet => vec![2, 3],
            Multiples::Largest(largest) => (1..=largest.count).map(|index| largest.factor(index)).collect(),
            Multiples::Odd(count) => (1..count).map(|index| 2 * index + 1).collect(),
        }
    }
}

impl Table {
    /// Returns a table of the points alone.
    pub fn none(stride: usize) -> Self {
        Table { copies: 1, step: u32::MAX, multiples: Multiples::One, stride, halves: false }
    }

    /// Returns a table of at most `copies` copies for magnitudes of `bits` bits: no more copies than steps of that length need.
    pub fn new(bits: u32, copies: usize, multiples: Multiples, stride: usize) -> Self {
        // One bit more, for a carry.
        let bits = bits as usize + 1;
        let step = bits.div_ceil(copies.clamp(1, bits));
        let (copies, step) = match bits.div_ceil(step) {
            1 => (1, u32::MAX),
            copies => (copies, step as u32),
        };
        Table { copies, step, multiples, stride, halves: false }
    }

    /// Returns the number of parts that scalars have over this table. Each part has buckets of its own.
    pub fn parts(&self) -> usize {
        if self.halves {
            PARTS
        } else {
            1
        }
    }

    /// Returns the number of all inputs.
    pub fn total(&self) -> usize {
        (self.copies * self.multiples.count()).saturating_mul(self.stride)
    }

    /// Returns the number of doublings that make the table, without the additions between them.
    pub fn doublings(&self) -> usize {
        let steps = if self.copies == 1 { 0 } else { (self.copies - 1) * self.step as usize };
        let multiples: usize = self.multiples.factors().iter().map(|factor| factor.ilog2() as usize).sum();
        (steps + self.copies * multiples) * self.stride
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_cover_all_bits_with_no_copy_too_many() {
        for bits in [126, 127, 252, 253, 254, 255] {
            for copies in 0..300 {
                let table = Table::new(bits, copies, Multiples::One, 10);
                if table == Table::none(10) {
                    assert!(copies < 2);
                    continue;
                }
                let covered = table.copies as u32 * table.step;
                assert!(covered > bits && covered - table.step <= bits && table.copies <= copies);
            }
        }
    }
}
