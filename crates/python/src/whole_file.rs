//! Writes files for the Python part of the package, with the writer that all faces share.

use std::path::PathBuf;

use bucketwheel::Cancel;
use bucketwheel_whole_file::Output;
use pyo3::prelude::*;

use crate::error::Error;
use crate::source::{Rows, Source};
use crate::work;

/// Writes a file, which appears whole or not at all. Only its owner may read a private file.
#[pyfunction]
pub fn write_file(
    py: Python<'_>,
    path: PathBuf,
    data: &Bound<'_, PyAny>,
    private: bool,
) -> Result<(), Error> {
    let data = Source::new(data, Rows::Any)?;
    work::run(py, &Cancel::new(), None, |_| {
        let create = if private { Output::create_private } else { Output::create };
        let mut output = create(&path)?;
        output.write(&data)?;
        Ok(output.finish_durably()?)
    })
}
