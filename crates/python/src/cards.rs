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
        let machine = model(named(design)?, &[("curve".into(), curve.name().into())])?;
        let points = Source::new(points, Rows::Exactly(curve.point_bytes(part)))?;
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

/// Returns the number of points that a node's cards hold, and for some numbers of points the milliseconds of their sum, with
/// uniform scalars. `log_sizes` are the sizes of a machine's part. Cards behind one link are one machine; otherwise each card has
/// an equal part of the points.
#[pyfunction]
pub fn card_times(
    py: Python<'_>,
    design: &str,
    curve: &str,
    cards: u64,
    log_sizes: Vec<u32>,
) -> Result<(u64, Vec<(u64, f64)>), Error> {
    let (curve, known) = (curve_of(curve)?, named(design)?);
    let machines = if known.cards().is_some() { 1 } else { cards };
    let cards = known.cards().map(|name| (name.into(), cards.to_string()));
    let one_sum = known.one_sum().iter().map(|&(name, value)| (name.into(), value.into()));
    let settings: Vec<_> =
        [("curve".into(), curve.name().into())].into_iter().chain(cards).chain(one_sum).collect();
    let machine = model(known, &settings)?;
    let cancel = Cancel::new();
    let times = work::run(py, &cancel, None, |_| {
        let blocks = inputs::scalars(curve, Distribution::Uniform, 0)?;
        let time = |&log_size: &u32| {
            let count = 1usize.checked_shl(log_size).unwrap_or(usize::MAX);
            let control = Control::new(None, Some(&cancel), None);
            let scalars = words(&inputs::collect(count, SCALAR, &blocks, &control)?)?;
            let points = machines.saturating_mul(count as u64);
            Ok((points, machine.count(count, &[&scalars], &control)?.ms))
        };
        log_sizes.iter().map(time).collect::<Result<Vec<_>, Error>>()
    })?;
    Ok((machine.most_points().saturating_mul(machines), times))
}

/// Returns the names of the designs.
#[pyfunction]
pub fn designs() -> Vec<&'static str> {
    Design::ALL.iter().copied().map(Design::name).collect()
}

/// Returns the design with this name.
fn named(design: &str) -> Result<Design, Error> {
    Design::ALL.iter().copied().find(|known| known.name() == design).ok_or_else(|| {
        let names = designs().join(", ");
        Error::Argument(format!("unknown device {design:?}; expected one of cpu, {names}"))
    })
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
