//! Runs snarkjs as a program, if `tools/circuits.sh` has fetched it and Node is there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The program, by the path of its file.
pub struct Snarkjs(PathBuf);

impl Snarkjs {
    /// Returns the program if it is there. Otherwise, says why tests are skipped.
    pub fn find() -> Option<Self> {
        let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/circuits");
        let circuits = std::env::var_os("BUCKETWHEEL_CIRCUITS").map_or(built.into(), PathBuf::from);
        let program = circuits.join("npm/node_modules/snarkjs/build/cli.cjs");
        if !program.exists() || Command::new("node").arg("--version").output().is_err() {
            eprintln!("skipped: needs Node and {}, which tools/circuits.sh makes", program.display());
            return None;
        }
        Some(Snarkjs(program))
    }

    /// Returns the folder of snarkjs' package and of other packages.
    pub fn modules(&self) -> &Path {
        self.0.ancestors().nth(3).unwrap()
    }

    /// Runs a command that must succeed, and returns its output.
    pub fn run(&self, directory: &Path, line: &str) -> String {
        let mut command = Command::new("node");
        command.current_dir(directory).arg(&self.0).args(line.split(' '));
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && !text.contains("ERROR"), "{line}: {text}");
        text.into_owned()
    }
}
