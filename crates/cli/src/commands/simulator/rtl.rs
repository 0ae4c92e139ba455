//! Simulated RTL, where it is compiled.

use std::io;
use std::sync::Arc;

use ark_ec::short_weierstrass::Projective;
use bucketwheel::Curve;
use bucketwheel_hardware::{cyclone, gypsophila, msmac, Curve as HardwareCurve};
use bucketwheel_hardware::{Outcome, Report, Scalar};
use bucketwheel_rtl::{select, Fault, Multipliers, Selection, Simulated, Simulates, Trace, Watch};

use super::{Simulator, Visitor, Wanted, Waves};
use crate::args::hardware::{DesignArg, MultipliersArg};
use crate::error::Error;
use crate::runtime::Context;

/// Calls the visitor with the machine that has the parameters.
///
/// # Errors
/// [`Error::Rtl`] if there is none, and the visitor's.
pub fn with_simulator<V: Visitor>(wanted: &Wanted<'_>, visitor: V) -> Result<V::Output, Error> {
    match wanted.design {
        DesignArg::Cyclone => {
            visitor.visit::<ark_bls12_377::g1::Config>(&Rtl::<cyclone::Parameters>::new(wanted)?)
        }
        DesignArg::Msmac => visitor.visit::<ark_bn254::g1::Config>(&Rtl::<msmac::Parameters>::new(wanted)?),
        DesignArg::Gypsophila => {
            let rtl = Rtl::<gypsophila::Parameters>::new(wanted)?;
            match rtl.selection.parameters.curve {
                HardwareCurve::Bn254 => visitor.visit::<ark_bn254::g1::Config>(&rtl),
                _ => visitor.visit::<ark_bls12_377::g1::Config>(&rtl),
            }
        }
    }
}

/// A compiled machine.
struct Rtl<'a, M> {
    selection: Selection<M>,
    vcd: Option<Waves<'a>>,
}

impl<'a, M: Simulated> Rtl<'a, M> {
    fn new(wanted: &Wanted<'a>) -> Result<Self, Error> {
        let multipliers = wanted.model.multipliers.map(|multipliers| match multipliers {
            MultipliersArg::Behavioural => Multipliers::Behavioural,
            MultipliersArg::Rtl => Multipliers::Rtl,
        });
        let selection = select(&wanted.settings, multipliers, wanted.vcd.is_some())?;
        Ok(Rtl { selection, vcd: wanted.vcd })
    }
}

impl<M: Simulates<C>, C: Curve> Simulator<C> for Rtl<'_, M> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn concurrent_tasks(&self) -> usize {
        self.selection.parameters.concurrent_tasks()
    }

    /// Those of the cycle model, which runs beside it.
    fn bucket_bytes(&self, _: bool) -> usize {
        self.selection.parameters.bucket_bytes::<()>()
    }

    fn counts(&self, _: &[&[Scalar]], _: Context<'_>) -> Result<Option<Report>, Error> {
        Ok(None)
    }

    fn sums(
        &self,
        points: &[Projective<C>],
        tasks: &[&[Scalar]],
        context: Context<'_>,
    ) -> Result<Outcome<Projective<C>>, Error> {
        let bar = Arc::new(context.bar("simulate", M::NAME));
        let trace = self.vcd.map(|Waves { meanwhile, cycles, .. }| Trace { path: meanwhile, cycles });
        let outcome = self.selection.simulate(points, tasks, trace, &Watch::new(context.cancel, bar.clone()));
        // Threads of the simulation may still have it.
        bar.clear();
        outcome.map_err(|fault| match (fault, self.vcd) {
            (Fault::Trace(_), Some(Waves { path, .. })) => {
                let source = io::Error::other("not all of the waveforms could be written");
                Error::Write { path: path.into(), source }
            }
            (fault, _) => fault.into(),
        })
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Input(error) => error.into(),
            fault => Error::Rtl(fault),
        }
    }
}
