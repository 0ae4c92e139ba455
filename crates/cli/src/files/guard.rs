//! The answer to a mapped file that gets shorter: one line that names the file, and exit code 1.
//!
//! The system sends SIGBUS to a process that reads a page which its file no longer has. Outputs stay as they were, because they
//! get their names at the end. The guard is for the command, whose process is its own. A library must not install it: the
//! handlers of signals belong to the host program.

/// Installs the guard for this process.
pub fn install() {
    #[cfg(target_os = "linux")]
    linux::install();
}

/// Linux lists the mappings of a process in a file, so that nobody has to keep a list.
#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_void};
    use std::fs::File;
    use std::io::{Read, Write};
    use std::sync::Mutex;

    use crate::error::EXIT_FAILURE;
    use crate::output::is_visible;

    const REASON: &str = " got shorter while the command read it: expected it to stay as it is until the end; run the command \
                          again, and replace files by renaming\n";

    /// Memory of the handler, because stacks for signals are small. The thread that has the lock keeps it.
    struct Buffers {
        chunk: [u8; 1 << 12],
        line: [u8; 1 << 13],
        message: [u8; 1 << 14],
    }

    static BUFFERS: Mutex<Buffers> =
        Mutex::new(Buffers { chunk: [0; 1 << 12], line: [0; 1 << 13], message: [0; 1 << 14] });

    pub fn install() {
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = answer;
        // SAFETY: `sigaction` has integers and an optional function. Zeros are valid values of each.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: `action` is initialised and lives through the call. The handler has the signature that `SA_SIGINFO` asks for.
        // It allocates nothing and waits for no lock, so it may interrupt any code. The old action is not asked for.
        unsafe { libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut()) };
    }

    /// Ends the process, or lets the system end it for an address that belongs to no file.
    extern "C" fn answer(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        let Ok(mut buffers) = BUFFERS.try_lock() else {
            // Another thread is about to end the process.
            loop {
                // SAFETY: `pause` takes nothing and has no conditions.
                unsafe { libc::pause() };
            }
        };
        // SAFETY: the system passes a valid `siginfo_t` to a handler with `SA_SIGINFO`.
        let info = unsafe { &*info };
        // SAFETY: any bits are an address. It is used only for a SIGBUS by the system, which has one.
        let address = (info.si_code > 0).then(|| unsafe { info.si_addr() } as usize);
        match address.and_then(|address| write_message(address, &mut buffers)) {
            // SAFETY: the message lives through the call, and has this number of bytes. `_exit` takes any code.
            Some(message) => unsafe {
                libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
                libc::_exit(EXIT_FAILURE.into());
            },
            // SAFETY: the default action is valid for SIGBUS, which may be raised. It ends the process when this function returns.
            None => unsafe {
                libc::signal(libc::SIGBUS, libc::SIG_DFL);
                libc::raise(libc::SIGBUS);
            },
        }
        std::mem::forget(buffers);
    }

    /// Writes the error about the file that is mapped at an address.
    fn write_message(address: usize, buffers: &mut Buffers) -> Option<&[u8]> {
        let Buffers { chunk, line, message } = buffers;
        let path = find_file(address, chunk, line)?;
        let room = message.len();
        let mut rest = &mut message[..];
        rest.write_all(b"error: ").ok()?;
        for part in path.utf8_chunks() {
            for c in part.valid().chars().map(|c| if is_visible(c) { c } else { '?' }) {
                rest.write_all(c.encode_utf8(&mut [0; 4]).as_bytes()).ok()?;
            }
            if !part.invalid().is_empty() {
                rest.write_all(b"?").ok()?;
            }
        }
        rest.write_all(REASON.as_bytes()).ok()?;
        let len = room - rest.len();
        Some(&message[..len])
    }

    /// Finds the path of the file that is mapped at an address.
    fn find_file<'a>(address: usize, chunk: &mut [u8], line: &'a mut [u8]) -> Option<&'a [u8]> {
        let mut mappings = File::open("/proc/self/maps").ok()?;
        let mut len = 0;
        'lines: loop {
            let read = mappings.read(chunk).ok().filter(|&read| read > 0)?;
            for &byte in &chunk[..read] {
                match byte {
                    b'\n' if holds(&line[..len], address) => break 'lines,
                    b'\n' => len = 0,
                    // The rest of a long message is cut.
                    byte => {
                        if let Some(place) = line.get_mut(len) {
                            *place = byte;
                            len += 1;
                        }
                    }
                }
            }
        }
        // Range, permissions, offset, device, number on it, path.
        let path = line[..len].iter().position(|&byte| byte == b'/')?;
        Some(&line[path..len])
    }

    /// Returns true if a line's range of addresses, `START-END` in hexadecimal digits, has this address.
    fn holds(line: &[u8], address: usize) -> bool {
        let range = line.split(|&byte| byte == b' ').next().and_then(|range| std::str::from_utf8(range).ok());
        let range = range.and_then(|range| range.split_once('-'));
        let number = |text| usize::from_str_radix(text, 16).ok();
        let range = range.and_then(|(start, end)| Some(number(start)?..number(end)?));
        range.is_some_and(|range| range.contains(&address))
    }
}
