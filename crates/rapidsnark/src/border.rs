//! The border to C: pointers become slices, places and buffers, or errors. Errors become codes and messages. Panics end here.
//! Nothing that a pointer points to is believed to be aligned.

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

    /// Returns a buffer without any room.
    pub fn none() -> Self {
        Message { buffer: ptr::null_mut(), size: 0 }
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
        // SAFETY: the buffer has `size` bytes, which are at least length + 1 and the library's alone, so that `text` is elsewhere.
        unsafe { write_text(self.buffer, &text[..length]) };
    }

    /// Returns the code of a call: of `body`, or of its error, whose message is written. No panic gets out of here.
    pub fn report(
        self,
        body: impl FnOnce() -> Result<c_int, Error>,
        code: impl Fn(&Error) -> c_int,
    ) -> c_int {
        // A panic leaves only the call's own data half done: `body` borrows nothing that others change.
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
/// - `to` points to the bytes of the text and one more, initialised or not.
/// - `text` is not among these bytes.
unsafe fn write_text(to: *mut c_char, text: &str) {
    // SAFETY: there is room for the text and the NUL, which do not overlap the source. Bytes need no alignment.
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

/// The bytes of an argument that ends with a NUL, without it.
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

/// The file that an argument names.
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

/// A place of the caller's, which a call fills in.
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

    /// Tells a value.
    pub fn set(self, value: T) {
        // SAFETY: `new` refused NULL, so that there are the bytes of a `T`, which nobody else uses. `write_unaligned` asks for no
        // alignment.
        unsafe { self.0.write_unaligned(value) };
    }
}

/// Buffer for a text, and its size.
pub struct Buffer {
    text: *mut c_char,
    /// The bytes that there are.
    room: c_ulong,
    /// Place for the bytes that there should be, or that were written.
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
        // SAFETY: `size` is not NULL, so that it points to a number. `read_unaligned` asks for no alignment.
        let room = unsafe { size.read_unaligned() };
        Ok(Buffer { text, room, size: place })
    }

    /// The bytes that there are.
    pub fn room(&self) -> c_ulong {
        self.room
    }

    /// Returns true if there is room for a text and a NUL.
    pub fn has_room(&self, text: &str) -> bool {
        (text.len() as c_ulong) < self.room
    }

    /// Tells the bytes that there should be.
    pub fn need(self, size: c_ulong) {
        self.size.set(size);
    }

    /// Writes a text and a NUL, and tells the text's length.
    ///
    /// # Panics
    /// Unless it [has room](Self::has_room).
    pub fn write(self, text: &str) {
        assert!(self.has_room(text), "a text of {} bytes for {}", text.len(), self.room);
        // SAFETY: the buffer has `room` bytes, more than the text has, and the library's alone, so that `text` is elsewhere.
        unsafe { write_text(self.text, text) };
        self.size.set(text.len() as c_ulong);
    }
}
