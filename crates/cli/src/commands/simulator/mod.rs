//! Simulators of an accelerator: its cycle model or its simulated RTL.

mod machine;
#[cfg(feature = "rtl")]
mod rtl;

use bucketwheel::{Control, Error as EngineError};
use bucketwheel_hardware::dynamic::model;
use bucketwheel_hardware::{Curve, DynModel, Error as HardwareError, Outcome, Report, Scalar};

pub use self::machine::{Simulator, Wanted, Waves};
use crate::args::hardware::ModelArg;
use crate::error::{own, Error};
use crate::runtime::Context;

/// This build or the arguments do not allow the model.
#[derive(Debug, thiserror::Error)]
enum SimulatorError {
    /// This build cannot simulate RTL.
    #[cfg(not(feature = "rtl"))]
    #[error(
        "this build has no simulated RTL: build it with the feature rtl, which needs Verilator, for example \
         cargo run --release --features rtl --package bucketwheel-cli -- simulate cyclone --log-size 8 --model rtl"
    )]
    NoRtl,
    /// An option of simulated RTL is set for the cycle model.
    #[error("{0} works only with --model rtl: add that option, or leave out {0}")]
    RtlOption(&'static str),
}

impl From<HardwareError> for Error {
    fn from(error: HardwareError) -> Self {
        match error {
            HardwareError::Cancelled => EngineError::Cancelled.into(),
            HardwareError::Points(error) => error.into(),
            error => own(error),
        }
    }
}

/// Returns the accelerator.
///
/// # Errors
/// For invalid parameters, the wrong curve, and models that this build does not have.
pub fn simulator<'a>(wanted: &Wanted<'a>) -> Result<Box<dyn Simulator + Send + Sync + 'a>, Error> {
    if wanted.model.model == ModelArg::Rtl {
        #[cfg(feature = "rtl")]
        return rtl::simulator(wanted);
        #[cfg(not(feature = "rtl"))]
        return Err(own(SimulatorError::NoRtl));
    }
    let options = [("--multipliers", wanted.model.multipliers.is_some()), ("--vcd", wanted.vcd.is_some())];
    if let Some((option, _)) = options.into_iter().find(|&(_, given)| given) {
        return Err(own(SimulatorError::RtlOption(option)));
    }
    Ok(Box::new(Cycle(model(wanted.design, &wanted.settings)?)))
}

/// Returns a cycle model.
struct Cycle(Box<dyn DynModel>);

impl Simulator for Cycle {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn curve(&self) -> Curve {
        self.0.curve()
    }

    fn concurrent_tasks(&self) -> usize {
        self.0.concurrent_tasks()
    }

    fn most_points(&self) -> u64 {
        self.0.most_points()
    }

    fn bucket_bytes(&self) -> usize {
        self.0.bucket_bytes()
    }

    fn count_bytes(&self) -> usize {
        self.0.count_bytes()
    }

    fn counts(&self, tasks: &[&[Scalar]], context: Context<'_>) -> Result<Option<Report>, Error> {
        let points = tasks.first().map_or(0, |scalars| scalars.len());
        let bar = context.bar("simulate", self.name());
        Ok(Some(self.0.count(points, tasks, &Control::new(None, Some(context.cancel), Some(&bar)))?))
    }

    fn sums(
        &self,
        points: &[u8],
        tasks: &[&[Scalar]],
        context: Context<'_>,
    ) -> Result<Outcome<Vec<u8>>, Error> {
        let bar = context.bar("simulate", self.name());
        Ok(self.0.simulate(points, tasks, &Control::new(None, Some(context.cancel), Some(&bar)))?)
    }
}
