//! Machines of simulated cards.

use std::marker::PhantomData;

use ark_ec::short_weierstrass::Projective;
use ark_ec::CurveGroup;
use bucketwheel::{Cancel, Control, Curve, CurveId, Error as EngineError, GroupId, Points};
use bucketwheel_dynamic::inputs::{self, Distribution};
use bucketwheel_formats::encode_points;
use bucketwheel_hardware::{
    configure, cyclone, gypsophila, msmac, Curve as HardwareCurve, Error as HardwareError, Model, Report,
    Scalar,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Error;
use crate::msm::{curve_of, group_of};
use crate::source::{room, Rows, Source};
use crate::work::{self, Callback};

/// Bytes of a scalar of a design's curve.
const SCALAR: usize = size_of::<Scalar>();

/// Points in the memory of a machine's cards, a cycle model.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Cards {
    curve: CurveId,
    machine: Box<dyn Machine>,
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

    /// The sum, as integers, and the cycles that it takes.
    fn run(
        &self,
        py: Python<'_>,
        scalars: &Bound<'_, PyAny>,
        progress: Callback<'_, '_>,
    ) -> Result<(Py<PyBytes>, u64), Error> {
        let source = Source::new(scalars, Rows::AtMost(SCALAR))?;
        let cancel = Cancel::new();
        let (sum, report) = work::run(py, &cancel, progress, |progress| {
            // The models tell none; but who listens may stop them.
            progress.report(0, 1);
            let scalars = words(source.scalars(self.curve)?)?;
            self.machine.sum(&self.points, &scalars, &cancel)
        })?;
        Ok((PyBytes::new(py, &sum).unbind(), report.cycles))
    }

    fn __len__(&self) -> usize {
        self.points.len() / (2 * self.curve.field_bytes())
    }
}

/// The curve of a design, the points that it holds, and milliseconds for sums over 2^N of them, with uniform scalars.
#[pyfunction]
pub fn card_times(
    py: Python<'_>,
    design: &str,
    settings: Vec<(String, String)>,
    log_sizes: Vec<u32>,
) -> Result<(&'static str, u64, Vec<f64>), Error> {
    let machine = machine(design, &settings)?;
    let curve = machine.curve();
    let cancel = Cancel::new();
    // More than any card holds, of which nothing is made.
    let most = match machine.count(usize::MAX, &[], &cancel) {
        Err(HardwareError::Size { most, .. }) => most,
        _ => u64::MAX,
    };
    let times = work::run(py, &cancel, None, |_| {
        let blocks = inputs::scalars(curve, Distribution::Uniform, 0)?;
        let time = |&log_size: &u32| {
            let count = 1usize.checked_shl(log_size).unwrap_or(usize::MAX);
            let control = Control::new(None, Some(&cancel), None);
            let scalars = words(&inputs::collect(count, SCALAR, &blocks, &control)?)?;
            Ok(machine.count(count, &[&scalars], &cancel)?.ms)
        };
        log_sizes.iter().map(time).collect::<Result<Vec<_>, Error>>()
    })?;
    Ok((curve.name(), most, times))
}

/// A model on its curve.
trait Machine: Send + Sync {
    fn curve(&self) -> CurveId;

    /// The counts of a sum over so many points.
    fn count(&self, points: usize, tasks: &[&[Scalar]], cancel: &Cancel) -> Result<Report, HardwareError>;

    /// The sum over points that are integers, as integers, and its counts.
    fn sum(&self, points: &[u8], scalars: &[Scalar], cancel: &Cancel) -> Result<(Vec<u8>, Report), Error>;
}

struct On<M, C>(M, PhantomData<fn() -> C>);

impl<M: Model + Send + Sync, C: Curve> Machine for On<M, C> {
    fn curve(&self) -> CurveId {
        match self.0.curve() {
            HardwareCurve::Bls12_377 => CurveId::Bls12_377,
            HardwareCurve::Bls12_381 => CurveId::Bls12_381,
            HardwareCurve::Bn254 => CurveId::Bn254,
        }
    }

    fn count(&self, points: usize, tasks: &[&[Scalar]], cancel: &Cancel) -> Result<Report, HardwareError> {
        Ok(self.0.simulate(&vec![(); points], tasks, cancel)?.report)
    }

    fn sum(&self, points: &[u8], scalars: &[Scalar], cancel: &Cancel) -> Result<(Vec<u8>, Report), Error> {
        let points = Points::<C>::integers(points)?;
        let mut read = room::<Projective<C>>(points.len())?;
        for index in 0..points.len() {
            read.push(points.get(index).ok_or(EngineError::CoordinateRange { index })?.into());
        }
        let outcome = self.0.simulate(&read, &[scalars], cancel)?;
        let mut sum = Vec::new();
        encode_points(&Projective::normalize_batch(&outcome.sums), &mut sum)?;
        Ok((sum, outcome.report))
    }
}

/// The design with some parameters set, which are of hardware that there could be.
fn machine(design: &str, settings: &[(String, String)]) -> Result<Box<dyn Machine>, Error> {
    type Bls12_377 = ark_bls12_377::g1::Config;
    type Bn254 = ark_bn254::g1::Config;
    fn checked<M: Model>(settings: &[(String, String)]) -> Result<M, HardwareError> {
        let model = configure(M::default(), settings)?;
        model.simulate::<()>(&[], &[], &Cancel::new())?;
        Ok(model)
    }
    Ok(match design {
        "cyclone" => Box::new(On::<_, Bls12_377>(checked::<cyclone::Parameters>(settings)?, PhantomData)),
        "msmac" => Box::new(On::<_, Bn254>(checked::<msmac::Parameters>(settings)?, PhantomData)),
        "gypsophila" => {
            let model = checked::<gypsophila::Parameters>(settings)?;
            match model.curve {
                HardwareCurve::Bn254 => Box::new(On::<_, Bn254>(model, PhantomData)),
                _ => Box::new(On::<_, Bls12_377>(model, PhantomData)),
            }
        }
        _ => {
            return Err(Error::Argument(format!(
                "unknown device {design:?}; expected one of cpu, cyclone, msmac, gypsophila"
            )))
        }
    })
}

/// Scalars as the models take them.
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
