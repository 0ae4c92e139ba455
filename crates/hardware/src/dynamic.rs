//! Designs and their curves that are known at run time. This crate compiles them, so that its users do not. Points
//! are bytes.
//!
//! ```
//! use ark_bls12_377::{g1::Config, Fr, G1Projective};
//! use ark_ec::PrimeGroup;
//! use bucketwheel::Control;
//! use bucketwheel_hardware::dynamic::{integers, model, read_points};
//! use bucketwheel_hardware::{Curve, Design};
//!
//! println!("{}", Design::Cyclone.about());
//! assert_eq!((Design::Cyclone.name(), Design::Cyclone.curves()), ("cyclone", &[Curve::Bls12_377][..]));
//! assert_eq!((Design::Msmac.cards(), Design::Gypsophila.one_sum()), (Some("cards"), &[("pes", "1")][..]));
//! let model = model(Design::Cyclone, &[("window".to_owned(), "8".to_owned())])?;
//! assert_eq!((model.name(), model.curve()), ("cyclone", Curve::Bls12_377));
//! assert!(model.most_points() >= 2 && model.concurrent_tasks() == 1);
//! assert!(model.bucket_bytes() > model.count_bytes());
//!
//! // 3 G + 4 (2 G) = 11 G, and its cycles.
//! let g = G1Projective::generator();
//! let points = [integers(g), integers(g + g)].concat();
//! let scalars = [[3, 0, 0, 0], [4, 0, 0, 0]];
//! let control = Control::new(None, None, None);
//! let outcome = model.simulate(&points, &[&scalars], &control)?;
//! assert_eq!(read_points::<Config>(&outcome.sums[0])?, [g * Fr::from(11)]);
//!
//! // The same cycles without points.
//! assert_eq!(model.count(2, &[&scalars], &control)?.cycles, outcome.report.cycles);
//! # Ok::<(), bucketwheel_hardware::Error>(())
//! ```

use std::marker::PhantomData;

use ark_ec::short_weierstrass::Projective;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField};
use bucketwheel::{Control, Curve as EngineCurve, Error as EngineError, Points};

use crate::{configure, Curve, Design, Error, Model, Outcome, Report, Scalar};

/// A [`Model`] on its curve.
pub trait DynModel: Send + Sync {
    /// Returns [`Model::NAME`]. The [example](crate::dynamic) uses it.
    fn name(&self) -> &'static str;

    /// Returns [`Model::curve`]. The [example](crate::dynamic) uses it.
    fn curve(&self) -> Curve;

    /// Returns [`Model::concurrent_tasks`]. The [example](crate::dynamic) uses it.
    fn concurrent_tasks(&self) -> usize;

    /// Returns [`Model::most_points`]. The [example](crate::dynamic) uses it.
    fn most_points(&self) -> u64;

    /// Returns [`Model::bucket_bytes`] for sums of points. The [example](crate::dynamic) uses it.
    fn bucket_bytes(&self) -> usize;

    /// Returns [`Model::bucket_bytes`] for [`count`](Self::count), which sums nothing. The [example](crate::dynamic)
    /// uses it.
    fn count_bytes(&self) -> usize;

    /// Returns the counts of [`Model::simulate`] over nothing, which equal the counts over the same number of points,
    /// unless a reclaimer doubles equal points. The [example](crate::dynamic) uses it.
    ///
    /// # Errors
    /// As for [`Model::simulate`].
    fn count(&self, points: usize, tasks: &[&[Scalar]], control: &Control<'_>) -> Result<Report, Error>;

    /// Runs [`Model::simulate`] over points in the form of [`Points::integers`]; the sums have the same form.
    /// The [example](crate::dynamic) uses it.
    ///
    /// # Errors
    /// As for [`Model::simulate`], and [`Error::Points`].
    fn simulate(
        &self,
        points: &[u8],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<Vec<u8>>, Error>;
}

/// Returns the model of a design with some parameters set ([`configure`]). The parameters must describe possible
/// hardware.
///
/// # Errors
/// As [`configure`]; [`Error::Parameter`], [`Error::Curve`], [`Error::Size`].
pub fn model(design: Design, settings: &[(String, String)]) -> Result<Box<dyn DynModel>, Error> {
    macro_rules! on_its_curve {
        ($parameters:ty; $($curve:ident => $config:ty),+) => {{
            let model = checked::<$parameters>(settings)?;
            let curve = model.curve();
            $(if curve == Curve::$curve {
                return Ok(On::<_, $config>::boxed(model));
            })+
            Err(Error::Curve { design: design.name(), curve, expected: "a curve of the design" })
        }};
    }
    match_design!(design, on_its_curve)
}

fn checked<M: Model>(settings: &[(String, String)]) -> Result<M, Error> {
    let model = configure(M::default(), settings)?;
    model.simulate::<()>(&[], &[], &Control::new(None, None, None))?;
    Ok(model)
}

/// A model on a curve.
struct On<M, C>(M, PhantomData<fn() -> C>);

impl<M: Model + Send + Sync + 'static, C: EngineCurve<BaseField: PrimeField>> On<M, C> {
    fn boxed(model: M) -> Box<dyn DynModel> {
        Box::new(On::<M, C>(model, PhantomData))
    }
}

impl<M: Model + Send + Sync, C: EngineCurve<BaseField: PrimeField>> DynModel for On<M, C> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn curve(&self) -> Curve {
        self.0.curve()
    }

    fn concurrent_tasks(&self) -> usize {
        self.0.concurrent_tasks()
    }

    fn most_points(&self) -> u64 {
        self.0.most_points()
    }

    fn bucket_bytes(&self) -> usize {
        self.0.bucket_bytes::<Projective<C>>()
    }

    fn count_bytes(&self) -> usize {
        self.0.bucket_bytes::<()>()
    }

    fn count(&self, points: usize, tasks: &[&[Scalar]], control: &Control<'_>) -> Result<Report, Error> {
        Ok(self.0.simulate(&vec![(); points], tasks, control)?.report)
    }

    fn simulate(
        &self,
        points: &[u8],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<Vec<u8>>, Error> {
        let Outcome { sums, report } = self.0.simulate(&read_points::<C>(points)?, tasks, control)?;
        Ok(Outcome { sums: sums.into_iter().map(integers).collect(), report })
    }
}

/// Returns points in the form of [`Points::integers`].
///
/// The [example](crate::dynamic) uses it.
///
/// # Errors
/// [`Error::Points`], [`Error::OutOfMemory`].
pub fn read_points<C: EngineCurve>(bytes: &[u8]) -> Result<Vec<Projective<C>>, Error> {
    let points = Points::<C>::integers(bytes)?;
    let mut read = Vec::new();
    let bytes = points.len().saturating_mul(size_of::<Projective<C>>());
    read.try_reserve_exact(points.len()).map_err(|_| EngineError::OutOfMemory { bytes })?;
    for index in 0..points.len() {
        read.push(points.get(index).ok_or(EngineError::CoordinateRange { index })?.into());
    }
    Ok(read)
}

/// Returns a point in the form of [`Points::integers`].
///
/// The [example](crate::dynamic) uses it.
pub fn integers<C: EngineCurve<BaseField: PrimeField>>(point: Projective<C>) -> Vec<u8> {
    let zero = (C::BaseField::ZERO, C::BaseField::ZERO);
    let (x, y) = point.into_affine().xy().unwrap_or(zero);
    [x, y].iter().flat_map(|coordinate| coordinate.into_bigint().to_bytes_le()).collect()
}
