//! Points of a forgotten type, and the memory that they lie in.

use super::array::Uninit;
use crate::Error;

/// An array of points whose type only their adder knows.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    pub start: *mut u8,
    /// Bytes from one point to the next.
    pub stride: usize,
    pub len: usize,
}

// SAFETY: the value has addresses, and follows none of them. Functions that follow them demand valid ones.
unsafe impl Send for Slots {}
// SAFETY: the value follows no address, as for `Send`.
unsafe impl Sync for Slots {}

impl Slots {
    /// Returns the slots of these points, to be read.
    pub fn of<T>(points: &[T]) -> Self {
        Slots { start: points.as_ptr().cast_mut().cast(), stride: size_of::<T>(), len: points.len() }
    }

    /// Returns slots of no points.
    pub fn none() -> Self {
        Self::of::<u8>(&[])
    }

    /// Returns the address of a point, or the address that it would have.
    pub fn address(self, index: usize) -> *mut u8 {
        self.start.wrapping_add(index * self.stride)
    }

    /// Returns the `len` points from `first` on.
    ///
    /// # Panics
    /// If there are fewer points.
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

/// Unit of the alignment of points.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line(#[allow(dead_code)] [u8; 64]);

impl Room {
    /// Alignment of the room's start, in bytes.
    pub const ALIGN: usize = align_of::<Line>();

    /// Returns room for `len` points of `stride` bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(stride: usize, len: usize) -> Result<Self, Error> {
        let lines = Uninit::<Line>::new(stride.saturating_mul(len).div_ceil(size_of::<Line>()))?;
        Ok(Room { lines, stride, len })
    }

    /// Returns room for no points.
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
