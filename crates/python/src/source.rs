//! Bytes from the caller: read in place if nobody changes them, otherwise copied once.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use bucketwheel::CurveId;
use bucketwheel_circuit::{self as circuit, Access};
use bucketwheel_formats::{FormatError, ScalarsFile};
use pyo3::buffer::{Element, PyUntypedBuffer, ReadOnlyCell};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};

use crate::error::Error;

/// Source of bytes.
pub enum Source {
    /// Bytes of a `bytes`, which nobody changes.
    Bytes(PyBackedBytes),
    /// A copy of memory that may change while the interpreter runs: of a numpy array or a bytearray.
    Copied(Vec<u8>),
    /// A read-only array, for example in memory that processes share.
    Shared(PyUntypedBuffer),
    /// The bytes of a file.
    File(circuit::Source),
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Source::Bytes(bytes) => bytes,
            Source::Copied(bytes) => bytes,
            // SAFETY: the buffer is contiguous, stays until this value is dropped, and nobody writes through it. Its
            // memory may change in another way, as a mapped file may: then the numbers change, but no memory is harmed.
            #[allow(unsafe_code)]
            Source::Shared(buffer) if buffer.len_bytes() > 0 => unsafe {
                std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes())
            },
            Source::Shared(_) => &[],
            Source::File(file) => file,
        }
    }
}

impl AsRef<[u8]> for Source {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// Length of an array's rows.
#[derive(Clone, Copy)]
pub enum Rows {
    /// Any number of bytes; the array has no rows.
    Any,
    /// Rows of exactly this number of bytes: points.
    Exactly(usize),
    /// Rows of at most this number of bytes, padded with zeros: scalars.
    AtMost(usize),
}

impl Source {
    /// Reads an argument: a file by its path, or the bytes of a `bytes` or an array.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::Argument`] for any other object, and for an array of another type or shape.
    pub fn new(object: &Bound<'_, PyAny>, rows: Rows) -> Result<Self, Error> {
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            return Self::map(object.extract()?);
        }
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Source::Bytes(bytes.clone().into())),
            Err(_) => array(object, rows),
        }
    }

    /// Maps a file.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn map(path: PathBuf) -> Result<Self, Error> {
        match circuit::Source::open(&path, Access::Map) {
            Ok(file) => Ok(Source::File(file)),
            Err(source) => Err(Error::File { path, source }),
        }
    }

    /// Returns a key, which a circuit keeps: a mapped file, or a copy of the file if `map` is false.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn into_key(self, map: bool) -> Result<circuit::Source, Error> {
        match self {
            Source::File(file) if map => Ok(file),
            Source::File(file) => {
                let path = file.path().map(PathBuf::from).unwrap_or_default();
                circuit::Source::open(&path, Access::Copy).map_err(|source| Error::File { path, source })
            }
            bytes => Ok(circuit::Source::of(bytes)),
        }
    }

    /// Returns the path, if the source is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Source::File(file) => file.path(),
            _ => None,
        }
    }

    /// Returns scalars: the payload of a scalars file of this curve; other bytes unchanged.
    ///
    /// # Errors
    /// The errors of [`ScalarsFile::parse`]; a file for another curve.
    pub fn scalars(&self, curve: CurveId) -> Result<&[u8], Error> {
        let Source::File(_) = self else { return Ok(self) };
        let parse = || {
            let file = ScalarsFile::parse(self)?;
            match file.curve == curve {
                true => Ok(file.payload),
                false => Err(FormatError::Contradiction {
                    expected: format!("scalars of {curve}"),
                    found: format!("scalars of {}", file.curve),
                }),
            }
        };
        parse().map_err(|error| Error::from(error).at(self.path()))
    }
}

/// Returns an empty list with room for `count` elements.
///
/// # Errors
/// [`Error::Memory`].
pub fn room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| Error::Memory(count.saturating_mul(size_of::<T>())))?;
    Ok(room)
}

