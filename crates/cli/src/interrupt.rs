//! Ctrl-C: the first one asks for an orderly end, the second one ends the process at once.

use bucketwheel::Cancel;

use crate::error::{Error, EXIT_CANCELLED};

/// Returns the token that Ctrl-C (or a request to terminate) sets.
///
/// # Errors
/// If the operating system refuses the handler.
pub fn install() -> Result<Cancel, Error> {
    let cancel = Cancel::new();
    let token = cancel.clone();
    ctrlc::set_handler(move || {
        if token.is_cancelled() {
            std::process::exit(EXIT_CANCELLED.into());
        }
        token.cancel();
    })?;
    Ok(cancel)
}
