//! Simulators of an accelerator: its cycle model, or its simulated RTL.

#[cfg(feature = "rtl")]
mod rtl;

use std::path::Path;

use bucketwheel::CurveId;
use bucketwheel_hardware::dynamic::model;
use bucketwheel_hardware::{DynModel, Outcome, Report, Scalar};

use crate::args::hardware::{DesignArg, ModelArg, ModelArgs};
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
    pub design: DesignArg,
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

/// The accelerator.
///
/// # Errors
/// [`Error::Simulation`] for bad parameters and the wrong curve, [`Error::NoRtl`], [`Error::RtlOption`].
pub fn simulator<'a>(wanted: &Wanted<'a>) -> Result<Box<dyn Simulator + Send + Sync + 'a>, Error> {
    if wanted.model.model == ModelArg::Rtl {
        #[cfg(feature = "rtl")]
        return rtl::simulator(wanted);
        #[cfg(not(feature = "rtl"))]
        return Err(Error::NoRtl);
    }
    let options = [("--multipliers", wanted.model.multipliers.is_some()), ("--vcd", wanted.vcd.is_some())];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(Error::RtlOption(option));
    }
    Ok(Box::new(Cycle(model(wanted.design.design(), &wanted.settings)?)))
}

/// A cycle model.
struct Cycle(Box<dyn DynModel>);

impl Simulator for Cycle {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn curve(&self) -> CurveId {
        self.0.curve().into()
    }

    fn concurrent_tasks(&self) -> usize {
        self.0.concurrent_tasks()
    }

    fn most_points(&self) -> u64 {
        self.0.most_points()
    }

    fn bucket_bytes(&self, values: bool) -> usize {
        self.0.bucket_bytes(values)
    }

    fn counts(&self, tasks: &[&[Scalar]], context: Context<'_>) -> Result<Option<Report>, Error> {
        let points = tasks.first().map_or(0, |scalars| scalars.len());
        Ok(Some(self.0.count(points, tasks, context.cancel)?))
    }

    fn sums(
        &self,
        points: &[u8],
        tasks: &[&[Scalar]],
        context: Context<'_>,
    ) -> Result<Outcome<Vec<u8>>, Error> {
        Ok(self.0.simulate(points, tasks, context.cancel)?)
    }
}
