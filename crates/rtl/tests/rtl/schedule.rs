//! Queues, buckets and schedulers. The bench of a scheduler has an adder of integers with a long latency, so a hazard,
//! a lost point or a point that is taken twice gives a wrong sum.

use std::collections::VecDeque;

use crate::numbers::{below, random};
use crate::pipeline::check_pipeline;
use bucketwheel_rtl::{Bench, Inputs};
use num_bigint::BigUint;
use rand::Rng;

fn value(words: &[u32]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}

#[test]
fn lines() {
    let mut rng = random();
    let bound = BigUint::from(1u32) << 64;
    let cases: Vec<_> = (0..100).map(|_| below(&bound, &mut rng)).map(|x| (x.clone(), x)).collect();
    for (name, latency) in [("delay_1", 1), ("delay_7", 7)] {
        let mut bench = Bench::new(name);
        assert_eq!(bench.latency(), latency);
        check_pipeline(&mut bench, name, 64, 64, &cases, &mut rng);
    }
}

/// Compares a queue of five places with a `VecDeque`, with writers and readers of all speeds.
#[test]
fn fifo() {
    const PLACES: usize = 5;
    let mut rng = random();
    let mut bench = Bench::new("fifo");
    for (write, read) in [(1.0, 1.0), (1.0, 0.1), (0.1, 1.0), (0.5, 0.5), (1.0, 0.0), (0.0, 1.0)] {
        bench.cycle(Inputs { reset: true, ..Inputs::default() });
        let mut queue = VecDeque::new();
        // An offered word stays until it is taken.
        let mut offered: Option<[u32; 2]> = None;
        for cycle in 0..500 {
            offered = offered.or_else(|| rng.gen_bool(write).then(|| [rng.gen(), rng.gen()]));
            let ready = rng.gen_bool(read);
            let outputs =
                bench.cycle(Inputs { reset: false, ready, data: offered.as_ref().map(|data| &data[..]) });
            let head = queue.front().map(|data: &[u32; 2]| value(data));
            assert_eq!(outputs.data.as_ref().map(|data| value(data)), head, "cycle {cycle}");
            assert_eq!(outputs.ready, queue.len() < PLACES, "cycle {cycle}");
            if let Some(data) = outputs.data {
                assert_eq!(data[2] as usize, queue.len(), "the count");
                assert_eq!(data[3] == 1, queue.len() >= PLACES - 2, "almost full");
                if ready {
                    queue.pop_front();
                }
            }
            if outputs.ready {
                queue.extend(offered.take());
            }
        }
        assert!(!bench.failed());
    }
}

#[test]
fn a_lost_entry_fails_an_assertion() {
    let mut bench = Bench::new("fifo_must_take");
    for _ in 0..5 {
        bench.cycle(Inputs { reset: false, ready: false, data: Some(&[1, 2]) });
    }
    assert!(!bench.failed());
    bench.cycle(Inputs { reset: false, ready: false, data: Some(&[1, 2]) });
    assert!(bench.failed());
}

#[test]
fn a_changed_offer_fails_an_assertion() {
    let mut bench = Bench::new("fifo");
    for word in 0..8 {
        bench.cycle(Inputs { reset: false, ready: false, data: Some(&[word, 0]) });
    }
    assert!(bench.failed());
}

/// Counts of a scheduler's bench at the end.
struct Counters {
    /// Cycles from the first point until all points were issued.
    cycles: usize,
    /// Conflicts, pairs or entries of the queue, depending on the bench.
    first: u32,
    second: u32,
    third: u32,
}

struct Scheduler {
    bench: Bench,
}

impl Scheduler {
    fn new(name: &str) -> Self {
        Self { bench: Bench::new(name) }
    }

    /// Offers one operation until it is taken; returns the number of cycles.
    fn operate(&mut self, operation: u32, key: u32, value: u64, ready: impl Fn() -> bool) -> usize {
        let data = [value as u32, (value >> 32) as u32, key, operation];
        for cycle in 1..1_000_000 {
            if self.bench.cycle(Inputs { reset: false, ready: ready(), data: Some(&data) }).ready {
                return cycle;
            }
        }
        panic!("operation {operation} of {key} is never taken");
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.bench.cycle(Inputs { reset: false, ready: true, data: None });
        }
    }

    /// Adds points until all sums are back, with a bubble or an unready adder in a percentage of the cycles.
    fn add(&mut self, points: &[(u32, u64)], bubbles: u32, stalls: u32) -> usize {
        let rng = std::cell::RefCell::new(random());
        let ready = || !rng.borrow_mut().gen_ratio(stalls, 100);
        let mut cycles = 0;
        for &(key, value) in points {
            while rng.borrow_mut().gen_ratio(bubbles, 100) {
                self.bench.cycle(Inputs { reset: false, ready: ready(), data: None });
                cycles += 1;
            }
            cycles += self.operate(0, key, value, ready);
        }
        cycles += self.operate(2, 0, 0, ready);
        self.idle(self.bench.latency() + 2);
        cycles
    }

    /// Returns all buckets, and the counters.
    fn read(&mut self, buckets: u32, cycles: usize) -> (Vec<Option<u64>>, Counters) {
        let mut counters = Counters { cycles, first: 0, second: 0, third: 0 };
        let found = (0..buckets)
            .map(|bucket| {
                self.operate(1, bucket, 0, || true);
                let idle = Inputs { reset: false, ready: true, data: None };
                let mut answers = (0..4).filter_map(|_| self.bench.cycle(idle).data);
                let data = answers.next().expect("an answer in four cycles");
                (counters.first, counters.second, counters.third) = (data[3], data[4], data[5]);
                (data[2] == 1).then(|| value(&data))
            })
            .collect();
        (found, counters)
    }
}

