//! Turns magnitudes into signed digits, packed with their buckets. Digits are made where they are needed and never
//! stored: each takes a few cycles to make, and stored digits would take as much memory as sorted points.

use std::ops::Range;

use bucketwheel_lanes::Backend;

use super::bucket_set::{forms, DigitForm};
use super::largest::Largest;
use super::packed::{multiple, NO_BUCKET};
use super::table::{Multiples, Table};
use crate::memory::Array;
use crate::scalars::Magnitudes;
use crate::windows::Windows;

/// Packs a digit. If the table has the point's multiple by this digit, packs the multiple and the bucket of 1.
#[inline(always)]
fn pack_largest(digit: u32, largest: Largest) -> u32 {
    match largest.index((digit >> 1).wrapping_add(1)) {
        0 => digit,
        index => index << (DigitForm::BUCKET_BITS + 1) | digit & 1,
    }
}

/// Packs a digit plus the carry of the last one as a multiple of a bucket's digit, by these forms or directly.
#[inline(always)]
fn pack_form(digit: u32, forms: Option<&[DigitForm]>, carry: &mut i32) -> u32 {
    let magnitude = match digit < NO_BUCKET {
        true => (digit >> 1) as i32 + 1,
        false => 0,
    };
    let value = if digit & 1 == 1 { -magnitude } else { magnitude } + std::mem::take(carry);
    let magnitude = value.unsigned_abs();
    if magnitude == 0 {
        return NO_BUCKET;
    }
    let form = forms.map_or_else(|| DigitForm::direct(magnitude), |forms| forms[magnitude as usize]);
    let mut negative = u32::from(value < 0);
    if form.carries() {
        *carry = value.signum();
        negative ^= 1;
    }
    form.packed() | negative
}

/// Scalars of about the same length, for which these windows suffice.
#[derive(Debug)]
pub struct Class {
    pub window_count: usize,
    /// Indices of the magnitudes, ascending; `None` if the class has all magnitudes.
    pub indices: Option<Array<u32>>,
    pub len: usize,
}

/// Assignment of digits to sets of buckets, and to the points of a table.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Number of sets of buckets: window w goes to set `w % sets`, with the points of copy `w / sets`.
    pub sets: usize,
    /// Number of buckets of a set.
    pub buckets: usize,
    /// Multiples of each point in a copy, by the digit.
    multiples: Multiples,
    /// Number of points of a copy.
    stride: usize,
}

impl Sharing {
    /// Returns how these windows share sets of buckets over a table.
    pub(crate) fn new(windows: Windows, table: &Table) -> Self {
        let (sets, buckets) = (windows.sets(), windows.buckets());
        Sharing { sets, buckets, multiples: table.multiples, stride: table.stride }
    }
}

/// Digits of scalars, which are made on demand.
#[derive(Clone, Copy, Debug)]
pub struct Digits<'a> {
    pub magnitudes: Magnitudes<'a>,
    pub classes: &'a [Class],
    pub windows: Windows,
    pub sharing: Sharing,
    /// Instruction set that loops over digits are compiled for.
    pub backend: Backend,
}

/// Scalars that are recoded together, window by window: they stay in the first-level cache.
const BLOCK: usize = 256;

