//! Non-adjacent forms: sparse signed digits at single bits, for sums of few points.

use crate::scalars::Magnitudes;

/// Bits of a window of a sum of few points: of five positions in a row, at most one has a digit.
pub(crate) const WIDTH: u32 = 5;
/// Positions from a digit to the next, on average.
pub(crate) const SPACING: usize = WIDTH as usize + 1;

/// Odd multiples of a point that the digits ask for: 1 to 15 times the point.
pub(crate) const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Returns the non-adjacent form of a magnitude: `sum 2^position digits[position]`, where each digit is 0 or odd and its absolute value is
/// below `2^(width - 1)`. One digit in `width + 1` or so is not 0. Negative magnitudes are two's complements. They need no
/// special case, because the copies of the sign are one more run of ones.
///
/// # Panics
/// If the width is not between 2 and 8.
pub(crate) fn naf(magnitudes: &Magnitudes<'_>, index: usize, width: u32) -> Vec<i8> {
    assert!((2..=8).contains(&width), "digits have 8 bits");
    let bits = magnitudes.bits(index);
    if bits == 0 {
        return Vec::new();
    }
    // A carry ends in one digit more.
    let mut digits = vec![0; bits as usize + 1];
    let (mut position, mut carry) = (0, 0);
    while position <= bits {
        let window = magnitudes.bits_from(index, position);
        if window & 1 == carry {
            position += 1;
            continue;
        }
        let digit = (window & ((1 << width) - 1)) + carry;
        carry = digit >> (width - 1) & 1;
        digits[position as usize] = (digit as i16 - ((carry as i16) << width)) as i8;
        position += width;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalars::MagnitudeLayout;
    use num_bigint::BigInt;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    /// Checks that the digits are sparse, in range, and add up to the magnitude.
    fn is_naf_of(words: &[u64], is_signed: bool) {
        let layout = MagnitudeLayout { words: words.len(), is_signed };
        for width in 2..=8 {
            is_naf_of_width(words, is_signed, &naf(&Magnitudes::new(words, 1, layout), 0, width), width);
        }
    }

    fn is_naf_of_width(words: &[u64], is_signed: bool, digits: &[i8], width: u32) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let expected = match is_signed {
            true => BigInt::from_signed_bytes_le(&bytes),
            false => BigInt::from_bytes_le(num_bigint::Sign::Plus, &bytes),
        };
        let sum = digits.iter().rev().fold(BigInt::from(0), |sum, &digit| 2 * sum + digit);
        assert_eq!(sum, expected, "{words:x?}");
        let is_digit =
            |digit: &i8| *digit == 0 || (digit % 2 != 0 && i16::from(*digit).abs() < 1 << (width - 1));
        assert!(digits.iter().all(is_digit), "{digits:?}");
        let close = digits.windows(width as usize);
        assert!(
            close.into_iter().all(|run| run.iter().filter(|digit| **digit != 0).count() <= 1),
            "{digits:?}"
        );
    }

    #[test]
    fn digits_add_up_to_their_magnitude() {
        let rng = &mut StdRng::seed_from_u64(1);
        for words in 1..=6 {
            for _ in 0..200 {
                // Runs of ones and zeros of any length.
                let word = |rng: &mut StdRng| match rng.gen_range(0..3) {
                    0 => rng.gen::<u64>() >> rng.gen_range(0..64),
                    1 => !(rng.gen::<u64>() >> rng.gen_range(0..64)),
                    _ => [0, u64::MAX][rng.gen_range(0..2)],
                };
                let magnitude: Vec<u64> = (0..words).map(|_| word(rng)).collect();
                [false, true].into_iter().for_each(|is_signed| is_naf_of(&magnitude, is_signed));
            }
            for word in [0, u64::MAX] {
                [false, true].into_iter().for_each(|is_signed| is_naf_of(&vec![word; words], is_signed));
            }
        }
    }
}
