//! One proof under way: the sums, stage by stage, overlapped.

use ark_ec::short_weierstrass::{Affine, Projective};
use ark_ff::{BigInt, BigInteger, Zero};
use bucketwheel::{Bases, BasesOptions, Cancel, Control, Msm};

use super::key::{Counts, ProvingKey};
use super::memory::{self, Memory};
use super::meter::{Meter, Phase, Share, Watch, PAIR};
use super::trace::{Recorder, Stage, Trace};
use super::{ProveOptions, Sums};
use crate::file::Group;
use crate::memory::with_room;
use crate::{Error, PairingCurve};

/// The points of a key in the engine's form.
pub(super) struct Retained<E: PairingCurve> {
    a: Bases<E::G1Curve>,
    b: (Bases<E::G1Curve>, Bases<E::G2Curve>),
    /// Points H, then points C.
    hc: Bases<E::G1Curve>,
}

impl<E: PairingCurve> Retained<E> {
    pub fn new(key: &impl ProvingKey<E>) -> Result<Self, Error> {
        let Counts { signals, public, quotient, .. } = key.counts();
        // Images of the points would take the same memory again.
        let options = BasesOptions::new().endomorphism(false);
        Ok(Retained {
            a: Group::prepare(options, signals, &|i| key.a(i))?,
            b: (
                Group::prepare(options, signals, &|i| key.b1(i))?,
                Group::prepare(options, signals, &|i| key.b2(i))?,
            ),
            hc: Group::prepare(
                options,
                quotient + signals - public - 1,
                &|i| match i.checked_sub(quotient) {
                    None => key.h(i),
                    Some(i) => key.c(i),
                },
            )?,
        })
    }

    pub fn bytes(counts: Counts) -> usize {
        const G1_BYTES: usize = 128;
        const G2_BYTES: usize = 256;
        let Counts { signals, public, quotient, .. } = counts;
        G1_BYTES * (2 * signals + (signals - public - 1) + quotient) + G2_BYTES * signals
    }
}

/// Nonzero scalars, and the points that they belong to.
#[derive(Clone, Copy)]
struct Terms<'a> {
    indices: &'a [u32],
    values: &'a [BigInt<4>],
}

impl<'a> Terms<'a> {
    fn passes(self, pass: usize) -> impl Iterator<Item = Terms<'a>> {
        let passes = self.indices.chunks(pass).zip(self.values.chunks(pass));
        passes.map(|(indices, values)| Terms { indices, values })
    }

    fn none() -> Self {
        Terms { indices: &[], values: &[] }
    }

    /// Returns the options for preparing a pass. Images of the points do not pay if few scalars are long.
    fn options(&self) -> BasesOptions<'static> {
        match self.mostly_long() {
            true => BasesOptions::new(),
            false => BasesOptions::new().endomorphism(false),
        }
    }

    fn mostly_long(&self) -> bool {
        let long = self.values.iter().filter(|value| value.0[2] | value.0[3] != 0).count();
        2 * long >= self.values.len()
    }
}

/// One proof under way.
pub(super) struct Run<'a, E: PairingCurve, K> {
    pub key: &'a K,
    retained: Option<&'a Retained<E>>,
    pub witness: &'a [BigInt<4>],
    pub options: &'a ProveOptions<'a>,
    memory: Memory,
    recorder: Recorder,
    meter: Meter<'a>,
}

impl<'a, E: PairingCurve, K: ProvingKey<E>> Run<'a, E, K> {
    pub fn new(
        key: &'a K,
        retained: Option<&'a Retained<E>>,
        witness: &'a [BigInt<4>],
        options: &'a ProveOptions<'a>,
    ) -> Self {
        let counts = key.counts();
        let memory = memory::unbounded(counts);
        let retained = retained.filter(|_| options.memory.is_none());
        let meter = Meter::new::<E::ScalarField>(counts, witness, options, retained.is_some());
        let run = Run { key, retained, witness, options, memory, recorder: Recorder::new(), meter };
        // The key's checks have read all of it.
        run.release(&Stage::ALL);
        run
    }

    /// Bounds the memory of all sums as the options say. Plans with the engine, which proofs from sums do without.
    pub fn bounded(self) -> Result<Self, Error> {
        let counts = self.key.counts();
        let memory = match self.options.memory {
            None => self.memory,
            Some(0) => memory::little(counts),
            Some(bytes) => memory::bounded::<E>(counts, K::CONVENTION, bytes)?,
        };
        Ok(Run { memory, ..self })
    }

