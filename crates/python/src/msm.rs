//! Points and their sums.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Mutex, TryLockError};

use bucketwheel::{
    BasesOptions, Cancel, Check, Control, CurveId, Error as EngineError, Form, GroupId, Infinity, Msm,
    PointLayout, StreamOptions, TableHeader, UnknownName,
};
use bucketwheel_dynamic::inputs::{self, Distribution};
use bucketwheel_dynamic::{group, groups, twice, AnyPoints, AnyScalars, AnySum, DynBases, DynStream};
use bucketwheel_formats::{detect, Body, FormatError, FormatId, PointsFile, Section, Wanted};
use bucketwheel_whole_file::Output;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use self_cell::self_cell;

use crate::error::Error;
use crate::source::{room, Rows, Source};
use crate::work::{self, Callback};

/// Points that are decoded at once, between looks at the cancellation.
const BLOCK: usize = 1 << 14;

/// Sums by group: x and y as little-endian integers.
type Sums = Vec<(&'static str, Py<PyBytes>)>;

/// The value that has this name.
fn named<T: Copy>(kind: &str, all: &[T], name_of: fn(T) -> &'static str, name: &str) -> Result<T, Error> {
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&one| name_of(one)).collect();
        Error::Argument(format!("unknown {kind} {name:?}; expected one of {}", names.join(", ")))
    })
}

fn format_of(name: &str) -> Result<FormatId, Error> {
    named("format", FormatId::ALL, FormatId::name, name)
}

fn section_of(name: &str) -> Result<Section, Error> {
    named("section", Section::ALL, Section::name, name)
}

pub fn curve_of(name: &str) -> Result<CurveId, Error> {
    name.parse().map_err(|error: UnknownName| Error::Curve(error.to_string()))
}

pub fn group_of(name: &str) -> Result<GroupId, Error> {
    name.parse().map_err(|error: UnknownName| Error::Curve(error.to_string()))
}

fn check_of(name: &str) -> Result<Check, Error> {
    match name {
        "none" => Ok(Check::None),
        "curve" => Ok(Check::Curve),
        "subgroup" => Ok(Check::Subgroup),
        _ => Err(Error::Argument(format!("unknown check {name:?}; expected one of none, curve, subgroup"))),
    }
}

fn form_of(name: &str) -> Result<Form, Error> {
    match name {
        "integers" => Ok(Form::Canonical),
        "montgomery" => Ok(Form::Montgomery),
        _ => Err(Error::Argument(format!("unknown form {name:?}; expected one of integers, montgomery"))),
    }
}

/// Options for the preparation of points.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    check: String,
    deduplicate: bool,
    copies: Option<usize>,
    threads: Option<usize>,
}

impl Options {
    fn bases<'a>(&self, cancel: &'a Cancel) -> Result<BasesOptions<'a>, Error> {
        let options = BasesOptions::new().check(check_of(&self.check)?).deduplicate(self.deduplicate);
        let options = self.copies.map_or(options, |copies| options.copies(copies));
        let options = self.threads.map_or(options, |threads| options.threads(threads));
        Ok(options.cancel(cancel))
    }
}

/// Points, prepared.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Bases {
    curve: CurveId,
    group: GroupId,
    bases: Box<dyn DynBases>,
}

#[pymethods]
impl Bases {
    /// Of points in memory, one array for each group; or two for one group, which then has two sums.
    #[new]
    fn new(
        py: Python<'_>,
        points: Vec<Bound<'_, PyAny>>,
        curve: &str,
        group: &str,
        form: &str,
        options: Options,
        progress: Callback<'_, '_>,
    ) -> Result<Self, Error> {
        let (curve, group, form) = (curve_of(curve)?, group_of(group)?, form_of(form)?);
        let (groups, parts) = match (group.parts(), points.len()) {
            (&[part], 2) => (twice(curve, group)?, vec![part; 2]),
            (parts, _) => (groups(curve, group)?, parts.to_vec()),
        };
        if parts.len() != points.len() {
            return Err(Error::Argument(format!(
                "{} sets of points: expected {}",
                points.len(),
                parts.len()
            )));
        }
        let size = |part: &GroupId| curve.field_bytes() * part.elements();
        let source = |(points, part)| Source::new(points, Rows::Exactly(size(part)));
        let sources: Vec<Source> = points.iter().zip(&parts).map(source).collect::<Result<_, _>>()?;
        let cancel = Cancel::new();
        let options = options.bases(&cancel)?;
        let bases = work::run(py, &cancel, progress, |progress| {
            let points: Vec<_> =
                sources.iter().zip(&parts).map(|(source, part)| of(source, form, size(part))).collect();
            Ok(groups.prepare(options.progress(progress), &points)?)
        })?;
        Ok(Bases { curve, group, bases })
    }

