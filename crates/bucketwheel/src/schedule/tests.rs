//! One suite for all schedulers: it executes schedules on integers and watches for dependencies.

use std::collections::{HashMap, HashSet};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::SchedulerKind;

/// Sums up integers instead of points; checks each batch.
#[derive(Default)]
struct Model {
    values: HashMap<Ref, i64>,
    /// The additions of each batch.
    batches: Vec<usize>,
    copies: usize,
    temporaries: usize,
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

    fn write(&mut self, destination: Ref, value: i64) {
        assert_ne!(destination.place(), Place::Input);
        if destination.place() == Place::Temporary {
            self.temporaries = self.temporaries.max(destination.index() + 1);
        }
        self.values.insert(destination, value);
    }

    fn additions(&self) -> usize {
        self.batches.iter().sum()
    }
}

impl Sink for Model {
    fn add(&mut self, batch: &[Addition]) {
        assert!(!batch.is_empty());
        let mut written = HashSet::new();
        for addition in batch {
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
            self.write(addition.destination, sum);
        }
        self.batches.push(batch.len());
    }

    fn copy(&mut self, destination: Ref, source: Ref) {
        self.write(destination, self.value(source));
        self.copies += 1;
    }
}

/// Runs `scheduler` on points that fall into the buckets `of`, at most `portion` points at a time, and compares every
/// bucket's sum.
fn check(scheduler: &mut dyn Scheduler, of: &[u32], portion: usize) -> Model {
    let mut order: Vec<usize> = (0..of.len()).collect();
    let mut portion = portion;
    if scheduler.needs_sorted() {
        order.sort_by_key(|&i| of[i]);
        portion = of.len().max(1);
    }
    let mut model = Model::default();
    for order in order.chunks(portion) {
        let points: Vec<Ref> = order.iter().map(|&i| Ref::input(i, i % 3 == 0)).collect();
        let mut runs: Vec<Run> = Vec::new();
        for &i in order {
            match runs.last_mut() {
                Some(run) if run.bucket == of[i] => run.len += 1,
                _ => runs.push(Run { bucket: of[i], len: 1 }),
            }
        }
        scheduler.schedule(Work { points: &points, runs: &runs }, &mut model);
    }
    scheduler.finish(&mut model);
    let mut expected = HashMap::new();
    for (i, &bucket) in of.iter().enumerate() {
        *expected.entry(bucket).or_insert(0) += model.value(Ref::input(i, i % 3 == 0));
    }
    let found = model.values.iter().filter(|(place, _)| place.place() == Place::Bucket);
    assert_eq!(found.map(|(bucket, &sum)| (bucket.index() as u32, sum)).collect::<HashMap<_, _>>(), expected);
    assert_eq!(
        model.additions(),
        of.len() - expected.len(),
        "one addition less than points, bucket by bucket"
    );
    assert!(model.temporaries <= scheduler.temporaries(portion), "{} temporaries", model.temporaries);
    model
}

/// Bound of the indices of buckets in the tests.
const BUCKETS: usize = 1000;
const BATCHES: [usize; 5] = [1, 2, 8, 50, 1024];

fn all() -> impl Iterator<Item = (SchedulerKind, usize, Box<dyn Scheduler>)> {
    let kinds = SchedulerKind::ALL.iter();
    kinds.flat_map(|&kind| BATCHES.map(|batch| (kind, batch, kind.scheduler(batch, BUCKETS))))
}

/// Returns the buckets of n points, in orders that are hard on one scheduler or another.
fn orders(n: u32) -> Vec<Vec<u32>> {
    let rng = &mut StdRng::seed_from_u64(u64::from(n));
    let mut orders: Vec<Vec<u32>> = vec![
        vec![3; n as usize],
        (0..n).map(|i| i % BUCKETS as u32).collect(),
        (0..n).rev().map(|i| i % BUCKETS as u32).collect(),
        // Two, eight or nine buckets by turns; pairs; long runs; one bucket among all others.
        (0..n).map(|i| i % 2).collect(),
        (0..n).map(|i| i % 8).collect(),
        (0..n).map(|i| i % 9).collect(),
        (0..n).map(|i| i / 2 % BUCKETS as u32).collect(),
        (0..n).map(|i| i / 100).collect(),
        (0..n).map(|i| if i % 2 == 0 { 7 } else { i % BUCKETS as u32 }).collect(),
        // First all buckets different, then all equal, and the other way round.
        (0..n).map(|i| if i < n / 2 { i % BUCKETS as u32 } else { 5 }).collect(),
        (0..n).map(|i| if i < n / 2 { 5 } else { i % BUCKETS as u32 }).collect(),
    ];
    for buckets in [2, 10, 500, BUCKETS as u32] {
        orders.push((0..n).map(|_| rng.gen_range(0..buckets)).collect());
        // Small indices occur more often.
        let mut skewed = || {
            let below = rng.gen_range(1..=buckets);
            rng.gen_range(0..below)
        };
        orders.push((0..n).map(|_| skewed()).collect());
    }
    orders
}

