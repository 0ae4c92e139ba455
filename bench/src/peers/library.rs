//! The role of a library here: it prepares inputs and computes sums.

use crate::inputs::AnyInput;
use anyhow::Result;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};

/// A library that computes MSMs.
pub trait Library {
    /// Converts the input to the library's own form, outside the timed region. Returns `None` if the library does not
    /// offer the group.
    ///
    /// The job uses the number of threads of `pool`. Jobs over different curves must not exist at the same time,
    /// because mcl keeps its curve in global variables.
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>>;

    /// Prepares one set of scalars over G1 and over G2: two calls, unless the library has one call for both. The sum is
    /// the sum in G1, followed by the sum in G2.
    fn prepare_pair<'a>(
        &self,
        g1: AnyInput<'a>,
        g2: AnyInput<'a>,
        pool: &'a ThreadPool,
    ) -> Result<Option<Job<'a>>> {
        let (Some(mut g1), Some(mut g2)) = (self.prepare(g1, pool)?, self.prepare(g2, pool)?) else {
            return Ok(None);
        };
        Ok(Some(Box::new(move || {
            let (first, second) = (g1()?, g2()?);
            Ok(Outcome { elapsed: first.elapsed + second.elapsed, sum: [first.sum, second.sum].concat() })
        })))
    }
}

/// An MSM, or a pair of MSMs, that can be computed repeatedly.
pub type Job<'a> = Box<dyn FnMut() -> Result<Outcome> + 'a>;

pub struct Outcome {
    /// Time of the library's own call alone.
    pub elapsed: Duration,
    /// The sum, encoded as in [`crate::inputs::encoding`].
    pub sum: Vec<u8>,
}

pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// Runs `part` on one range of `0..len` for each thread of the current pool and adds the results, for libraries without
/// their own threads.
pub fn split<T: Send>(len: usize, part: impl Fn(Range<usize>) -> T + Sync, add: impl Fn(T, T) -> T) -> T {
    let parts = rayon::current_num_threads().min(len);
    let bound = |index| len * index / parts;
    let sums: Vec<T> = (0..parts).into_par_iter().map(|index| part(bound(index)..bound(index + 1))).collect();
    sums.into_iter().reduce(add).expect("inputs are not empty")
}