    /// Of a file, or its bytes, of any format.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn open(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        format: Option<&str>,
        curve: Option<&str>,
        group: Option<&str>,
        section: Option<&str>,
        options: Options,
        progress: Callback<'_, '_>,
    ) -> Result<Self, Error> {
        let source = Source::new(file, Rows::Any)?;
        let format = format.map(format_of).transpose()?;
        let wanted = Wanted {
            curve: curve.map(curve_of).transpose()?,
            group: group.map(group_of).transpose()?,
            section: section.map(section_of).transpose()?,
        };
        let cancel = Cancel::new();
        let path = source.path().map(PathBuf::from);
        let opened = work::run(py, &cancel, progress, |progress| {
            let bases = options.bases(&cancel)?.progress(progress);
            if TableHeader::is_table(&source) {
                return load(source, wanted, bases, &options);
            }
            read(&source, format, wanted, bases, &cancel)
        });
        opened.map_err(|error| error.at(path.as_deref()))
    }

    /// The sum in each group.
    fn run(
        &self,
        py: Python<'_>,
        scalars: &Bound<'_, PyAny>,
        form: &str,
        threads: Option<usize>,
        progress: Callback<'_, '_>,
    ) -> Result<Sums, Error> {
        let size = self.curve.scalar_bytes();
        let source = Source::new(scalars, Rows::AtMost(size))?;
        let (form, cancel) = (form_of(form)?, Cancel::new());
        let msm = threads.map_or(Msm::new(), |threads| Msm::new().threads(threads)).cancel(&cancel);
        let sums = work::run(py, &cancel, progress, |progress| {
            let scalars = AnyScalars::raw(source.scalars(self.curve)?, size, form);
            let sums = self.bases.run(msm.progress(progress), scalars);
            sums.map(|(sums, _)| sums).map_err(|error| in_scalars(error).at(source.path()))
        })?;
        Ok(pairs(py, &sums))
    }

    /// Writes the table. The file appears once it is complete.
    fn write_table(&self, py: Python<'_>, path: PathBuf) -> Result<(), Error> {
        work::run(py, &Cancel::new(), None, |_| {
            Ok(Output::write_durably(&path, |file| self.bases.write_table(file))?)
        })
    }

    #[getter]
    fn curve(&self) -> &'static str {
        self.curve.name()
    }

    #[getter]
    fn group(&self) -> &'static str {
        self.group.name()
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.bases.backend().name()
    }

    fn __len__(&self) -> usize {
        self.bases.len()
    }
}

/// Points as they lie in memory.
fn of(bytes: &[u8], form: Form, stride: usize) -> AnyPoints<'_> {
    AnyPoints::raw(bytes, PointLayout { stride, form, infinity: Infinity::Zeros })
}

fn in_scalars(error: EngineError) -> Error {
    match error {
        EngineError::ScalarRange { index } => FormatError::Scalar { index }.into(),
        error => error.into(),
    }
}

fn pairs(py: Python<'_>, sums: &[AnySum]) -> Sums {
    sums.iter().map(|sum| (sum.group.name(), PyBytes::new(py, &sum.integers).unbind())).collect()
}

