//! Scalars to signed digits.
//!
//! A window of c bits has a digit `-2^(c-1) <= d < 2^(c-1)`, but for the last one, whose digit is not negative and at
//! most `2^(c-1)`. Adding `2^(c-1)` once in every window but the last turns all digits nonnegative, so that they are
//! plain bit fields afterwards: no carries from window to window. Scalars above r/2 are replaced by `r - k` with the
//! point's sign flipped: that saves a bit and makes small negative numbers small, but holds in the prime-order
//! subgroup only; so does the split of a long scalar into two halves.

pub(crate) mod bucket_set;
pub(crate) mod largest;
mod magnitude;
mod recode;
mod scalars;
pub(crate) mod sort;

use crate::control::Control;
use crate::curve::Integer;
use crate::plan::table::{Multiples, Table};
use crate::windows::Windows;
use crate::Error;

use sort::{Arranged, Group, Sharing, Sorted};

pub(crate) use magnitude::{Fold, Magnitude};
pub(crate) use recode::{bucket, multiple, Digits, MULTIPLE_BITS, NO_BUCKET};
pub use scalars::{RawScalars, Scalars};

/// Scalars that a task looks at.
const PART: usize = 1 << 12;

/// The digits of magnitudes, sorted or as the scalars come.
///
/// # Errors
/// [`Error::TooManyPoints`], [`Error::OutOfMemory`], [`Error::Cancelled`].
pub(crate) fn arrange<B: Integer>(
    magnitudes: &[Magnitude<B>],
    windows: Windows,
    table: &Table,
    sorted: bool,
    control: &Control<'_>,
) -> Result<Arranged, Error> {
    let groups = group(magnitudes, windows, table.multiples, control)?;
    let sharing = Sharing::new(windows, table);
    Ok(match sorted {
        true => Arranged::Sorted(Sorted::new(&groups, sharing, control)?),
        false => Arranged::InOrder(groups, sharing),
    })
}

/// Groups the nonzero scalars by the number of windows they need (one, a few, all): a short scalar costs nothing
/// in the windows that it does not reach.
fn group<B: Integer>(
    magnitudes: &[Magnitude<B>],
    windows: Windows,
    multiples: Multiples,
    control: &Control<'_>,
) -> Result<Vec<Group>, Error> {
    let few = FEW_WINDOWS.min(windows.count());
    let classes = [1, few, windows.count()].map(|count| (windows.start(count) - 1, count));
    let parts = control.map(magnitudes.len().div_ceil(PART), |part| {
        let mut members: [Vec<u32>; 3] = Default::default();
        let start = part * PART;
        for (index, magnitude) in magnitudes[start..magnitudes.len().min(start + PART)].iter().enumerate() {
            let bits = magnitude.bits();
            if bits > 0 {
                let class =
                    classes.iter().position(|&(limit, _)| bits <= limit).expect("the last one has room");
                members[class].push((start + index) as u32);
            }
        }
        members
    })?;
    let groups = classes.iter().enumerate().filter_map(|(class, &(_, window_count))| {
        let indices = parts.iter().map(|members| members[class].as_slice()).collect::<Vec<_>>().concat();
        let digits = |indices: Vec<u32>| {
            let digits = Digits::new(magnitudes, &indices, windows, window_count, multiples, control)?;
            Ok(Group { digits, indices })
        };
        (!indices.is_empty()).then(|| digits(indices))
    });
    groups.collect()
}

/// The windows of scalars that are neither tiny nor long.
const FEW_WINDOWS: usize = 4;
