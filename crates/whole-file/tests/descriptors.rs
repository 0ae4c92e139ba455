//! Outputs to descriptors of this process, whose standard output is a file, a pipe, and a socket.

#![cfg(unix)]

use std::env;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use bucketwheel_whole_file::Output;

/// Tells a separate process which output to write.
const VARIABLE: &str = "BUCKETWHEEL_TEST_OUTPUT";

/// Writes to standard output, to the file that the variable names, and to standard output again.
#[test]
fn writes() {
    let Ok(path) = env::var(VARIABLE) else { return };
    let mut stdout = std::io::stdout();
    write!(stdout, "<").and_then(|()| stdout.flush()).unwrap();
    Output::with(Path::new(&path), b"output").unwrap().finish().unwrap();
    write!(stdout, ">").and_then(|()| stdout.flush()).unwrap();
}

fn run(path: &str, stdout: impl Into<Stdio>) {
    let mut command = Command::new(env::current_exe().unwrap());
    let status =
        command.args(["writes", "--exact", "--nocapture"]).env(VARIABLE, path).stdout(stdout).status();
    assert!(status.unwrap().success());
}

#[test]
fn standard_output_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", link.to_str().unwrap()] {
        if !Path::new(path).exists() {
            continue;
        }
        run(path, File::create(&file).unwrap());
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("<output>"), "{path}: {text}");

        let (mut reader, writer) = std::io::pipe().unwrap();
        run(path, writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert!(text.contains("<output>"), "{path}: {text}");

        let (mut reader, writer) = UnixStream::pair().unwrap();
        run(path, OwnedFd::from(writer));
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert!(text.contains("<output>"), "{path}: {text}");
    }
}
