//! Written tables are whole or absent, after any fault.

#![cfg(unix)]

use std::env;
use std::ffi::CString;
use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{symlink, FileTypeExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ark_bls12_381::g1::Config as G1;
use bucketwheel_c::*;

use crate::kit::*;

/// Name of the variable that tells a process which file to write again and again.
const VARIABLE: &str = "BUCKETWHEEL_TEST_TABLE";

/// Prepares points that differ by their seed.
fn bases(seed: u64) -> Bases {
    let laid = Laid::new(&inputs::<G1>(3000, seed).0, PACKED);
    let options = bw_options { copies: 4, ..options() };
    Bases::of_points(BW_CURVE_BLS12_381, BW_GROUP_G1, &[laid.points()], &options)
}

fn write(bases: &Bases, path: &Path) -> bw_status {
    let path = CString::new(path.to_str().unwrap()).unwrap();
    call!(bw_bases_write_table(bases.handle(), path.as_ptr()))
}

/// Returns the bytes of a table.
fn content(bases: &Bases) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    ok(write(bases, &folder.path().join("table")));
    fs::read(folder.path().join("table")).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn threads_share_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("table");
    let tables = [bases(40), bases(41)];
    let contents = &tables.each_ref().map(content);
    ok(write(&tables[0], path));
    let is_done = &AtomicBool::new(false);
    thread::scope(|scope| {
        let write = |bases| move || (0..20).for_each(|_| ok(write(bases, path)));
        let writers = [0, 1, 0, 1].map(|table: usize| scope.spawn(write(&tables[table])));
        let reader = scope.spawn(move || {
            while !is_done.load(Ordering::Relaxed) {
                assert!(contents.contains(&fs::read(path).unwrap()), "a part of a table");
            }
        });
        let written = writers.map(thread::ScopedJoinHandle::join);
        is_done.store(true, Ordering::Relaxed);
        written.into_iter().for_each(Result::unwrap);
        reader.join().unwrap();
    });
    assert_eq!(names(folder.path()), ["table"]);
}

/// Writes the file that the variable names, for ever.
#[test]
fn writes_until_it_is_killed() {
    let Some(path) = env::var_os(VARIABLE) else { return };
    let bases = bases(42);
    println!("ready");
    while write(&bases, Path::new(&path)) == BW_OK {}
}

#[test]
fn kills_leave_whole_files_and_block_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("table");
    let bases = bases(42);
    let content = content(&bases);
    // The name of the partial file that earlier versions used for this process.
    let part = format!("table.{}.part", std::process::id());
    fs::write(folder.path().join(&part), "").unwrap();
    ok(write(&bases, path));
    for delay in [0, 1, 3, 10, 30] {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["writing::writes_until_it_is_killed", "--exact", "--nocapture"]).env(VARIABLE, path);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("ready")));
        thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(fs::read(path).unwrap() == content, "a part of a table after {delay} ms");
    }
    ok(write(&bases, path));
    assert_eq!(names(folder.path()), ["table".to_owned(), part]);
}

#[test]
fn what_is_there_stays_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bases = bases(43);
    let content = content(&bases);
    let (path, pipe) = (&at.join("table"), &at.join("pipe"));
    symlink("table", at.join("link")).unwrap();
    for mode in [0o600, 0o640, 0o666] {
        fs::write(path, "").unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        ok(write(&bases, &at.join("link")));
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode);
        assert!(at.join("link").symlink_metadata().unwrap().is_symlink());
        assert!(fs::read(path).unwrap() == content);
    }
    ok(write(&bases, Path::new("/dev/null")));
    assert!(Path::new("/dev/null").metadata().unwrap().file_type().is_char_device());
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let read = thread::scope(|scope| {
        let reader = scope.spawn(|| fs::read(pipe).unwrap());
        ok(write(&bases, pipe));
        reader.join().unwrap()
    });
    assert!(read == content && pipe.metadata().unwrap().file_type().is_fifo());
}

#[test]
fn errors_leave_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bases = bases(44);
    File::create(at.join("file")).unwrap();
    fails(
        write(&bases, Path::new("/dev/full")),
        BW_ERROR_FILE,
        "cannot write /dev/full: No space left on device",
    );
    for (name, reason) in
        [("missing/table", "No such file"), ("file/table", "Not a directory"), ("", "Is a directory")]
    {
        fails(write(&bases, &at.join(name)), BW_ERROR_FILE, reason);
        assert!(message().contains(at.join(name).to_str().unwrap()), "{}", message());
    }
    assert_eq!(names(at), ["file"]);
}