#[test]
fn every_point_reaches_its_bucket_once() {
    for (kind, batch, mut scheduler) in all() {
        check(&mut *scheduler, &[], 1);
        check(&mut *scheduler, &[5], 1);
        for n in [2, 3, 7, 64, 1000] {
            for (i, of) in orders(n).iter().enumerate() {
                println!("{kind}, batches of {batch}, {n} points, order {i}");
                check(&mut *scheduler, of, [1, 10, 64, 5000][i % 4]);
            }
        }
    }
}

#[test]
fn a_tree_is_as_low_as_can_be() {
    for (n, levels) in [(2, 1), (3, 2), (4, 2), (5, 3), (1024, 10), (1025, 11)] {
        assert_eq!(check(&mut Tree::default(), &vec![0; n], n).batches.len(), levels);
    }
}

/// Returns the collisions and passes by the definition of `delayed`: a point that meets its bucket in use comes again
/// in the next pass. `in_use(then, now)` is true if a bucket that was used in slot `then` of a pass is in use in slot
/// `now`.
fn collisions(of: &[u32], in_use: impl Fn(usize, usize) -> bool) -> (u64, u64) {
    let (mut collisions, mut passes) = (0, 0);
    let mut occupied = HashSet::new();
    let mut points = of.to_vec();
    while !points.is_empty() || passes == 0 {
        let (mut slot, mut last_use) = (0, HashMap::new());
        points.retain(|bucket| {
            if occupied.insert(*bucket) {
                return false;
            }
            let collides = last_use.get(bucket).is_some_and(|&then| in_use(then, slot));
            if !collides {
                last_use.insert(*bucket, slot);
            }
            slot += 1;
            collides
        });
        collisions += points.len() as u64;
        passes += 1;
    }
    (collisions, passes)
}

#[test]
fn delayed_collides_as_defined() {
    for slots in BATCHES {
        for of in orders(1000) {
            let mut batches = Delayed::new(slots, BUCKETS, Overlap::Batch);
            let model = check(&mut batches, &of, 100);
            assert!(model.batches.iter().all(|&len| len <= slots));
            let Statistics { collisions: found, passes, .. } = batches.statistics();
            assert_eq!((found, passes), collisions(&of, |then, now| then / slots == now / slots));

            let mut pipeline = Delayed::new(slots, BUCKETS, Overlap::Pipeline);
            check(&mut pipeline, &of, 100);
            let Statistics { collisions: found, passes, .. } = pipeline.statistics();
            // Condition (3) of the paper.
            assert_eq!((found, passes), collisions(&of, |then, now| now - then <= slots));
        }
    }
}

/// Full buckets take no copies; slots that pass idle free buckets, and are counted.
#[test]
fn delayed_counts_slots() {
    for slots in BATCHES {
        for of in orders(300) {
            for idle in [0, 1, slots as u64] {
                let mut scheduler = Delayed::new(slots, BUCKETS, Overlap::Pipeline).with_full_buckets();
                let mut model = Model::default();
                model.values.extend((0..BUCKETS).map(|bucket| (Ref::bucket(bucket), 0)));
                for (i, &bucket) in of.iter().enumerate() {
                    let points = [Ref::positive(i)];
                    scheduler.schedule(Work { points: &points, runs: &[Run { bucket, len: 1 }] }, &mut model);
                    scheduler.idle(idle, &mut model);
                }
                scheduler.finish(&mut model);
                assert_eq!((model.additions(), model.copies), (of.len(), 0));
                let Statistics { collisions, passes, .. } = scheduler.statistics();
                let n = of.len() as u64;
                assert_eq!(scheduler.elapsed(), n * (1 + idle) + collisions + passes * slots as u64);
                if idle == slots as u64 {
                    assert_eq!(collisions, 0);
                }
                for bucket in 0..BUCKETS as u32 {
                    let own = (0..of.len()).filter(|&i| of[i] == bucket);
                    let sum: i64 = own.map(|i| model.value(Ref::positive(i))).sum();
                    assert_eq!(model.values[&Ref::bucket(bucket as usize)], sum);
                }
            }
        }
    }
}

