//! This project's engine. It takes field elements, so the conversion of
//! scalars is inside the timed region. A pair shares the scalars' digits.

use super::kind::Preparation;
use super::library::{Job, Library, Outcome, timed};
use crate::inputs::with_input;
use crate::inputs::{AnyInput, Input, encoding::encode_sum};
use anyhow::{Result, bail};
use ark_ec::short_weierstrass::Affine;
use bucketwheel::{AdderKind, Backend, Bases, BasesOptions, Curve, Msm, Scalars, SchedulerKind};
use rayon::ThreadPool;

pub struct Bucketwheel {
    pub backend: Backend,
    pub scheduler: SchedulerKind,
    pub adder: AdderKind,
    pub preparation: Preparation,
}

impl Bucketwheel {
    /// Returns the default strategy.
    pub fn new(backend: Backend, preparation: Preparation) -> Self {
        Self { backend, scheduler: SchedulerKind::Auto, adder: AdderKind::Auto, preparation }
    }

    fn msm(&self) -> Msm<'static> {
        Msm::new().scheduler(self.scheduler).adder(self.adder)
    }

    fn options(&self) -> BasesOptions<'static> {
        BasesOptions::new().backend(self.backend).edwards(self.adder.is_edwards())
    }

    fn bases<C: Curve>(&self, points: &[Affine<C>], pool: &ThreadPool) -> Result<Bases<C>> {
        Ok(pool.install(|| self.options().prepare(points))?)
    }

    fn pair<'a, G1: Curve, G2: Curve<ScalarField = G1::ScalarField>>(
        &self,
        g1: Input<'a, G1>,
        g2: Input<'a, G2>,
        pool: &'a ThreadPool,
    ) -> Result<Option<Job<'a>>> {
        let (mut bases, msm) = ((self.bases(g1.points, pool)?, self.bases(g2.points, pool)?), self.msm());
        let (options, preparation) = (self.options(), self.preparation);
        Ok(Some(Box::new(move || {
            let mut msm = || {
                if preparation == Preparation::EachSum {
                    bases = (options.prepare(g1.points)?, options.prepare(g2.points)?);
                }
                msm.run_pair((&bases.0, &bases.1), Scalars::Field(g1.scalars))
            };
            let (elapsed, sums) = pool.install(|| timed(&mut msm));
            let (g1, g2) = sums?;
            Ok(Outcome { elapsed, sum: [encode_sum(g1), encode_sum(g2)].concat() })
        })))
    }
}

impl Library for Bucketwheel {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        with_input!(input, input => {
            let (mut bases, msm) = (self.bases(input.points, pool)?, self.msm());
            let (options, preparation) = (self.options(), self.preparation);
            Ok(Some(Box::new(move || {
                let mut msm = || {
                    if preparation == Preparation::EachSum {
                        bases = options.prepare(input.points)?;
                    }
                    msm.run(&bases, Scalars::Field(input.scalars))
                };
                let (elapsed, sum) = pool.install(|| timed(&mut msm));
                Ok(Outcome { elapsed, sum: encode_sum(sum?) })
            })))
        })
    }

    fn prepare_pair<'a>(
        &self,
        g1: AnyInput<'a>,
        g2: AnyInput<'a>,
        pool: &'a ThreadPool,
    ) -> Result<Option<Job<'a>>> {
        match (g1, g2) {
            (AnyInput::Bls12_381G1(g1), AnyInput::Bls12_381G2(g2)) => self.pair(g1, g2, pool),
            (AnyInput::Bls12_377G1(g1), AnyInput::Bls12_377G2(g2)) => self.pair(g1, g2, pool),
            (AnyInput::Bn254G1(g1), AnyInput::Bn254G2(g2)) => self.pair(g1, g2, pool),
            _ => bail!("a pair is G1 and G2 of one curve"),
        }
    }
}
