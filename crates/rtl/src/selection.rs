//! Selection of a compiled machine by its parameters, and MSMs on it.

use std::fmt;
use std::path::Path;

use ark_ec::short_weierstrass::{Projective, SWCurveConfig};
use bucketwheel::Control;
use bucketwheel_hardware::{configure, parameters, Error, Model, Outcome, Scalar};
use serde_json::Value;

pub(crate) use crate::benches::Bench as CompiledBench;
use crate::benches::BENCHES;
use crate::{Bench, Fault, Watch};

/// Model of the multipliers of a compiled machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multipliers {
    /// A function of integers with the same number of stages: fast.
    Behavioural,
    /// The multipliers as they are built.
    Rtl,
}

impl Multipliers {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Multipliers::Behavioural => "behavioural",
            Multipliers::Rtl => "rtl",
        }
    }
}

impl fmt::Display for Multipliers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Wish for a machine that can write waveforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waveforms {
    /// The machine must write waveforms.
    Wanted,
    /// Any machine will do.
    Unwanted,
}

impl Waveforms {
    /// Returns [`Wanted`](Self::Wanted) if the condition holds, else [`Unwanted`](Self::Unwanted).
    pub fn wanted_if(condition: bool) -> Self {
        match condition {
            true => Waveforms::Wanted,
            false => Waveforms::Unwanted,
        }
    }
}

/// A design whose RTL is compiled. The parameters of its cycle model identify the hardware.
pub trait Simulated: Model + Clone + PartialEq {
    /// The bench in `hdl/tb`.
    const TOP: &'static str;

    /// Returns the cycle model of a compiled machine.
    ///
    /// # Errors
    /// If the machine's registers do not answer.
    fn of_bench(bench: &CompiledBench) -> Result<Self, Fault>;

    /// Returns the same hardware with the host's choices of `wanted`.
    fn with_host(&self, wanted: &Self) -> Self;
}

/// A design on a curve.
pub trait Simulates<C: SWCurveConfig>: Simulated {
    /// Computes a sum for each task on a machine with these parameters.
    ///
    /// # Errors
    /// Faults of the hardware, or [`Fault::Input`].
    fn compute(&self, job: &Job<'_, C>) -> Result<Outcome<Projective<C>>, Fault>;
}

/// Requested waveforms.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The VCD file to write.
    pub path: &'a Path,
    /// Number of cycles; a machine of 384 bits writes some 60 kB in each.
    pub cycles: u64,
}

/// Task of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a, C: SWCurveConfig> {
    /// The name of the machine's bench.
    pub(crate) bench: &'static str,
    pub(crate) trace: Option<Trace<'a>>,
    pub(crate) watch: &'a Watch,
    pub(crate) points: &'a [Projective<C>],
    pub(crate) tasks: &'a [&'a [Scalar]],
}

impl<C: SWCurveConfig> Job<'_, C> {
    /// Lets the bench write waveforms, if they are requested.
    pub(crate) fn trace(&self, bench: &mut Bench) -> Result<(), Fault> {
        self.trace.map_or(Ok(()), |Trace { path, cycles }| bench.trace(path, cycles))
    }

    /// Checks that everything that the bench computed and wrote is valid.
    pub(crate) fn finish(&self, bench: &mut Bench) -> Result<(), Fault> {
        match (self.trace, bench.finish_trace()) {
            (Some(Trace { path, .. }), false) => Err(Fault::Trace(path.into())),
            _ if bench.failed() => Err(Fault::Assertion),
            _ => Ok(()),
        }
    }
}

/// A compiled machine and its parameters.
#[derive(Clone, Debug)]
pub struct Selection<M> {
    /// Parameters of the machine, including the host's.
    pub parameters: M,
    bench: &'static CompiledBench,
}

impl CompiledBench {
    /// Returns a parameter that is set to a number.
    pub(crate) fn parameter(&self, name: &str) -> Option<u64> {
        let value = |setting: &&str| setting.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
        self.parameters.iter().find_map(value)
    }

    fn multipliers(&self) -> Multipliers {
        match self.parameter("KIND") {
            None | Some(0) => Multipliers::Behavioural,
            _ => Multipliers::Rtl,
        }
    }
}

