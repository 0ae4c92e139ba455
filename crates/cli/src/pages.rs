//! The pages of the program itself, which count as memory of a process.
//!
//! The system maps 16 pages where a program touches one, and keeps them. A small proof touches most of the program once: its
//! start, the checks of files, sums in two groups, the verification. So these pages are half of the memory of a small proof.

use std::sync::atomic::{AtomicUsize, Ordering};

use bucketwheel::Progress;

/// How many times a proof gives back the pages of the program.
const PARTS: usize = 16;

/// Progress of work in little memory: gives the pages of the program back, again and again. Code that runs on comes back from
/// the system's cache.
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

/// Gives back the pages of the program and its libraries that nobody writes.
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
            // Relocations have written to the pages of other segments.
            if header.p_type != libc::PT_LOAD || header.p_flags & libc::PF_W != 0 {
                continue;
            }
            let first = (start + header.p_vaddr) as usize & !(PAGE - 1);
            let end = (start + header.p_vaddr + header.p_memsz) as usize;
            // SAFETY: the segment is a private mapping of a file that nobody has written to, so that its pages come back from
            // the file with the same bytes. A refusal, as for memory that is locked, leaves them.
            unsafe { libc::madvise(first as *mut c_void, end - first, libc::MADV_DONTNEED) };
        }
        0
    }

    /// `madvise` refuses addresses that are no multiple of the system's pages; larger pages keep theirs.
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

    #[test]
    fn pages_go_and_come_back() {
        struct Touch;
        impl Progress for Touch {
            fn report(&self, _: usize, _: usize) {}
        }
        let before = pages_of_files();
        let spare = Spare::new(&Touch);
        let after = pages_of_files();
        assert!(after < before, "{after} of {before} pages are still there");
        (0..=PARTS).for_each(|done| spare.report(done, PARTS));
        let mut called = false;
        spare.on_thread(&mut || called = true);
        assert!(called);
    }
}
