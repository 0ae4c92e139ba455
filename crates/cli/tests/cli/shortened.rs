//! Another process shortens a mapped file while the command runs.
#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::prove::members;
use crate::{command, error_of, generated, succeed};

/// Number of SIGBUS on x86 and Arm.
const SIGBUS: i32 = 7;

/// Waits until a process has mapped a file.
fn wait_for_mapping(process: u32, file: &Path) {
    let maps = format!("/proc/{process}/maps");
    let file = file.canonicalize().unwrap();
    loop {
        let maps = fs::read_to_string(&maps).unwrap();
        assert!(!maps.is_empty(), "the process has ended");
        if maps.contains(file.to_str().unwrap()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn cut(path: &Path, len: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(len).unwrap();
}

/// The command maps its points, then waits for the reader of its output. By then the test has cut the points to a page.
#[test]
fn the_command_names_the_file_and_writes_nothing() {
    for name in ["points", "p\u{202e}ä\x1b"] {
        let directory = generated("--curve bn254 --size 5000");
        let at = directory.path();
        if name != "points" {
            fs::rename(at.join("points"), at.join(name)).unwrap();
        }
        make_pipe(&at.join("pipe"));
        let mut child = command(at);
        child.args(["convert", "--to", "arkworks", name, "pipe"]);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for_mapping(child.id(), &at.join(name));
        cut(&at.join(name), 4096);
        assert_eq!(fs::read(at.join("pipe")).unwrap(), b"");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), None);
        let path = at.canonicalize().unwrap().join(name.replace(['\u{202e}', '\x1b'], "?"));
        let reason = "got shorter while the command read it: expected it to stay as it is until the end; run the command again, and \
                      replace files by renaming";
        assert_eq!(error_of(&output, 1), format!("{} {reason}", path.display()));
    }
}

/// The command copies the key before the proof begins, which its first line of progress reports. By then the test has
/// cut the key to a page.
#[test]
fn a_copied_key_may_get_shorter() {
    let directory = members();
    let at = directory.path();
    let mut child = command(at);
    child.args(["prove", "zkey", "wtns", "p", "x", "--no-map", "--threads", "1", "--progress", "json"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut told).unwrap();
    assert!(told.starts_with('{'), "{told}");
    cut(&at.join("zkey"), 4096);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    succeed(at, "verify vkey x p");
}

/// A SIGBUS that no file caused ends the command as it would without the guard.
#[test]
fn other_signals_are_not_answered() {
    let directory = generated("--curve bn254 --size 10");
    let at = directory.path();
    make_pipe(&at.join("pipe"));
    let mut child = command(at);
    child.args(["convert", "--to", "arkworks", "points", "pipe"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_mapping(child.id(), &at.join("points"));
    assert!(Command::new("kill").args(["-BUS", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.signal(), output.stderr.len()), (Some(SIGBUS), 0));
}
