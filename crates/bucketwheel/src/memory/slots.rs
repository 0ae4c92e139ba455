//! Points whose type is forgotten, and the memory that they lie in.

use super::array::Uninit;
use crate::Error;

/// An array of points whose type its adder alone knows.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    pub start: *mut u8,
    /// The bytes from one to the next.
    pub stride: usize,
    pub len: usize,
}

// SAFETY: it has addresses, and follows none of them. The functions that do demand valid ones.
unsafe impl Send for Slots {}
// SAFETY: as for `Send`: it follows no address.
unsafe impl Sync for Slots {}

impl Slots {
    /// These points, to be read.
    pub fn of<T>(points: &[T]) -> Self {
        Slots { start: points.as_ptr().cast_mut().cast(), stride: size_of::<T>(), len: points.len() }
    }

    /// No points.
    pub fn none() -> Self {
        Self::of::<u8>(&[])
    }

    /// The address of a point, or where it would be.
    pub fn address(self, index: usize) -> *mut u8 {
        self.start.wrapping_add(index * self.stride)
    }

    /// The `len` points from `first` on.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn part(self, first: usize, len: usize) -> Self {
        assert!(first <= self.len && len <= self.len - first, "no {len} slots from {first} on");
        Slots { start: self.address(first), len, ..self }
    }
}

/// Memory for the points of [`Slots`], uninitialised.
#[derive(Debug)]
pub struct Room {
    lines: Uninit<Line>,
    stride: usize,
    len: usize,
}

/// Unit of the points' alignment.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line(#[allow(dead_code)] [u8; 64]);

impl Room {
    /// Alignment of its start, in bytes.
    pub const ALIGN: usize = align_of::<Line>();

    /// Room for `len` points of `stride` bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(stride: usize, len: usize) -> Result<Self, Error> {
        let lines = Uninit::<Line>::new(stride.saturating_mul(len).div_ceil(size_of::<Line>()))?;
        Ok(Room { lines, stride, len })
    }

    /// No room.
    pub fn empty() -> Self {
        Room { lines: Uninit::empty(), stride: 0, len: 0 }
    }

    /// Makes room for `len` points of `stride` bytes, with undefined content.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn make(&mut self, stride: usize, len: usize) -> Result<Slots, Error> {
        if self.stride != stride || self.len < len {
            *self = Room::empty();
            *self = Room::new(stride, len)?;
        }
        Ok(self.slots().part(0, len))
    }

    pub fn slots(&self) -> Slots {
        Slots { start: self.lines.as_mut_ptr().cast(), stride: self.stride, len: self.len }
    }
}
