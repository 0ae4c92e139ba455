//! The trait of all models, and the checks that they share.

use std::fmt;

use bucketwheel::{Control, CurveId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::digits::{Scalar, Windows};
use crate::{Error, Group, Report};

/// A curve of the designs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// BLS12-377, 253 bits of scalar.
    #[serde(rename = "bls12-377")]
    Bls12_377,
    /// BLS12-381, 255 bits of scalar: for none of the designs.
    #[serde(rename = "bls12-381")]
    Bls12_381,
    /// BN254, 254 bits of scalar; BN128 and BN256 in the papers.
    Bn254,
}

impl Curve {
    /// Bits of the group's order.
    pub fn scalar_bits(self) -> u32 {
        match self {
            Curve::Bls12_377 => 253,
            Curve::Bn254 => 254,
            Curve::Bls12_381 => 255,
        }
    }

    /// Bytes of a coordinate in memory.
    pub fn coordinate_bytes(self) -> u64 {
        match self {
            Curve::Bn254 => 32,
            _ => 48,
        }
    }
}

impl From<Curve> for CurveId {
    fn from(curve: Curve) -> Self {
        match curve {
            Curve::Bls12_377 => CurveId::Bls12_377,
            Curve::Bls12_381 => CurveId::Bls12_381,
            Curve::Bn254 => CurveId::Bn254,
        }
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        CurveId::from(*self).fmt(f)
    }
}

/// A design with its parameters. The default ones are the paper's, and one set for all sizes; others are made with
/// `Parameters { window: 12, ..Parameters::default() }` or by name ([`configure`]).
pub trait Model: Default + Serialize + DeserializeOwned {
    /// The name on the command line.
    const NAME: &'static str;

    /// The curve that it computes on.
    fn curve(&self) -> Curve;

    /// Number of tasks that run at a time.
    fn concurrent_tasks(&self) -> usize {
        1
    }

    /// The most points of an MSM: what the cards hold, or can be told of.
    fn most_points(&self) -> u64;

    /// The bytes that the buckets take, of all elements that work at a time; infinitely many for parameters that make no
    /// hardware.
    fn bucket_bytes<G: Group>(&self) -> usize;

    /// Computes an MSM over `points` for each task's scalars, and counts. Its steps are points, of each task and, but for
    /// MSMAC, each window.
    ///
    /// Takes some nanoseconds for each point and window if `G` is `()`, a complete addition more if not.
    ///
    /// # Errors
    /// [`Error::Parameter`] and [`Error::Curve`] for parameters that make no hardware, [`Error::Size`] for too many
    /// points, [`Error::Count`] and [`Error::Scalar`] for scalars that do not fit, [`Error::OutOfMemory`], and
    /// [`Error::Cancelled`].
    fn simulate<G: Group>(
        &self,
        points: &[G],
        tasks: &[&[Scalar]],
        control: &Control<'_>,
    ) -> Result<Outcome<G>, Error>;
}

/// Sums and counts of a simulation.
#[derive(Clone, Debug)]
pub struct Outcome<G> {
    /// A sum for each task.
    pub sums: Vec<G>,
    /// The counts.
    pub report: Report,
}

/// `model` with some parameters set, named as in its struct; values as in JSON, text without quotation marks.
///
/// # Errors
/// [`Error::UnknownParameter`], [`Error::Value`].
pub fn configure<M: Model>(mut model: M, settings: &[(String, String)]) -> Result<M, Error> {
    for (name, value) in settings {
        let mut fields = parameters(&model);
        let Some(field) = fields.get_mut(name) else {
            let known = fields.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(Error::UnknownParameter { design: M::NAME, name: name.clone(), known });
        };
        *field = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()));
        model = serde_json::from_value(Value::Object(fields)).map_err(|reason| Error::Value {
            design: M::NAME,
            name: name.clone(),
            value: value.clone(),
            reason: reason.to_string(),
        })?;
    }
    Ok(model)
}

/// All parameters by name.
pub fn parameters(model: &impl Model) -> Map<String, Value> {
    match serde_json::to_value(model) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("parameters are a struct of numbers and names"),
    }
}

/// A parameter within its range, or the error.
pub(crate) fn in_range<T: PartialOrd + fmt::Display>(
    name: &'static str,
    value: T,
    range: std::ops::RangeInclusive<T>,
) -> Result<(), Error> {
    if range.contains(&value) {
        return Ok(());
    }
    let expected = format!("{} to {}", range.start(), range.end());
    Err(Error::Parameter { name, value: value.to_string(), expected })
}

/// The same value for each bucket.
pub(crate) fn buckets<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Error> {
    let mut buckets = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    buckets.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    buckets.resize(count, value);
    Ok(buckets)
}

/// Windows of a design's width for a curve.
pub(crate) fn windows(width: u32, curve: Curve) -> Result<Windows, Error> {
    in_range("window", width, 2..=Windows::MAX_WIDTH)?;
    Ok(Windows::new(width, curve.scalar_bits()))
}

/// Checks that the buckets of a window make so many segments.
pub(crate) fn check_segments(segments: u32, windows: Windows) -> Result<(), Error> {
    let most = windows.buckets() as u32 / 2;
    if segments.is_power_of_two() && segments <= most {
        return Ok(());
    }
    let expected = format!("a power of two up to {most}, for segments of at least two buckets");
    Err(Error::Parameter { name: "segments", value: segments.to_string(), expected })
}

/// Checks that every task has a scalar for each of so many points, none too long.
///
/// # Errors
/// [`Error::Count`], [`Error::Scalar`].
pub fn check_inputs(points: usize, tasks: &[&[Scalar]], curve: Curve) -> Result<(), Error> {
    let bits = curve.scalar_bits();
    for (task, scalars) in tasks.iter().enumerate() {
        if scalars.len() != points {
            return Err(Error::Count { task, points, scalars: scalars.len() });
        }
        if let Some(index) = scalars.iter().position(|scalar| scalar[3] >> (bits - 192) != 0) {
            return Err(Error::Scalar { task, index, bits });
        }
    }
    Ok(())
}

/// An error if the caller cancelled.
pub(crate) fn check_cancelled(control: &Control<'_>) -> Result<(), Error> {
    match control.is_cancelled() {
        true => Err(Error::Cancelled),
        false => Ok(()),
    }
}
