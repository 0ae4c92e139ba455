//! One suite for all schedulers: it executes schedules on integers and watches for dependencies.

use std::collections::{HashMap, HashSet};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;

/// Sums up integers instead of points; checks each batch.
#[derive(Default)]
struct Model {
    values: HashMap<Ref, i64>,
    additions: usize,
    batches: usize,
}

impl Model {
    fn value(&self, point: Ref) -> i64 {
        match point.place() {
            // Distinct powers would overflow; squares make sums of different sets differ in practice.
            Place::Input => (point.index() as i64 + 1).pow(2) * if point.is_negative() { -1 } else { 1 },
            _ => {
                assert!(!point.is_negative(), "only inputs have a sign");
                *self.values.get(&point).expect("read before it was written")
            }
        }
    }
}

impl Sink for Model {
    fn add(&mut self, batch: &[Addition]) {
        assert!(!batch.is_empty());
        let mut written = HashSet::new();
        for addition in batch {
            assert_ne!(addition.destination.place(), Place::Input);
            assert!(written.insert(addition.destination), "two additions write {:?}", addition.destination);
        }
        for (i, addition) in batch.iter().enumerate() {
            for point in [addition.left, addition.right] {
                let foreign = written.contains(&point) && point != batch[i].destination;
                assert!(!foreign, "{addition:?} reads what another addition of its batch writes");
            }
        }
        let sums: Vec<i64> = batch.iter().map(|a| self.value(a.left) + self.value(a.right)).collect();
        for (addition, sum) in batch.iter().zip(sums) {
            self.values.insert(addition.destination, sum);
        }
        self.additions += batch.len();
        self.batches += 1;
    }

    fn copy(&mut self, destination: Ref, source: Ref) {
        let value = self.value(source);
        self.values.insert(destination, value);
    }
}

/// Runs `scheduler` on points that fall into the buckets `of`, and compares every bucket's sum.
fn check<S: Scheduler>(scheduler: &mut S, of: &[u32]) -> Model {
    let mut order: Vec<usize> = (0..of.len()).collect();
    if scheduler.needs_sorted() {
        order.sort_by_key(|&i| of[i]);
    }
    let points: Vec<Ref> = order.iter().map(|&i| Ref::input(i, i % 3 == 0)).collect();
    let mut runs: Vec<Run> = Vec::new();
    for &i in &order {
        match runs.last_mut() {
            Some(run) if run.bucket == of[i] => run.len += 1,
            _ => runs.push(Run { bucket: of[i], len: 1 }),
        }
    }
    let mut model = Model::default();
    scheduler.schedule(Work { points: &points, runs: &runs }, &mut model);
    let mut expected = HashMap::new();
    for point in &points {
        *expected.entry(of[point.index()]).or_insert(0) += model.value(*point);
    }
    for (&bucket, &sum) in &expected {
        assert_eq!(model.values.get(&Ref::bucket(bucket as usize)), Some(&sum), "bucket {bucket}");
    }
    assert_eq!(model.additions, of.len() - expected.len(), "one addition less than points, bucket by bucket");
    for place in model.values.keys() {
        match place.place() {
            Place::Temporary => assert!(place.index() < of.len().max(1)),
            _ => {
                assert!(expected.contains_key(&(place.index() as u32)), "a bucket without points was written")
            }
        }
    }
    model
}

fn suite<S: Scheduler>(scheduler: &mut S) {
    check(scheduler, &[]);
    check(scheduler, &[5]);
    let mut rng = StdRng::seed_from_u64(1);
    for n in [2, 3, 7, 64, 1000] {
        check(scheduler, &vec![3; n]);
        check(scheduler, &(0..n as u32).collect::<Vec<_>>());
        for buckets in [2, 10, 500] {
            check(scheduler, &(0..n).map(|_| rng.gen_range(0..buckets)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn serial() {
    suite(&mut Serial::default());
}

#[test]
fn tree() {
    suite(&mut Tree::default());
}

#[test]
fn a_tree_is_as_low_as_can_be() {
    for (n, levels) in [(2, 1), (3, 2), (4, 2), (5, 3), (1024, 10), (1025, 11)] {
        assert_eq!(check(&mut Tree::default(), &vec![0; n]).batches, levels);
    }
}

#[test]
fn refs_keep_what_they_are_made_of() {
    for index in [0, 1, Ref::MAX_INDEX - 1] {
        assert_eq!(Ref::input(index, true).index(), index);
        assert!(Ref::input(index, true).is_negative() && !Ref::input(index, false).is_negative());
        assert_eq!(Ref::input(index, true).place(), Place::Input);
        assert_eq!((Ref::bucket(index).place(), Ref::bucket(index).index()), (Place::Bucket, index));
        assert_eq!((Ref::temporary(index).place(), Ref::temporary(index).index()), (Place::Temporary, index));
    }
}
