//! The trait of all models, and the checks that they share.

use std::collections::BTreeMap;
use std::fmt;

use bucketwheel::Control;
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::digits::{Scalar, Windows};
use crate::report::milliseconds;
use crate::{Curve, Error, Group, Report};

/// A design with its parameters. The defaults are the paper's, one set for all sizes. Make others with
/// `Parameters { window: 12, ..Parameters::default() }` or by name ([`configure`]).
///
/// ```
/// use bucketwheel::Control;
/// use bucketwheel_hardware::{check_inputs, msmac, Curve, Model};
///
/// let model = msmac::Parameters { window: 8, ..Default::default() };
/// assert_eq!((msmac::Parameters::NAME, model.curve(), model.concurrent_tasks()), ("msmac", Curve::Bn254, 1));
/// println!("{} points at most, {} bytes of buckets", model.most_points(), model.bucket_bytes::<()>());
///
/// let scalars = [[5, 0, 0, 0], [7, 0, 0, 0]];
/// let tasks: [&[_]; 1] = [&scalars];
/// assert!(check_inputs(3, &tasks, model.curve()).is_err(), "two scalars for three points");
/// check_inputs(2, &tasks, model.curve())?;
/// let outcome = model.simulate(&[(); 2], &tasks, &Control::new(None, None, None))?;
/// assert_eq!(outcome.report.points, 2);
/// # Ok::<(), bucketwheel_hardware::Error>(())
/// ```
pub trait Model: Default + Serialize + DeserializeOwned {
    /// The name on the command line.
    const NAME: &'static str;

    /// Returns the curve of the design. The [example](Self) uses it.
    fn curve(&self) -> Curve;

    /// Returns the number of tasks that run at a time. The [example](Self) uses it.
    fn concurrent_tasks(&self) -> usize {
        1
    }

    /// Returns the largest number of points of an MSM, which the cards' memory or the width of counters limits.
    /// The [example](Self) uses it.
    fn most_points(&self) -> u64;

    /// Returns the bytes of the buckets of all elements that work at a time; the largest number for parameters that no
    /// hardware can have. The [example](Self) uses it.
    fn bucket_bytes<G: Group>(&self) -> usize;

    /// Computes an MSM over `points` for each task's scalars, and counts. Its steps of progress are points, for each
    /// task and, except for MSMAC, each window.
    ///
    /// Takes some nanoseconds for each point and window if `G` is `()`; otherwise also a complete addition.
    ///
    /// # Errors
    /// [`Error::Parameter`] and [`Error::Curve`] for parameters that no hardware can have, [`Error::Size`] for too many
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

/// Returns `model` with some parameters set, with the names of its struct. Values have the form of JSON, text without
/// quotation marks.
///
/// The [example](crate#parameters-and-programs) uses it.
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

/// Returns all parameters by name.
///
/// The [example](crate#parameters-and-programs) uses it.
pub fn parameters(model: &impl Model) -> Map<String, Value> {
    match serde_json::to_value(model) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("parameters are a struct of numbers and names"),
    }
}

impl Report {
    /// Returns the report of this number of cycles, without their division into phases.
    pub(crate) fn new<M: Model>(model: &M, clock_mhz: f64, points: usize, tasks: usize, cycles: u64) -> Self {
        Report {
            design: M::NAME,
            curve: model.curve(),
            multiplier_model: "cycle",
            points,
            tasks,
            clock_mhz,
            cycles,
            ms: milliseconds(cycles, clock_mhz),
            phases: Vec::new(),
            counters: BTreeMap::new(),
            fifos: Vec::new(),
            channels: Vec::new(),
            paper: None,
            notes: Vec::new(),
            parameters: parameters(model),
        }
    }
}

/// Returns a clock in kHz.
pub(crate) fn kilohertz(clock_mhz: f64) -> u32 {
    (clock_mhz * 1e3).round() as u32
}

/// Returns a parameter within its range, or the error.
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

/// Returns a list with the same value for each bucket.
pub(crate) fn buckets<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Error> {
    let mut buckets = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>());
    buckets.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    buckets.resize(count, value);
    Ok(buckets)
}

/// Returns windows of a design's width for a curve.
pub(crate) fn windows(width: u32, curve: Curve) -> Result<Windows, Error> {
    in_range("window", width, 2..=Windows::MAX_WIDTH)?;
    Ok(Windows::new(width, curve.scalar_bits()))
}

/// Checks that the buckets of a window can form this number of segments.
pub(crate) fn check_segments(segments: u32, windows: Windows) -> Result<(), Error> {
    let most = windows.buckets() as u32 / 2;
    if segments.is_power_of_two() && segments <= most {
        return Ok(());
    }
    let expected = format!("a power of two up to {most}, for segments of at least two buckets");
    Err(Error::Parameter { name: "segments", value: segments.to_string(), expected })
}

/// Checks that every task has a scalar for each point, and that no scalar is too long.
///
/// The [example](crate::Model) uses it.
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

/// Returns an error if the caller cancelled.
pub(crate) fn check_cancelled(control: &Control<'_>) -> Result<(), Error> {
    match control.is_cancelled() {
        true => Err(Error::Cancelled),
        false => Ok(()),
    }
}