/// A pass adds at least one of T points.
#[test]
fn delayed_passes_are_bounded() {
    for slots in BATCHES {
        for of in orders(1000) {
            let mut scheduler = Delayed::new(slots, BUCKETS, Overlap::Batch);
            check(&mut scheduler, &of, of.len());
            let Statistics { passes, waiting, .. } = scheduler.statistics();
            assert!(passes as f64 <= 1.0 + slots as f64 * (1.0 + (of.len() as f64).ln()), "{passes} passes");
            assert!(waiting <= of.len() - of.len() / slots.max(2));
        }
    }
}

/// For any points, all batches of `greedy` except a few at the end are full, and few points wait.
#[test]
fn greedy_batches_are_full() {
    for batch in BATCHES {
        for n in [64, 1000, 5000] {
            for of in orders(n) {
                let mut scheduler = Greedy::new(batch, BUCKETS);
                let model = check(&mut scheduler, &of, 100);
                let tail = batch.ilog2() as usize + 2;
                let full = model.batches.len().saturating_sub(tail);
                assert!(model.batches[..full].iter().all(|&len| len == batch), "{:?}", model.batches);
                assert!(scheduler.statistics().waiting <= batch);
            }
        }
    }
}

/// No greedy schedule has more batches than the delayed schedule.
#[test]
fn greedy_needs_no_more_batches_than_delayed() {
    for batch in BATCHES {
        for of in orders(5000) {
            let greedy = check(&mut Greedy::new(batch, BUCKETS), &of, of.len());
            let delayed = check(&mut Delayed::new(batch, BUCKETS, Overlap::Batch), &of, of.len());
            assert!(greedy.batches.len() <= delayed.batches.len() + batch.ilog2() as usize + 2);
        }
    }
}

/// Before the tail, lanes are idle only when an empty bucket takes a copy, even if all points fall into one bucket.
/// Never more than 2 chi points are cached.
#[test]
fn three_tier_keeps_lanes_full() {
    for lanes in [1, 2, 4, 8, 64] {
        for n in [64, 1000, 5000] {
            for of in orders(n) {
                let mut scheduler = ThreeTier::new(lanes, BUCKETS);
                let model = check(&mut scheduler, &of, 100);
                assert!(scheduler.statistics().waiting <= 2 * lanes);
                assert!(model.batches.iter().all(|&len| len <= lanes));
                let idle = model.batches.len() * lanes - model.additions();
                let tail = lanes.ilog2() as usize + 4;
                assert!(idle <= model.copies + (tail + 1) * lanes, "{:?}", model.batches);
            }
        }
    }
}

#[test]
fn work_in_parts_is_the_same_work() {
    let rng = &mut StdRng::seed_from_u64(6);
    for limit in [2, 3, 10, 64, 1000] {
        for longest in [1, 2, 9, 100, 500] {
            let (mut work, mut model) = (OwnedWork::default(), Model::default());
            let (mut points, mut expected) = (Vec::new(), HashMap::new());
            for bucket in 0..50 {
                let (start, len) = (points.len() as u32, rng.gen_range(1..=longest));
                points.extend((start..start + len).map(|i| Ref::input(i as usize, i % 3 == 0)));
                let sum = |points: &[Ref], model: &Model| points.iter().map(|&p| model.value(p)).sum::<i64>();
                let run = &points[start as usize..];
                expected.insert(Ref::bucket(bucket), sum(run, &model));
                // The finished points are already in the bucket.
                let done = rng.gen_range(0..=len);
                if done > 0 {
                    model.write(Ref::bucket(bucket), sum(&run[..done as usize], &model));
                }
                work.append(&Stretch { bucket: bucket as u32, start, len }, done, &points);
            }
            let (mut parts, mut tree) = (0, Tree::default());
            work.for_parts(limit, |part| {
                assert!(part.points.len() <= limit);
                assert_eq!(part.points.len(), part.runs.iter().map(|run| run.len as usize).sum());
                parts += part.points.len();
                tree.schedule(part, &mut model);
            });
            assert!(parts >= work.points.len());
            model.values.retain(|place, _| place.place() == Place::Bucket);
            assert_eq!(model.values, expected, "{limit} points at a time, runs of {longest}");
        }
    }
}

#[test]
fn refs_keep_what_they_are_made_of() {
    for index in [0, 1, Ref::MAX_INDEX - 1] {
        assert_eq!(Ref::negative(index).index(), index);
        assert!(Ref::negative(index).is_negative() && !Ref::positive(index).is_negative());
        assert_eq!(Ref::negative(index).place(), Place::Input);
        assert_eq!((Ref::bucket(index).place(), Ref::bucket(index).index()), (Place::Bucket, index));
        assert_eq!((Ref::temporary(index).place(), Ref::temporary(index).index()), (Place::Temporary, index));
        for point in [Ref::negative(index), Ref::bucket(index), Ref::temporary(index)] {
            assert_ne!(point, Ref::NONE);
        }
    }
}
