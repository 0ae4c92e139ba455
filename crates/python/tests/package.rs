//! Runs the package's own tests, which are in Python, with the library that cargo built beside this program.

#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the interpreter with the packages that the tests compare with, if tools/python.sh has made its environment
/// in cargo's target folder.
fn interpreter() -> Option<PathBuf> {
    let program = env::current_exe().unwrap();
    let found = program.ancestors().map(|folder| folder.join("python/bin/python")).find(|path| path.exists());
    if found.is_none() {
        eprintln!("skipped: `tools/python.sh environment` makes what the tests of the Python package need");
    }
    found
}

/// Installs the package in a folder, with the files of a wheel.
fn install(folder: &Path) {
    let package = folder.join("bucketwheel");
    copy(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/python/bucketwheel")), &package);
    let library = env::current_exe().unwrap().with_file_name("lib_native.so");
    fs::copy(&library, package.join("_native.abi3.so")).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn tests_in_python_pass() {
    let Some(interpreter) = interpreter() else { return };
    let folder = tempfile::tempdir().unwrap();
    install(folder.path());
    let output = Command::new(interpreter)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PYTHONPATH", folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}
