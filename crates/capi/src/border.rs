//! The border to C: pointers become slices or errors, errors become codes and messages, panics end here. What a caller's
//! pointers promise is said in the header; where they point is never believed to be aligned.

use std::cell::RefCell;
use std::ffi::{c_char, c_void, CStr, CString};
use std::mem::{offset_of, MaybeUninit};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr;
use std::slice;

use bucketwheel::Progress;
use bucketwheel_circuit::check_fork;

use crate::abi::*;
use crate::error::Error;

thread_local! {
    /// The text and the index of this thread's last error.
    static LAST: RefCell<(CString, usize)> = RefCell::new((CString::default(), BW_NO_INDEX));
}

/// The code that a call returns: that of `body`'s error, which is kept for [`message`] and [`index`]. No panic gets out of
/// here.
pub fn call(body: impl FnOnce() -> Result<(), Error>) -> bw_status {
    let Err(error) = caught(body) else { return BW_OK };
    let (code, index) = error.code();
    // Names of files have no NUL.
    let text = CString::new(error.to_string()).unwrap_or_default();
    // A thread that is ending has no last error.
    let _ = LAST.try_with(|last| *last.borrow_mut() = (text, index.unwrap_or(BW_NO_INDEX)));
    code
}

/// As [`call`], of work for the library's threads, which a forked process lacks.
pub fn work(body: impl FnOnce() -> Result<(), Error>) -> bw_status {
    call(|| {
        check_fork()?;
        body()
    })
}

/// Result of `body`, or the error that stands for its panic.
pub fn caught<T>(body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    // What a panic leaves half done is the call's own, but for streams, which know of it.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Error::Internal))
}

/// The text of this thread's last error; empty before the first.
pub fn message() -> *const c_char {
    LAST.try_with(|last| last.borrow().0.as_ptr()).unwrap_or(c"".as_ptr())
}

/// The index of this thread's last error.
pub fn index() -> usize {
    LAST.try_with(|last| last.borrow().1).unwrap_or(BW_NO_INDEX)
}

/// The value of an argument.
///
/// # Errors
/// [`Error::Null`].
///
/// # Safety
/// `pointer` is null or points to a value.
pub unsafe fn read<T: Copy>(pointer: *const T, what: &'static str) -> Result<T, Error> {
    match pointer.is_null() {
        true => Err(Error::Null(what)),
        // SAFETY: not null, the rest is the caller's promise.
        false => Ok(unsafe { pointer.read_unaligned() }),
    }
}

/// The values of an argument.
///
/// # Errors
/// [`Error::Null`], [`Error::TooLong`].
///
/// # Safety
/// `pointer` is null or points to `count` values.
pub unsafe fn read_all<T: Copy>(
    pointer: *const T,
    count: usize,
    what: &'static str,
) -> Result<Vec<T>, Error> {
    // SAFETY: the caller's promise, here and below; within the bytes that there are.
    let bytes = unsafe { bytes(pointer.cast(), count, size_of::<T>(), what) }?;
    let values = bytes.chunks_exact(size_of::<T>());
    Ok(values.map(|value| unsafe { value.as_ptr().cast::<T>().read_unaligned() }).collect())
}

/// The bytes of an argument; none may be at null.
///
/// # Errors
/// [`Error::Null`], [`Error::TooLong`].
///
/// # Safety
/// `pointer` is null or has `count` times `stride` bytes, which nobody changes as long as the slice is used.
pub unsafe fn bytes<'a>(
    pointer: *const c_void,
    count: usize,
    stride: usize,
    what: &'static str,
) -> Result<&'a [u8], Error> {
    let size = count.checked_mul(stride).filter(|&size| isize::try_from(size).is_ok());
    let size = size.ok_or(Error::TooLong { what, count, stride })?;
    match (size, pointer.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(Error::Null(what)),
        // SAFETY: not null, of at most isize::MAX bytes, the rest is the caller's promise.
        (_, false) => Ok(unsafe { slice::from_raw_parts(pointer.cast(), size) }),
    }
}

