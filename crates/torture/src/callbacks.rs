//! Progress callbacks and cancellation that misbehave, from eight threads at once: no sum may be wrong, and the next
//! sum must be right.

use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ark_ec::short_weierstrass::Projective;
use bucketwheel::{Bases, BasesOptions, Cancel, Curve, Error, Msm, Progress, SchedulerKind, StreamOptions};
use rand::seq::IteratorRandom;
use rand::Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::drive::Session;
use crate::inputs::{affine, groups, with_group, Inputs, Vector};
use crate::reference::Point;
use crate::shared::{Random, THREADS};

/// Runs cases.
///
/// # Errors
/// The first failure.
pub fn run(session: &Session, time: Duration) -> Result<String, String> {
    let case = |rng: &mut Random| with_group!(groups().choose(rng).expect("groups"), C => case::<C>(rng));
    session.run("callbacks", "", time, Duration::from_secs(300), case)
}

/// Misbehaviour of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mischief {
    /// The caller's `report` panics.
    PanicInReport,
    /// The caller's `on_thread` panics before it calls its share.
    PanicBefore,
    /// The caller's `on_thread` panics after it has called its share.
    PanicAfter,
    /// The caller's `on_thread` returns at once.
    Lose,
    /// The caller's `on_thread` calls its share twice.
    Twice,
    /// The caller's `on_thread` swallows the panics of its share; one of them comes from the caller's `report`.
    Swallow,
    /// The caller cancels, which is allowed.
    Cancel,
}

/// A caller that misbehaves once, after some calls; a caller that cancels stays cancelled.
struct Caller {
    mischief: Mischief,
    calls_left: AtomicUsize,
    happened: AtomicBool,
    cancel: Cancel,
}

impl Caller {
    fn random(rng: &mut Random) -> Self {
        use Mischief::{Cancel as Cancels, Lose, PanicAfter, PanicBefore, PanicInReport, Swallow, Twice};
        let all = [PanicInReport, PanicBefore, PanicAfter, Lose, Twice, Swallow, Cancels];
        let most = if rng.gen() { 4 } else { 60 };
        Caller {
            mischief: all[rng.gen_range(0..all.len())],
            calls_left: AtomicUsize::new(rng.gen_range(0..most)),
            happened: AtomicBool::new(false),
            cancel: Cancel::new(),
        }
    }

    /// Returns true if this is the call to misbehave in.
    fn now(&self) -> bool {
        let left =
            self.calls_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.is_err() && !self.happened.swap(true, Ordering::Relaxed)
    }

    /// Returns true if a call with this caller may have this outcome.
    fn explains(&self, outcome: &Result<Result<Point, Error>, ()>, expected: &Point) -> bool {
        use Mischief::{Cancel as Cancels, Lose, PanicAfter, PanicBefore, PanicInReport, Swallow};
        let happened = self.happened.load(Ordering::Relaxed);
        match outcome {
            Ok(Ok(sum)) => sum == expected,
            Ok(Err(Error::Cancelled)) => happened && self.mischief == Cancels,
            Ok(Err(Error::ShareLost)) => happened && [Lose, Swallow].contains(&self.mischief),
            Ok(Err(_)) => false,
            // A report may also come from outside of a share, where nobody swallows its panic.
            Err(()) => happened && [PanicInReport, PanicBefore, PanicAfter, Swallow].contains(&self.mischief),
        }
    }
}

impl Progress for Caller {
    fn report(&self, done: usize, total: usize) {
        assert!(done <= total, "{done} of {total} steps are done");
        match self.mischief {
            Mischief::PanicInReport | Mischief::Swallow if self.now() => panic!("meant to be"),
            Mischief::Cancel if self.now() => self.cancel.cancel(),
            _ => {}
        }
    }

    fn on_thread(&self, share: &mut dyn FnMut()) {
        match self.mischief {
            Mischief::PanicBefore if self.now() => panic!("meant to be"),
            Mischief::PanicAfter if self.now() => {
                share();
                panic!("meant to be");
            }
            Mischief::Lose if self.now() => {}
            Mischief::Twice if self.now() => (0..2).for_each(|_| share()),
            Mischief::Swallow => drop(catch_unwind(AssertUnwindSafe(share))),
            _ => share(),
        }
    }
}