/// A table that was written.
fn load(source: Source, wanted: Wanted, bases: BasesOptions<'_>, options: &Options) -> Result<Bases, Error> {
    if options.copies.is_some() || options.deduplicate || options.check != "none" || wanted.section.is_some()
    {
        return Err(Error::Argument(
            "a table is as it was made: expected no copies=, deduplicate=, check= or section=".into(),
        ));
    }
    let header = TableHeader::parse(&source)?;
    let of = |&curve: &CurveId| curve.groups().iter().map(move |&part| (curve, part));
    let is_of =
        |&(curve, part): &(CurveId, GroupId)| group(curve, part).is_ok_and(|group| group.is_of(&header));
    let found = CurveId::ALL.iter().flat_map(of).find(is_of);
    let (curve, part) = found.ok_or(bucketwheel::TableError::Curve)?;
    agree(wanted, curve, part)?;
    Ok(Bases { curve, group: part, bases: group(curve, part)?.load(bases, Box::new(source))? })
}

/// Checks that this is what was asked for.
fn agree(wanted: Wanted, curve: CurveId, group: GroupId) -> Result<(), FormatError> {
    let (expected_curve, expected_group) = (wanted.curve.unwrap_or(curve), wanted.group.unwrap_or(group));
    match (expected_curve, expected_group) == (curve, group) {
        true => Ok(()),
        false => Err(FormatError::Contradiction {
            expected: format!("{expected_curve} {expected_group}"),
            found: format!("{curve} {group}"),
        }),
    }
}

/// Points of any format.
fn read(
    file: &[u8],
    format: Option<FormatId>,
    wanted: Wanted,
    options: BasesOptions<'_>,
    cancel: &Cancel,
) -> Result<Bases, Error> {
    let (format, wanted) = format.map_or_else(|| detect(file, wanted), |format| Ok((format, wanted)))?;
    let bodies = if format == FormatId::Bucketwheel {
        let file_of = PointsFile::parse(file)?;
        agree(wanted, file_of.curve, file_of.group)?;
        let body = |&group: &GroupId| format.format().open(file, Wanted { group: Some(group), ..wanted });
        (file_of.group, file_of.group.parts().iter().map(body).collect::<Result<Vec<_>, _>>()?)
    } else {
        let body = format.format().open(file, wanted)?;
        (body.group, vec![body])
    };
    let (group, bodies) = bodies;
    let curve = bodies.first().map(|body| body.curve).ok_or(FormatError::Empty)?;
    let groups = groups(curve, group)?;
    let integers = |body| match format {
        // The engine takes these as they are.
        FormatId::Bucketwheel => {
            let Body { bytes, .. } = body;
            Ok(bytes)
        }
        _ => decoded(&body, cancel).map(Cow::Owned),
    };
    let parts: Vec<Cow<'_, [u8]>> = bodies.into_iter().map(integers).collect::<Result<_, _>>()?;
    let points: Vec<_> = parts.iter().map(|bytes| AnyPoints::integers(bytes)).collect();
    Ok(Bases { curve, group, bases: groups.prepare(options, &points)? })
}

/// The points of a file as integers.
fn decoded(body: &Body<'_>, cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let group = group(body.curve, body.group)?;
    let size = body.curve.field_bytes() * body.group.elements();
    let mut all = room(body.count().saturating_mul(size))?;
    for (block, bytes) in body.bytes.chunks(BLOCK * body.codec.bytes(body.group)).enumerate() {
        if cancel.is_cancelled() {
            return Err(EngineError::Cancelled.into());
        }
        let points = group.decode(&body.codec, bytes, Check::None);
        all.extend_from_slice(&points.map_err(Error::points(body.group, block * BLOCK))?);
    }
    Ok(all)
}

type AnyStream<'a> = Box<dyn DynStream + 'a>;

