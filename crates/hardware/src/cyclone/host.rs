//! The host's part (4.4): commands for the hardware, and the combination of the windows' sums.

use super::Parameters;
use crate::digits::{Scalar, Windows};
use crate::group::combine;
use crate::model::{check_inputs, windows};
use crate::{Error, Group, Model};

/// The commands for a vector of scalars, made a window at a time.
///
/// The carries of all digits are propagated once, over words of 64 bits, and the result is kept. A digit is then a
/// field of its bits. If the window divides 64, like the paper's 16, a field is within a word.
#[derive(Clone, Debug)]
pub struct Commands {
    windows: Windows,
    scalars: Vec<Scalar>,
}

impl Commands {
    /// Number of commands in a batch, which is a beat of 512 bits.
    pub const BATCH: usize = 8;
    /// Bit that marks a command as present; the last batch of a window may be filled up.
    const THERE: u64 = 1 << 63;

    /// Propagates the carries: a few nanoseconds and 32 bytes for each scalar.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an invalid window, [`Error::Scalar`] for a scalar that is too long.
    pub fn new(parameters: &Parameters, scalars: &[Scalar]) -> Result<Self, Error> {
        let windows = windows(parameters.window, parameters.curve())?;
        check_inputs(scalars.len(), &[scalars], parameters.curve())?;
        Ok(Commands { windows, scalars: scalars.iter().map(|scalar| windows.biased(scalar)).collect() })
    }

    /// Returns the decomposition of the scalars.
    pub fn windows(&self) -> Windows {
        self.windows
    }

    /// Returns the digits of a window, whose number must be below [`Windows::count`].
    pub fn digits(&self, window: u32) -> impl Iterator<Item = i32> + '_ {
        self.scalars.iter().map(move |scalar| self.windows.digit(scalar, window))
    }

    /// Returns digits as batches of commands. There is at least one batch, because a window without points needs an
    /// end too.
    pub fn batches(digits: impl IntoIterator<Item = i32>) -> Vec<[u64; Self::BATCH]> {
        let commands: Vec<u64> =
            digits.into_iter().map(|digit| Self::THERE | u64::from(digit as u32)).collect();
        let mut batches: Vec<_> = commands
            .chunks(Self::BATCH)
            .map(|chunk| std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0)))
            .collect();
        if batches.is_empty() {
            batches.push([0; Self::BATCH]);
        }
        batches
    }

    /// Returns the MSM from the windows' sums in order.
    pub fn combine<G: Group>(&self, sums: &[G]) -> G {
        combine(sums, self.windows.width())
    }
}
