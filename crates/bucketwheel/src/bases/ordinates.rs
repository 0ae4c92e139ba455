//! Finds the y that belongs to an x, in lanes, to decompress points.

use ark_ff::Zero;
use bucketwheel_lanes::Backend;

use crate::curve::{CoordinateField, Curve};
use crate::engine::roots::Abscissas;
use crate::Error;

/// Returns for each x a y with `y^2 = x^3 + a x + b`, or `None` if x has no y. The other solution is -y.
///
/// Runs on the calling thread, in the lanes of the backend ([`default_backend`](crate::default_backend) returns the
/// best backend). Costs one exponentiation in the field for each x, and two over Fp2.
///
/// ```
/// use ark_bn254::{g1::Config, Fq};
/// use bucketwheel::{default_backend, ordinates};
///
/// // The generator is (1, 2); there is no point with x = 4.
/// let ys = ordinates::<Config>(default_backend()?, &[Fq::from(1), Fq::from(4)])?;
/// assert!(ys[0] == Some(Fq::from(2)) || ys[0] == Some(-Fq::from(2)));
/// assert_eq!(ys[1], None);
/// # Ok::<(), bucketwheel::Error>(())
/// ```
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
