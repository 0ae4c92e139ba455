//! Errors of models, and their messages.

use std::sync::Mutex;

use bucketwheel::{Cancel, Control, Progress};
use bucketwheel_hardware::{cyclone, gypsophila, msmac, reclaimer, Error, Model, Scalar};
use proptest::prelude::*;

use crate::model;

fn error<M: Model>(settings: &[(&str, &str)], points: usize, scalars: &[Scalar]) -> String {
    let outcome = model::<M>(settings).and_then(|model| {
        model
            .simulate(&vec![(); points], &[scalars], &Control::new(None, None, None))
            .map(|outcome| outcome.report)
    });
    outcome.err().map(|error| error.to_string()).unwrap_or_else(|| panic!("{settings:?} is fine"))
}

fn refuses<M: Model>(settings: &[(&str, &str)], expected: &str) {
    let found = error::<M>(settings, 0, &[]);
    assert!(found.contains(expected), "{settings:?}: {found:?} without {expected:?}");
    assert!(found.contains("expected") || found.contains("cannot be"), "{found:?}");
}

#[test]
fn parameters() {
    refuses::<cyclone::Parameters>(&[("windows", "3")], "cyclone has no parameter windows");
    refuses::<cyclone::Parameters>(&[("window", "1")], "parameter window is 1: expected 2 to 24");
    refuses::<cyclone::Parameters>(&[("window", "99")], "parameter window is 99");
    refuses::<cyclone::Parameters>(&[("window", "-1")], "parameter window of cyclone cannot be \"-1\"");
    refuses::<cyclone::Parameters>(&[("window", "wide")], "cannot be \"wide\"");
    refuses::<cyclone::Parameters>(&[("link_efficiency", "0")], "link_efficiency is 0");
    refuses::<cyclone::Parameters>(&[("link_efficiency", "1.01")], "link_efficiency is 1.01");
    refuses::<cyclone::Parameters>(&[("clock_mhz", "0")], "clock_mhz is 0");
    refuses::<cyclone::Parameters>(&[("pipeline_stages", "0")], "pipeline_stages is 0");
    refuses::<cyclone::Parameters>(
        &[("segments", "24")],
        "segments is 24: expected a power of two up to 16384",
    );
    refuses::<msmac::Parameters>(
        &[("segments", "4"), ("window", "3")],
        "segments is 4: expected a power of two up to 2",
    );
    refuses::<gypsophila::Parameters>(&[("banks", "3")], "banks is 3: expected a power of two");
    refuses::<gypsophila::Parameters>(&[("banks", "128")], "banks is 128");
    refuses::<gypsophila::Parameters>(&[("pes", "0")], "pes is 0");
    refuses::<gypsophila::Parameters>(
        &[("pes", "1024"), ("window", "24")],
        "window is 24: expected 1024 processing",
    );
    refuses::<gypsophila::Parameters>(&[("collision_queue", "0")], "collision_queue is 0");
    refuses::<msmac::Parameters>(
        &[("window", "14")],
        "window is 14: expected 4 processing elements to have no more",
    );
    refuses::<msmac::Parameters>(&[("pes", "5")], "window is 13: expected 5 processing elements");
    refuses::<msmac::Parameters>(&[("cards", "0")], "cards is 0");
    refuses::<msmac::Parameters>(&[("conflict_depth", "256")], "conflict_depth is 256: expected 296 to");
    refuses::<msmac::Parameters>(
        &[("window", "18"), ("card_buckets", "1000000000"), ("pes", "1")],
        "window is 18: expected a program that fits",
    );
    refuses::<reclaimer::Parameters>(&[("banks", "3")], "banks is 3: expected a power of two");
    refuses::<reclaimer::Parameters>(&[("chains", "32")], "chains is 32: expected at least 40");
    refuses::<reclaimer::Parameters>(
        &[("batch", "1000")],
        "batch is 1000: expected a multiple of the 64 chains",
    );
    refuses::<reclaimer::Parameters>(
        &[("batch", "512")],
        "batch is 512: expected at least 872, because the root",
    );
    refuses::<reclaimer::Parameters>(&[("adders", "9")], "batch is 1024: expected at least");
    refuses::<reclaimer::Parameters>(
        &[("adders", "20"), ("window", "24"), ("batch", "8192")],
        "window is 24: expected 20 adders to have no more",
    );
}

#[test]
fn curves() {
    refuses::<cyclone::Parameters>(
        &[("curve", "bn254")],
        "cyclone does not compute on bn254: expected bls12-377",
    );
    refuses::<msmac::Parameters>(
        &[("curve", "bls12-377")],
        "msmac does not compute on bls12-377: expected bn254",
    );
    refuses::<gypsophila::Parameters>(&[("curve", "bls12-381")], "gypsophila does not compute on bls12-381");
    refuses::<gypsophila::Parameters>(&[("curve", "secp256k1")], "cannot be \"secp256k1\"");
}