fn case<C: Curve>(rng: &mut Random) {
    let n = rng.gen_range(1..3000);
    let outside = false;
    let (inputs, vector) = (Inputs::<C>::random(n, outside, rng), Vector::<C::ScalarField>::random(n, rng));
    let expected = inputs.sum(&vector.values);
    let bases = BasesOptions::new().prepare(&inputs.points).expect("valid points");
    let seeds: Vec<u64> = (0..THREADS).map(|_| rng.gen()).collect();
    let checked = std::thread::scope(|scope| {
        let call = |seed| attempt(&inputs, &vector, &bases, &expected, &mut Random::seed_from_u64(seed));
        let threads: Vec<_> = seeds.iter().map(|&seed| scope.spawn(move || call(seed))).collect();
        threads.into_iter().map(|thread| thread.join().expect("panics are caught")).collect::<Vec<_>>()
    });
    for outcome in checked {
        outcome.unwrap_or_else(|failure| panic!("{}, {n} points: {failure}", std::any::type_name::<C>()));
    }
    let again = Msm::new().run(&bases, vector.scalars()).map(affine);
    assert_eq!(again, Ok(expected), "the next sum of {}", std::any::type_name::<C>());
}

/// Makes one call that goes wrong, and then another call with the same data.
fn attempt<C: Curve>(
    inputs: &Inputs<C>,
    vector: &Vector<C::ScalarField>,
    bases: &Bases<C>,
    expected: &Point,
    rng: &mut Random,
) -> Result<(), String> {
    let caller = Caller::random(rng);
    let scheduler = SchedulerKind::ALL[rng.gen_range(0..SchedulerKind::ALL.len())];
    let plain = Msm::new().scheduler(scheduler).threads(rng.gen_range(1..=THREADS));
    let plain = if rng.gen() { plain.window(rng.gen_range(4..12)) } else { plain };
    let msm = plain.cancel(&caller.cancel).progress(&caller);
    let what = ["an MSM", "a preparation", "a stream"][rng.gen_range(0..3)];
    let prepare =
        || BasesOptions::new().cancel(&caller.cancel).progress(&caller).copies(3).prepare(&inputs.points);
    let run = || match what {
        "an MSM" => msm.run(bases, vector.scalars()),
        "a preparation" => plain.run(&prepare()?, vector.scalars()),
        _ => streamed(msm, inputs, vector),
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| run().map(affine))).map_err(drop);
    if !caller.explains(&outcome, expected) {
        return Err(format!("{what} by {scheduler} with {:?} came to {outcome:?}", caller.mischief));
    }
    let next = plain.run(bases, vector.scalars()).map(affine);
    match next.as_ref() == Ok(expected) {
        true => Ok(()),
        false => Err(format!("after {what} with {:?}, the next sum is {next:?}", caller.mischief)),
    }
}

/// Runs a stream in two parts, whose caller continues after errors and panics: if there is a sum in the end, it must be
/// right.
fn streamed<C: Curve>(
    msm: Msm<'_>,
    inputs: &Inputs<C>,
    vector: &Vector<C::ScalarField>,
) -> Result<Projective<C>, Error> {
    let (n, half) = (inputs.points.len(), inputs.points.len() / 2);
    let mut stream = msm.start::<C>(StreamOptions::new().points(n))?;
    let parts = [0..half, half..n].map(|part| {
        catch_unwind(AssertUnwindSafe(|| {
            stream.update(&inputs.points[part.clone()], vector.part(part))?;
            stream.flush()
        }))
    });
    let finished = catch_unwind(AssertUnwindSafe(|| stream.finish()));
    if let Ok(Ok(sum)) = finished {
        return Ok(sum);
    }
    let [first, second] = parts.map(|part| part.unwrap_or_else(|panic| resume_unwind(panic)));
    first.and(second).and(finished.unwrap_or_else(|panic| resume_unwind(panic)))
}
