//! Counts of schedulers over random points.

use bucketwheel::{Cancel, Control, Error, SchedulerKind};
use bucketwheel_dynamic::schedule::Schedule;

const SCHEDULE: Schedule = Schedule {
    scheduler: SchedulerKind::Delayed,
    buckets: 1 << 10,
    distinct: 1 << 10,
    points: 1 << 16,
    batch: 16,
    pipeline: false,
    lanes: 8,
    seed: 3,
};

#[test]
fn every_point_but_a_buckets_first_is_an_addition() {
    for &scheduler in SchedulerKind::ALL {
        let counts = Schedule { scheduler, ..SCHEDULE }.count(&Control::new(None, None, None)).unwrap();
        assert_eq!(counts.additions, (1 << 16) - (1 << 10), "{scheduler}");
        assert!(counts.copies <= 1 << 10, "{scheduler}");
        assert!(counts.groups * 8 >= counts.additions && counts.batches <= counts.groups, "{scheduler}");
        assert_eq!(counts.mean_batch(), counts.additions as f64 / counts.batches as f64);
    }
}

#[test]
fn points_collide_as_often_as_the_buckets_are_in_use() {
    // Of n points, this number meets a bucket that one of the T points before is in. In a batch, half of them do on average.
    let count = |pipeline| {
        let counts = Schedule { pipeline, ..SCHEDULE }.count(&Control::new(None, None, None)).unwrap();
        counts.statistics.collisions as f64 / (1 << 16) as f64
    };
    let expected = 16.0 / 1024.0;
    assert!((count(true) / expected - 1.0).abs() < 0.1, "{}", count(true));
    assert!((count(false) / expected - 0.5).abs() < 0.1, "{}", count(false));
}

#[test]
fn it_can_be_cancelled() {
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(SCHEDULE.count(&Control::new(None, Some(&cancel), None)), Err(Error::Cancelled));
}
