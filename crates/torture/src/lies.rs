//! Lying workers: `tools/cluster.sh lies` has the cases, because workers are Python processes.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::drive::Session;

/// Script that starts a cluster and runs the cases; relative to this crate.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/cluster.sh");

/// Runs cases for this time, or the session's case alone. Returns the last line of the script's output.
///
/// # Errors
/// The script's whole output, if it fails; the line that repeats the case is part of it.
pub fn run(session: &Session, time: Duration) -> Result<String, String> {
    if !Path::new(SCRIPT).exists() {
        return Err(format!("{SCRIPT} is missing: expected the repository that this program was built in"));
    }
    let mut command = Command::new(SCRIPT);
    command.args(["lies", "--seconds", &time.as_secs().to_string(), "--seed", &session.seed.to_string()]);
    if let Some(case) = session.case {
        command.args(["--case", &case.to_string()]);
    }
    let output = command.output().map_err(|error| format!("{SCRIPT}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    match (output.status.success(), said.trim().lines().next_back()) {
        (true, Some(last)) => Ok(last.to_owned()),
        _ => Err(format!("{said}{}", String::from_utf8_lossy(&output.stderr))),
    }
}