    /// Gives back the pages of the key that these stages have read, if memory is bounded.
    #[inline(never)]
    pub fn release(&self, stages: &[Stage]) {
        if self.options.memory.is_some() {
            stages.iter().for_each(|&stage| self.key.release(stage));
        }
    }

    /// Returns an error if the caller has cancelled.
    pub fn check(&self) -> Result<(), Error> {
        match self.options.cancel.is_some_and(Cancel::is_cancelled) {
            true => Err(bucketwheel::Error::Cancelled.into()),
            false => Ok(()),
        }
    }

    /// Runs work of a stage on this thread.
    pub fn record<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        self.recorder.record(stage, work)
    }

    pub fn finish(self) -> Trace {
        self.meter.finish();
        self.recorder.finish()
    }

    /// Returns all sums.
    pub fn sums(&self) -> Result<Sums<E>, Error> {
        // Each stage reuses the memory that the arrays of the stage before leave.
        let _room = self.memory.room.and_then(bucketwheel::reserve_memory);
        let first_private = self.key.counts().public + 1;
        if let Some(Retained { a, b, hc }) = self.retained {
            let all = self.witness;
            return self.overlapped(
                || {
                    let private = &self.witness[first_private..];
                    let values = self.quotient_and(private)?;
                    let values = (*values).as_ref();
                    self.msm(Share::whole(&[Stage::H, Stage::C]), |msm| Group::run(msm, hc, values))
                },
                || self.msm(Share::whole(&[Stage::B]), |msm| E::run_pair(msm, (&b.0, &b.1), all)),
                || self.msm(Share::whole(&[Stage::A]), |msm| Group::run(msm, a, all)),
                || Ok(E::G1::zero()),
            );
        }
        let (indices, values) = nonzero(self.witness)?;
        let all = Terms { indices: &indices, values: &values };
        let public = indices.partition_point(|&i| (i as usize) < first_private);
        let private = Terms { indices: &indices[public..], values: &values[public..] };
        let b = || self.pair_sum(Stage::B, all, |i| self.key.b1(i), |i| self.key.b2(i));
        let a = || self.sum(Stage::A, all, |i| self.key.a(i));
        let c = || self.sum(Stage::C, private, |i| self.key.c(i - first_private));
        if self.options.memory.is_none() {
            // H's points have images, which are useless if C's scalars are short.
            return match private.mostly_long() {
                true => self.overlapped(|| self.hc(private), b, a, || Ok(E::G1::zero())),
                false => self.overlapped(|| self.hc(Terms::none()), b, a, c),
            };
        }
        let ((b1, b2), a, c) = (b()?, a()?, c()?);
        // Room for the transforms.
        drop((indices, values));
        bucketwheel::release_memory();
        Ok(Sums { a, b1, b2, c, h: self.hc(Terms::none())? })
    }

    /// Computes the sums over H, over B, and over A and C, in three branches. When only one thread can go on with a
    /// branch, the other threads go on with another branch. A single thread takes the branches in this order.
    fn overlapped(
        &self,
        h: impl FnOnce() -> Result<E::G1, Error> + Send,
        b: impl FnOnce() -> Result<(E::G1, E::G2), Error> + Send,
        a: impl FnOnce() -> Result<E::G1, Error> + Send,
        c: impl FnOnce() -> Result<E::G1, Error> + Send,
    ) -> Result<Sums<E>, Error> {
        let others = || Control::join(b, || Ok::<_, Error>((a()?, c()?)));
        let (h, (b, others)) = Control::join(h, others);
        let ((b1, b2), (a, c)) = (b?, others?);
        Ok(Sums { a, b1, b2, c, h: h? })
    }

    /// Returns the sum over H and over these private terms of C. One MSM has wider windows than two MSMs.
    fn hc(&self, private: Terms<'_>) -> Result<E::G1, Error> {
        let values = self.quotient_and(private.values)?;
        let values = (*values).as_ref();
        let (first_private, quotient) = (self.key.counts().public + 1, values.len() - private.values.len());
        let stages: &[Stage] = if private.values.is_empty() { &[Stage::H] } else { &[Stage::H, Stage::C] };
        let mut sum = E::G1::zero();
        for (pass, part) in values.chunks(self.memory.pass).enumerate() {
            let point = |i: usize| {
                let i = pass * self.memory.pass + i;
                match i.checked_sub(quotient) {
                    None => self.key.h(i),
                    Some(i) => self.key.c(private.indices[i] as usize - first_private),
                }
            };
            let share = Share { stages, part: (part.len(), values.len()) };
            let bases = self.prepare(share, BasesOptions::new(), part.len(), &point)?;
            sum += self.msm(share, |msm| Group::run(msm, &bases, part))?;
        }
        Ok(sum)
    }

    fn sum<C: Group<ScalarField = E::ScalarField>>(
        &self,
        stage: Stage,
        terms: Terms<'_>,
        point: impl Fn(usize) -> Affine<C> + Sync,
    ) -> Result<Projective<C>, Error> {
        let mut sum = Projective::zero();
        for pass in terms.passes(self.memory.pass) {
            let share = Share { stages: &[stage], part: (pass.indices.len(), terms.indices.len()) };
            let bases = self.prepare_terms(share, pass, &point)?;
            sum += self.msm(share, |msm| C::run(msm, &bases, pass.values))?;
        }
        Ok(sum)
    }

    fn pair_sum(
        &self,
        stage: Stage,
        terms: Terms<'_>,
        first: impl Fn(usize) -> E::G1Affine + Sync,
        second: impl Fn(usize) -> E::G2Affine + Sync,
    ) -> Result<(E::G1, E::G2), Error> {
        let stages = &[stage];
        let mut sums = (E::G1::zero(), E::G2::zero());
        for pass in terms.passes(self.memory.pass) {
            let (len, all) = (pass.indices.len(), terms.indices.len());
            let share = |i, of| Share { stages, part: (i * len, of * all) };
            let first = self.prepare_terms(share(1, PAIR), pass, &first)?;
            let second = self.prepare_terms(share(PAIR - 1, PAIR), pass, &second)?;
            let (g1, g2) = self.msm(share(1, 1), |msm| E::run_pair(msm, (&first, &second), pass.values))?;
            sums.0 += g1;
            sums.1 += g2;
        }
        Ok(sums)
    }

    fn prepare_terms<C: Group>(
        &self,
        share: Share<'_>,
        terms: Terms<'_>,
        point: impl Fn(usize) -> Affine<C> + Sync,
    ) -> Result<Bases<C>, Error> {
        let Terms { indices, .. } = terms;
        self.prepare(share, terms.options(), indices.len(), &|i| point(indices[i] as usize))
    }

    fn prepare<C: Group>(
        &self,
        share: Share<'_>,
        options: BasesOptions<'_>,
        len: usize,
        point: &(dyn Fn(usize) -> Affine<C> + Sync),
    ) -> Result<Bases<C>, Error> {
        if self.memory.room.is_none() {
            bucketwheel::release_memory();
        }
        let watch = self.watch(share, Phase::Prepare);
        let options = self.options.cancel.iter().fold(options, |options, cancel| options.cancel(cancel));
        let bases = C::prepare(options.progress(&watch), len, point)?;
        self.release(share.stages);
        Ok(bases)
    }

    /// Runs an MSM that is this share of the proof.
    fn msm<T>(
        &self,
        share: Share<'_>,
        run: impl FnOnce(Msm<'_>) -> Result<T, bucketwheel::Error>,
    ) -> Result<T, Error> {
        let watch = self.watch(share, Phase::Compute);
        let msm = self.options.cancel.iter().fold(Msm::new(), |msm, cancel| msm.cancel(cancel));
        Ok(run(msm.progress(&watch))?)
    }

    pub fn watch(&self, share: Share<'_>, phase: Phase) -> Watch<'_> {
        Watch::new(&self.recorder, &self.meter, share, phase)
    }
}

/// Returns the indices of the nonzero values, and these values.
fn nonzero(witness: &[BigInt<4>]) -> Result<(Vec<u32>, Vec<BigInt<4>>), Error> {
    let there = || witness.iter().enumerate().filter(|(_, value)| !value.is_zero());
    let count = there().count();
    let (mut indices, mut values) = (with_room(count)?, with_room(count)?);
    indices.extend(there().map(|(index, _)| index as u32));
    values.extend(there().map(|(_, value)| value));
    Ok((indices, values))
}
