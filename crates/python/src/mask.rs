//! The check of sums by a second set of points.

use bucketwheel::{Cancel, CurveId, GroupId};
use bucketwheel_dynamic::{mask, AnyPoints, DynMask, MaskKey};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Error;
use crate::msm::{curve_of, group_of};
use crate::source::{Rows, Source};
use crate::work;

/// The secret factor of one group's points ([`DynMask`]). No method returns it, and pickle does not accept it.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Mask {
    curve: CurveId,
    part: GroupId,
    mask: Box<dyn DynMask>,
}

#[pymethods]
impl Mask {
    #[new]
    fn new(py: Python<'_>, curve: &str, part: &str, alpha: u128) -> Result<Self, Error> {
        let (curve, part) = (curve_of(curve)?, group_of(part)?);
        let mask = py.detach(|| mask(curve, part, alpha))?;
        Ok(Mask { curve, part, mask })
    }

    /// Returns the second points, as integers.
    fn points(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        key: MaskKey,
        first: u64,
    ) -> Result<Py<PyBytes>, Error> {
        let source = Source::new(points, Rows::Exactly(self.curve.point_bytes(self.part)))?;
        let masked = work::run(py, &Cancel::new(), None, |_| {
            Ok(self.mask.points(AnyPoints::integers(&source), &key, first)?)
        })?;
        Ok(PyBytes::new(py, &masked).unbind())
    }

    /// Returns the inner product of the scalars and their pseudorandom values, modulo the order.
    fn inner(
        &self,
        py: Python<'_>,
        scalars: &Bound<'_, PyAny>,
        key: MaskKey,
        first: u64,
    ) -> Result<Py<PyBytes>, Error> {
        let source = Source::new(scalars, Rows::AtMost(self.curve.scalar_bytes()))?;
        let inner = work::run(py, &Cancel::new(), None, |_| Ok(self.mask.inner(&source, &key, first)?))?;
        Ok(PyBytes::new(py, &inner).unbind())
    }

    /// Returns true if a sum and its sum over the second points agree.
    fn holds(&self, py: Python<'_>, sums: &[u8], inner: &[u8]) -> Result<bool, Error> {
        work::run(py, &Cancel::new(), None, |_| Ok(self.mask.holds(AnyPoints::integers(sums), inner)?))
    }
}
