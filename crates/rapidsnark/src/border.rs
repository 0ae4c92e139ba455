//! The border to C. Pointers become slices, places and buffers, or errors. Errors become codes and messages. Panics end
//! here. The code assumes no alignment of the caller's memory.

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
    /// Returns the buffer that two arguments describe.
    ///
    /// # Safety
    /// - `buffer` is NULL or points to `size` bytes, initialised or not.
    /// - Nobody else uses these bytes as long as the result is used.
    pub unsafe fn new(buffer: *mut c_char, size: c_ulong) -> Self {
        Message { buffer, size }
    }

    /// Returns a buffer of size 0.
    pub fn none() -> Self {
        Message { buffer: ptr::null_mut(), size: 0 }
    }

    /// Writes a message, cut to the buffer's size, and a NUL. A buffer of size 0 gets nothing.
    fn write(&self, text: &str) {
        if self.buffer.is_null() || self.size == 0 {
            return;
        }
        let room = usize::try_from(self.size).map_or(usize::MAX, |size| size) - 1;
        let mut length = text.len().min(room);
        // Cuts between characters, never within one.
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: the buffer has `size` bytes, at least length + 1, which only the library uses, so `text` does not
        // overlap them.
        unsafe { write_text(self.buffer, &text[..length]) };
    }

    /// Runs a call and returns its code: the code of `body`, or of its error, whose message is written. A panic becomes
    /// an error.
    pub fn report(
        self,
        body: impl FnOnce() -> Result<c_int, Error>,
        code: impl Fn(&Error) -> c_int,
    ) -> c_int {
        // A panic leaves only the data of this call half done, because `body` borrows nothing that others change.
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
/// - `to` points to the bytes of the text and one more byte, initialised or not.
/// - `text` is not among these bytes.
unsafe fn write_text(to: *mut c_char, text: &str) {
    // SAFETY: `to` has room for the text and the NUL, which do not overlap the source. Bytes need no alignment.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr().cast(), to, text.len());
        to.add(text.len()).write(0);
    }
}

/// Returns the bytes of an argument.
///
/// # Errors
/// [`Error::Null`], [`Error::Length`].
///
/// # Safety
/// - `pointer` is NULL or points to `length` initialised bytes.
/// - Nobody changes or frees these bytes as long as the slice is used.
pub unsafe fn bytes<'a>(
    pointer: *const c_void,
    length: c_ulong,
    what: &'static str,
) -> Result<&'a [u8], Error> {
    if pointer.is_null() {
        return Err(Error::Null(what));
    }
    let size = isize::try_from(length).map_err(|_| Error::Length { what, length })?;
    // SAFETY: the pointer is not NULL, so it points to `size` initialised bytes, at most isize::MAX of them. Bytes need no alignment.
    // Nobody changes or frees them while 'a lasts.
    Ok(unsafe { slice::from_raw_parts(pointer.cast(), size as usize) })
}

/// Returns the bytes of an argument up to its NUL, without the NUL.
///
/// # Errors
/// [`Error::Null`].
///
/// # Safety
/// - `pointer` is NULL or points to bytes up to a NUL.
/// - Nobody changes or frees these bytes as long as the slice is used.
pub unsafe fn text<'a>(pointer: *const c_char, what: &'static str) -> Result<&'a [u8], Error> {
    if pointer.is_null() {
        return Err(Error::Null(what));
    }
    // SAFETY: the pointer is not NULL, so it points to bytes up to a NUL, which nobody changes or frees while 'a lasts.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// Returns the file that an argument names.
///
/// # Errors
/// [`Error::Null`]; [`Error::Unicode`] on systems whose names are Unicode.
///
/// # Safety
/// - `pointer` is NULL or points to bytes up to a NUL.
/// - Nobody changes or frees these bytes as long as the path is used.
pub unsafe fn path<'a>(pointer: *const c_char, what: &'static str) -> Result<&'a Path, Error> {
    // SAFETY: `pointer` is NULL or points to bytes up to a NUL, which nobody changes or frees while 'a lasts.
    let name = unsafe { text(pointer, what) }?;
    #[cfg(unix)]
    return Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)));
    #[cfg(not(unix))]
    return std::str::from_utf8(name).map(Path::new).map_err(|_| Error::Unicode(what));
}

/// Memory of the caller that a call writes its result to.
pub struct Place<T>(*mut T);

impl<T> Place<T> {
    /// Returns the place that an argument points to.
    ///
    /// # Errors
    /// [`Error::Null`].
    ///
    /// # Safety
    /// - `pointer` is NULL or points to the bytes of a `T`, initialised or not.
    /// - Nobody else uses these bytes as long as the result is used.
    pub unsafe fn new(pointer: *mut T, what: &'static str) -> Result<Self, Error> {
        match pointer.is_null() {
            true => Err(Error::Null(what)),
            false => Ok(Place(pointer)),
        }
    }

    /// Writes the result.
    pub fn set(self, value: T) {
        // SAFETY: `new` refused NULL, so the pointer has the bytes of a `T`, which nobody else uses. `write_unaligned`
        // needs no alignment.
        unsafe { self.0.write_unaligned(value) };
    }
}

/// Buffer for a text, and its size.
pub struct Buffer {
    text: *mut c_char,
    /// Size of the buffer in bytes.
    room: c_ulong,
    /// Place for the required size, or for the number of written bytes.
    size: Place<c_ulong>,
}

impl Buffer {
    /// Returns the buffer that two arguments describe.
    ///
    /// # Errors
    /// [`Error::Null`].
    ///
    /// # Safety
    /// - `size` is NULL or points to a number.
    /// - `text` is NULL or points to that number of bytes, initialised or not.
    /// - Nobody else uses number and bytes as long as the result is used.
    pub unsafe fn new(
        text: *mut c_char,
        size: *mut c_ulong,
        [what, what_size]: [&'static str; 2],
    ) -> Result<Self, Error> {
        if text.is_null() {
            return Err(Error::Null(what));
        }
        // SAFETY: `size` is NULL or points to a number that nobody else uses.
        let place = unsafe { Place::new(size, what_size) }?;
        // SAFETY: `size` is not NULL, so it points to a number. `read_unaligned` needs no alignment.
        let room = unsafe { size.read_unaligned() };
        Ok(Buffer { text, room, size: place })
    }

    /// Returns the size of the buffer in bytes.
    pub fn room(&self) -> c_ulong {
        self.room
    }

    /// Returns true if there is room for a text and a NUL.
    pub fn has_room(&self, text: &str) -> bool {
        (text.len() as c_ulong) < self.room
    }

    /// Reports the required size.
    pub fn need(self, size: c_ulong) {
        self.size.set(size);
    }

    /// Writes a text and a NUL, and reports the text's length.
    ///
    /// # Panics
    /// Unless the buffer [has room](Self::has_room).
    pub fn write(self, text: &str) {
        assert!(self.has_room(text), "a text of {} bytes for {}", text.len(), self.room);
        // SAFETY: the buffer has `room` bytes, more than the text has, which only the library uses, so `text` does not
        // overlap them.
        unsafe { write_text(self.text, text) };
        self.size.set(text.len() as c_ulong);
    }
}
