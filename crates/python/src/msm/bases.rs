//! Prepared points.

use std::path::PathBuf;

use bucketwheel::{BasesOptions, Cancel, Error as EngineError, Msm, TableHeader};
use bucketwheel_dynamic::{groups, twice, AnyScalars};
use bucketwheel_formats::{FormatError, Wanted};
use bucketwheel_whole_file::Output;
use pyo3::prelude::*;

use super::names::{check_of, curve_of, form_of, format_of, group_of, section_of};
use super::reading::{self, Prepared};
use super::shared::{of, pairs, sources, Sums};
use crate::error::Error;
use crate::source::{Rows, Source};
use crate::work::{self, Callback};

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

    /// Checks that the caller asks nothing of a table that it was not made with.
    fn check_table(&self, wanted: Wanted) -> Result<(), Error> {
        match self.copies.is_some() || self.deduplicate || self.check != "none" || wanted.section.is_some() {
            true => Err(Error::Argument(
                "a table cannot be changed: expected no copies=, deduplicate=, check= or section=".into(),
            )),
            false => Ok(()),
        }
    }
}

/// Prepared points.
#[pyclass(frozen, module = "bucketwheel._native")]
pub struct Bases(Prepared);

#[pymethods]
impl Bases {
    /// Prepares points in memory, with one array for each group; or with two arrays for one group, which then has two
    /// sums.
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
        let sources = sources(&points, curve, &parts)?;
        let cancel = Cancel::new();
        let options = options.bases(&cancel)?;
        let bases = work::run(py, &cancel, progress, |progress| {
            let points = of(&sources, curve, &parts, form);
            Ok(groups.prepare(options.progress(progress), &points)?)
        })?;
        Ok(Bases(Prepared { curve, group, bases }))
    }

    /// Prepares the points of a file, or of its bytes, in any format.
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
                options.check_table(wanted)?;
                return reading::load(source, wanted, bases);
            }
            reading::read(&source, format, wanted, bases, &cancel)
        });
        opened.map(Bases).map_err(|error| error.at(path.as_deref()))
    }

    /// Returns the sum in each group.
    fn run(
        &self,
        py: Python<'_>,
        scalars: &Bound<'_, PyAny>,
        form: &str,
        threads: Option<usize>,
        progress: Callback<'_, '_>,
    ) -> Result<Sums, Error> {
        let size = self.0.curve.scalar_bytes();
        let source = Source::new(scalars, Rows::AtMost(size))?;
        let (form, cancel) = (form_of(form)?, Cancel::new());
        let msm = threads.map_or(Msm::new(), |threads| Msm::new().threads(threads)).cancel(&cancel);
        let sums = work::run(py, &cancel, progress, |progress| {
            let scalars = AnyScalars::raw(source.scalars(self.0.curve)?, size, form);
            let sums = self.0.bases.run(msm.progress(progress), scalars);
            sums.map(|(sums, _)| sums).map_err(|error| in_scalars(error).at(source.path()))
        })?;
        Ok(pairs(py, &sums))
    }

    /// Writes the table. The file appears once it is complete.
    fn write_table(&self, py: Python<'_>, path: PathBuf) -> Result<(), Error> {
        work::run(py, &Cancel::new(), None, |_| {
            Ok(Output::write_durably(&path, |file| self.0.bases.write_table(file))?)
        })
    }

    #[getter]
    fn curve(&self) -> &'static str {
        self.0.curve.name()
    }

    #[getter]
    fn group(&self) -> &'static str {
        self.0.group.name()
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.0.bases.backend().name()
    }

    fn __len__(&self) -> usize {
        self.0.bases.len()
    }
}

fn in_scalars(error: EngineError) -> Error {
    match error {
        EngineError::ScalarRange { index } => FormatError::Scalar { index }.into(),
        error => error.into(),
    }
}
