//! Bucket classification (3.2): a scheduler of pairs, and its adder.

use super::Parameters;
use crate::pairing::{Counts, Scheduler, Sizes};
use crate::{Error, Group};

#[derive(Clone)]
pub struct Classifier<G> {
    pub scheduler: Scheduler<G>,
    /// The stages of the adder, as a ring: the sum that leaves next is at `stage`.
    pipeline: Vec<Option<(u32, G)>>,
    stage: usize,
    in_pipeline: usize,
}

impl<G: Group> Classifier<G> {
    pub fn new(parameters: &Parameters, buckets: usize) -> Result<Self, Error> {
        let sizes = Sizes {
            buckets,
            banks: parameters.banks,
            pairs: parameters.pairing_queue,
            collisions: parameters.collision_queue,
            meet: false,
        };
        Ok(Classifier {
            scheduler: Scheduler::new(sizes, G::ZERO)?,
            pipeline: vec![None; parameters.pipeline_stages as usize],
            stage: 0,
            in_pipeline: 0,
        })
    }

    pub fn counts(&self) -> Counts {
        self.scheduler.counts
    }

    /// Returns true if every bucket contains its sum.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.in_pipeline == 0 && self.scheduler.is_idle()
    }

    /// Runs one cycle, with a point that is taken in it.
    #[inline]
    pub fn step(&mut self, input: Option<(u32, G)>) {
        let sum = self.pipeline[self.stage];
        let pair = self.scheduler.step(input, sum, 0, true);
        self.pipeline[self.stage] = pair.map(|(bucket, left, right)| (bucket, left.plus(right)));
        self.in_pipeline = self.in_pipeline + usize::from(pair.is_some()) - usize::from(sum.is_some());
        self.stage = if self.stage + 1 == self.pipeline.len() { 0 } else { self.stage + 1 };
    }

    /// Takes the content of a bucket.
    pub fn read(&mut self, bucket: usize) -> G {
        self.scheduler.read(bucket).unwrap_or(G::ZERO)
    }
}
