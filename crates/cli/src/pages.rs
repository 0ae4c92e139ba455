//! The pages of the program itself, which count as memory of a process.
//!
//! The system maps 16 pages where a program touches one, and keeps them. A small proof touches most of the program once: its
//! start, the checks of files, sums in two groups, the verification.

use std::sync::atomic::{AtomicUsize, Ordering};

use bucketwheel::Progress;

/// Parts of a proof: the program's pages go back after each part.
const PARTS: usize = 16;

/// Progress of work in little memory: gives the pages of the program back, again and again. Code that still runs comes back
/// from the system's cache.
pub struct Spare<'a> {
    progress: &'a dyn Progress,
    part: AtomicUsize,
}

impl<'a> Spare<'a> {
    /// Gives the pages back that the process has touched so far, and reports to `progress`.
    pub fn new(progress: &'a dyn Progress) -> Self {
        give_back();
        Spare { progress, part: AtomicUsize::new(0) }
    }
}

impl Progress for Spare<'_> {
    fn report(&self, done: usize, total: usize) {
        self.progress.report(done, total);
        let part = PARTS * done / total.max(1);
        if self.part.fetch_max(part, Ordering::Relaxed) < part {
            give_back();
        }
    }

    fn on_thread(&self, share: &mut dyn FnMut()) {
        self.progress.on_thread(share);
    }
}

/// Gives back the read-only pages of the program and of its libraries.
fn give_back() {
    #[cfg(target_os = "linux")]
    linux::give_back();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_void};

    pub fn give_back() {
        // SAFETY: `segments` has the type that `dl_iterate_phdr` calls, and uses no data.
        unsafe { libc::dl_iterate_phdr(Some(segments), std::ptr::null_mut()) };
    }

    /// Gives back the segments of one object that is loaded.
    unsafe extern "C" fn segments(object: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
        // SAFETY: the loader passes a valid object, whose headers stay while the call lasts.
        let (start, headers) = unsafe {
            let object = &*object;
            (object.dlpi_addr, std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into()))
        };
        for header in headers {
            // Relocations write to segments that may be written. A segment with a tail of zeros has bytes that its file lacks.
            let is_unchanged = header.p_flags & libc::PF_W == 0 && header.p_memsz == header.p_filesz;
            if header.p_type != libc::PT_LOAD || !is_unchanged {
                continue;
            }
            let begin = start.wrapping_add(header.p_vaddr) as usize;
            let (first, len) = (begin & !(PAGE - 1), (begin & (PAGE - 1)) + header.p_memsz as usize);
            // SAFETY: nothing writes to the segment after the loader has mapped it, because no library of the command has relocations in
            // its code. Its pages come back with the same bytes: from the file, or from the kernel for the kernel's own object.
            // A refusal, as for memory that is locked, leaves them.
            unsafe { libc::madvise(first as *mut c_void, len, libc::MADV_DONTNEED) };
        }
        0
    }

    /// Least page of a system. Where pages are larger, `madvise` refuses segments that begin inside a page, and these stay.
    const PAGE: usize = 1 << 12;
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Returns the resident pages of files.
    fn pages_of_files() -> usize {
        let pages = std::fs::read_to_string("/proc/self/statm").expect("numbers of pages");
        pages.split(' ').nth(2).and_then(|shared| shared.parse().ok()).expect("the third number")
    }

    /// Counts reports.
    struct Count(AtomicUsize);

    impl Progress for Count {
        fn report(&self, _: usize, _: usize) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn pages_go_and_come_back() {
        let count = Count(AtomicUsize::new(0));
        let before = pages_of_files();
        let spare = Spare::new(&count);
        let after = pages_of_files();
        assert!(after < before, "{after} of {before} pages are still there");
        for done in 1..=PARTS {
            // Formatting and parsing touch code and tables of the program again.
            let text = format!("{:?} {:e}", "1.5e300".parse::<f64>(), 1.0 / done as f64);
            assert!(text.starts_with("Ok(1.5e300)"), "{text}");
            let touched = pages_of_files();
            spare.report(done, PARTS);
            assert!(pages_of_files() < touched, "part {done} of {PARTS}");
        }
        assert_eq!(count.0.load(Ordering::Relaxed), PARTS);
        let mut called = false;
        spare.on_thread(&mut || called = true);
        assert!(called);
    }
}
