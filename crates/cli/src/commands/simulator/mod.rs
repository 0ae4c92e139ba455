//! Simulators of an accelerator: its cycle model, or its simulated RTL.

#[cfg(feature = "rtl")]
mod rtl;

use std::path::Path;

use ark_ec::short_weierstrass::Projective;
use bucketwheel::{Cancel, Curve};
use bucketwheel_hardware::{configure, cyclone, gypsophila, msmac, Curve as HardwareCurve};
use bucketwheel_hardware::{Model, Outcome, Report, Scalar};

use crate::args::hardware::{DesignArg, ModelArg, ModelArgs};
use crate::error::Error;
use crate::runtime::Context;

/// A simulated accelerator on its curve.
pub trait Simulator<C: Curve> {
    /// The design's name.
    fn name(&self) -> &'static str;

    /// Number of tasks that run at a time.
    fn concurrent_tasks(&self) -> usize;

    /// The bytes of all buckets, with the points' values or without.
    fn bucket_bytes(&self, values: bool) -> usize;

    /// Counts for these scalars; `None` if counting takes points.
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
        points: &[Projective<C>],
        tasks: &[&[Scalar]],
        context: Context<'_>,
    ) -> Result<Outcome<Projective<C>>, Error>;
}

/// Code that is generic over the accelerator's curve.
pub trait Visitor {
    /// The result.
    type Output;

    /// Visits the accelerator.
    ///
    /// # Errors
    /// The visitor's own.
    fn visit<C: Curve>(self, simulator: &dyn Simulator<C>) -> Result<Self::Output, Error>;
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

/// Calls the visitor with the accelerator. Bad parameters and the wrong curve show before that.
///
/// # Errors
/// [`Error::Simulation`], [`Error::NoRtl`], [`Error::RtlOption`], and the visitor's.
pub fn with_simulator<V: Visitor>(wanted: &Wanted<'_>, visitor: V) -> Result<V::Output, Error> {
    if wanted.model.model == ModelArg::Rtl {
        #[cfg(feature = "rtl")]
        return rtl::with_simulator(wanted, visitor);
        #[cfg(not(feature = "rtl"))]
        return Err(Error::NoRtl);
    }
    let options = [("--multipliers", wanted.model.multipliers.is_some()), ("--vcd", wanted.vcd.is_some())];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(Error::RtlOption(option));
    }
    match wanted.design {
        DesignArg::Cyclone => with_model::<cyclone::Parameters, _>(&wanted.settings, visitor),
        DesignArg::Msmac => with_model::<msmac::Parameters, _>(&wanted.settings, visitor),
        DesignArg::Gypsophila => with_model::<gypsophila::Parameters, _>(&wanted.settings, visitor),
    }
}

fn with_model<M: Model, V: Visitor>(settings: &[(String, String)], visitor: V) -> Result<V::Output, Error> {
    let model = configure(M::default(), settings)?;
    model.simulate::<()>(&[], &[], &Cancel::new())?;
    let model = Cycle(model);
    match model.0.curve() {
        HardwareCurve::Bls12_377 => visitor.visit::<ark_bls12_377::g1::Config>(&model),
        HardwareCurve::Bls12_381 => visitor.visit::<ark_bls12_381::g1::Config>(&model),
        HardwareCurve::Bn254 => visitor.visit::<ark_bn254::g1::Config>(&model),
    }
}

/// A cycle model.
struct Cycle<M>(M);

impl<M: Model, C: Curve> Simulator<C> for Cycle<M> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn concurrent_tasks(&self) -> usize {
        self.0.concurrent_tasks()
    }

    fn bucket_bytes(&self, values: bool) -> usize {
        match values {
            true => self.0.bucket_bytes::<Projective<C>>(),
            false => self.0.bucket_bytes::<()>(),
        }
    }

    fn counts(&self, tasks: &[&[Scalar]], context: Context<'_>) -> Result<Option<Report>, Error> {
        let points = tasks.first().map_or(0, |scalars| scalars.len());
        Ok(Some(self.0.simulate(&vec![(); points], tasks, context.cancel)?.report))
    }

    fn sums(
        &self,
        points: &[Projective<C>],
        tasks: &[&[Scalar]],
        context: Context<'_>,
    ) -> Result<Outcome<Projective<C>>, Error> {
        Ok(self.0.simulate(points, tasks, context.cancel)?)
    }
}
