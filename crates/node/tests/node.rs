//! The package's own tests, which are in JavaScript, with the library as cargo built it beside this program.

#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Cargo's target folder, where `tools/node.sh environment` has made what the tests need.
fn target() -> Option<PathBuf> {
    let program = env::current_exe().unwrap();
    let found = program.ancestors().find(|folder| folder.join("node/node_modules").exists());
    if found.is_none() {
        eprintln!("skipped: `tools/node.sh environment` makes what the tests of the Node package need");
    }
    found.map(PathBuf::from)
}

#[test]
fn tests_in_javascript_pass() {
    let Some(target) = target() else { return };
    let folder = tempfile::tempdir().unwrap();
    let addon = folder.path().join("bucketwheel.node");
    fs::copy(env::current_exe().unwrap().with_file_name("libbucketwheel_node.so"), &addon).unwrap();
    let tests = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/test")).unwrap();
    let tests =
        tests.map(|entry| entry.unwrap().path()).filter(|path| path.to_string_lossy().ends_with(".test.mjs"));
    let output = Command::new("node")
        .args(["--expose-gc", "--test"])
        .args(tests)
        .env("BUCKETWHEEL_NODE_ADDON", &addon)
        .env("BUCKETWHEEL_CIRCUITS", target.join("circuits"))
        .env("BUCKETWHEEL_NODE_PROJECT", target.join("node"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}
