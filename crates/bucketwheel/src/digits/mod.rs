//! Turns scalars into signed digits.
//!
//! A window of c bits has a Booth digit `-2^(c-1) <= d <= 2^(c-1)`: its bits, less 2^c if its highest bit is set, plus
//! one if the highest bit of the window below is set. So a digit depends on the bits of its window and one more bit.
//! Any digit can be made at any time, without carries from window to window. Scalars above r/2 are replaced by `r - k`
//! with the point's sign flipped. This saves a bit and makes small negative numbers small, but holds in the prime-order
//! subgroup only. So does the split of a long scalar into two halves.

pub(crate) mod bucket_set;
pub(crate) mod largest;
pub(crate) mod naf;
#[cfg(feature = "groups")]
pub(crate) mod odd_windows;
mod packed;
mod recode;
pub(crate) mod sort;
pub(crate) mod table;

use std::ops::Range;

use crate::control::Control;
use crate::memory::{Array, Uninit};
use crate::scalars::{Magnitudes, PART};
use crate::windows::Windows;
use crate::Error;

use sort::{Arranged, Sorted};

pub(crate) use packed::bucket;
pub(crate) use recode::{Class, Digits, Sharing};

/// Returns the digits of some sets, sorted or in the order of the scalars.
///
/// # Errors
/// [`Error::TooManyPoints`], [`Error::OutOfMemory`], [`Error::Cancelled`].
pub(crate) fn arrange<'a>(
    digits: Digits<'a>,
    sets: Range<usize>,
    sorted: bool,
    control: &Control<'_>,
) -> Result<Arranged<'a>, Error> {
    Ok(match sorted {
        true => Arranged::Sorted(Sorted::new(&digits, sets, control)?),
        false => Arranged::InOrder(digits, sets),
    })
}

/// The windows of scalars that are neither tiny nor long.
const FEW_WINDOWS: usize = 4;
/// If more than one scalar in this number is short or zero, short scalars get classes of their own.
const FEW: usize = 16;

/// Returns classes of nonzero scalars by the number of windows they need (one, a few, all): a short scalar costs nothing
/// in the windows that it does not reach. `lengths[b]` scalars have b bits.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::Cancelled`].
pub(crate) fn classes(
    magnitudes: Magnitudes<'_>,
    lengths: &[usize],
    windows: Windows,
    control: &Control<'_>,
) -> Result<Vec<Class>, Error> {
    let len = magnitudes.len();
    let counts = [1, FEW_WINDOWS.min(windows.count()), windows.count()];
    let limits = counts.map(|count| windows.start(count) - 1);
    let shorter = counts.iter().zip(limits).filter(|(&count, _)| count < windows.count());
    let limit = shorter.map(|(_, limit)| limit as usize).max().unwrap_or(0);
    let short: usize = lengths.iter().take(limit + 1).sum();
    let total: usize = lengths.iter().sum();
    if short <= total / FEW {
        return Ok(vec![Class { window_count: counts[2], indices: None, len }]);
    }
    let class = |index: usize| {
        let bits = magnitudes.bits(index);
        (bits > 0).then(|| limits.iter().position(|&limit| bits <= limit).expect("the last one has room"))
    };
    let part = |part: usize| part * PART..len.min((part + 1) * PART);
    // Number of members of each class in each part, then in all parts before it.
    let mut before = control.map(len.div_ceil(PART), |index| {
        let mut members = [0; 3];
        part(index).filter_map(class).for_each(|class| members[class] += 1);
        members
    })?;
    let mut members = [0; 3];
    for part in &mut before {
        for (members, before) in members.iter_mut().zip(part) {
            *members += std::mem::replace(before, *members);
        }
    }
    let mut rooms = Vec::new();
    for members in members {
        rooms.push(Uninit::<u32>::new(members)?);
    }
    let outputs: Vec<_> = rooms.iter().map(Uninit::output).collect();
    control.for_each(
        before.len(),
        || (),
        |_, index| {
            let mut next = before[index];
            for (class, i) in part(index).filter_map(|i| Some((class(i)?, i))) {
                // SAFETY: every member has its own index, counted from the members of all parts before, below the capacity.
                unsafe { outputs[class].write(next[class], i as u32) };
                next[class] += 1;
            }
        },
    );
    control.check()?;
    let class = |(window_count, indices): (usize, Uninit<u32>)| {
        // SAFETY: without an error, all members of the class have been written.
        let (len, indices): (usize, Array<u32>) = (indices.len(), unsafe { indices.written() });
        Class { window_count, indices: Some(indices), len }
    };
    Ok(counts.into_iter().zip(rooms).map(class).filter(|class| class.len > 0).collect())
}
