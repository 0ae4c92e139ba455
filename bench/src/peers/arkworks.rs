//! arkworks. It takes field elements, so the conversion of scalars is inside
//! the timed region.

use super::library::{Job, Library, Outcome, timed};
use crate::inputs::with_input;
use crate::inputs::{AnyInput, encoding::encode_sum};
use anyhow::Result;
use ark_ec::VariableBaseMSM;
use ark_ec::short_weierstrass::Projective;
use rayon::ThreadPool;

pub struct Arkworks;

impl Library for Arkworks {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        with_input!(input, input => Ok(Some(Box::new(move || {
            let msm = || Projective::msm_unchecked(input.points, input.scalars);
            let (elapsed, sum) = pool.install(|| timed(msm));
            Ok(Outcome { elapsed, sum: encode_sum(sum) })
        }))))
    }
}
