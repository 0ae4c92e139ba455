//! Cells of the measurement: the axes of the experiment and one point of it.

use bucketwheel::CurveId as Curve;
use clap::ValueEnum;
use std::fmt;

/// Calls a macro with the curves that this program measures: the name of each in the engine's catalogue, names of its groups here,
/// and the crate that has them as `g1::Config` and `g2::Config`.
macro_rules! with_curves {
    ($then:ident) => {
        $then! { $Bls12_381 = Bls12_381G1, Bls12_381G2, ark_bls12_381;
            Bls12_377 = Bls12_377G1, Bls12_377G2, ark_bls12_377;
            Bn254 = Bn254G1, Bn254G2, ark_bn254;
        }
    };
}
pub(crate) use with_curves;

macro_rules! list {
    ($d:tt $($curve:ident = $g1:ident, $g2:ident, $arkworks:ident;)+) => {
        /// The curves that this program measures.
        pub const CURVES: &[Curve] = &[$(Curve::$curve),+];
    };
}
with_curves!(list);

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
display_as_argument!(Group, Distribution, crate::peers::PeerKind, crate::groth16::Prover);

/// One point of the experiment; every peer that supports it is timed on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub curve: Curve,
    pub group: Group,
    pub points: usize,
    pub threads: usize,
    pub distribution: Distribution,
}

impl Cell {
    /// Returns the number of points as it is written: as a power of two if it is one.
    pub fn size(&self) -> String {
        match self.points.is_power_of_two() {
            true => format!("2^{}", self.points.ilog2()),
            false => self.points.to_string(),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {}, {}, {}",
            self.curve,
            self.group,
            self.size(),
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
