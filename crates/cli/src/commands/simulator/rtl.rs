//! Simulated RTL, in builds that contain it.

use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use ark_ff::PrimeField;
use bucketwheel::Curve;
use bucketwheel_hardware::dynamic::{integers, read_points};
use bucketwheel_hardware::{
    match_design, Curve as HardwareCurve, Error as HardwareError, Model, Outcome, Report, Scalar,
};
use bucketwheel_rtl::{select, Fault, Multipliers, Selection, Simulated, Simulates, Trace, Watch, Waveforms};
use bucketwheel_whole_file::WriteError;

use super::machine::{Simulator, Wanted, Waves};
use crate::args::hardware::MultipliersArg;
use crate::error::{own, Error};
use crate::runtime::Context;

/// Returns the machine with these parameters.
///
/// # Errors
/// If no compiled machine has these parameters.
pub fn simulator<'a>(wanted: &Wanted<'a>) -> Result<Box<dyn Simulator + Send + Sync + 'a>, Error> {
    macro_rules! on_its_curve {
        ($parameters:ty; $($curve:ident => $config:ty),+) => {{
            let selection = selected::<$parameters>(wanted)?;
            let curve = selection.parameters.curve();
            $(if curve == HardwareCurve::$curve {
                return Ok(Rtl::<_, $config>::boxed(selection, wanted));
            })+
            let (design, expected) = (wanted.design.name(), "a curve of the design");
            Err(HardwareError::Curve { design, curve, expected }.into())
        }};
    }
    match_design!(wanted.design, on_its_curve)
}

fn selected<M: Simulated>(wanted: &Wanted<'_>) -> Result<Selection<M>, Error> {
    let multipliers = wanted.model.multipliers.map(|multipliers| match multipliers {
        MultipliersArg::Behavioural => Multipliers::Behavioural,
        MultipliersArg::Rtl => Multipliers::Rtl,
    });
    Ok(select(&wanted.settings, multipliers, Waveforms::wanted_if(wanted.vcd.is_some()))?)
}

/// A compiled machine on its curve.
struct Rtl<'a, M, C> {
    selection: Selection<M>,
    vcd: Option<Waves<'a>>,
    curve: PhantomData<fn() -> C>,
}

impl<'a, M, C> Rtl<'a, M, C>
where
    M: Simulates<C> + Send + Sync + 'static,
    C: Curve<BaseField: PrimeField>,
{
    fn boxed(selection: Selection<M>, wanted: &Wanted<'a>) -> Box<dyn Simulator + Send + Sync + 'a> {
        Box::new(Rtl::<M, C> { selection, vcd: wanted.vcd, curve: PhantomData })
    }
}

impl<M: Simulates<C>, C: Curve<BaseField: PrimeField>> Simulator for Rtl<'_, M, C> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn curve(&self) -> HardwareCurve {
        self.selection.parameters.curve()
    }

    fn concurrent_tasks(&self) -> usize {
        self.selection.parameters.concurrent_tasks()
    }

    fn most_points(&self) -> u64 {
        self.selection.parameters.most_points()
    }

    /// Returns the bytes of the cycle model, which runs beside the RTL without sums.
    fn bucket_bytes(&self) -> usize {
        self.count_bytes()
    }

    fn count_bytes(&self) -> usize {
        self.selection.parameters.bucket_bytes::<()>()
    }

    fn counts(&self, _: &[&[Scalar]], _: Context<'_>) -> Result<Option<Report>, Error> {
        Ok(None)
    }

    fn sums(
        &self,
        points: &[u8],
        tasks: &[&[Scalar]],
        context: Context<'_>,
    ) -> Result<Outcome<Vec<u8>>, Error> {
        let points = read_points::<C>(points)?;
        let bar = Arc::new(context.bar("simulate", M::NAME));
        let trace = self.vcd.map(|Waves { meanwhile, cycles, .. }| Trace { path: meanwhile, cycles });
        let outcome =
            self.selection.simulate(&points, tasks, trace, &Watch::new(context.cancel, bar.clone()));
        // Threads of the simulation may still hold the bar.
        bar.clear();
        let Outcome { sums, report } = outcome.map_err(|fault| match (fault, self.vcd) {
            (Fault::Trace(_), Some(Waves { path, .. })) => {
                let source = io::Error::other("not all of the waveforms could be written");
                Error::from(WriteError { path: path.into(), source })
            }
            (fault, _) => fault.into(),
        })?;
        Ok(Outcome { sums: sums.into_iter().map(integers).collect(), report })
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Input(error) => error.into(),
            fault => own(fault),
        }
    }
}
