//! Test that there are threads to work.

use bucketwheel::has_threads;

use crate::error::Error;

/// Checks that there are threads to work, before all work.
///
/// # Errors
/// [`Error::Forked`].
pub fn check() -> Result<(), Error> {
    match has_threads() {
        true => Ok(()),
        false => Err(Error::Forked),
    }
}