/// The file that an argument names.
///
/// # Errors
/// [`Error::Null`]; `Error::Unicode` on systems whose names are Unicode.
///
/// # Safety
/// `pointer` is null or points to bytes up to a NUL, which nobody changes as long as the path is used.
pub unsafe fn path<'a>(pointer: *const c_char) -> Result<&'a Path, Error> {
    if pointer.is_null() {
        return Err(Error::Null("path"));
    }
    // SAFETY: not null, the rest is the caller's promise.
    let name = unsafe { CStr::from_ptr(pointer) };
    #[cfg(unix)]
    return Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name.to_bytes())));
    #[cfg(not(unix))]
    return name.to_str().map(Path::new).map_err(|_| Error::Unicode("path"));
}

/// Reference to the object of a handle.
///
/// # Errors
/// [`Error::Null`].
///
/// # Safety
/// `handle` is null or of this library and not freed as long as the reference is used.
pub unsafe fn handle<'a, T>(handle: *const T, what: &'static str) -> Result<&'a T, Error> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.ok_or(Error::Null(what))
}

/// The same for a handle of one thread.
///
/// # Errors
/// [`Error::Null`].
///
/// # Safety
/// As for [`handle`], and nobody else uses it.
pub unsafe fn handle_mut<'a, T>(handle: *mut T, what: &'static str) -> Result<&'a mut T, Error> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_mut() }.ok_or(Error::Null(what))
}

/// Makes a handle and tells it.
///
/// # Errors
/// [`Error::Null`], before anything is made; those of `make`.
///
/// # Safety
/// `out` is null or points to a pointer, which is the call's.
pub unsafe fn create<T>(out: *mut *mut T, make: impl FnOnce() -> Result<T, Error>) -> Result<(), Error> {
    if out.is_null() {
        return Err(Error::Null("out"));
    }
    let made = Box::into_raw(Box::new(make()?));
    // SAFETY: not null, the rest is the caller's promise.
    unsafe { out.write_unaligned(made) };
    Ok(())
}

/// Frees a handle; null is none.
///
/// # Safety
/// `handle` is null or of [`create`] and used by nobody any more.
pub unsafe fn free<T>(handle: *mut T) {
    call(|| {
        if !handle.is_null() {
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(handle) });
        }
        Ok(())
    });
}

/// Buffer that sums are written to.
pub struct Room(bw_sums);

impl Room {
    /// Room for so many bytes.
    ///
    /// # Errors
    /// [`Error::Null`], [`Error::Buffer`].
    ///
    /// # Safety
    /// `sums.data` is null or has `sums.size` bytes, which are the call's.
    pub unsafe fn new(sums: bw_sums, count: usize, sum_bytes: usize) -> Result<Self, Error> {
        // Saturated, it is more than any buffer has.
        let expected = count.saturating_mul(sum_bytes);
        if sums.data.is_null() && expected > 0 {
            return Err(Error::Null("sums.data"));
        }
        match sums.size < expected {
            true => Err(Error::Buffer { size: sums.size, count, expected }),
            false => Ok(Room(sums)),
        }
    }

    /// Tells sums; bytes beyond the room are left out.
    pub fn write(self, bytes: &[u8]) {
        // SAFETY: `new` was promised as many bytes; the source is the library's own.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.0.data.cast(), bytes.len().min(self.0.size));
        }
    }
}

/// More bytes than the options of any version have: a size beyond is one that nobody has written.
const MAX_OPTIONS: usize = 4096;

