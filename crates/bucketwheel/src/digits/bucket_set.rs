//! Fewer buckets: each digit becomes a small multiple of a bucket's digit (Luo, Fu, Gong, "Speeding Up Multi-Scalar
//! Multiplication over Fixed Points Towards Efficient zkSNARKs", TCHES 2023).
//!
//! With 2 P and 3 P beside each P, a digit d of a window of c bits, q = 2^c, needs no bucket of its own:
//! `d = m b` or `d = q - m b` up to its sign, where m is 1, 2 or 3. The second form carries into the next window.
//! Buckets b of about 0.21 q suffice where signed digits alone take 0.5 q:
//!
//! - All b up to q/2 whose factors 2 and 3 occur an even number of times together. Any digit is one of these b, or twice
//!   or three times one of these b. The number of these b is 7/24 q.
//! - Without `q - 2 i` and `q - 3 i` for other buckets i: these digits are written with a carry. If this leaves a
//!   digit without any form, the digit becomes a bucket itself.
//!
//! The paper proves by computation that its set suffices. Here, the construction makes the set suffice, and the tests
//! count its buckets.
//!
//! Aggregation is the same as with all buckets (engine/buckets/aggregate.rs). A bucket that does not exist is a bucket
//! without points. It costs nothing on the lower levels, where most additions are. So aggregation takes 1.03 additions
//! for each of the q/2 places, and 2 without the construction. The paper's aggregation, along the differences between
//! neighbours, takes 0.84, but each addition waits for the one before it.

use std::sync::OnceLock;

use crate::windows::MAX_WINDOW;

/// Smallest width in bits of a window that is worth a construction.
const MIN_WIDTH: u32 = 4;

/// Carry of a digit into the next window.
#[derive(Clone, Copy)]
enum Carry {
    None = 0,
    One = 1,
}

/// Encoding of a digit: the multiplier minus 1, the bucket minus 1, and a bit. If the bit is set, the digit is q less
/// the product of multiplier and bucket, with a carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DigitForm(u32);

impl DigitForm {
    /// Bits of a bucket in a form and in a packed digit, above one bit for the carry or the sign.
    pub const BUCKET_BITS: u32 = MAX_WINDOW - 1;

    fn new(multiplier: u32, bucket: u32, carry: Carry) -> Self {
        DigitForm((multiplier - 1) << (Self::BUCKET_BITS + 1) | (bucket - 1) << 1 | carry as u32)
    }

    /// Encodes a digit that is not 0, in a window without a carry.
    #[inline(always)]
    pub fn direct(digit: u32) -> Self {
        let multiplier = match (is_bucket(digit), digit % 2) {
            (true, _) => 1,
            (false, 0) => 2,
            (false, _) => 3,
        };
        DigitForm::new(multiplier, digit / multiplier, Carry::None)
    }

    /// Returns true if the digit is q less the multiple, so that the next digit is one more.
    #[inline(always)]
    pub fn carries(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns multiplier and bucket as a digit packs them, with sign bit 0.
    #[inline(always)]
    pub fn packed(self) -> u32 {
        self.0 & !1
    }
}

/// Returns true if the factors 2 and 3 of `b` occur an even number of times together.
#[inline(always)]
fn is_bucket(mut b: u32) -> bool {
    let twos = b.trailing_zeros();
    b >>= twos;
    let mut even = twos.is_multiple_of(2);
    while b.is_multiple_of(3) {
        b /= 3;
        even = !even;
    }
    even
}

/// Returns the forms of the digits 1, 2, ..., q/2 + 1 of a window of this width, the first at index 1; `None` for a
/// narrow window.
pub(crate) fn forms(width: u32) -> Option<&'static [DigitForm]> {
    static FORMS: [OnceLock<Vec<DigitForm>>; MAX_WINDOW as usize + 1] =
        [const { OnceLock::new() }; MAX_WINDOW as usize + 1];
    (width >= MIN_WIDTH).then(|| FORMS[width as usize].get_or_init(|| construct(1 << width)).as_slice())
}

/// Returns the forms for the radix q.
fn construct(q: u32) -> Vec<DigitForm> {
    let half = q / 2;
    let mut buckets: Vec<bool> = (0..=half).map(|b| b > 0 && is_bucket(b)).collect();
    let all = buckets.clone();
    for (multiplier, range) in [(2, q / 4..half + 1), (3, q.div_ceil(6)..q / 4)] {
        for i in range.filter(|&i| all[i as usize]) {
            let other = (q - multiplier * i) as usize;
            if other > 0 && other <= half as usize && all[other] {
                buckets[other] = false;
            }
        }
    }
    let form = |buckets: &[bool], value: u32, carry: Carry| {
        let fits = |m: &u32| value.is_multiple_of(*m) && value / m <= half && buckets[(value / m) as usize];
        [1, 2, 3].into_iter().find(fits).map(|m| DigitForm::new(m, value / m, carry))
    };
    let find = |buckets: &[bool], digit| {
        form(buckets, digit, Carry::None).or_else(|| form(buckets, q - digit, Carry::One))
    };
    // A carry makes a digit of q/2 + 1, which has no bucket of its own.
    for digit in 1..=half + 1 {
        if find(&buckets, digit).is_none() {
            buckets[digit.min(q - digit) as usize] = true;
        }
    }
    let found = (1..=half + 1).map(|digit| find(&buckets, digit).expect("what is missing was added"));
    // No digit is 0.
    std::iter::once(DigitForm(0)).chain(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(form: DigitForm, q: u32) -> u32 {
        let (multiplier, bucket) =
            (form.0 >> (DigitForm::BUCKET_BITS + 1), form.0 >> 1 & ((1 << DigitForm::BUCKET_BITS) - 1));
        let multiple = (multiplier + 1) * (bucket + 1);
        if form.carries() {
            q - multiple
        } else {
            multiple
        }
    }

    #[test]
    fn every_digit_of_every_window_has_a_form() {
        assert_eq!(forms(MIN_WIDTH - 1), None);
        for width in MIN_WIDTH..=MAX_WINDOW {
            let (q, forms) = (1 << width, forms(width).expect("wide enough"));
            assert_eq!(forms.len(), q as usize / 2 + 2);
            for digit in 1..=q / 2 + 1 {
                assert_eq!(value(forms[digit as usize], q), digit);
            }
            for digit in 1..=q / 2 {
                assert_eq!(value(DigitForm::direct(digit), q), digit);
            }
        }
    }

    #[test]
    fn the_buckets_are_a_fifth_of_the_radix() {
        for width in 10..=MAX_WINDOW {
            let bucket = |form: &DigitForm| form.packed() >> 1 & ((1 << DigitForm::BUCKET_BITS) - 1);
            let mut buckets: Vec<u32> = forms(width).expect("wide enough")[1..].iter().map(bucket).collect();
            buckets.sort_unstable();
            buckets.dedup();
            let share = buckets.len() as f64 / f64::from(1 << width);
            assert!((0.205..0.216).contains(&share), "{width}: {share}");
        }
    }
}
