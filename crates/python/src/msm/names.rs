//! Converts the names that Python code passes to values.

use bucketwheel::{Check, CurveId, Form, GroupId, UnknownName};
use bucketwheel_formats::{FormatId, Section};

use crate::error::Error;

/// Returns the value with this name.
pub(super) fn named<T: Copy>(
    kind: &str,
    all: &[T],
    name_of: fn(T) -> &'static str,
    name: &str,
) -> Result<T, Error> {
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&one| name_of(one)).collect();
        Error::Argument(format!("unknown {kind} {name:?}; expected one of {}", names.join(", ")))
    })
}

pub(super) fn format_of(name: &str) -> Result<FormatId, Error> {
    named("format", FormatId::ALL, FormatId::name, name)
}

pub(super) fn section_of(name: &str) -> Result<Section, Error> {
    named("section", Section::ALL, Section::name, name)
}

pub fn curve_of(name: &str) -> Result<CurveId, Error> {
    name.parse().map_err(|error: UnknownName| Error::Curve(error.to_string()))
}

pub fn group_of(name: &str) -> Result<GroupId, Error> {
    name.parse().map_err(|error: UnknownName| Error::Curve(error.to_string()))
}

pub(super) fn check_of(name: &str) -> Result<Check, Error> {
    match name {
        "none" => Ok(Check::None),
        "curve" => Ok(Check::Curve),
        "subgroup" => Ok(Check::Subgroup),
        _ => Err(Error::Argument(format!("unknown check {name:?}; expected one of none, curve, subgroup"))),
    }
}

pub(super) fn form_of(name: &str) -> Result<Form, Error> {
    match name {
        "integers" => Ok(Form::Canonical),
        "montgomery" => Ok(Form::Montgomery),
        _ => Err(Error::Argument(format!("unknown form {name:?}; expected one of integers, montgomery"))),
    }
}
