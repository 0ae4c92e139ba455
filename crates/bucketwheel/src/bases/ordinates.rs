//! The y that belongs to an x, in lanes: how compressed points become points.

use ark_ff::Zero;
use bucketwheel_lanes::Backend;

use crate::curve::{CoordinateField, Curve};
use crate::engine::roots::Abscissas;
use crate::Error;

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
