//! Outputs among readers, other writers, links, devices and errors. The command's tests cover files that killed
//! programs leave.

#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::fs::{symlink, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use bucketwheel_whole_file::{Output, WriteError};

/// Writes a file in one go.
fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    Output::with(path, bytes)?.finish()
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns the content of a file, one repeated byte, long enough to need many calls to write.
fn content(byte: u8) -> Vec<u8> {
    vec![byte; 300_000]
}

#[test]
fn readers_see_whole_files_of_threads_that_share_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("shared");
    write(path, &content(0)).unwrap();
    let is_done = &AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = (1..5)
            .map(|byte| {
                scope.spawn(move || {
                    for round in 0..20 {
                        let mut output = Output::create(path).unwrap();
                        content(byte).chunks(7000).for_each(|part| output.write(part).unwrap());
                        match round % 2 {
                            0 => output.finish().unwrap(),
                            _ => output.finish_durably().unwrap(),
                        }
                    }
                })
            })
            .collect();
        let reader = scope.spawn(move || {
            let mut reads = 0;
            while !is_done.load(Ordering::Relaxed) {
                let bytes = fs::read(path).unwrap();
                assert!(bytes == content(bytes[0]), "a part of a file, or of two");
                reads += 1;
            }
            reads
        });
        let written: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        is_done.store(true, Ordering::Relaxed);
        written.into_iter().for_each(Result::unwrap);
        assert!(reader.join().unwrap() > 0);
    });
    assert_eq!(names(folder.path()), ["shared"]);
}

#[test]
fn permissions_stay() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (old, new) = (&at.join("old"), &at.join("new"));
    for permissions in [0o600, 0o644, 0o640, 0o666, 0o755, 0o400] {
        fs::write(old, "old").unwrap();
        fs::set_permissions(old, Permissions::from_mode(permissions)).unwrap();
        write(old, b"new").unwrap();
        assert_eq!(mode(old), permissions, "{permissions:o}");
        Output::create_private(old).unwrap().finish().unwrap();
        assert_eq!(mode(old), 0o600, "{permissions:o}");
    }
    // A new file has the permissions of any new file.
    File::create(at.join("other")).unwrap();
    write(new, b"").unwrap();
    assert_eq!(mode(new), mode(&at.join("other")));
    Output::create_private(&at.join("private")).unwrap().finish().unwrap();
    assert_eq!(mode(&at.join("private")), 0o600);
    // A user who may not read the final file may not read the temporary file either.
    fs::set_permissions(old, Permissions::from_mode(0o600)).unwrap();
    let output = Output::create(old).unwrap();
    assert_eq!(mode(output.temporary_path()), 0o600);
}

#[test]
fn links_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("folder")).unwrap();
    fs::write(at.join("folder/old"), "old").unwrap();
    for (link, target) in [("link", "folder/old"), ("folder/back", "../link"), ("dangling", "folder/new")] {
        symlink(target, at.join(link)).unwrap();
    }
    for (link, file) in [("link", "folder/old"), ("folder/back", "folder/old"), ("dangling", "folder/new")] {
        let output = Output::with(&at.join(link), link.as_bytes()).unwrap();
        assert_eq!(output.temporary_path().parent().unwrap().canonicalize().unwrap(), at.join("folder"));
        output.finish().unwrap();
        assert_eq!(fs::read_to_string(at.join(file)).unwrap(), link);
        assert!(at.join(link).symlink_metadata().unwrap().is_symlink(), "{link}");
    }
    symlink("circle", at.join("circle")).unwrap();
    let error = write(&at.join("circle"), b"").unwrap_err().to_string();
    assert!(error.to_lowercase().contains("circle: too many levels of symbolic links"), "{error}");
    assert_eq!(names(&at.join("folder")), ["back", "new", "old"]);
}

#[test]
fn devices_pipes_and_sockets_are_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(Path::new("/dev/null"), b"nothing").unwrap();
    assert!(Path::new("/dev/null").metadata().unwrap().file_type().is_char_device());
    let error = write(Path::new("/dev/full"), b"too much").unwrap_err().to_string();
    assert!(error.starts_with("cannot write /dev/full: No space left on device"), "{error}");

    let (pipe, link) = (&at.join("pipe"), &at.join("link"));
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    symlink("pipe", link).unwrap();
    let socket = &at.join("socket");
    let listener = UnixListener::bind(socket).unwrap();
    for path in [pipe, link, socket] {
        let read = thread::scope(|scope| {
            let listener = &listener;
            let reader = scope.spawn(move || {
                let mut bytes = Vec::new();
                let read = match path == socket {
                    true => listener.accept().unwrap().0.read_to_end(&mut bytes),
                    false => File::open(path).unwrap().read_to_end(&mut bytes),
                };
                read.map(|_| bytes).unwrap()
            });
            let mut output = Output::create(path).unwrap();
            output
                .stream(|file| {
                    use std::io::{Seek, SeekFrom, Write};
                    file.write_all(&content(1))?;
                    // Readers of a pipe also get bytes that are filled in later.
                    file.seek(SeekFrom::Start(1))?;
                    file.write_all(b"?")
                })
                .unwrap();
            output.finish_durably().unwrap();
            reader.join().unwrap()
        });
        let mut expected = content(1);
        expected[1] = b'?';
        assert!(read == expected, "{}", path.display());
    }
    assert!(pipe.metadata().unwrap().file_type().is_fifo());
    assert!(socket.metadata().unwrap().file_type().is_socket());
    assert_eq!(names(at), ["link", "pipe", "socket"]);
}

#[test]
fn errors_name_the_file_and_leave_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("file"), "old").unwrap();
    fs::create_dir(at.join("folder")).unwrap();
    symlink("folder", at.join("link")).unwrap();
    for (path, reason) in [
        ("missing/file", "No such file or directory"),
        ("file/file", "Not a directory"),
        ("folder", "Is a directory"),
        ("link", "Is a directory"),
        ("folder/..", "Is a directory"),
        ("new/", "the path names no file"),
        ("", "the path names no file"),
    ] {
        let path = if path.is_empty() { path.into() } else { at.join(path) };
        let error = write(&path, b"new").unwrap_err();
        assert_eq!(error.path, path);
        let text = error.to_string();
        assert!(text.starts_with(&format!("cannot write {}: {reason}", path.display())), "{text}");
    }
    let mut output = Output::with(&at.join("file"), b"new").unwrap();
    let error = output.stream(|_| Err::<(), _>(std::io::Error::other("no more"))).unwrap_err();
    assert!(error.to_string().starts_with(&format!("cannot write {}: no more;", at.join("file").display())));
    drop(output);
    assert_eq!(fs::read_to_string(at.join("file")).unwrap(), "old");
    assert_eq!(names(at), ["file", "folder", "link"]);
}

/// A file of this kind is left by a killed program: its name has our form, with that program's process number.
#[test]
fn left_files_block_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let part = format!("table.{}.part", std::process::id());
    fs::write(at.join(&part), "left").unwrap();
    fs::write(at.join(".bucketwheel-aB3dE6.tmp"), "left").unwrap();
    write(&at.join("table"), b"whole").unwrap();
    assert_eq!(fs::read_to_string(at.join("table")).unwrap(), "whole");
    assert_eq!(names(at), ["table".to_owned(), part]);
}
