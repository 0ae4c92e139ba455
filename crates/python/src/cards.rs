//! Machines of simulated cards.

use bucketwheel::{Cancel, Control, CurveId, GroupId};
use bucketwheel_dynamic::inputs::{self, Distribution};
use bucketwheel_hardware::dynamic::model;
use bucketwheel_hardware::{Design, DynModel, Outcome, Scalar};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Error;
use crate::msm::{curve_of, group_of};
use crate::source::{room, Rows, Source};
use crate::work::{self, Callback};

/// Bytes of a scalar of a design's curve.
const SCALAR: usize = size_of::<Scalar>();

/// Points in the memory of a machine's cards, by a cycle model.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Cards {
    curve: CurveId,
    machine: Box<dyn DynModel>,
    points: Source,
}

#[pymethods]
impl Cards {
    #[new]
    fn new(points: &Bound<'_, PyAny>, curve: &str, part: &str, design: &str) -> Result<Self, Error> {
        let (curve, part) = (curve_of(curve)?, group_of(part)?);
        if part != GroupId::G1 {
            return Err(Error::Curve(format!(
                "{design} computes in g1: expected points there, not in {part}"
            )));
        }
        let machine = machine(design, &[("curve".into(), curve.name().into())])?;
        let points = Source::new(points, Rows::Exactly(curve.field_bytes() * part.elements()))?;
        Ok(Cards { curve, machine, points })
    }

    /// Returns the sum, as integers, and the number of cycles.
    fn run(
        &self,
        py: Python<'_>,
        scalars: &Bound<'_, PyAny>,
        progress: Callback<'_, '_>,
    ) -> Result<(Py<PyBytes>, u64), Error> {
        let source = Source::new(scalars, Rows::AtMost(SCALAR))?;
        let cancel = Cancel::new();
        let Outcome { sums, report } = work::run(py, &cancel, progress, |progress| {
            let scalars = words(source.scalars(self.curve)?)?;
            let control = Control::new(None, Some(&cancel), Some(progress));
            self.machine.simulate(&self.points, &[&scalars], &control).map_err(Error::from)
        })?;
        Ok((PyBytes::new(py, &sums.concat()).unbind(), report.cycles))
    }

    fn __len__(&self) -> usize {
        self.points.len() / (2 * self.curve.field_bytes())
    }
}

/// Returns the curve of a design, the number of points that it holds, and milliseconds for sums over 2^N of them, with
/// uniform scalars.
#[pyfunction]
pub fn card_times(
    py: Python<'_>,
    design: &str,
    settings: Vec<(String, String)>,
    log_sizes: Vec<u32>,
) -> Result<(&'static str, u64, Vec<f64>), Error> {
    let machine = machine(design, &settings)?;
    let curve = CurveId::from(machine.curve());
    let cancel = Cancel::new();
    let times = work::run(py, &cancel, None, |_| {
        let blocks = inputs::scalars(curve, Distribution::Uniform, 0)?;
        let time = |&log_size: &u32| {
            let count = 1usize.checked_shl(log_size).unwrap_or(usize::MAX);
            let control = Control::new(None, Some(&cancel), None);
            let scalars = words(&inputs::collect(count, SCALAR, &blocks, &control)?)?;
            Ok(machine.count(count, &[&scalars], &control)?.ms)
        };
        log_sizes.iter().map(time).collect::<Result<Vec<_>, Error>>()
    })?;
    Ok((curve.name(), machine.most_points(), times))
}

/// Returns the names of the designs.
#[pyfunction]
pub fn designs() -> Vec<&'static str> {
    Design::ALL.iter().copied().map(Design::name).collect()
}

/// Returns the model of a design with these parameters set.
fn machine(design: &str, settings: &[(String, String)]) -> Result<Box<dyn DynModel>, Error> {
    let Some(&known) = Design::ALL.iter().find(|known| known.name() == design) else {
        let names = designs().join(", ");
        return Err(Error::Argument(format!("unknown device {design:?}; expected one of cpu, {names}")));
    };
    Ok(model(known, settings)?)
}

/// Returns the scalars in the models' form.
fn words(bytes: &[u8]) -> Result<Vec<Scalar>, Error> {
    if !bytes.len().is_multiple_of(SCALAR) {
        return Err(Error::Argument(format!(
            "{} bytes of scalars: expected a multiple of {SCALAR}",
            bytes.len()
        )));
    }
    let mut scalars = room::<Scalar>(bytes.len() / SCALAR)?;
    let (words, _) = bytes.as_chunks::<8>();
    let (rows, _) = words.as_chunks::<4>();
    scalars.extend(rows.iter().map(|row| row.map(u64::from_le_bytes)));
    Ok(scalars)
}