/// Returns the sums of buckets; `None` for buckets without a point.
fn sums(buckets: usize, points: impl IntoIterator<Item = (u32, u64)>) -> Vec<Option<u64>> {
    let mut sums = vec![None; buckets];
    for (bucket, value) in points {
        let sum = &mut sums[bucket as usize];
        *sum = Some(sum.unwrap_or(0u64).wrapping_add(value));
    }
    sums
}

/// Returns digits that are uniform, all equal, two alternating, ascending, and two values of which one is rare.
fn distributions(buckets: u32, points: usize, rng: &mut impl Rng) -> Vec<(&'static str, Vec<(u32, u64)>)> {
    let mut of = |bucket: &mut dyn FnMut(usize, u32) -> u32| -> Vec<(u32, u64)> {
        (0..points).map(|i| (bucket(i, rng.gen_range(0..buckets)), rng.gen())).collect()
    };
    vec![
        ("uniform", of(&mut |_, random| random)),
        ("equal", of(&mut |_, _| buckets - 1)),
        ("in turn", of(&mut |i, _| i as u32 % 2)),
        ("ascending", of(&mut |i, _| i as u32 % buckets)),
        ("rare", of(&mut |_, random| u32::from(random == 7))),
        ("none", Vec::new()),
    ]
}

fn check_buckets(name: &str, buckets: u32, points: usize) {
    let mut scheduler = Scheduler::new(name);
    let mut rng = random();
    for (what, points) in distributions(buckets, points, &mut rng) {
        for (bubbles, stalls) in [(0, 0), (30, 0), (0, 30)] {
            let cycles = scheduler.add(&points, bubbles, stalls);
            let (found, _) = scheduler.read(buckets, cycles);
            assert_eq!(
                found,
                sums(buckets as usize, points.iter().copied()),
                "{name}, {what}, {bubbles}, {stalls}"
            );
            // More clears than there are epochs, so that the buckets are swept.
            scheduler.operate(3, 0, 0, || true);
        }
    }
    assert!(!scheduler.bench.failed(), "{name}: an assertion of the RTL failed");
}

#[test]
fn delayed() {
    check_buckets("delayed", 64, 400);
}

#[test]
fn pairing() {
    check_buckets("pairing", 64, 400);
    check_buckets("pairing_meets", 64, 400);
}

/// A queue that holds all conflicts. The number of conflicts matches the definition, and each of many equal points
/// takes the cycles of the window.
#[test]
fn delayed_conflicts() {
    let mut rng = random();
    let points: Vec<(u32, u64)> = (0..3000).map(|_| (rng.gen_range(0..1024), rng.gen())).collect();
    let mut scheduler = Scheduler::new("delayed_long");
    scheduler.idle(1024); // the buckets are swept
    let cycles = scheduler.add(&points, 0, 0);
    let (found, counters) = scheduler.read(1024, cycles);
    assert_eq!(found, sums(1024, points.iter().copied()));

    // Passes over a list: an issue or a delay a cycle, and after each pass the time of the last sums.
    let window = scheduler.bench.latency() as i64 + 4;
    let mut last = vec![i64::MIN / 2; 1024];
    let (mut list, mut cycle, mut conflicts, mut passes) = (points, 0i64, 0, 0);
    while !list.is_empty() {
        let mut delayed = Vec::new();
        for point in list {
            if cycle - last[point.0 as usize] > window {
                last[point.0 as usize] = cycle;
            } else {
                delayed.push(point);
                conflicts += 1;
            }
            cycle += 1;
        }
        passes += 1;
        cycle += window;
        list = delayed;
    }
    assert_eq!((counters.first, counters.second), (conflicts, passes - 1));
    assert_eq!(counters.cycles as i64, cycle);

    let mut scheduler = Scheduler::new("delayed_long");
    scheduler.idle(1024); // the buckets are swept
    let equal: Vec<(u32, u64)> = (0..200).map(|i| (5, i)).collect();
    let cycles = scheduler.add(&equal, 0, 0);
    let (_, counters) = scheduler.read(1024, cycles);
    assert!(counters.cycles as i64 > 200 * window, "{} cycles", counters.cycles);
    assert!(counters.third >= 190, "{} at most in the queue", counters.third);
}

