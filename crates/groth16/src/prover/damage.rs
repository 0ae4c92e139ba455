//! Searches for damage in the key of a proof that does not hold.

use std::ops::Range;

use ark_ec::short_weierstrass::Affine;
use bucketwheel::Curve;

use super::key::{Counts, ProvingKey};
use crate::{parallel, PairingCurve};

/// Points that one task looks at.
const BLOCK: usize = 1 << 8;

/// Returns the name of the first point that is not on its curve. Almost no damaged point is on its curve. The search
/// costs a few products a point, much less than a proof, on all threads of the current pool.
pub fn off_curve<E: PairingCurve>(key: &impl ProvingKey<E>) -> Option<String> {
    let Counts { signals, public, quotient, .. } = key.counts();
    first("A", signals, |i| key.a(i))
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
    let find = |mut block: Range<usize>| block.find(|&i| !point(i).is_on_curve());
    let index = parallel::find_first(count, BLOCK, find)?;
    Some(format!("point {index} of {name}"))
}