/// Returns the compiled machine of a design with these parameters ([`configure`]), multipliers, and waveforms if
/// requested. If several match, it returns the machine most like the paper's, with behavioural multipliers unless
/// others are requested.
///
/// # Errors
/// [`Fault::NoMachine`], which names the compiled machines; [`Fault::Input`] for invalid parameters.
pub fn select<M: Simulated>(
    settings: &[(String, String)],
    multipliers: Option<Multipliers>,
    waveforms: Waveforms,
) -> Result<Selection<M>, Fault> {
    // For parameters that no machine can have, the model returns an error.
    configure(M::default(), settings)?.simulate::<()>(&[], &[], &Control::new(None, None, None))?;
    let mut compiled = Vec::new();
    let is_compiled = |bench: &CompiledBench| cfg!(long_benches) || !bench.long;
    for bench in BENCHES.iter().filter(|bench| bench.top == M::TOP && is_compiled(bench)) {
        compiled.push((bench, M::of_bench(bench)?));
    }
    compiled.sort_by_key(|(bench, own)| (bench.multipliers() != Multipliers::Behavioural, differences(own)));
    for &(bench, ref own) in &compiled {
        let wanted = configure(own.clone(), settings)?;
        let fits = own.with_host(&wanted) == wanted
            && multipliers.is_none_or(|multipliers| bench.multipliers() == multipliers)
            && (bench.traced || waveforms == Waveforms::Unwanted);
        if fits {
            wanted.simulate::<()>(&[], &[], &Control::new(None, None, None))?;
            return Ok(Selection { parameters: wanted, bench });
        }
    }
    let wanted = settings.iter().map(|(name, value)| format!("{name}={value}"));
    let wanted = wanted.chain(multipliers.map(|multipliers| format!("multipliers={multipliers}")));
    let wanted: Vec<_> =
        wanted.chain((waveforms == Waveforms::Wanted).then(|| "waveforms".to_owned())).collect();
    let list: Vec<_> =
        compiled.iter().map(|(bench, own)| describe(bench, own, &compiled, settings)).collect();
    Err(Fault::NoMachine { design: M::NAME, wanted: wanted.join(", "), compiled: list.join("; ") })
}

/// Returns the number of parameters that differ from the paper's.
fn differences<M: Model>(own: &M) -> usize {
    let usual = parameters(&M::default());
    parameters(own).iter().filter(|&(name, value)| usual[name] != *value).count()
}

/// Returns a description of a machine: the parameters that differ from other machines or from the settings.
fn describe<M: Model>(
    bench: &CompiledBench,
    own: &M,
    compiled: &[(&CompiledBench, M)],
    settings: &[(String, String)],
) -> String {
    let all: Vec<_> = compiled.iter().map(|(_, own)| parameters(own)).collect();
    let matters = |name: &String, value: &Value| {
        settings.iter().any(|(set, _)| set == name) || all.iter().any(|other| other[name] != *value)
    };
    let own = parameters(own);
    let values = own.iter().filter(|&(name, value)| matters(name, value));
    let values = values.map(|(name, value)| format!("{name}={}", value.to_string().trim_matches('"')));
    let values = values.chain([format!("multipliers={}", bench.multipliers())]);
    let values: Vec<_> = values.chain(bench.traced.then(|| "waveforms".to_owned())).collect();
    values.join(" ")
}

impl<M: Simulated> Selection<M> {
    /// Returns the model of the machine's multipliers.
    pub fn multipliers(&self) -> Multipliers {
        self.bench.multipliers()
    }

    /// Computes a sum for each task, and counts like the cycle model with the same parameters. Waveforms show the
    /// machine from its beginning; of several machines, the first one.
    ///
    /// Takes about ten microseconds a cycle, more with multipliers as they are built.
    ///
    /// # Errors
    /// [`Fault::Input`] for inputs that do not fit, or if cancelled; other faults if the hardware is broken.
    pub fn simulate<C: SWCurveConfig>(
        &self,
        points: &[Projective<C>],
        tasks: &[&[Scalar]],
        trace: Option<Trace<'_>>,
        watch: &Watch,
    ) -> Result<Outcome<Projective<C>>, Fault>
    where
        M: Simulates<C>,
    {
        // The model refuses inputs that the machine cannot compute, without delay.
        self.parameters.simulate(
            &vec![(); points.len()],
            tasks,
            &Control::new(None, Some(watch.cancel()), None),
        )?;
        let job = Job { bench: self.bench.name, trace, watch, points, tasks };
        let outcome = self.parameters.compute(&job);
        // The result of a cancelled simulation is not needed.
        if watch.cancel().is_cancelled() {
            return Err(Error::Cancelled.into());
        }
        let mut outcome = outcome?;
        outcome.report.multiplier_model = self.multipliers().name();
        outcome.report.notes.push(format!(
            "simulated RTL: bench {} of hdl/tb/{}.sv",
            self.bench.name,
            M::TOP
        ));
        Ok(outcome)
    }
}
