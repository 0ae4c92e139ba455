//! Runs the package's own tests, which are in JavaScript, with the library that cargo built beside this program.

#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns cargo's target folder if `made` and a module of the package are there, which `tools/node-package.sh ARGUMENT` makes.
fn target(made: &str, argument: &str) -> Option<PathBuf> {
    let program = env::current_exe().unwrap();
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/witness.cjs");
    let found = program.ancestors().find(|folder| folder.join(made).exists()).filter(|_| module.exists());
    if found.is_none() {
        eprintln!(
            "skipped: `tools/node-package.sh {argument}` makes what these tests of the Node package need"
        );
    }
    found.map(PathBuf::from)
}

/// Runs the test files of a folder in Node.
fn run(target: &Path, folder: &str) {
    // Node loads native code only from files with this ending. Tests run side by side, so each test has its own file.
    let addon = format!("{}/{}.node", env!("CARGO_TARGET_TMPDIR"), folder.replace('/', "-"));
    fs::copy(env::current_exe().unwrap().with_file_name("libbucketwheel_node.so"), &addon).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let output = Command::new("node")
        .args(["--expose-gc", "--test"])
        .args(files.filter(|path| path.to_string_lossy().ends_with(".test.mjs")))
        .env("BUCKETWHEEL_NODE_ADDON", &addon)
        .env("BUCKETWHEEL_CIRCUITS", target.join("circuits"))
        .env("BUCKETWHEEL_NODE_PROJECT", target.join("node-project"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn tests_in_javascript_pass() {
    let Some(target) = target("circuits/semaphore/circuit.zkey", "environment") else { return };
    run(&target, "test");
}

#[test]
#[ignore = "long: npm installs a project and its dependencies (tools/long.sh)"]
fn projects_that_switched_pass() {
    let Some(target) = target("node-project/node_modules", "project") else { return };
    run(&target, "test/project");
}
