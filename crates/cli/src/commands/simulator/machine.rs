//! Simulated accelerators, and the choice of one.

use std::path::Path;

use bucketwheel_hardware::{Curve, Design, Outcome, Report, Scalar};

use crate::args::hardware::ModelArgs;
use crate::error::Error;
use crate::runtime::Context;

/// A simulated accelerator on its curve. Points are in G1, in the form of
/// [`Points::integers`](bucketwheel::Points::integers).
pub trait Simulator {
    /// Returns the name of the design.
    fn name(&self) -> &'static str;

    /// Returns the curve.
    fn curve(&self) -> Curve;

    /// Returns the number of tasks that run at a time.
    fn concurrent_tasks(&self) -> usize;

    /// Returns the largest number of points of an MSM.
    fn most_points(&self) -> u64;

    /// Returns the bytes of all buckets with sums of points.
    fn bucket_bytes(&self) -> usize;

    /// Returns the bytes of all buckets without sums, for counts alone.
    fn count_bytes(&self) -> usize;

    /// Counts for these scalars, one per point in each task; `None` if counting needs points.
    ///
    /// # Errors
    /// For inputs that do not fit, and cancellation.
    fn counts(&self, tasks: &[&[Scalar]], context: Context<'_>) -> Result<Option<Report>, Error>;

    /// Returns the sums and the counts.
    ///
    /// # Errors
    /// For inputs that do not fit, and cancellation.
    fn sums(
        &self,
        points: &[u8],
        tasks: &[&[Scalar]],
        context: Context<'_>,
    ) -> Result<Outcome<Vec<u8>>, Error>;
}

/// Choice of an accelerator, of its model and its parameters.
pub struct Wanted<'a> {
    /// The design.
    pub design: Design,
    /// Its model.
    pub model: ModelArgs,
    /// The parameters that the user sets.
    pub settings: Vec<(String, String)>,
    /// The waveforms.
    pub vcd: Option<Waves<'a>>,
}

/// The requested waveforms.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "rtl"), allow(dead_code))]
pub struct Waves<'a> {
    /// The file as the user names it.
    pub path: &'a Path,
    /// The temporary file.
    pub meanwhile: &'a Path,
    /// Number of cycles, from the first one on.
    pub cycles: u64,
}
