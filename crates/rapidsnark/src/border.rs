//! The border to C: pointers become slices or errors, errors become codes and messages, panics end here.

use std::ffi::{c_char, c_int, c_ulong, c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr;
use std::slice;

use crate::error::Error;

/// Buffer for the message of a call's error: `error_msg` and `error_msg_maxsize`.
pub struct Message {
    buffer: *mut c_char,
    size: c_ulong,
}

impl Message {
    /// # Safety
    /// `buffer` is null or has `size` bytes to write to, as long as this is used.
    pub unsafe fn new(buffer: *mut c_char, size: c_ulong) -> Self {
        Message { buffer, size }
    }

    /// Writes as much as there is room for, and a NUL; nothing where there is no room at all.
    fn write(&self, text: &str) {
        if self.buffer.is_null() || self.size == 0 {
            return;
        }
        let room = usize::try_from(self.size).map_or(usize::MAX, |size| size) - 1;
        let mut length = text.len().min(room);
        // Whole characters.
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: `new` was promised `size` bytes, and length + 1 are at most as many.
        unsafe { write_text(self.buffer, &text[..length]) };
    }

    /// The code that a call returns: that of `body`, or of its error, which is told. No panic gets out of here.
    pub fn report(
        self,
        body: impl FnOnce() -> Result<c_int, Error>,
        code: impl Fn(&Error) -> c_int,
    ) -> c_int {
        // What a panic leaves half done is the call's own: `body` borrows nothing that others change.
        let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Error::Internal));
        outcome.unwrap_or_else(|error| {
            self.write(&error.to_string());
            code(&error)
        })
    }
}

/// Writes a text and a NUL.
///
/// # Safety
/// There are as many bytes to write to at `to`, and `text` is elsewhere.
unsafe fn write_text(to: *mut c_char, text: &str) {
    // SAFETY: the caller's promise; bytes need no alignment.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr().cast(), to, text.len());
        to.add(text.len()).write(0);
    }
}

/// The bytes of an argument.
///
/// # Errors
/// [`Error::Null`], [`Error::Length`].
///
/// # Safety
/// `pointer` is null or has `length` bytes, which nobody changes as long as the slice is used.
pub unsafe fn bytes<'a>(
    pointer: *const c_void,
    length: c_ulong,
    what: &'static str,
) -> Result<&'a [u8], Error> {
    if pointer.is_null() {
        return Err(Error::Null(what));
    }
    let size = isize::try_from(length).map_err(|_| Error::Length { what, length })?;
    // SAFETY: not null, of at most isize::MAX bytes, the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(pointer.cast(), size as usize) })
}

/// The bytes of an argument that ends with a NUL, without it.
///
/// # Errors
/// [`Error::Null`].
///
/// # Safety
/// `pointer` is null or points to bytes up to a NUL, which nobody changes as long as the slice is used.
pub unsafe fn text<'a>(pointer: *const c_char, what: &'static str) -> Result<&'a [u8], Error> {
    if pointer.is_null() {
        return Err(Error::Null(what));
    }
    // SAFETY: not null, the rest is the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// The file that an argument names.
///
/// # Errors
/// [`Error::Null`]; [`Error::Unicode`] on systems whose names are Unicode.
///
/// # Safety
/// As for [`text`].
pub unsafe fn path<'a>(pointer: *const c_char, what: &'static str) -> Result<&'a Path, Error> {
    // SAFETY: the caller's promise.
    let name = unsafe { text(pointer, what) }?;
    #[cfg(unix)]
    return Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)));
    #[cfg(not(unix))]
    return std::str::from_utf8(name).map(Path::new).map_err(|_| Error::Unicode(what));
}

/// Address of a number that a call tells.
#[derive(Clone, Copy)]
pub struct Size(*mut c_ulong);

impl Size {
    /// # Errors
    /// [`Error::Null`].
    ///
    /// # Safety
    /// `pointer` is null or points to a number, which is this call's as long as this is used.
    pub unsafe fn new(pointer: *mut c_ulong, what: &'static str) -> Result<Self, Error> {
        match pointer.is_null() {
            true => Err(Error::Null(what)),
            false => Ok(Size(pointer)),
        }
    }

    /// Number that the caller wrote there.
    pub fn get(self) -> c_ulong {
        // SAFETY: `new`'s promise; where it lies is not believed to be aligned.
        unsafe { self.0.read_unaligned() }
    }

    /// Tells a number.
    pub fn set(self, size: c_ulong) {
        // SAFETY: as above.
        unsafe { self.0.write_unaligned(size) };
    }
}

/// Buffer for a text, and its size.
#[derive(Clone, Copy)]
pub struct Buffer {
    text: *mut c_char,
    /// The bytes that there are, then those that there should be or that were written.
    pub size: Size,
}

impl Buffer {
    /// # Errors
    /// [`Error::Null`].
    ///
    /// # Safety
    /// Each pointer is null or points to what is this call's as long as this is used: `size` to a number, `text` to as
    /// many bytes to write to.
    pub unsafe fn new(
        text: *mut c_char,
        size: *mut c_ulong,
        [what, what_size]: [&'static str; 2],
    ) -> Result<Self, Error> {
        if text.is_null() {
            return Err(Error::Null(what));
        }
        // SAFETY: the caller's promise.
        let size = unsafe { Size::new(size, what_size) }?;
        Ok(Buffer { text, size })
    }

    /// Returns true if there is room for a text and a NUL.
    pub fn has_room(self, text: &str) -> bool {
        (text.len() as c_ulong) < self.size.get()
    }

    /// Writes a text and a NUL, and tells its length.
    ///
    /// # Safety
    /// [`has_room`](Self::has_room) for it.
    pub unsafe fn write(self, text: &str) {
        // SAFETY: `new` was promised as many bytes as the size says, which is more than the text has.
        unsafe { write_text(self.text, text) };
        self.size.set(text.len() as c_ulong);
    }
}