impl Digits<'_> {
    /// Returns the largest possible number of digits of these sets.
    pub fn count(&self, sets: &Range<usize>) -> usize {
        let windows = |class: &Class| {
            let windows =
                sets.clone().map(|set| class.window_count.saturating_sub(set).div_ceil(self.sharing.sets));
            windows.sum::<usize>()
        };
        self.classes.iter().map(|class| class.len * windows(class)).sum()
    }

    /// Calls `f(set, point, digit)` for the nonzero digits of some sets in one of several parts of the scalars; the sign is the
    /// digit's lowest bit, and [`bucket`](super::bucket) tells its bucket.
    #[inline(always)]
    pub fn for_each(
        &self,
        sets: Range<usize>,
        (part, parts): (usize, usize),
        mut f: impl FnMut(usize, usize, u32),
    ) {
        for class in self.classes {
            let range = class.len * part / parts..class.len * (part + 1) / parts;
            for first in range.clone().step_by(BLOCK) {
                let block = first..range.end.min(first + BLOCK);
                match &class.indices {
                    None => self.block(class, block.len(), &sets, |i| first + i, &mut f),
                    Some(indices) => {
                        let indices = &indices[block];
                        self.block(class, indices.len(), &sets, |i| indices[i] as usize, &mut f);
                    }
                }
            }
        }
    }

    /// Does the work of [`for_each`](Self::for_each) for at most [`BLOCK`] scalars of a class.
    #[inline(always)]
    fn block(
        &self,
        class: &Class,
        len: usize,
        sets: &Range<usize>,
        index: impl Fn(usize) -> usize,
        f: &mut impl FnMut(usize, usize, u32),
    ) {
        let Digits { magnitudes, windows, sharing, .. } = self;
        let (mut digits, mut carries) = ([0; BLOCK], [0; BLOCK]);
        let (digits, carries) = (&mut digits[..len], &mut carries[..len]);
        for window in 0..class.window_count {
            let (set, copy) = (window % sharing.sets, window / sharing.sets);
            let is_wanted = sets.contains(&set);
            if !is_wanted && sharing.multiples != Multiples::BucketSet {
                continue;
            }
            let width = windows.width(window);
            // SAFETY: the indices of a class are below the number of its magnitudes.
            unsafe { magnitudes.digits(&index, &magnitudes.field(windows.start(window), width), digits) };
            match sharing.multiples {
                Multiples::One | Multiples::Odd(_) => {}
                Multiples::Largest(largest) => {
                    digits.iter_mut().for_each(|digit| *digit = pack_largest(*digit, largest));
                }
                Multiples::BucketSet => {
                    // The last window has nowhere to carry to.
                    let forms = forms(width).filter(|_| window + 1 < class.window_count);
                    let digits = digits.iter_mut().zip(&mut *carries);
                    digits.for_each(|(digit, carry)| *digit = pack_form(*digit, forms, carry));
                }
            }
            if is_wanted {
                let first = copy * sharing.multiples.count() * sharing.stride;
                let nonzero = digits.iter().enumerate().filter(|(_, &digit)| digit < NO_BUCKET);
                match sharing.multiples {
                    Multiples::One | Multiples::Odd(_) => {
                        nonzero.for_each(|(i, &digit)| f(set, first + index(i), digit))
                    }
                    _ => nonzero.for_each(|(i, &digit)| {
                        f(set, first + multiple(digit) * sharing.stride + index(i), digit);
                    }),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::digits::{bucket, classes};
    use crate::memory::Uninit;
    use crate::scalars::{Fold, MagnitudeLayout, ScalarWords, Scalars};
    use crate::windows::MAX_WINDOW;
    use ark_bls12_381::{Fq, Fr};
    use ark_ff::PrimeField;
    use rand::rngs::StdRng;
    use rand::SeedableRng;

    fn edges<F: PrimeField>() -> Vec<F> {
        let rng = &mut StdRng::seed_from_u64(1);
        let half = -F::from(2u64).inverse().expect("odd order");
        let mut scalars = vec![F::zero(), F::one(), half, half + F::one()];
        scalars.extend((0..F::MODULUS_BIT_SIZE - 1).map(|i| F::from(2u64).pow([u64::from(i)]) - F::one()));
        scalars.extend((0..500).map(|_| F::rand(rng)));
        scalars.iter().flat_map(|&k| [k, -k]).collect()
    }

    /// Checks that the digits of every scalar, made for some sets at a time, add up to the scalar.
    fn digits_add_up<F: ScalarWords>(backend: Backend, multiples: Multiples) {
        let (scalars, control) = (edges::<F>(), Control::new(Some(1), None, None));
        let len = scalars.len();
        for (in_subgroup, width, at_a_time) in (1..=MAX_WINDOW).flat_map(|w| [(true, w, 1), (false, w, 3)]) {
            let fold = Fold { in_subgroup, split: None };
            let layout = MagnitudeLayout::of::<F>(&fold);
            let out = Uninit::new(len * layout.words).expect("little memory");
            // SAFETY: `out` has room for the words of all `len` scalars, and `write` fills it.
            let (words, lengths) = unsafe {
                let lengths =
                    fold.write(&Scalars::Field(&scalars), 0..len, (&out.output(), 0, len), backend, &control);
                (out.written(), lengths.expect("below the order"))
            };
            let windows = Windows::new(F::MODULUS_BIT_SIZE - u32::from(in_subgroup), width, u32::MAX);
            let magnitudes = Magnitudes::new(&words, len, layout);
            let classes = &classes(magnitudes, &lengths, windows, &control).expect("little memory");
            let table = Table { multiples, ..Table::none(len) };
            let digits =
                Digits { magnitudes, classes, windows, sharing: Sharing::new(windows, &table), backend };
            let mut sums = vec![F::zero(); len];
            for first in (0..windows.count()).step_by(at_a_time) {
                let sets = first..windows.count().min(first + at_a_time);
                for part in 0..2 {
                    digits.for_each(sets.clone(), (part, 2), |set, point, digit| {
                        assert!(sets.contains(&set) && bucket(digit) < windows.buckets());
                        let factor = match multiples {
                            Multiples::Largest(largest) if point >= len => {
                                largest.factor((point / len) as u32) as usize
                            }
                            _ => point / len + 1,
                        };
                        let value = F::from((factor * (bucket(digit) + 1)) as u64);
                        let value = value * F::from(2u64).pow([u64::from(windows.start(set))]);
                        sums[point % len] += if digit & 1 == 1 { -value } else { value };
                    });
                }
            }
            assert!(sums == scalars, "width {width}, in subgroup: {in_subgroup}, {multiples:?}, {backend}");
        }
    }

    #[test]
    fn digits_are_those_of_the_scalars() {
        // The loops are compiled for these backends.
        let backends = [Backend::Portable, Backend::Avx2, Backend::Avx512Ifma];
        for backend in backends.into_iter().filter(|backend| backend.is_supported()) {
            digits_add_up::<Fr>(backend, Multiples::One);
            digits_add_up::<Fr>(backend, Multiples::BucketSet);
            digits_add_up::<Fr>(backend, Multiples::Largest(Largest { count: 3, width: 7 }));
            // Scalars of six words.
            digits_add_up::<Fq>(backend, Multiples::One);
        }
    }
}