self_cell! {
    /// A stream and what cancels it.
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
    /// From the start, or behind so many points with this sum.
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
                    return Err(Error::Argument(format!("{found} sums to go on from: expected {expected}")));
                }
                // What `len` of Python can say.
                if isize::try_from(*len).is_err() {
                    return Err(Error::Argument(format!(
                        "{len} points to go on behind: expected fewer than 2^63"
                    )));
                }
                let sums: Vec<_> = sums.iter().map(|sum| AnyPoints::integers(sum)).collect();
                Ok(stream.resume(*len, &sums)?)
            })
        })?;
        Ok(Stream { curve, group, cancel, stream: Mutex::new(stream) })
    }

    /// Takes points of each group and their scalars.
    fn update(
        &self,
        py: Python<'_>,
        points: Vec<Bound<'_, PyAny>>,
        scalars: &Bound<'_, PyAny>,
        form: &str,
    ) -> Result<(), Error> {
        let (parts, form) = (self.group.parts(), form_of(form)?);
        if parts.len() != points.len() {
            return Err(Error::Argument(format!(
                "{} sets of points: expected {}",
                points.len(),
                parts.len()
            )));
        }
        let size = |part: &GroupId| self.curve.field_bytes() * part.elements();
        let source = |(points, part)| Source::new(points, Rows::Exactly(size(part)));
        let sources: Vec<Source> = points.iter().zip(parts).map(source).collect::<Result<_, _>>()?;
        let scalar = self.curve.scalar_bytes();
        let scalars = Source::new(scalars, Rows::AtMost(scalar))?;
        work::run(py, &self.cancel, None, |_| {
            let points: Vec<_> =
                sources.iter().zip(parts).map(|(source, part)| of(source, form, size(part))).collect();
            let scalars = AnyScalars::raw(scalars.scalars(self.curve)?, scalar, form);
            self.with(|stream| Ok(stream.update(&points, scalars)?))
        })
    }

    /// The sums so far.
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
            // A panic broke it.
            Err(TryLockError::Poisoned(_)) => Err(Error::Internal),
        }
    }
}

/// The bytes of points, which are given as integers, in a format; without what precedes them in a file.
#[pyfunction]
pub fn encode(
    py: Python<'_>,
    points: &[u8],
    curve: &str,
    part: &str,
    format: &str,
) -> Result<Py<PyBytes>, Error> {
    let (curve, part) = (curve_of(curve)?, group_of(part)?);
    let format = format_of(format)?;
    let codec = format.format().codec(curve, part);
    let codec = codec.ok_or(FormatError::NoSuchPoints {
        format,
        curve,
        group: part,
        expected: "another format or curve",
    })?;
    let group = group(curve, part)?;
    let bytes = work::run(py, &Cancel::new(), None, |_| {
        group.encode(&codec, points).map_err(Error::points(part, 0))
    })?;
    Ok(PyBytes::new(py, &bytes).unbind())
}

/// Names, sizes and groups of the curves that this build has: bytes of a coordinate and of a scalar.
#[pyfunction]
pub fn curves() -> Vec<(&'static str, usize, usize, Vec<&'static str>)> {
    let known = CurveId::ALL.iter().filter(|curve| curve.check().is_ok());
    let groups = |curve: &CurveId| curve.groups().iter().map(|group| group.name()).collect();
    known.map(|curve| (curve.name(), curve.field_bytes(), curve.scalar_bytes(), groups(curve))).collect()
}

/// The first `count` seeded points of each group, and as many scalars.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn generate(
    py: Python<'_>,
    count: usize,
    curve: &str,
    group: &str,
    seed: u64,
    distribution: &str,
    progress: Callback<'_, '_>,
) -> Result<(Vec<Py<PyBytes>>, Py<PyBytes>), Error> {
    let (curve, group) = (curve_of(curve)?, group_of(group)?);
    let distribution = named("distribution", Distribution::ALL, Distribution::name, distribution)?;
    // An error for a group that the curve does not have.
    groups(curve, group)?;
    let cancel = Cancel::new();
    let (points, scalars) = work::run(py, &cancel, progress, |progress| {
        let control = Control::new(None, Some(&cancel), Some(progress));
        control.expect(count.saturating_mul(group.parts().len() + 1));
        let points = group.parts().iter().map(|&part| {
            let blocks = inputs::points(curve, part, seed)?;
            Ok(inputs::collect(count, curve.field_bytes() * part.elements(), &blocks, &control)?)
        });
        let points = points.collect::<Result<Vec<_>, Error>>()?;
        let blocks = inputs::scalars(curve, distribution, seed)?;
        Ok((points, inputs::collect(count, curve.scalar_bytes(), &blocks, &control)?))
    })?;
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
    Ok((points.iter().map(|points| bytes(points)).collect(), bytes(&scalars)))
}
