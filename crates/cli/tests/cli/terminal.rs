//! A pseudo-terminal: the command as people see it.
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::command;

/// A command in a terminal of its own.
pub struct Terminal {
    child: Child,
    screen: File,
}

impl Terminal {
    /// Starts a line of arguments in a terminal with this number of columns.
    pub fn start(directory: &Path, columns: u16, line: &str, set: impl FnOnce(&mut Command)) -> Self {
        let (mut screen, mut inside) = (0, 0);
        let size = libc::winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: both descriptors and the size live through the call. Name and settings may be null.
        let opened =
            unsafe { libc::openpty(&mut screen, &mut inside, std::ptr::null_mut(), std::ptr::null(), &size) };
        assert_eq!(opened, 0, "{}", std::io::Error::last_os_error());
        // SAFETY: `openpty` succeeded, so both descriptors are open, and nobody else owns them.
        let (screen, inside) = unsafe { (File::from_raw_fd(screen), OwnedFd::from_raw_fd(inside)) };
        let mut command = command(directory);
        command.args(line.split_whitespace()).env("TERM", "xterm");
        set(&mut command);
        let other = || Stdio::from(inside.try_clone().unwrap());
        command.stdin(other()).stdout(other()).stderr(other());
        // SAFETY: between fork and exec, the closure calls only `setsid` and `ioctl`, which are safe there. Descriptor 0
        // is the terminal.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let child = command.spawn().unwrap();
        Terminal { child, screen }
    }

    /// Types some characters.
    pub fn press(&mut self, keys: &[u8]) {
        self.screen.write_all(keys).unwrap();
    }

    /// Reads until the text occurs.
    pub fn wait_for(&mut self, text: &str) -> String {
        let mut shown = String::new();
        let mut buffer = [0; 4096];
        while !shown.contains(text) {
            let read = self.screen.read(&mut buffer).unwrap_or(0);
            assert!(read > 0, "{text} does not occur: {shown}");
            shown += &String::from_utf8_lossy(&buffer[..read]);
        }
        shown
    }

    /// Returns the rest of the output, and the status.
    pub fn end(mut self) -> (String, ExitStatus) {
        let mut bytes = Vec::new();
        // Linux answers EIO once nobody has the other end.
        let _ = self.screen.read_to_end(&mut bytes);
        (String::from_utf8_lossy(&bytes).replace("\r\n", "\n"), self.child.wait().unwrap())
    }
}

/// Runs a line in a terminal to its end.
pub fn show(
    directory: &Path,
    columns: u16,
    line: &str,
    set: impl FnOnce(&mut Command),
) -> (String, ExitStatus) {
    Terminal::start(directory, columns, line, set).end()
}

#[test]
fn errors_are_coloured_unless_the_user_forbids_it() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let red = "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m ";
    for (line, code) in [("mms", 2), ("msm missing s", 1)] {
        let (shown, status) = show(at, 80, line, |_| {});
        assert!(status.code() == Some(code) && shown.starts_with(red), "{shown:?}");
        for (name, value) in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
            let (shown, _) = show(at, 80, line, |command| {
                command.env(name, value);
            });
            assert!(shown.starts_with("error: ") && !shown.contains('\u{1b}'), "{name}: {shown:?}");
        }
    }
    let help = show(at, 80, "--help", |_| {}).0;
    assert!(help.contains("\u{1b}[1m\u{1b}[4mProofs:\u{1b}[0m"), "{help:?}");
}

#[test]
fn ctrl_c_in_a_terminal_cancels() {
    let directory = tempfile::tempdir().unwrap();
    let line =
        "bench msm --curve bls12-381 --log-sizes 0..16 --threads 1 --backend portable --repetitions 1000";
    let mut terminal = Terminal::start(directory.path(), 80, line, |_| {});
    terminal.wait_for("measuring [");
    terminal.press(b"\x03");
    let (shown, status) = terminal.end();
    assert_eq!(status.code(), Some(130), "{shown}");
    assert!(shown.contains("cancelled before the result"), "{shown}");
}
