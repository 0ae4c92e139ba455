//! The y that belongs to an x, in lanes: how compressed points become points.

use ark_ff::Zero;
use bucketwheel_lanes::{Backend, LaneField, OutOfLine};

use crate::curve::{CoordinateField, Curve, Reduced};
use crate::roots::{encode, Roots, CHAINS};
use crate::Error;

/// The abscissas of points, and their curve.
pub struct Abscissas<'a, W> {
    pub(crate) a: Option<W>,
    pub(crate) b: W,
    pub(crate) xs: &'a [W],
}

/// For each x a y with `y^2 = x^3 + a x + b`, or `None` where there is none; -y is the other one.
///
/// Runs on the calling thread, in the lanes of the backend ([`default_backend`](crate::default_backend) has the best
/// one): an exponentiation in the field for each x, two over Fp2.
///
/// # Errors
/// [`Error::UnsupportedBackend`].
pub fn ordinates<C: Curve>(
    backend: Backend,
    xs: &[C::BaseField],
) -> Result<Vec<Option<C::BaseField>>, Error> {
    let words: Vec<_> = xs.iter().map(CoordinateField::to_words).collect();
    let abscissas = Abscissas {
        a: (!C::COEFF_A.is_zero()).then(|| C::COEFF_A.to_words()),
        b: C::COEFF_B.to_words(),
        xs: &words,
    };
    let ys = C::BaseField::engine(backend)?.ordinates(&abscissas);
    Ok(ys.iter().map(|y| y.as_ref().map(CoordinateField::from_words)).collect())
}

/// [`ordinates`] in lanes.
pub(crate) fn solve<L: LaneField>(
    lanes: L,
    roots: impl Roots<L>,
    abscissas: &Abscissas<'_, L::Words>,
) -> Vec<Option<L::Words>> {
    let (out_of_line, r) = (OutOfLine::of(lanes), Reduced(lanes));
    let mut ys = Vec::with_capacity(abscissas.xs.len());
    for xs in abscissas.xs.chunks(CHAINS * L::LANES) {
        let squares = encode(out_of_line, xs).map(|x| {
            let square = r.square(&x);
            let square = abscissas.a.map_or(square, |a| r.add(&square, &out_of_line.splat(a)));
            r.add(&r.mul(&square, &x), &out_of_line.splat(abscissas.b))
        });
        let roots = roots.roots(lanes, &squares);
        for chain in 0..CHAINS {
            let right = out_of_line.zero_lanes(&r.sub(&r.square(&roots[chain]), &squares[chain]));
            let words = out_of_line.decode(&roots[chain]);
            let count = xs.len().saturating_sub(chain * L::LANES).min(L::LANES);
            ys.extend((0..count).map(|lane| (right >> lane & 1 == 1).then_some(words[lane])));
        }
    }
    ys
}
