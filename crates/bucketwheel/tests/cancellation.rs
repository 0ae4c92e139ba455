//! Delay from a cancellation to the end of work. The test is a program of its own because it counts the processor time
//! of the process, which other processes on the machine do not change.

use std::sync::OnceLock;
use std::time::Duration;

use ark_ec::short_weierstrass::Affine;
use ark_ec::AffineRepr;
use ark_ff::UniformRand;
use bucketwheel::*;
use cpu_time::ProcessTime;
use rand::rngs::StdRng;
use rand::SeedableRng;

/// The slowest curve. Of the backends that users meet, the portable one is the slowest.
type Slow = ark_bls12_377::g2::Config;
const BACKEND: Backend = Backend::Portable;

/// Cancels when half of the work is done.
struct AtHalf {
    cancel: Cancel,
    cancelled: OnceLock<ProcessTime>,
}

impl Progress for AtHalf {
    fn report(&self, done: usize, total: usize) {
        if done >= total / 2 {
            self.cancelled.get_or_init(|| {
                self.cancel.cancel();
                ProcessTime::now()
            });
        }
    }
}

/// Checks that `work` ends within 100 ms on each thread after a cancellation at half of its way, and at once if the
/// cancellation came before it.
#[track_caller]
fn ends_soon<T: std::fmt::Debug + PartialEq>(
    threads: usize,
    work: impl Fn(&Cancel, &dyn Progress) -> Result<T, Error>,
) {
    let half = AtHalf { cancel: Cancel::new(), cancelled: OnceLock::new() };
    assert_eq!(work(&half.cancel, &half), Err(Error::Cancelled));
    let delay = half.cancelled.get().expect("it was under way").elapsed();
    assert!(delay < threads as u32 * Duration::from_millis(100), "{delay:?}");

    let start = ProcessTime::now();
    assert_eq!(work(&half.cancel, &half), Err(Error::Cancelled));
    let delay = start.elapsed();
    assert!(delay < threads as u32 * Duration::from_millis(100), "used before: {delay:?}");
}

#[test]
fn cancellation_is_quick() {
    let n = 1 << 14;
    let points = vec![Affine::<Slow>::generator(); n];
    let rng = &mut StdRng::seed_from_u64(9);
    let scalars: Vec<_> = (0..n).map(|_| ark_bls12_377::Fr::rand(rng)).collect();
    let bases = BasesOptions::new().backend(BACKEND).prepare(&points).expect("supported");
    let in_g1 = vec![ark_bls12_377::G1Affine::generator(); 2 * n];
    let edwards = BasesOptions::new().backend(BACKEND).edwards(true);
    for threads in [1, 2] {
        let adders = [AdderKind::Affine, AdderKind::Xyzz, AdderKind::Projective];
        let strategies = adders.map(|adder| (SchedulerKind::Tree, adder)).into_iter();
        let unsorted = [SchedulerKind::ThreeTier, SchedulerKind::Delayed, SchedulerKind::Greedy];
        for (scheduler, adder) in strategies.chain(unsorted.map(|scheduler| (scheduler, AdderKind::Affine))) {
            ends_soon(threads, |cancel, progress| {
                Msm::new()
                    .threads(threads)
                    .scheduler(scheduler)
                    .adder(adder)
                    .cancel(cancel)
                    .progress(progress)
                    .run(&bases, &scalars)
            });
        }
        let prepare = |options: BasesOptions<'_>| options.threads(threads).prepare(&in_g1);
        let bases = prepare(edwards).expect("supported");
        ends_soon(threads, |cancel, progress| {
            let msm = Msm::new().threads(threads).adder(AdderKind::Edwards).cancel(cancel).progress(progress);
            msm.run(&bases, &[&scalars[..], &scalars[..]].concat())
        });
        ends_soon(threads, |cancel, progress| {
            prepare(edwards.cancel(cancel).progress(progress)).map(|bases| bases.len())
        });
        for check in [Check::None, Check::Curve, Check::Subgroup] {
            let options = BasesOptions::new().backend(BACKEND).threads(threads).check(check);
            ends_soon(threads, |cancel, progress| {
                options.cancel(cancel).progress(progress).prepare(&points).map(|bases| bases.len())
            });
        }
    }
}