/// Returns the bytes of an array of 64-bit words or bytes, as little-endian integers: in place if the array is
/// read-only.
fn array(object: &Bound<'_, PyAny>, rows: Rows) -> Result<Source, Error> {
    let py = object.py();
    let kind = object.get_type().name()?;
    let Ok(buffer) = PyUntypedBuffer::get(object) else {
        return Err(Error::Argument(format!(
            "{kind}: expected a path, bytes, an array of uint64 or uint8, or a list"
        )));
    };
    let format = buffer.format().to_string_lossy().into_owned();
    // A leading sign states another byte order than a little-endian machine's; PyO3 ignores the sign.
    let other_order = format.starts_with(['>', '!']) || cfg!(target_endian = "big");
    let words = buffer.as_typed::<u64>().ok().filter(|_| !other_order);
    let signed = buffer.as_typed::<i64>().ok().filter(|_| !other_order);
    let bytes = buffer.as_typed::<u8>().ok().filter(|_| format != "c");
    if !buffer.is_c_contiguous() {
        return Err(Error::Argument(
            "an array with gaps or in another order: expected a contiguous array; numpy.ascontiguousarray makes one"
                .into(),
        ));
    }
    if let (1, Rows::AtMost(most), false) = (buffer.shape().len(), rows, other_order) {
        if let Some(words) = short_integers(py, &buffer) {
            return Ok(Source::Copied(pad(&words?, size_of::<i64>(), most)?));
        }
    }
    if words.is_none() && signed.is_none() && bytes.is_none() {
        return Err(Error::Argument(format!(
            "an array of elements {format:?}: expected uint64 or int64 in this machine's byte order, or uint8, or for \
             scalars a row of other integers; astype(numpy.uint64) converts it"
        )));
    }
    if let Some(signed) = signed.as_ref().and_then(|signed| signed.as_slice(py)) {
        check_signs(signed.iter().map(ReadOnlyCell::get))?;
    }
    let size = buffer.item_size();
    let shape = buffer.shape().to_vec();
    // Bytes without a shape have no rows.
    let row = match (shape.len(), rows) {
        (0, _) | (_, Rows::Any) => None,
        (1, _) if size == 1 => None,
        (1, Rows::Exactly(_)) => None,
        _ => Some(shape[1..].iter().product::<usize>() * size),
    };
    let short = match (row, rows) {
        (Some(row), Rows::AtMost(most)) if row > 0 && row < most => Some((row, most)),
        (Some(row), Rows::Exactly(expected) | Rows::AtMost(expected)) if row != expected => {
            return Err(Error::Argument(format!(
                "an array of shape {shape:?}, with {row} bytes in a row: expected {}{expected}",
                if matches!(rows, Rows::AtMost(_)) { "1 to " } else { "" },
            )));
        }
        _ => None,
    };
    if short.is_none() && buffer.readonly() {
        return Ok(Source::Shared(buffer));
    }
    let mut copy = room(buffer.len_bytes())?;
    copy.resize(buffer.len_bytes(), 0);
    if let Some(words) = words.and_then(|words| words.as_slice(py)) {
        let out = copy.chunks_exact_mut(8).zip(words);
        out.for_each(|(out, word)| out.copy_from_slice(&word.get().to_le_bytes()));
    } else if let Some(words) = signed.as_ref().and_then(|words| words.as_slice(py)) {
        let out = copy.chunks_exact_mut(8).zip(words);
        out.for_each(|(out, word)| out.copy_from_slice(&word.get().to_le_bytes()));
    } else if let Some(bytes) = bytes {
        bytes.copy_to_slice(py, &mut copy)?;
    }
    let copy = match short {
        Some((row, most)) => pad(&copy, row, most)?,
        None => copy,
    };
    Ok(Source::Copied(copy))
}

/// Returns the integers of an array whose elements have fewer than 64 bits, as 64-bit words. Unsigned integers of 8
/// bits are bytes, so they do not count as integers.
fn short_integers(py: Python<'_>, buffer: &PyUntypedBuffer) -> Option<Result<Vec<u8>, Error>> {
    fn words<T: Element + Into<i64>>(
        py: Python<'_>,
        buffer: &PyUntypedBuffer,
    ) -> Option<Result<Vec<u8>, Error>> {
        let elements = buffer.as_typed::<T>().ok()?;
        let elements = elements.as_slice(py)?;
        Some(check_signs(elements.iter().map(|element| element.get().into())).and_then(|()| {
            let mut words = room(elements.len() * size_of::<i64>())?;
            words.extend(elements.iter().flat_map(|element| element.get().into().to_le_bytes()));
            Ok(words)
        }))
    }
    words::<u32>(py, buffer)
        .or_else(|| words::<i32>(py, buffer))
        .or_else(|| words::<u16>(py, buffer))
        .or_else(|| words::<i16>(py, buffer))
        .or_else(|| words::<i8>(py, buffer))
}

fn check_signs(mut integers: impl Iterator<Item = i64>) -> Result<(), Error> {
    match integers.position(|integer| integer < 0) {
        None => Ok(()),
        Some(index) => Err(Error::Argument(format!(
            "element {index} of an array of integers is negative: expected integers of 0 or more; reduce them modulo the order"
        ))),
    }
}

/// Pads rows with zeros.
fn pad(bytes: &[u8], row: usize, most: usize) -> Result<Vec<u8>, Error> {
    let len = (bytes.len() / row).saturating_mul(most);
    let mut padded = room(len)?;
    padded.resize(len, 0);
    let out = padded.chunks_exact_mut(most).zip(bytes.chunks_exact(row));
    out.for_each(|(out, bytes)| out[..row].copy_from_slice(bytes));
    Ok(padded)
}
