//! The backend of an MSM if the caller names none.

use bucketwheel_lanes::Backend;

use crate::curve::{CoordinateField, Curve};
use crate::Error;

/// The environment variable that overrides the backend.
pub const BACKEND_VARIABLE: &str = "BUCKETWHEEL_BACKEND";

/// Returns the backend of the environment, or the fastest of this CPU.
///
/// The [example](crate::ordinates) uses it.
///
/// # Errors
/// [`Error::UnknownBackend`] or [`Error::UnsupportedBackend`] if the environment names a backend that does not exist or
/// that this CPU lacks.
pub fn default_backend() -> Result<Backend, Error> {
    default_among(&Backend::ALL)
}

/// Returns the backend of the environment, or the fastest of this CPU that this curve has.
///
/// The [example](crate::BasesOptions) uses it.
///
/// # Errors
/// The errors of [`default_backend`]. If the environment names a backend that the curve lacks, the error comes where
/// the backend is used.
pub fn default_backend_of<C: Curve>() -> Result<Backend, Error> {
    default_among(C::BaseField::backends())
}

/// Returns the backend of the environment, or the fastest one of `backends` on this CPU.
pub(crate) fn default_among(backends: &[Backend]) -> Result<Backend, Error> {
    Ok(environment_backend()?.unwrap_or_else(|| Backend::fastest(backends)))
}

/// Returns the backend of the environment, if it names one.
pub(crate) fn environment_backend() -> Result<Option<Backend>, Error> {
    let Some(name) = std::env::var_os(BACKEND_VARIABLE) else {
        return Ok(None);
    };
    // No backend's name has the character that replaces bytes that are not Unicode.
    let name = name.to_string_lossy();
    let backend: Backend = name.parse().map_err(|_| Error::UnknownBackend(name.into_owned()))?;
    match backend.is_supported() {
        true => Ok(Some(backend)),
        false => Err(Error::UnsupportedBackend(backend)),
    }
}
