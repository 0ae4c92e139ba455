//! Simulated accelerators, and the one that is wanted.

use std::path::Path;

use bucketwheel::CurveId;
use bucketwheel_hardware::{Design, Outcome, Report, Scalar};

use crate::args::hardware::ModelArgs;
use crate::error::Error;
use crate::runtime::Context;

/// A simulated accelerator on its curve. Points are in G1, as [`Points::integers`](bucketwheel::Points::integers) has them.
pub trait Simulator {
    /// The design's name.
    fn name(&self) -> &'static str;

    /// The curve.
    fn curve(&self) -> CurveId;

    /// Number of tasks that run at a time.
    fn concurrent_tasks(&self) -> usize;

    /// The most points of an MSM.
    fn most_points(&self) -> u64;

    /// The bytes of all buckets, with the points' values or without.
    fn bucket_bytes(&self, values: bool) -> usize;

    /// Counts for these scalars, as many as there would be points in each task; `None` if counting takes points.
    ///
    /// # Errors
    /// For what does not fit, or if cancelled.
    fn counts(&self, tasks: &[&[Scalar]], context: Context<'_>) -> Result<Option<Report>, Error>;

    /// The sums, and the counts.
    ///
    /// # Errors
    /// For what does not fit, or if cancelled.
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
    /// The parameters that are set.
    pub settings: Vec<(String, String)>,
    /// The waveforms.
    pub vcd: Option<Waves<'a>>,
}

/// Waveforms that are wanted.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "rtl"), allow(dead_code))]
pub struct Waves<'a> {
    /// The file as it was named.
    pub path: &'a Path,
    /// The temporary file that it is written as.
    pub meanwhile: &'a Path,
    /// Number of cycles, from the first one on.
    pub cycles: u64,
}
