//! Linear combinations of variables.

use ark_ff::PrimeField;

/// Variables and coefficients. Variable 0 is the constant 1. Variables are in ascending order, and no coefficient is zero.
pub type Terms<F> = Vec<(u32, F)>;

/// Returns the terms of a variable alone.
pub fn alone<F: PrimeField>(variable: u32) -> Terms<F> {
    vec![(variable, F::ONE)]
}

/// Returns a multiple of the terms.
pub fn scaled<F: PrimeField>(factor: F, mut terms: Terms<F>) -> Terms<F> {
    if factor.is_zero() {
        terms.clear();
    } else if !factor.is_one() {
        terms.iter_mut().for_each(|(_, coefficient)| *coefficient *= factor);
    }
    terms
}

/// Returns the sum of terms and of multiples of other terms. Terms of one variable are joined. Costs one pass over the
/// other terms if the variables of each part come after the variables of the part before, as in the parts of sums of
/// bits.
pub fn sum<F: PrimeField, T: AsRef<Terms<F>>>(
    mut all: Terms<F>,
    others: impl IntoIterator<Item = (F, T)>,
) -> Terms<F> {
    let mut joined = true;
    // Many parts may have the same few variables.
    let mut room = 1 << 16;
    for (factor, terms) in others.into_iter().filter(|(factor, _)| !factor.is_zero()) {
        let terms = terms.as_ref();
        joined &= match (all.last(), terms.first()) {
            (Some(last), Some(first)) => last.0 < first.0,
            _ => true,
        };
        match factor.is_one() {
            true => all.extend_from_slice(terms),
            false => {
                all.extend(terms.iter().map(|(variable, coefficient)| (*variable, factor * coefficient)))
            }
        }
        if !joined && all.len() > room {
            join(&mut all);
            joined = true;
            room = room.max(2 * all.len());
        }
    }
    if !joined {
        join(&mut all);
    }
    all
}

fn join<F: PrimeField>(terms: &mut Terms<F>) {
    terms.sort_by_key(|(variable, _)| *variable);
    terms.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            sum.1 += next.1;
        }
        same
    });
    terms.retain(|(_, coefficient)| !coefficient.is_zero());
}