/// Two parameters have any values, the others their defaults except a small window. The result must be a simulation or
/// an error.
fn any_values<M: Model>(numbers: [usize; 2], values: [&str; 2]) {
    let names: Vec<String> =
        serde_json::to_value(M::default()).unwrap().as_object().unwrap().keys().cloned().collect();
    let [first, second] = numbers.map(|number| names[number % names.len()].as_str());
    let settings = [("window", "4"), (first, values[0]), (second, values[1])];
    let scalars = [[1, 2, 3, 4], [0; 4], [5, 0, 0, 0], [1, 2, 3, 4]];
    let outcome = model::<M>(&settings)
        .and_then(|model| model.simulate(&[(); 4], &[&scalars], &Control::new(None, None, None)));
    match outcome {
        Ok(outcome) => assert!(outcome.report.cycles > 0),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
    let empty = model::<M>(&settings)
        .and_then(|model| model.simulate::<()>(&[], &[], &Control::new(None, None, None)));
    assert!(empty.is_err() || empty.unwrap().sums.is_empty());
}

proptest! {
    #[test]
    fn any_parameters(numbers: [usize; 2], values in [value(), value()]) {
        any_values::<cyclone::Parameters>(numbers, values);
        any_values::<msmac::Parameters>(numbers, values);
        any_values::<gypsophila::Parameters>(numbers, values);
        any_values::<reclaimer::Parameters>(numbers, values);
    }
}

fn value() -> impl Strategy<Value = &'static str> {
    const VALUES: [&str; 14] = [
        "0",
        "1",
        "2",
        "3",
        "8",
        "11",
        "100",
        "4000",
        "0.5",
        "-1",
        "1e300",
        "18446744073709551615",
        "true",
        "x",
    ];
    proptest::sample::select(&VALUES[..])
}

#[test]
fn inputs() {
    let small = [("channel_bytes", "640"), ("window", "4")];
    assert!(error::<cyclone::Parameters>(&small, 11, &[[0; 4]; 11])
        .contains("11 points are too many: expected at most 10"));
    let few = error::<cyclone::Parameters>(&[("window", "4")], 3, &[[0; 4]; 2]);
    assert!(few.contains("task 0 has 2 scalars: expected 3"), "{few}");
    let long = error::<gypsophila::Parameters>(&[("window", "4")], 2, &[[0; 4], [0, 0, 0, 1 << 61]]);
    assert!(long.contains("scalar 1 of task 0 is too long: expected at most 253 bits"), "{long}");
    let sub_task = [("sub_task", "11"), ("buffer_bytes", "960"), ("window", "4")];
    assert!(error::<msmac::Parameters>(&sub_task, 1, &[[0; 4]]).contains("11 points are too many"));
    let many = [("sub_task", "1"), ("pes", "1"), ("window", "4")];
    assert!(error::<msmac::Parameters>(&many, 1025, &[[0; 4]; 1025])
        .contains("1025 points are too many: expected at most 1024, the sub-tasks of all"));
}

#[test]
fn cancellation() {
    let cancel = Cancel::new();
    cancel.cancel();
    fn run<M: Model>(cancel: &Cancel) -> Error {
        let scalars = [[1, 2, 3, 4]; 10];
        let model = model::<M>(&[("window", "4")]).unwrap();
        model.simulate(&[(); 10], &[&scalars], &Control::new(None, Some(cancel), None)).unwrap_err()
    }
    assert_eq!(run::<cyclone::Parameters>(&cancel), Error::Cancelled);
    assert_eq!(run::<gypsophila::Parameters>(&cancel), Error::Cancelled);
    assert_eq!(run::<msmac::Parameters>(&cancel), Error::Cancelled);
    assert_eq!(run::<reclaimer::Parameters>(&cancel), Error::Cancelled);
}

#[test]
fn progress_comes_to_its_end() {
    #[derive(Default)]
    struct Last(Mutex<(usize, usize)>);
    impl Progress for Last {
        fn report(&self, done: usize, total: usize) {
            let mut last = self.0.lock().unwrap();
            *last = (*last).max((done, total));
        }
    }
    fn run<M: Model>(settings: &[(&str, &str)]) -> (usize, usize) {
        let (scalars, last) = ([[1, 2, 3, 4]; 10], Last::default());
        let control = Control::new(None, None, Some(&last));
        model::<M>(settings).unwrap().simulate(&[(); 10], &[&scalars, &scalars], &control).unwrap();
        last.0.into_inner().unwrap()
    }
    // Two tasks of 10 points; scalars of 253 bits have 64 windows of 4 bits.
    assert_eq!(run::<cyclone::Parameters>(&[("window", "4")]), (1280, 1280));
    assert_eq!(run::<msmac::Parameters>(&[("window", "4")]), (20, 20));
    assert_eq!(run::<reclaimer::Parameters>(&[("window", "4")]), (1280, 1280));
    for aggregation in ["true", "false"] {
        let settings = [("window", "4"), ("pes", "1"), ("count_aggregation", aggregation)];
        assert_eq!(run::<gypsophila::Parameters>(&settings), (1280, 1280));
    }
}
