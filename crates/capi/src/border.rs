//! The border to C. Pointers become slices, references and places, or errors. Errors become codes and messages. Panics end here.
//!
//! The header states the contract for pointers once, for all functions. Each `# Safety` list here has the part of this
//! contract that a function needs. The code assumes alignment only for handles, because this library allocated them.

use std::cell::RefCell;
use std::ffi::{c_char, c_void, CStr, CString};
use std::mem::offset_of;
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

/// Runs a call and returns its code. Keeps the error of `body` for [`message`] and [`index`], and turns a panic into an
/// error.
pub fn call(body: impl FnOnce() -> Result<(), Error>) -> bw_status {
    let Err(error) = caught(body) else { return BW_OK };
    let (code, index) = error.code();
    // Names of files contain no NUL, so no message does.
    let text = CString::new(error.to_string()).unwrap_or_default();
    // A thread that is ending cannot keep its last error.
    let _ = LAST.try_with(|last| *last.borrow_mut() = (text, index.unwrap_or(BW_NO_INDEX)));
    code
}

/// Runs a [`call`] whose work needs the library's threads, which a forked process lacks.
pub fn work(body: impl FnOnce() -> Result<(), Error>) -> bw_status {
    call(|| {
        check_fork()?;
        body()
    })
}

/// Returns the result of `body`, or [`Error::Internal`] if it panics.
pub fn caught<T>(body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    // A panic leaves only the data of this call half done. A stream outlives its call, and records that it broke off.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Error::Internal))
}

/// Returns the text of this thread's last error; an empty text before the first error.
pub fn message() -> *const c_char {
    LAST.try_with(|last| last.borrow().0.as_ptr()).unwrap_or(c"".as_ptr())
}

/// Returns the index of this thread's last error.
pub fn index() -> usize {
    LAST.try_with(|last| last.borrow().1).unwrap_or(BW_NO_INDEX)
}

/// Returns a handle, or an error if it is NULL.
///
/// # Errors
/// [`Error::Null`].
pub fn given<T>(handle: Option<T>, what: &'static str) -> Result<T, Error> {
    handle.ok_or(Error::Null(what))
}

/// Frees a handle. NULL stands for no handle.
pub fn free<T>(handle: Option<Box<T>>) {
    call(|| {
        drop(handle);
        Ok(())
    });
}

/// Reads the value of an argument.
///
/// # Errors
/// [`Error::Null`].
///
/// # Safety
/// - `pointer` is NULL or points to a `T`, at any address.
/// - Nobody changes the value during the call.
pub unsafe fn read<T: Copy>(pointer: *const T, what: &'static str) -> Result<T, Error> {
    match pointer.is_null() {
        true => Err(Error::Null(what)),
        // SAFETY: the pointer is not NULL, so it points to a `T`; `read_unaligned` asks for no alignment.
        false => Ok(unsafe { pointer.read_unaligned() }),
    }
}

/// Reads the values of an argument.
///
/// # Errors
/// [`Error::Null`], [`Error::TooLong`].
///
/// # Safety
/// - `pointer` is NULL or points to `count` values, one after the other, at any address.
/// - Nobody changes the values during the call.
pub unsafe fn read_all<T: Copy>(
    pointer: *const T,
    count: usize,
    what: &'static str,
) -> Result<Vec<T>, Error> {
    // SAFETY: `count` values have `count` times their size bytes. The slice ends with this call.
    let bytes = unsafe { bytes(pointer.cast(), count, size_of::<T>(), what) }?;
    let values = bytes.chunks_exact(size_of::<T>());
    // SAFETY: each chunk has the bytes of one of the caller's values, which is therefore a valid `T`, at any address.
    Ok(values.map(|value| unsafe { value.as_ptr().cast::<T>().read_unaligned() }).collect())
}

/// Returns the bytes of an argument. An argument without bytes may be NULL.
///
/// # Errors
/// [`Error::Null`], [`Error::TooLong`].
///
/// # Safety
/// - `pointer` is NULL or points to `count` times `stride` initialised bytes.
/// - Nobody changes or frees the bytes as long as the slice is used.
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
        // SAFETY: the pointer is not NULL, so it points to `size` initialised bytes, at most isize::MAX of them. Bytes need no
        // alignment. Nobody changes or frees them while 'a lasts.
        (_, false) => Ok(unsafe { slice::from_raw_parts(pointer.cast(), size) }),
    }
}

/// Returns the file that an argument names.
///
/// # Errors
/// [`Error::Null`]; `Error::Unicode` on systems whose names are Unicode.
///
/// # Safety
/// - `pointer` is NULL or points to bytes up to a NUL.
/// - Nobody changes or frees the bytes as long as the path is used.
pub unsafe fn path<'a>(pointer: *const c_char) -> Result<&'a Path, Error> {
    if pointer.is_null() {
        return Err(Error::Null("path"));
    }
    // SAFETY: the pointer is not NULL, so it points to bytes up to a NUL, which nobody changes or frees while 'a lasts.
    let name = unsafe { CStr::from_ptr(pointer) };
    #[cfg(unix)]
    return Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name.to_bytes())));
    #[cfg(not(unix))]
    return name.to_str().map(Path::new).map_err(|_| Error::Unicode("path"));
}

/// Memory of the caller that a call writes its result to at its end.
pub struct Place<T>(*mut T);

impl<T> Place<T> {
    /// Returns the place that an argument points to.
    ///
    /// # Errors
    /// [`Error::Null`].
    ///
    /// # Safety
    /// - `pointer` is NULL or points to the bytes of a `T`, initialised or not, at any address.
    /// - Nobody else uses these bytes as long as the result is used.
    pub unsafe fn new(pointer: *mut T, what: &'static str) -> Result<Self, Error> {
        match pointer.is_null() {
            true => Err(Error::Null(what)),
            false => Ok(Place(pointer)),
        }
    }

