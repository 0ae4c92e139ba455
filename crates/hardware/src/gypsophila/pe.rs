//! A processing element (3.1): its points and indexes, window by window, like `hdl/rtl/pe/gypsophila_pe.sv`.

use std::collections::VecDeque;

use super::classifier::Classifier;
use super::Parameters;
use crate::digits::{bucket, Scalar, Windows};
use crate::pairing::{self, READ_LATENCY};
use crate::{Error, Group};

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Cycles with a point in which a queue was full.
    pub blocked: u64,
    /// Cycles with a point in which the adder had nothing to begin.
    pub bubbles: u64,
    /// Cycles without a point.
    pub starved: u64,
    /// Cycles in which the BC buffer had no room.
    pub waiting: u64,
    pub points_high_water: usize,
}

/// Activity of an element in a cycle. The least of several elements' activities counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    Classifying,
    Draining,
    Reading,
    /// Waits for room in the BC buffer.
    Waiting,
    /// Has finished all windows.
    Idle,
}

/// The BC buffer: a queue in a RAM that is read one cycle ahead.
#[derive(Clone)]
pub struct BcBuffer<G> {
    ring: VecDeque<G>,
    /// True if a bucket is ready to be taken.
    pub valid: bool,
    /// True if the bucket is taken in this cycle.
    taken: bool,
}

impl<G: Group> BcBuffer<G> {
    /// Takes the first bucket, which keeps its place until the cycle ends.
    pub fn take(&mut self) -> G {
        self.taken = true;
        self.ring[0]
    }

    /// Takes all buckets at once, which no shared adder does.
    pub fn drain(&mut self) -> impl Iterator<Item = G> + '_ {
        self.ring.drain(..)
    }

    /// Returns true if nothing changes by itself.
    fn is_settled(&self) -> bool {
        self.valid != self.ring.is_empty()
    }

    fn step(&mut self, arriving: Option<G>) {
        if std::mem::take(&mut self.taken) {
            self.ring.pop_front();
        }
        self.valid = !self.ring.is_empty();
        self.ring.extend(arriving);
    }
}

#[derive(Clone)]
pub struct Pe<'a, G> {
    windows: Windows,
    points: &'a [G],
    scalars: &'a [Scalar],
    classifier: Classifier<G>,
    /// Points in the virtual point buffer, and the size of this buffer.
    pub waiting: usize,
    depth: usize,
    /// The window, and the number of its remaining points.
    window: u32,
    left: usize,
    /// Buckets that are still to be read, if the element is reading, and buckets in flight.
    reading: Option<usize>,
    arriving: [Option<G>; READ_LATENCY],
    capacity: usize,
    done: bool,
    pub buckets: BcBuffer<G>,
    pub counts: Counts,
}

impl<'a, G: Group> Pe<'a, G> {
    pub fn new(
        parameters: &Parameters,
        windows: Windows,
        points: &'a [G],
        scalars: &'a [Scalar],
    ) -> Result<Self, Error> {
        Ok(Pe {
            windows,
            points,
            scalars,
            classifier: Classifier::new(parameters, windows.buckets())?,
            waiting: 0,
            depth: parameters.point_buffer as usize,
            window: windows.count() - 1,
            left: points.len(),
            reading: None,
            arriving: [None; READ_LATENCY],
            capacity: if parameters.count_aggregation { windows.buckets() } else { usize::MAX },
            done: false,
            buckets: BcBuffer { ring: VecDeque::new(), valid: false, taken: false },
            counts: Counts::default(),
        })
    }

    pub fn scheduled(&self) -> pairing::Counts {
        self.classifier.counts()
    }

    /// Returns true if the channel may send a point in the cycle that begins.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.waiting < self.depth
    }

    /// Runs one cycle per place in `activities`, with `to_send` points that arrive in the first cycles. Returns false
    /// if one of these points finds no room; the computed state is wrong then.
    pub fn run(&mut self, to_send: u64, activities: &mut [Activity]) -> bool {
        for (cycle, activity) in (0..).zip(activities) {
            let sends = cycle < to_send;
            if sends && !self.has_room() {
                return false;
            }
            *activity = self.step();
            self.waiting += usize::from(sends);
        }
        true
    }

    /// Returns true if the element waits for the BC buffer or is done, and stays so unless a bucket leaves.
    pub fn is_stuck(&self) -> bool {
        let stuck = self.done || (self.reading.is_some() && self.buckets.ring.len() >= self.capacity);
        stuck && self.on_the_way() == 0 && self.buckets.is_settled()
    }

    fn on_the_way(&self) -> usize {
        self.arriving.iter().flatten().count()
    }

    /// Counts cycles in which the element was stuck.
    pub fn skip(&mut self, cycles: u64) {
        self.counts.waiting += if self.done { 0 } else { cycles };
    }

    /// Runs one cycle, after the shared adders have run theirs. If a point arrives in it, the caller adds it to
    /// `waiting` afterwards.
    #[inline]
    pub fn step(&mut self) -> Activity {
        self.counts.points_high_water = self.counts.points_high_water.max(self.waiting);
        let mut arriving = None;
        let activity = match self.reading {
            _ if self.done => Activity::Idle,
            None if self.left > 0 => {
                self.classify();
                Activity::Classifying
            }
            None => {
                match self.classifier.is_idle() {
                    true => self.reading = Some(self.windows.buckets()),
                    false => self.classifier.step(None),
                }
                Activity::Draining
            }
            Some(_) if self.buckets.ring.len() + self.on_the_way() >= self.capacity => {
                self.counts.waiting += 1;
                Activity::Waiting
            }
            Some(left) => {
                arriving = Some(self.classifier.read(left - 1));
                self.reading = Some(left - 1).filter(|&left| left > 0);
                if self.reading.is_none() {
                    self.left = self.points.len();
                    self.done = self.window == 0;
                    self.window = self.window.saturating_sub(1);
                }
                Activity::Reading
            }
        };
        self.arriving.rotate_right(1);
        let stored = std::mem::replace(&mut self.arriving[0], arriving);
        self.buckets.step(stored);
        activity
    }

    #[inline]
    fn classify(&mut self) {
        let mut taken = None;
        if self.waiting > 0 {
            let next = self.points.len() - self.left;
            let digit = self.windows.digit(&self.windows.biased(&self.scalars[next]), self.window);
            self.counts.bubbles += u64::from(!self.classifier.scheduler.has_pair());
            if digit == 0 || self.classifier.scheduler.is_ready() {
                self.waiting -= 1;
                self.left -= 1;
                taken = (digit != 0).then(|| (bucket(digit), self.points[next].signed(digit < 0)));
            } else {
                self.counts.blocked += 1;
            }
        } else {
            self.counts.starved += 1;
        }
        self.classifier.step(taken);
    }
}
