//! An affine adder, as the machine sees it: one pair a cycle, whose sum leaves when its batch does.

use super::schedule::Schedule;
use super::store::Values;
use super::Counts;

/// A filled place of a batch: the lane and the bucket of its sum, and its work.
#[derive(Clone, Copy)]
pub struct Job {
    pub lane: usize,
    pub bucket: u32,
    work: Work,
}

#[derive(Clone, Copy)]
enum Work {
    Sum(u32),
    /// The square of the x of two equal points, which go through the adder again with it.
    Square(u32, u32),
}

pub struct Adder {
    /// Places by the cycle in which they leave, as a ring of a power of two.
    leaving: Vec<Option<Job>>,
}

impl Adder {
    pub fn new(schedule: &Schedule) -> Self {
        Adder { leaving: vec![None; (schedule.longest_latency() as usize + 1).next_power_of_two()] }
    }

    /// Returns the sum that leaves in this cycle, with its lane. A square goes through the adder again at once: the last
    /// result is true if it does, so that the adder takes no pair.
    #[inline]
    pub fn leave(
        &mut self,
        cycle: u64,
        schedule: &Schedule,
        values: &mut dyn Values,
        counts: &mut Counts,
    ) -> (Option<(usize, u32, u32)>, bool) {
        let place = self.at(cycle);
        match self.leaving[place].take() {
            None => (None, false),
            Some(Job { lane, bucket, work: Work::Sum(sum) }) => (Some((lane, bucket, sum)), false),
            Some(Job { lane, bucket, work: Work::Square(left, right) }) => {
                let work = Work::Sum(values.sum(left, right));
                self.enter(cycle, schedule, Job { lane, bucket, work }, counts);
                (None, true)
            }
        }
    }

    /// Takes a pair. Two equal points take two places, one after the other: the first for the square of their x.
    #[inline]
    pub fn take(
        &mut self,
        cycle: u64,
        schedule: &Schedule,
        lane: usize,
        (bucket, left, right): (u32, u32, u32),
        values: &mut dyn Values,
        counts: &mut Counts,
    ) {
        counts.additions += 1;
        let work = match values.is_doubling(left, right) {
            true => {
                counts.doublings += 1;
                Work::Square(left, right)
            }
            false => Work::Sum(values.sum(left, right)),
        };
        self.enter(cycle, schedule, Job { lane, bucket, work }, counts);
    }

    fn enter(&mut self, cycle: u64, schedule: &Schedule, job: Job, counts: &mut Counts) {
        let place = schedule.place(cycle);
        // A product in the chain and two on the way back; the slope, its square, and the product for y.
        counts.products += match job.work {
            Work::Sum(_) if schedule.is_multiplied(place) => 6,
            Work::Sum(_) => 3,
            Work::Square(..) => 1,
        };
        let due = self.at(cycle + schedule.latency(place));
        self.leaving[due] = Some(job);
    }

    fn at(&self, cycle: u64) -> usize {
        cycle as usize & (self.leaving.len() - 1)
    }
}