    /// Returns the place of a structure that starts with its size, and this size. A caller that was built for a later
    /// version may state more members.
    ///
    /// # Errors
    /// [`Error::Null`], [`Error::Size`].
    ///
    /// # Safety
    /// - `pointer` is NULL or points to a `usize`, and to that number of bytes, at any address.
    /// - Nobody else uses these bytes as long as the result is used.
    pub unsafe fn sized(
        pointer: *mut T,
        what: &'static str,
        structure: &'static str,
    ) -> Result<(Self, usize), Error> {
        let expected = size_of::<T>();
        // SAFETY: `pointer` is NULL or points to a `usize` that nobody else uses.
        let size = unsafe { read(pointer.cast::<usize>(), what) }?;
        match size < expected {
            true => Err(Error::Size { what: structure, size, expected }),
            // `read` refuses NULL, and the structure has at least the bytes of a `T`.
            false => Ok((Place(pointer), size)),
        }
    }

    /// Writes the result.
    pub fn set(self, value: T) {
        // SAFETY: both constructors demanded the bytes of a `T` that nobody else uses, and refused NULL.
        // `write_unaligned` needs no alignment.
        unsafe { self.0.write_unaligned(value) };
    }
}

impl<T> Place<Option<Box<T>>> {
    /// Gives an object to the caller, who owns its handle from then on.
    pub fn give(self, object: T) {
        self.set(Some(Box::new(object)));
    }
}

/// Buffer of the caller for sums.
pub struct Room(bw_sums);

impl Room {
    /// Returns the room for `count` sums.
    ///
    /// # Errors
    /// [`Error::Null`], [`Error::Buffer`].
    ///
    /// # Safety
    /// - `sums.data` is NULL or points to `sums.size` bytes, initialised or not.
    /// - Nobody else uses these bytes as long as the result is used.
    pub unsafe fn new(sums: bw_sums, count: usize, sum_bytes: usize) -> Result<Self, Error> {
        // A product that overflows saturates, to more bytes than any buffer has.
        let expected = count.saturating_mul(sum_bytes);
        if sums.data.is_null() && expected > 0 {
            return Err(Error::Null("sums.data"));
        }
        match sums.size < expected {
            true => Err(Error::Buffer { size: sums.size, count, expected }),
            false => Ok(Room(sums)),
        }
    }

    /// Writes sums. Drops bytes beyond the end of the buffer.
    pub fn write(self, bytes: &[u8]) {
        let size = bytes.len().min(self.0.size);
        if size > 0 {
            // SAFETY: `bytes` has `size` bytes. `new` demanded at least this number of bytes at `data` that nobody else
            // uses, so they do not overlap `bytes`. `new` refused NULL unless no bytes were expected, and then `size`
            // is 0. Bytes need no alignment.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.0.data.cast(), size) };
        }
    }
}

/// Limit above the size of the options of any version. No caller wrote a larger size.
const MAX_OPTIONS: usize = 4096;

// `bw_options` starts with its size.
const _: () = assert!(offset_of!(bw_options, size) == 0);
const _: () = assert!(offset_of!(bw_plan_result, size) == 0);
const _: () = assert!(offset_of!(bw_circuit_properties, size) == 0);

/// Reads the options.
///
/// # Errors
/// [`Error::Null`], [`Error::Size`], [`Error::NewerOptions`].
///
/// # Safety
/// - `options` is NULL or points to a `usize`, and to that number of initialised bytes, which start with a [`bw_options`].
/// - Nobody changes the bytes during the call.
pub unsafe fn options(options: *const bw_options) -> Result<bw_options, Error> {
    const KNOWN: usize = size_of::<bw_options>();
    // SAFETY: `options` is NULL or points to a `usize`, which nobody changes.
    let size = unsafe { read(options.cast::<usize>(), "options") }?;
    if !(KNOWN..=MAX_OPTIONS).contains(&size) {
        return Err(Error::Size { what: "bw_options", size, expected: KNOWN });
    }
    // SAFETY: `options` points to `size` initialised bytes, which nobody changes. The slice ends with this call.
    let bytes = unsafe { bytes(options.cast(), size, 1, "options") }?;
    if bytes[KNOWN..].iter().any(|&byte| byte != 0) {
        return Err(Error::NewerOptions { known: KNOWN });
    }
    // SAFETY: `options` points to `size` bytes, of which the first `KNOWN` are a `bw_options`.
    unsafe { read(options, "options") }
}

/// Callback for progress, and its first argument.
pub struct Listener {
    callback: unsafe extern "C-unwind" fn(*mut c_void, usize, usize),
    user: *mut c_void,
}

// SAFETY: the header says that several threads call the callback, with `user`, so a caller that sets the callback must
// expect calls from any thread.
unsafe impl Send for Listener {}
// SAFETY: the header says that several threads call the callback at once, so its contract allows shared use.
unsafe impl Sync for Listener {}

impl Listener {
    /// Returns the listener that the options name, or `None`.
    pub fn new(options: &bw_options) -> Option<Self> {
        options.progress.map(|callback| Listener { callback, user: options.user })
    }
}

impl Progress for Listener {
    fn report(&self, done: usize, total: usize) {
        // SAFETY: `callback` is of the header's type and gets the header's arguments: its own `user`, and two
        // numbers. A panic may pass through it, since its ABI unwinds.
        unsafe { (self.callback)(self.user, done, total) };
    }
}
