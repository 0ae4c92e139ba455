//! CycloneMSM's greedy scheduler (3.2, 6) in front of a pipeline, like `hdl/rtl/schedule/greedy_scheduler.sv`.
//!
//! A point whose bucket is in use waits in a queue for as long as any bucket may be in use. Then it goes before the
//! input. If its bucket is in use again, it waits again. If the queue is full, the input waits too. While points are
//! held, the queue's time stands still. (The engine's `greedy` has batches, and adds points that wait for the same
//! bucket to each other.)

use std::collections::VecDeque;

use bucketwheel::schedule::{Addition, Ref, Sink, Statistics};

use super::holds::Holds;

#[derive(Debug)]
pub struct Greedy {
    /// Number of slots for which a bucket is in use.
    slots: u64,
    /// Places of the queue for points of the input; points that wait again have one more place.
    places: usize,
    now: u64,
    /// Number of slots that were not held.
    ticks: u64,
    free_from: Vec<u64>,
    /// The tick in which a point leaves, its bucket, and the point.
    queue: VecDeque<(u64, u32, Ref)>,
    pub statistics: Statistics,
}

impl Greedy {
    pub fn new(slots: usize, buckets: usize, queue: usize) -> Self {
        Greedy {
            slots: slots as u64,
            places: queue - 1,
            now: 0,
            ticks: 0,
            free_from: vec![0; buckets],
            queue: VecDeque::new(),
            statistics: Statistics::default(),
        }
    }

    pub fn elapsed(&self) -> u64 {
        self.now
    }

    /// Takes a point of the input, or none, which takes a slot too.
    pub fn input(&mut self, point: Option<(u32, Ref)>, holds: &mut Holds, sink: &mut dyn Sink) {
        while holds.at(self.now) || self.is_due() || self.queue.len() >= self.places {
            self.pass(holds, sink);
        }
        if let Some((bucket, point)) = point {
            self.offer(bucket, point, sink);
        }
        self.tick();
    }

    /// Runs slots without an input.
    pub fn idle(&mut self, slots: u64, holds: &mut Holds, sink: &mut dyn Sink) {
        (0..slots).for_each(|_| self.pass(holds, sink));
    }

    /// Waits until all points have left and no bucket is in use.
    pub fn finish(&mut self, holds: &mut Holds, sink: &mut dyn Sink) {
        while !self.queue.is_empty() && !sink.is_cancelled() {
            self.pass(holds, sink);
        }
        self.queue.clear();
        self.now += self.slots;
        self.statistics.passes += 1;
    }

    fn is_due(&self) -> bool {
        self.queue.front().is_some_and(|&(due, ..)| due == self.ticks)
    }

    fn tick(&mut self) {
        self.now += 1;
        self.ticks += 1;
    }

    /// Runs a slot of the queue, or a held slot.
    fn pass(&mut self, holds: &mut Holds, sink: &mut dyn Sink) {
        if holds.at(self.now) {
            self.now += 1;
            return;
        }
        if self.is_due() {
            if let Some((_, bucket, point)) = self.queue.pop_front() {
                self.offer(bucket, point, sink);
            }
        }
        self.tick();
    }

    fn offer(&mut self, index: u32, point: Ref, sink: &mut dyn Sink) {
        let free_from = &mut self.free_from[index as usize];
        if *free_from > self.now {
            self.queue.push_back((self.ticks + self.slots, index, point));
            self.statistics.collisions += 1;
            self.statistics.waiting = self.statistics.waiting.max(self.queue.len());
            return;
        }
        *free_from = self.now + 1 + self.slots;
        let bucket = Ref::bucket(index as usize);
        sink.add(&[Addition { destination: bucket, left: bucket, right: point }]);
    }
}
