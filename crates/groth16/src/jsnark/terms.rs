//! Linear combinations of variables.

use ark_ff::PrimeField;

/// Variables and coefficients; variable 0 is the constant 1. In ascending order, no coefficient is zero.
pub type Terms<F> = Vec<(u32, F)>;

/// The constant 1.
pub fn one<F: PrimeField>() -> Terms<F> {
    vec![(0, F::ONE)]
}

/// A multiple.
pub fn scaled<F: PrimeField>(factor: F, terms: &Terms<F>) -> Terms<F> {
    sum([(factor, terms)])
}

/// A sum of multiples, with the terms of a variable joined.
pub fn sum<'a, F: PrimeField>(parts: impl IntoIterator<Item = (F, &'a Terms<F>)>) -> Terms<F> {
    let mut all: Terms<F> = Vec::new();
    // Many parts may have the same few variables.
    let mut room = 1 << 16;
    for (factor, terms) in parts {
        all.extend(terms.iter().map(|(variable, coefficient)| (*variable, factor * coefficient)));
        if all.len() > room {
            join(&mut all);
            room = room.max(2 * all.len());
        }
    }
    join(&mut all);
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