/// Returns scalars of 16 bits in five windows of 4 bits.
#[test]
fn window_batches() {
    let digits = |scalar: u32| {
        let mut carry = 0;
        let mut digits = [0i32; 5];
        for (w, digit) in digits.iter_mut().enumerate() {
            *digit = (scalar >> (4 * w) & 15) as i32 + carry;
            carry = i32::from(*digit >= 8);
            *digit -= 16 * carry;
        }
        assert_eq!(carry, 0);
        let total: i64 = digits.iter().rev().fold(0, |sum, &digit| 16 * sum + i64::from(digit));
        assert_eq!(total, i64::from(scalar));
        digits
    };
    let mut rng = random();
    let mut of = |scalar: &mut dyn FnMut(u32) -> u32| -> Vec<(u32, u64)> {
        (0..300).map(|_| (scalar(rng.gen_range(0..1 << 16)), rng.gen())).collect()
    };
    let cases = [
        ("uniform", of(&mut |random| random)),
        ("all ones", of(&mut |_| 0xffff)),
        ("zero", of(&mut |_| 0)),
        ("half", of(&mut |_| 0x8888)),
        ("above half", of(&mut |_| 0x9999)),
        ("small", of(&mut |random| random % 2)),
        ("none", Vec::new()),
    ];
    let mut scheduler = Scheduler::new("window_batch");
    for (what, points) in cases {
        for bubbles in [0, 30] {
            let cycles = scheduler.add(&points, bubbles, 0);
            let (found, counters) = scheduler.read(64, cycles);
            let expected = sums(
                64,
                points.iter().flat_map(|&(scalar, value)| {
                    digits(scalar).into_iter().enumerate().filter(|(_, digit)| *digit != 0).map(
                        move |(w, digit)| {
                            let value = if digit < 0 { value.wrapping_neg() } else { value };
                            (8 * w as u32 + digit.unsigned_abs() - 1, value)
                        },
                    )
                }),
            );
            assert_eq!(found, expected, "{what}, {bubbles}");
            assert!(counters.third <= 16 + 5 + 1, "{} in the queue", counters.third);
            scheduler.operate(3, 0, 0, || true);
        }
    }
    assert!(!scheduler.bench.failed(), "an assertion of the RTL failed");
}

/// Every point except the last of each bucket makes a pair, and a point comes in each cycle. With four banks,
/// collisions cost only a few cycles in a hundred.
#[test]
fn pairing_keeps_up() {
    let mut rng = random();
    let points: Vec<(u32, u64)> = (0..4000).map(|_| (rng.gen_range(0..64), rng.gen())).collect();
    let mut scheduler = Scheduler::new("pairing");
    let cycles = scheduler.add(&points, 0, 0);
    let (found, counters) = scheduler.read(64, cycles);
    let occupied = found.iter().flatten().count();
    assert_eq!(counters.first as usize, points.len() - occupied);
    assert!(counters.second > 0, "two visitors have to meet now and then");
    assert!(counters.cycles < 4400, "{} cycles for 4000 points", counters.cycles);
}

/// Points of one bucket collide with its sums in the banks, but pair with them if they meet in front.
#[test]
fn pairing_meets() {
    let mut rng = random();
    let points: Vec<(u32, u64)> = (0..1000).map(|_| (5, rng.gen())).collect();
    let count = |name| {
        let mut scheduler = Scheduler::new(name);
        let cycles = scheduler.add(&points, 0, 0);
        let (found, counters) = scheduler.read(64, cycles);
        assert_eq!(found, sums(64, points.iter().copied()), "{name}");
        assert_eq!(counters.first as usize, points.len() - 1, "{name}");
        assert!(!scheduler.bench.failed(), "{name}");
        counters
    };
    let (visits, meets) = (count("pairing"), count("pairing_meets"));
    assert!(visits.second > 0 && meets.second == 0, "{} and {} collisions", visits.second, meets.second);
    assert!(meets.cycles < visits.cycles, "{} and {} cycles", meets.cycles, visits.cycles);
}

/// No point from before a reset comes into a bucket after it.
#[test]
fn reset_on_the_way() {
    let mut rng = random();
    for name in ["delayed", "window_batch", "pairing", "pairing_meets"] {
        let mut scheduler = Scheduler::new(name);
        for _ in 0..100 {
            scheduler.operate(0, rng.gen_range(0..64), rng.gen(), || true);
        }
        scheduler.bench.cycle(Inputs { reset: true, ..Inputs::default() });
        let point = (3, 77);
        let cycles = scheduler.add(&[point], 0, 0);
        let (found, _) = scheduler.read(64, cycles);
        let bucket = if name == "window_batch" { 2 } else { 3 };
        assert_eq!(found, sums(64, [(bucket, 77)]), "{name}");
        assert!(!scheduler.bench.failed(), "{name}");
    }
}
