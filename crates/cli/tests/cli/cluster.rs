use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::command;

/// The package's program gets the unchanged arguments, `--help` included, and its exit code becomes the command's.
#[test]
fn arguments_and_the_exit_code_pass() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("bucketwheel-cluster");
    fs::write(&program, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let output = command(directory.path())
        .env("PATH", directory.path())
        .args(["cluster", "plan", "--log-size", "36", "--help", "a b"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "<plan><--log-size><36><--help><a b>");
}

#[test]
fn without_the_package_it_says_where_to_get_it() {
    let directory = tempfile::tempdir().unwrap();
    let output = command(directory.path()).env("PATH", directory.path()).arg("cluster").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("error: cannot run bucketwheel-cluster: "), "{message}");
    assert!(message.contains("pip install \"./crates/python[cluster]\""), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}
