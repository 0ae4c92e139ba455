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
///
/// ```
/// use ark_bls12_377::{Fr, G1Projective};
/// use ark_ec::PrimeGroup;
/// use bucketwheel_hardware::cyclone::{Commands, Parameters};
/// use bucketwheel_hardware::combine;
///
/// let parameters = Parameters { window: 8, ..Default::default() };
/// let scalar = [1000, 0, 0, 0];
/// let commands = Commands::new(&parameters, &[scalar])?;
/// let windows = commands.windows();
/// assert_eq!((windows.width(), windows.count(), windows.buckets()), (8, 32, 128));
///
/// // 1000 = 4 * 2^8 - 24; the digits are fields of the biased scalar.
/// let digits: Vec<i32> = (0..windows.count()).flat_map(|window| commands.digits(window)).collect();
/// assert_eq!(digits[..3], [-24, 4, 0]);
/// assert_eq!(windows.field(&windows.biased(&scalar), 0), 128 - 24);
/// assert_eq!(Commands::batches(commands.digits(0)).len(), 1);
///
/// // The sums of the windows make the MSM.
/// let g = G1Projective::generator();
/// let sums: Vec<_> = digits.iter().map(|&digit| g * Fr::from(digit)).collect();
/// assert_eq!(commands.combine(&sums), g * Fr::from(1000));
/// assert_eq!(combine(&sums, windows.width()), g * Fr::from(1000));
/// # Ok::<(), bucketwheel_hardware::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Commands {
    windows: Windows,
    scalars: Vec<Scalar>,
}

impl Commands {
    /// Number of commands in a batch, which is one beat of 512 bits.
    pub const BATCH: usize = 8;
    /// The authors' command `SetDigit`. A last batch is filled up with zeros, which are no commands.
    const SET_DIGIT: u64 = 3;
    /// First bit of the digit in a command.
    const DIGIT: u32 = 14;

    /// Propagates the carries: a few nanoseconds and 32 bytes for each scalar.
    /// The [example](crate::cyclone::Commands) uses it.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an invalid window, [`Error::Scalar`] for a scalar that is too long.
    pub fn new(parameters: &Parameters, scalars: &[Scalar]) -> Result<Self, Error> {
        let windows = windows(parameters.window, parameters.curve())?;
        check_inputs(scalars.len(), &[scalars], parameters.curve())?;
        Ok(Commands { windows, scalars: scalars.iter().map(|scalar| windows.biased(scalar)).collect() })
    }

    /// Returns the decomposition of the scalars. The [example](crate::cyclone::Commands) uses it.
    pub fn windows(&self) -> Windows {
        self.windows
    }

    /// Returns the digits of a window, whose number must be below [`Windows::count`].
    /// The [example](crate::cyclone::Commands) uses it.
    pub fn digits(&self, window: u32) -> impl Iterator<Item = i32> + '_ {
        self.scalars.iter().map(move |scalar| self.windows.digit(scalar, window))
    }

    /// Returns digits as batches of commands, in the form of the authors' host. A digit has 32 bits; the hardware reads
    /// the lowest 16, or the window's bits if they are more. There is at least one batch, because a window without points
    /// needs an end too. The [example](crate::cyclone::Commands) uses it.
    pub fn batches(digits: impl IntoIterator<Item = i32>) -> Vec<[u64; Self::BATCH]> {
        let commands: Vec<u64> = digits
            .into_iter()
            .map(|digit| Self::SET_DIGIT | u64::from(digit as u32) << Self::DIGIT)
            .collect();
        let mut batches: Vec<_> = commands
            .chunks(Self::BATCH)
            .map(|chunk| std::array::from_fn(|i| chunk.get(i).copied().unwrap_or(0)))
            .collect();
        if batches.is_empty() {
            batches.push([0; Self::BATCH]);
        }
        batches
    }

    /// Returns the MSM from the windows' sums in order. The [example](crate::cyclone::Commands) uses it.
    pub fn combine<G: Group>(&self, sums: &[G]) -> G {
        combine(sums, self.windows.width())
    }
}
