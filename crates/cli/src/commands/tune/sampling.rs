//! Times of windows.

use std::collections::BTreeMap;
use std::time::Instant;

use bucketwheel::{Backend, BasesOptions, CurveId, GroupId, Msm, Sample, MAX_WINDOW, MIN_WINDOW};
use bucketwheel_dynamic::DynGroups;

use super::report::{computed, published, Choice, Row};
use crate::args::tune::TuneArgs;
use crate::commands::bench::Inputs;
use crate::error::Error;
use crate::measure::{in_turns, timed, Times};
use crate::runtime::{Bar, Context};

/// Measures one curve and group.
pub struct Tuner<'a> {
    pub groups: &'a dyn DynGroups,
    pub args: &'a TuneArgs,
    pub curve: CurveId,
    pub group: GroupId,
    pub backend: Backend,
    pub context: Context<'a>,
    pub bar: &'a Bar,
}

impl Tuner<'_> {
    /// The times of all sizes.
    pub fn sample(&self) -> Result<(Vec<Row>, Vec<Sample>), Error> {
        let inputs = self.inputs()?;
        let (mut rows, mut samples) = (Vec::new(), Vec::new());
        for log_size in self.args.log_sizes.0.clone() {
            let (default, times) = self.choice(&inputs, log_size)?;
            let mut of_size = Vec::new();
            for endomorphism in [false, true] {
                let options = self.options().endomorphism(endomorphism);
                of_size.extend(self.windows(&inputs, log_size, options, default.window, endomorphism)?);
            }
            let fastest = of_size.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds));
            let &Sample { window, endomorphism, seconds, .. } = fastest.expect("a sample of each window");
            rows.push(Row {
                curve: self.curve,
                group: self.group,
                log_size,
                computed: computed(self.groups.scalar_bits(), 1 << log_size),
                practical: window,
                endomorphism,
                ms: seconds * 1e3,
                spread_percent: times.spread(),
                default,
                tuned: Choice::default(),
                simdmsm: published(self.curve, self.group, log_size),
            });
            samples.append(&mut of_size);
            self.bar.advance(1 << log_size);
        }
        Ok((rows, samples))
    }

    /// Measures with the plans as they are now.
    pub fn verify(&self, rows: &mut [Row]) -> Result<(), Error> {
        let inputs = self.inputs()?;
        for row in rows {
            row.tuned = self.choice(&inputs, row.log_size)?.0;
            self.bar.advance(1 << row.log_size);
        }
        Ok(())
    }

    fn inputs(&self) -> Result<Inputs<'_>, Error> {
        Inputs::new(self.curve, self.groups, 1 << self.args.log_sizes.0.end(), self.context)
    }

    fn options(&self) -> BasesOptions<'_> {
        BasesOptions::new().backend(self.backend).cancel(self.context.cancel)
    }

    /// Returns the plan's window, and the times with it.
    fn choice(&self, inputs: &Inputs<'_>, log_size: u32) -> Result<(Choice, Times), Error> {
        let (bases, scalars) =
            (inputs.prepare(1 << log_size, self.options())?, inputs.scalars(1 << log_size));
        let mut window = 0;
        let mut times = in_turns(1, self.args.repetitions, |_| {
            let (time, (_, report)) = timed(|| bases.run(Msm::new().cancel(self.context.cancel), scalars))?;
            window = report.plan.window;
            Ok::<_, Error>(time)
        })?;
        let times = times.remove(0);
        Ok((Choice { window, ms: times.least() }, times))
    }

    /// Measures windows around the fastest one; the search starts at `start`.
    fn windows(
        &self,
        inputs: &Inputs<'_>,
        log_size: u32,
        options: BasesOptions<'_>,
        start: u32,
        endomorphism: bool,
    ) -> Result<Vec<Sample>, Error> {
        let points = 1 << log_size;
        let (bases, scalars) = (inputs.prepare(points, options)?, inputs.scalars(points));
        let mut times = BTreeMap::new();
        let mut next = vec![start.clamp(MIN_WINDOW, MAX_WINDOW)];
        while !next.is_empty() {
            for _ in 0..self.args.repetitions {
                for &window in &next {
                    self.context.check()?;
                    let begin = Instant::now();
                    bases.run(Msm::new().window(window).cancel(self.context.cancel), scalars)?;
                    let seconds = begin.elapsed().as_secs_f64();
                    let least = times.entry(window).or_insert(seconds);
                    *least = seconds.min(*least);
                }
            }
            // Two windows on either side of the fastest one.
            let (&best, _) = times.iter().min_by(|a, b| a.1.total_cmp(b.1)).expect("at least one window");
            let around = best.saturating_sub(2).max(MIN_WINDOW)..=(best + 2).min(MAX_WINDOW);
            next = around.filter(|window| !times.contains_key(window)).collect();
        }
        let sample = |(window, seconds)| Sample { points, window, endomorphism, seconds };
        Ok(times.into_iter().map(sample).collect())
    }
}
