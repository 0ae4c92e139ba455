//! The runtime: tasks complete even if elements fail.

use std::sync::Arc;
use std::time::Duration;

use ark_bn254::g1::Config;
use ark_bn254::G1Projective;
use ark_ec::CurveGroup;
use bucketwheel::Control;
use bucketwheel_hardware::msmac::Parameters;
use bucketwheel_hardware::runtime::{Element, Options, Runtime, RuntimeError};
use bucketwheel_hardware::{Model, Scalar};

use crate::points::{points, reference};
use crate::uniform;

/// Returns an element that runs the cycle model of MSMAC's processing element.
fn model() -> Element<G1Projective> {
    let parameters = Parameters { window: 4, cards: 1, pes: 1, sub_task: 1 << 20, ..Parameters::default() };
    Box::new(move |part| {
        let outcome = parameters.simulate(part.points, &[part.scalars], &Control::new(None, None, None));
        outcome.map(|outcome| outcome.sums[0]).map_err(|error| error.to_string())
    })
}

/// Returns an element that fails every `period`-th sub-task.
fn failing(
    period: u32,
    how: impl Fn() -> Result<G1Projective, String> + Send + 'static,
) -> Element<G1Projective> {
    let mut inner = model();
    let mut count = 0;
    Box::new(move |part| {
        count += 1;
        match count % period {
            0 => how(),
            _ => inner(part),
        }
    })
}

fn stuck() -> Result<G1Projective, String> {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

const OPTIONS: Options =
    Options { sub_task: 16, time_limit: Duration::from_secs(60), failures: 1000, attempts: 1000 };

type Input = (Arc<[G1Projective]>, Arc<[Scalar]>);

fn tasks() -> Vec<Input> {
    let sizes = [100, 0, 1, 16, 17, 250].into_iter().zip(0..);
    sizes
        .map(|(n, seed)| (points::<Config>(n, seed).into(), uniform::<ark_bn254::Fr>(n, seed).into()))
        .collect()
}

/// Runs all tasks at the same time and checks their results.
fn check(
    elements: Vec<Element<G1Projective>>,
    options: Options,
) -> bucketwheel_hardware::runtime::Statistics {
    let mut runtime = Runtime::new(elements, options);
    let tasks = tasks();
    let tickets: Vec<_> = tasks
        .iter()
        .map(|(points, scalars)| runtime.submit(points.clone(), scalars.clone()).unwrap())
        .collect();
    for (i, (ticket, (points, scalars))) in tickets.into_iter().zip(&tasks).enumerate() {
        assert_eq!(ticket.id, i as u64);
        assert_eq!(ticket.wait().unwrap().into_affine(), reference(points, scalars), "task {i}");
    }
    runtime.statistics()
}

#[test]
fn tasks_run_side_by_side() {
    for elements in [1, 2, 5] {
        let statistics = check((0..elements).map(|_| model()).collect(), OPTIONS);
        // 7 + 1 + 1 + 1 + 2 + 16 sub-tasks.
        assert_eq!(statistics.computed.iter().sum::<u64>(), 28);
        assert!(statistics.computed.iter().all(|&count| count > 0), "in turn: {statistics:?}");
        assert_eq!((statistics.failures, statistics.stuck), (0, 0));
    }
}

/// Elements may be cycle models or the CPU.
#[test]
fn elements_of_different_kinds_work_together() {
    let cpu: Element<G1Projective> = Box::new(|part| Ok(reference(part.points, part.scalars).into()));
    let statistics = check(vec![model(), cpu], OPTIONS);
    assert!(statistics.computed.iter().all(|&count| count > 0));
}

#[test]
fn failures_lose_nothing() {
    let error = || Err("a bit flipped".to_owned());
    let statistics =
        check(vec![model(), failing(2, error), failing(3, || panic!("it is only a test"))], OPTIONS);
    assert!(statistics.failures > 0 && statistics.computed.iter().sum::<u64>() == 28, "{statistics:?}");
    // The runtime gives up an element that only fails, so all sub-tasks go to the other element.
    let statistics = check(vec![failing(1, error), model()], Options { failures: 3, ..OPTIONS });
    assert_eq!((statistics.failures, statistics.computed), (3, vec![0, 28]));
}

#[test]
fn stuck_elements_lose_nothing() {
    let options = Options { time_limit: Duration::from_secs(2), ..OPTIONS };
    let statistics = check(vec![failing(1, stuck), model(), failing(3, stuck)], options);
    assert!(statistics.stuck >= 1 && statistics.computed[0] == 0, "{statistics:?}");
    assert_eq!(statistics.computed.iter().sum::<u64>(), 28);
}

#[test]
fn what_cannot_be_computed_is_an_error() {
    let error = || Err("a bit flipped".to_owned());
    let (points, scalars) = tasks().swap_remove(0);
    let outcome = |elements: Vec<Element<G1Projective>>, options| {
        Runtime::new(elements, options).submit(points.clone(), scalars.clone()).unwrap().wait()
    };
    let failed = RuntimeError::Failed { attempts: 4, reason: "a bit flipped".to_owned() };
    assert_eq!(
        outcome(vec![failing(1, error), failing(1, error)], Options { attempts: 4, ..OPTIONS }),
        Err(failed)
    );
    assert_eq!(
        outcome(vec![failing(1, error)], Options { failures: 2, ..OPTIONS }),
        Err(RuntimeError::NoElements)
    );
    assert_eq!(outcome(Vec::new(), OPTIONS), Err(RuntimeError::NoElements));
    let one: Arc<[Scalar]> = vec![[1, 0, 0, 0]].into();
    let count = Runtime::new(vec![model()], OPTIONS).submit(points.clone(), one).unwrap_err();
    assert_eq!(count, RuntimeError::Count { points: 100, scalars: 1 });
}
