//! halo2curves. It takes field elements, so the conversion of scalars is
//! inside the timed region.

use super::library::{Job, Library, Outcome, timed};
use crate::inputs::{AnyInput, Input, encoding};
use anyhow::{Context, Result};
use ark_ec::short_weierstrass::SWCurveConfig;
use halo2curves::CurveAffine;
use halo2curves::bn256;
use halo2curves::ff::PrimeField;
use halo2curves::group::Curve;
use halo2curves::msm::msm_best;
use rayon::ThreadPool;

pub struct Halo2curves;

impl Library for Halo2curves {
    fn prepare<'a>(&self, input: AnyInput<'a>, pool: &'a ThreadPool) -> Result<Option<Job<'a>>> {
        match input {
            AnyInput::Bn254G1(input) => job::<bn256::G1Affine, _>(input, pool).map(Some),
            AnyInput::Bn254G2(input) => job::<bn256::G2Affine, _>(input, pool).map(Some),
            _ => Ok(None),
        }
    }
}

fn job<'a, A: CurveAffine, C: SWCurveConfig>(input: Input<C>, pool: &'a ThreadPool) -> Result<Job<'a>> {
    let points: Option<Vec<A>> = encoding::encode_points(input.points)
        .chunks_exact(encoding::point_bytes::<C>())
        .map(|bytes| {
            let (x, y) = bytes.split_at(bytes.len() / 2);
            A::from_xy(element(x)?, element(y)?).into_option()
        })
        .collect();
    let points = points.context("halo2curves refuses a point")?;
    let scalars: Option<Vec<A::ScalarExt>> =
        encoding::encode_scalars(input.scalars).chunks_exact(encoding::SCALAR_BYTES).map(element).collect();
    let scalars = scalars.context("halo2curves refuses a scalar")?;
    Ok(Box::new(move || {
        let (elapsed, sum) = pool.install(|| timed(|| msm_best(&scalars, &points)));
        let coordinates = sum.to_affine().coordinates().into_option();
        let sum = coordinates.map_or(vec![0; encoding::point_bytes::<C>()], |point| {
            [point.x().to_repr().as_ref(), point.y().to_repr().as_ref()].concat()
        });
        Ok(Outcome { elapsed, sum })
    }))
}

/// Returns the field element of this little-endian encoding.
fn element<F: PrimeField>(bytes: &[u8]) -> Option<F> {
    let mut repr = F::Repr::default();
    repr.as_mut().copy_from_slice(bytes);
    F::from_repr(repr).into_option()
}
