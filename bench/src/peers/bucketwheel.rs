//! This project's engine. It takes field elements, so the conversion of
//! scalars is inside the timed region.

use super::{Job, Outcome, Peer, timed};
use crate::inputs::{AnyInput, encoding::encode_sum};
use crate::with_input;
use anyhow::Result;
use bucketwheel::{Bases, Msm, Scalars};
use rayon::ThreadPool;

pub struct Bucketwheel;

impl Peer for Bucketwheel {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        with_input!(input, input => {
            let bases = Bases::new(input.points)?;
            Ok(Some(Box::new(move || {
                let (elapsed, sum) = pool.install(|| timed(|| Msm::new().run(&bases, Scalars::Field(input.scalars))));
                Ok(Outcome { elapsed, sum: encode_sum(sum?) })
            })))
        })
    }
}