/// The options, or none.
///
/// # Errors
/// [`Error::Size`], [`Error::NewerOptions`].
///
/// # Safety
/// `options` is null or has as many bytes as its first member says.
pub unsafe fn options(options: *const bw_options) -> Result<bw_options, Error> {
    const KNOWN: usize = size_of::<bw_options>();
    const { assert!(offset_of!(bw_options, size) == 0) };
    // SAFETY: numbers, null pointers and no function, all of which zeros stand for.
    let mut known: bw_options = unsafe { MaybeUninit::zeroed().assume_init() };
    if options.is_null() {
        return Ok(known);
    }
    // SAFETY: the caller's promise, here and below.
    let size = unsafe { read(options.cast::<usize>(), "options") }?;
    if !(KNOWN..=MAX_OPTIONS).contains(&size) {
        return Err(Error::Size { what: "bw_options", size, expected: KNOWN });
    }
    let bytes = unsafe { bytes(options.cast(), size, 1, "options") }?;
    if bytes[KNOWN..].iter().any(|&byte| byte != 0) {
        return Err(Error::NewerOptions { known: KNOWN });
    }
    known.clone_from(&unsafe { options.read_unaligned() });
    Ok(known)
}

/// Tells a value.
///
/// # Errors
/// [`Error::Null`], before it is made; those of `make`.
///
/// # Safety
/// `out` is null or points to a value, which is the call's.
pub unsafe fn tell<T>(
    out: *mut T,
    what: &'static str,
    make: impl FnOnce() -> Result<T, Error>,
) -> Result<(), Error> {
    if out.is_null() {
        return Err(Error::Null(what));
    }
    let value = make()?;
    // SAFETY: not null, the rest is the caller's promise.
    unsafe { out.write_unaligned(value) };
    Ok(())
}

/// Tells a plan to a caller that may know less of it.
///
/// # Errors
/// [`Error::Null`], [`Error::Size`].
///
/// # Safety
/// `out` is null or has as many bytes as its first member says.
pub unsafe fn tell_plan(
    out: *mut bw_plan_result,
    plan: impl FnOnce() -> Result<bw_plan_result, Error>,
) -> Result<(), Error> {
    const { assert!(offset_of!(bw_plan_result, size) == 0) };
    let expected = size_of::<bw_plan_result>();
    // SAFETY: the caller's promise, here and below.
    let size = unsafe { read(out.cast::<usize>(), "result") }?;
    if size < expected {
        return Err(Error::Size { what: "bw_plan_result", size, expected });
    }
    let plan = plan()?;
    unsafe { out.write_unaligned(bw_plan_result { size, ..plan }) };
    Ok(())
}

/// Tells the properties of a circuit to a caller that may know less of them.
///
/// # Errors
/// [`Error::Null`], [`Error::Size`].
///
/// # Safety
/// `out` is null or has as many bytes as its first member says.
pub unsafe fn tell_properties(
    out: *mut bw_circuit_properties,
    properties: bw_circuit_properties,
) -> Result<(), Error> {
    const { assert!(offset_of!(bw_circuit_properties, size) == 0) };
    let expected = size_of::<bw_circuit_properties>();
    // SAFETY: the caller's promise: not null after `read`, and of `size` bytes, which are no fewer than are written.
    let size = unsafe { read(out.cast::<usize>(), "result") }?;
    if size < expected {
        return Err(Error::Size { what: "bw_circuit_properties", size, expected });
    }
    // SAFETY: as above.
    unsafe { out.write_unaligned(bw_circuit_properties { size, ..properties }) };
    Ok(())
}

/// Callback that is told of progress, and its first argument.
pub struct Listener {
    callback: unsafe extern "C-unwind" fn(*mut c_void, usize, usize),
    user: *mut c_void,
}

// SAFETY: what the header asks of the callback and what it is called with: many threads, at once.
unsafe impl Send for Listener {}
// SAFETY: as above.
unsafe impl Sync for Listener {}

impl Listener {
    /// That of options, if they name one.
    pub fn new(options: &bw_options) -> Option<Self> {
        options.progress.map(|callback| Listener { callback, user: options.user })
    }
}

impl Progress for Listener {
    fn report(&self, done: usize, total: usize) {
        // SAFETY: the caller's function, with the caller's pointer.
        unsafe { (self.callback)(self.user, done, total) };
    }
}
