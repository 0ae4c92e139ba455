//! Search for damage in the key of a proof that does not hold.

use ark_ec::short_weierstrass::Affine;
use bucketwheel::Curve;
use rayon::prelude::*;

use super::key::{Counts, ProvingKey};
use crate::PairingCurve;

/// The first point that is not on its curve, as next to none of those are that were damaged. Costs a few products a
/// point, much less than a proof, on all threads of the current pool.
pub fn off_curve<E: PairingCurve>(key: &impl ProvingKey<E>) -> Option<String> {
    let Counts { signals, public, quotient, .. } = key.counts();
    let [beta, delta] = key.beta_delta_g1();
    let single = [("beta1", beta), ("delta1", delta)].into_iter().find(|(_, point)| !point.is_on_curve());
    single
        .map(|(name, _)| name.into())
        .or_else(|| first("A", signals, |i| key.a(i)))
        .or_else(|| first("B1", signals, |i| key.b1(i)))
        .or_else(|| first("B2", signals, |i| key.b2(i)))
        .or_else(|| first("C", signals - public - 1, |i| key.c(i)))
        .or_else(|| first("H", quotient, |i| key.h(i)))
}

fn first<C: Curve>(
    name: &str,
    count: usize,
    point: impl Fn(usize) -> Affine<C> + Sync + Send,
) -> Option<String> {
    let index = (0..count).into_par_iter().find_first(|&i| !point(i).is_on_curve())?;
    Some(format!("point {index} of {name}"))
}
