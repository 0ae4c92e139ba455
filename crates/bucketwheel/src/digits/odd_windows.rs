//! Windows whose digits are all odd, and therefore never 0: Joye and Tunstall, *Exponent Recoding and Regular Exponentiation
//! Algorithms*, AFRICACRYPT 2009. All magnitudes have their digits at the same positions.

use crate::scalars::Magnitudes;

/// Returns the number of windows of this width below `positions`.
pub(crate) fn window_count(width: u32, positions: u32) -> usize {
    positions.div_ceil(width) as usize
}

/// Calls `add(position, digit)` for each digit of a magnitude that is not 0. The magnitude is `sum 2^position digit`. The positions are
/// multiples of `width` below `positions`, and the absolute values of digits are below `2^width`. An even magnitude has one digit more at
/// position 0: -1.
pub(crate) fn odd_windows(
    magnitudes: &Magnitudes<'_>,
    index: usize,
    width: u32,
    positions: u32,
    add: &mut impl FnMut(u32, i8),
) {
    if magnitudes.bits(index) == 0 {
        return;
    }
    if magnitudes.bits_from(index, 0) & 1 == 0 {
        add(0, -1);
    }
    let last = (positions - 1) / width * width;
    for position in (0..last).step_by(width as usize) {
        // The magnitude, shifted by the position and made odd, is this digit plus `2^width` times the next odd number.
        let window = magnitudes.bits_from(index, position) & ((2 << width) - 1) | 1;
        add(position, (window as i16 - (1 << width)) as i8);
    }
    add(last, (magnitudes.bits_from(index, last) | 1) as i8);
}
