//! Cells of the measurement: the axes of the experiment and one point of it.

use clap::ValueEnum;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Curve {
    #[value(name = "bls12-381")]
    Bls12_381,
    #[value(name = "bls12-377")]
    Bls12_377,
    #[value(name = "bn254")]
    Bn254,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// Over the base field
    G1,
    /// Over the quadratic extension
    G2,
    /// The same scalars over both groups, as provers need it
    Pair,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Distribution {
    /// Over the whole field
    Uniform,
    /// Each scalar is 0 or 1
    ZeroOne,
    /// 16-bit scalars
    Small,
    /// Nine of ten scalars are zero, the rest uniform
    Sparse,
    /// One uniform scalar for all points, so that all points share their buckets
    Equal,
}

macro_rules! display_as_argument {
    ($($kind:ty),+) => {$(
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let value = self.to_possible_value().expect("no variant is skipped");
                f.pad(value.get_name())
            }
        }
    )+};
}
display_as_argument!(Curve, Group, Distribution, crate::peers::PeerKind, crate::groth16::Prover);

/// One point of the experiment; every peer that supports it is timed on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub curve: Curve,
    pub group: Group,
    pub log_size: u32,
    pub threads: usize,
    pub distribution: Distribution,
}

impl Cell {
    pub fn size(&self) -> usize {
        1 << self.log_size
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} 2^{}, {}, {}",
            self.curve,
            self.group,
            self.log_size,
            threads(self.threads),
            self.distribution
        )
    }
}

/// Returns "1 thread", "2 threads".
pub fn threads(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} thread{plural}")
}
