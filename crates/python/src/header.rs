//! Finds the points or scalars of a file by its header.

use bucketwheel::GroupId;
use bucketwheel_formats::{FormatError, Header, Kind};
use pyo3::prelude::*;

use crate::error::Error;

/// Curve, group (`None` for scalars), count, and the start of each group's payload.
type Layout = (&'static str, Option<&'static str>, u64, Vec<u64>);

/// Reads the header of a file of points, or of `scalars`, of `size` bytes. `head` has at least the file's first 64 bytes.
#[pyfunction]
pub fn layout(head: &[u8], size: u64, scalars: bool) -> Result<Layout, Error> {
    let kind = if scalars { Kind::Scalars } else { Kind::Points };
    let (header, _) = Header::parse(head, kind)?;
    let (starts, expected) = header.layout();
    if expected != u128::from(size) {
        let actual = usize::try_from(size).unwrap_or(usize::MAX);
        return Err(FormatError::Length { kind, count: header.count, expected, actual }.into());
    }
    Ok((header.curve.name(), header.group.map(GroupId::name), header.count, starts))
}
