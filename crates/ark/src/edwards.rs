//! Twisted Edwards curves: the engine sums their points in Weierstrass form.
//!
//! arkworks relates both forms by a Montgomery curve `B v^2 = u^3 + A u^2 + u`. Its point (u, v) is
//!
//! - `(r u / v, (u - 1) / (u + 1))` in Edwards form, where `r^2 a = (A + 2) / B`, and
//! - `(s u + root, s v)` in Weierstrass form, where `s = 1 / B` and `root = A / (3 B)`.
//!
//! The sign of r exchanges points with their negatives, in both directions.

use std::ops::Range;
use std::sync::LazyLock;

use ark_ec_0_6::short_weierstrass::{Affine, Projective};
use ark_ec_0_6::twisted_edwards::{self, MontCurveConfig, TECurveConfig};
use ark_ff_0_6::{serial_batch_inversion_and_mul, Field};
use bucketwheel::{Curve, Error};
use rayon::prelude::*;

/// Number of points that share an inversion, and that one thread converts at a time.
const CHUNK: usize = 1024;

/// A twisted Edwards curve of arkworks 0.6 whose points the engine sums: Jubjub, Bandersnatch, and the first group of BLS12-377.
pub trait EdwardsCurve: Curve + TECurveConfig {
    /// Returns the map between the curve's forms.
    #[doc(hidden)]
    fn map() -> &'static Map<Self::BaseField>;

    /// Returns the coordinates of a point.
    #[doc(hidden)]
    fn to_engine(point: &twisted_edwards::Affine<Self>) -> [Self::BaseField; 2] {
        [point.x, point.y]
    }

    /// Returns the point with these extended coordinates.
    #[doc(hidden)]
    fn from_engine(&[x, y, t, z]: &[Self::BaseField; 4]) -> twisted_edwards::Projective<Self> {
        twisted_edwards::Projective::new_unchecked(x, y, t, z)
    }
}

/// Implements `EdwardsCurve` for configurations.
macro_rules! edwards_curves {
    ($($config:ty),*) => {
        $(impl EdwardsCurve for $config {
            fn map() -> &'static Map<Self::BaseField> {
                static MAP: LazyLock<Map<<$config as ark_ec_0_6::CurveConfig>::BaseField>> =
                    LazyLock::new(|| Map::new::<$config>().expect("arkworks' constants"));
                &MAP
            }
        })*
    };
}

edwards_curves!(
    ark_ed_on_bls12_381_0_6::JubjubConfig,
    ark_ed_on_bls12_381_bandersnatch_0_6::BandersnatchConfig,
    ark_bls12_377_0_6::g1::Config
);

/// A coordinate of a curve's points.
pub type Coordinate<C> = <C as ark_ec_0_6::CurveConfig>::BaseField;

/// Implements `Point` for points in Edwards form whose configurations are `Sums`, in the module of a version. The argument is the
/// engine's configuration.
macro_rules! point {
    ($engine:ty) => {
        impl<C: Sums> Point for Affine<C> {
            type Engine = $engine;
            type Group = Projective<C>;

            fn to_engine(&self) -> Result<EngineAffine<$engine>, Error> {
                <$engine>::map().to_weierstrass(1, |_| C::to_engine(&self.0)).map(|points| points[0])
            }

            fn prepare(points: &[Self], options: BasesOptions) -> Result<Bases<$engine>, Error> {
                let map = <$engine>::map();
                options.prepare(&map.to_weierstrass(points.len(), |index| C::to_engine(&points[index].0))?)
            }

            fn group(point: EngineProjective<$engine>) -> Option<Projective<C>> {
                let coordinates = <$engine>::map().to_edwards(&point)?;
                Some(Projective(C::from_engine(&coordinates)))
            }

            fn from_engine(points: Vec<EngineAffine<$engine>>) -> Option<Vec<Self>> {
                let points: Option<Vec<_>> =
                    points.into_iter().map(|point| Self::group(point.into())).collect();
                Some(Projective::normalize_batch(&points?))
            }
        }
    };
}

