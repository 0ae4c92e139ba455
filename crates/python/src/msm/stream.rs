//! Sums of points and scalars that come in parts.

use std::sync::{Mutex, TryLockError};

use bucketwheel::{Cancel, CurveId, GroupId, Msm, StreamOptions};
use bucketwheel_dynamic::{groups, AnyPoints, AnyScalars, DynStream};
use pyo3::prelude::*;
use self_cell::self_cell;

use super::names::{check_of, curve_of, form_of, group_of};
use super::shared::{of, pairs, sources, Sums};
use crate::error::Error;
use crate::source::{Rows, Source};
use crate::work;

type AnyStream<'a> = Box<dyn DynStream + 'a>;

self_cell! {
    /// A stream and the flag that cancels it.
    struct Cancellable {
        owner: Cancel,
        #[covariant]
        dependent: AnyStream,
    }
}

/// Points and scalars that come in parts.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Stream {
    curve: CurveId,
    group: GroupId,
    cancel: Cancel,
    stream: Mutex<Cancellable>,
}

#[pymethods]
impl Stream {
    /// Starts an empty stream, or continues after a number of points with a given sum.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        curve: &str,
        group: &str,
        points: Option<usize>,
        memory: Option<usize>,
        check: &str,
        threads: Option<usize>,
        resume: Option<(usize, Vec<Vec<u8>>)>,
    ) -> Result<Self, Error> {
        let (curve, group) = (curve_of(curve)?, group_of(group)?);
        let groups = groups(curve, group)?;
        let options = StreamOptions::new().check(check_of(check)?);
        let options = points.map_or(options, |points| options.points(points));
        let options = memory.map_or(options, |memory| options.memory(memory));
        let cancel = Cancel::new();
        let stream = work::run(py, &cancel, None, |_| {
            Cancellable::try_new(cancel.clone(), |cancel| {
                let msm = threads.map_or(Msm::new(), |threads| Msm::new().threads(threads)).cancel(cancel);
                let stream = groups.start(msm, options)?;
                let Some((len, sums)) = &resume else { return Ok::<_, Error>(stream) };
                if sums.len() != group.parts().len() {
                    let (found, expected) = (sums.len(), group.parts().len());
                    return Err(Error::Argument(format!("{found} sums to resume from: expected {expected}")));
                }
                // Python's `len` cannot return a larger number.
                if isize::try_from(*len).is_err() {
                    return Err(Error::Argument(format!(
                        "{len} points to resume after: expected fewer than 2^63"
                    )));
                }
                let sums: Vec<_> = sums.iter().map(|sum| AnyPoints::integers(sum)).collect();
                Ok(stream.resume(*len, &sums)?)
            })
        })?;
        Ok(Stream { curve, group, cancel, stream: Mutex::new(stream) })
    }

    /// Adds points of each group and their scalars.
    fn update(
        &self,
        py: Python<'_>,
        points: Vec<Bound<'_, PyAny>>,
        scalars: &Bound<'_, PyAny>,
        form: &str,
    ) -> Result<(), Error> {
        let (parts, form) = (self.group.parts(), form_of(form)?);
        let sources = sources(&points, self.curve, parts)?;
        let scalar = self.curve.scalar_bytes();
        let scalars = Source::new(scalars, Rows::AtMost(scalar))?;
        work::run(py, &self.cancel, None, |_| {
            let points = of(&sources, self.curve, parts, form);
            let scalars = AnyScalars::raw(scalars.scalars(self.curve)?, scalar, form);
            self.with(|stream| Ok(stream.update(&points, scalars)?))
        })
    }

    /// Returns the sums so far.
    fn flush(&self, py: Python<'_>) -> Result<Sums, Error> {
        let sums = work::run(py, &self.cancel, None, |_| self.with(|stream| Ok(stream.flush()?)))?;
        Ok(pairs(py, &sums))
    }

    fn __len__(&self, py: Python<'_>) -> Result<usize, Error> {
        py.detach(|| self.with(|stream| Ok(stream.len())))
    }
}

impl Stream {
    fn with<T>(&self, call: impl FnOnce(&mut AnyStream<'_>) -> Result<T, Error>) -> Result<T, Error> {
        match self.stream.try_lock() {
            Ok(mut stream) => stream.with_dependent_mut(|_, stream| call(stream)),
            Err(TryLockError::WouldBlock) => Err(Error::Busy),
            // A panic has broken the stream.
            Err(TryLockError::Poisoned(_)) => Err(Error::Internal),
        }
    }
}