/// The map between the forms of a curve.
#[derive(Debug)]
pub struct Map<F> {
    r: F,
    inverse_r: F,
    s: F,
    root: F,
}

impl<F: Field> Map<F> {
    fn new<C: MontCurveConfig<BaseField = F> + TECurveConfig>() -> Option<Self> {
        let (own_a, own_b) = (<C as MontCurveConfig>::COEFF_A, <C as MontCurveConfig>::COEFF_B);
        let (s, third) = (own_b.inverse()?, F::from(3u64).inverse()?);
        let r = ((own_a + F::from(2u64)) * s * <C as TECurveConfig>::COEFF_A.inverse()?).sqrt()?;
        Some(Map { r, inverse_r: r.inverse()?, s, root: own_a * s * third })
    }

    /// Returns points in Weierstrass form; `points` returns the coordinates of a point in Edwards form.
    ///
    /// # Errors
    /// [`Error::NotOnCurve`], for most points off the curve. The remaining points off the curve map to points off the curve.
    pub fn to_weierstrass<C: Curve<BaseField = F>>(
        &self,
        len: usize,
        points: impl Fn(usize) -> [F; 2] + Sync,
    ) -> Result<Vec<Affine<C>>, Error> {
        if len <= CHUNK {
            return self.chunk(0..len, &points);
        }
        let chunks = (0..len.div_ceil(CHUNK)).into_par_iter();
        let chunks = chunks.map(|i| self.chunk(i * CHUNK..len.min((i + 1) * CHUNK), &points));
        Ok(chunks.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Converts at most [`CHUNK`] points.
    fn chunk<C: Curve<BaseField = F>>(
        &self,
        range: Range<usize>,
        points: impl Fn(usize) -> [F; 2],
    ) -> Result<Vec<Affine<C>>, Error> {
        let points: Vec<_> = range.clone().map(points).collect();
        // r s / (x (1 - y)); 0 stays 0.
        let mut factors: Vec<F> = points.iter().map(|[x, y]| *x * (F::one() - y)).collect();
        serial_batch_inversion_and_mul(&mut factors, &(self.r * self.s));
        let convert = |((index, [x, y]), factor): ((usize, [F; 2]), F)| {
            let product = (F::one() + y) * factor; // s v
            match (x.is_zero(), product.is_zero()) {
                (false, false) => {
                    Ok(Affine::new_unchecked(product * x * self.inverse_r + self.root, product))
                }
                (true, _) if y.is_one() => Ok(Affine::identity()),
                (true, _) if y == -F::one() => Ok(Affine::new_unchecked(self.root, F::zero())),
                _ => Err(Error::NotOnCurve { index }),
            }
        };
        range.zip(points).zip(factors).map(convert).collect()
    }

    /// Returns the extended coordinates (x, y, t, z) of a point in Edwards form; `None` if the point is at infinity there, as two
    /// points of order 2 and two points of order 4 may be.
    pub fn to_edwards<C: Curve<BaseField = F>>(&self, point: &Projective<C>) -> Option<[F; 4]> {
        let [zero, one] = [F::zero(), F::one()];
        if point.z.is_zero() {
            return Some([zero, one, zero, one]);
        }
        let z_squared = point.z.square();
        // s u, and s, times z^2
        let (u, s) = (point.x - self.root * z_squared, self.s * z_squared);
        if u.is_zero() {
            return Some([zero, -one, zero, one]);
        }
        let ([x, x_denominator], [y, y_denominator]) = ([self.r * u * point.z, point.y], [u - s, u + s]);
        let z = x_denominator * y_denominator;
        (!z.is_zero()).then(|| [x * y_denominator, y * x_denominator, x * y, z])
    }
}

pub(crate) use point;
