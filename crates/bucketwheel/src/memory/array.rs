//! Arrays of plain data.

use std::alloc::Layout;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use super::block::Block;
use super::stock::{block, stock, LEAST_KEPT};
use crate::Error;

/// An uninitialised array of plain data.
#[derive(Debug)]
pub struct Uninit<T> {
    /// `None` if there are no elements.
    block: Option<Block>,
    start: NonNull<T>,
    len: usize,
}

// SAFETY: the array owns its elements, which may be sent.
unsafe impl<T: Send> Send for Uninit<T> {}
// SAFETY: a shared reference to the array gives only shared references to its elements, and addresses.
unsafe impl<T: Sync> Sync for Uninit<T> {}

impl<T> Uninit<T> {
    /// Returns an array of `len` elements with undefined content.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(len: usize) -> Result<Self, Error> {
        const { assert!(!std::mem::needs_drop::<T>()) };
        let block = Layout::array::<T>(len.max(1)).ok().and_then(block);
        let block = block.ok_or(Error::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) })?;
        Ok(Uninit { start: block.start.cast(), block: Some(block), len })
    }

    /// Returns an array of no elements.
    pub const fn empty() -> Self {
        Uninit { block: None, start: NonNull::dangling(), len: 0 }
    }

    pub fn as_mut_ptr(&self) -> *mut T {
        self.start.as_ptr()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns a handle for tasks that write parts of the array.
    pub fn output(&self) -> Output<T> {
        Output(self.start.as_ptr())
    }

    /// Returns the elements.
    ///
    /// # Safety
    /// - All elements have been written.
    pub unsafe fn as_slice(&self) -> &[T] {
        // SAFETY: the caller vouches that all `len` elements have been written.
        unsafe { self.first(self.len) }
    }

    /// Returns the first `len` elements.
    ///
    /// # Safety
    /// - `len` is at most the length of the array.
    /// - The first `len` elements have been written.
    pub unsafe fn first(&self, len: usize) -> &[T] {
        // SAFETY: the start is aligned, and the block has room for the elements. The caller vouches that they are written.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), len) }
    }

    /// Returns the array with its elements.
    ///
    /// # Safety
    /// - All elements have been written.
    pub unsafe fn written(self) -> Array<T> {
        Array(self)
    }
}

impl<T> Drop for Uninit<T> {
    fn drop(&mut self) {
        let block = self.block.take();
        let is_kept = |block: &Block| block.layout.size() >= LEAST_KEPT && !block.is_in_region();
        if let Some(block) = block.filter(is_kept) {
            // The old blocks are freed without the lock.
            let old = stock().keep(block);
            drop(old);
        }
    }
}

/// Array that tasks write. Each task writes its own part.
pub struct Output<T>(*mut T);

// SAFETY: tasks that share the array write positions of their own, as `write` and `part` demand.
unsafe impl<T: Send> Sync for Output<T> {}

impl<T> Output<T> {
    /// Returns an array from its start.
    pub fn new(start: *mut T) -> Self {
        Output(start)
    }

    /// Writes an element.
    ///
    /// # Safety
    /// - `position` is within the array, which is alive.
    /// - Nobody else accesses the position during the call.
    #[inline(always)]
    pub unsafe fn write(&self, position: usize, value: T) {
        // SAFETY: the caller vouches for a position within the live array, which nobody else accesses.
        unsafe { self.0.add(position).write(value) };
    }

    /// Returns the elements in `range`, for a caller that alone uses them.
    ///
    /// # Safety
    /// - The range is within the array, which outlives the result.
    /// - The elements of the range have been written.
    /// - Nobody else accesses these elements while the result lives.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn part(&self, range: std::ops::Range<usize>) -> &mut [T] {
        // SAFETY: the caller vouches for written elements within the array, which nobody else accesses.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(range.start), range.len()) }
    }
}

/// An array of plain data.
#[derive(Debug)]
pub struct Array<T>(Uninit<T>);

impl<T> Array<T> {
    /// Returns an array of `len` elements.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn from_fn(len: usize, element: impl Fn(usize) -> T) -> Result<Self, Error> {
        let array: Uninit<T> = Uninit::new(len)?;
        // SAFETY: the array has room for `len` elements, and the loop writes all of them.
        unsafe {
            (0..len).for_each(|i| array.as_mut_ptr().add(i).write(element(i)));
            Ok(array.written())
        }
    }
}

impl<T: Copy> Array<T> {
    /// Returns an array of no elements.
    pub const fn empty() -> Self {
        Array(Uninit::empty())
    }

    /// If the array is shorter than `len`, replaces it with an array of `element`, at least as long and twice as long as it was.
    ///
    /// For scratch memory, whose pages the next call finds again. As a `Vec` does, it ends the process where memory is short.
    pub fn make_room(&mut self, len: usize, element: T) {
        if self.len() < len {
            let len = len.max(2 * self.len());
            *self = Self::from_fn(len, |_| element).unwrap_or_else(|_| out_of_memory::<T>(len));
        }
    }
}

/// Ends the process, as the heap does.
#[cold]
fn out_of_memory<T>(len: usize) -> ! {
    std::alloc::handle_alloc_error(Layout::array::<T>(len).unwrap_or(Layout::new::<T>()))
}

impl<T> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: only `Uninit::written` makes arrays, whose elements are all written.
        unsafe { self.0.as_slice() }
    }
}

impl<T> DerefMut for Array<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: all elements are written, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr(), self.0.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::mapping::HUGE_PAGE;
    use super::*;

    #[test]
    fn arrays_have_room_and_alignment() {
        for len in [0, 1, LEAST_KEPT - 1, LEAST_KEPT, 3 * LEAST_KEPT + 1, 2 * HUGE_PAGE + 1] {
            let array = Array::from_fn(len, |i| i as u8).expect("little memory");
            assert_eq!(array.len(), len);
            assert!(array.iter().enumerate().all(|(i, &x)| x == i as u8));
        }
        #[repr(align(128))]
        struct Wide(#[allow(dead_code)] [u8; 128]);
        for len in [1, LEAST_KEPT / 128, HUGE_PAGE / 128] {
            assert!(Uninit::<Wide>::new(len).expect("little memory").as_mut_ptr().is_aligned());
        }
    }

    #[test]
    fn scratch_memory_grows() {
        let mut array = Array::empty();
        for (len, expected) in [(0, 0), (3, 3), (2, 3), (4, 6), (100, 100)] {
            array.make_room(len, len as u8);
            assert_eq!(array.len(), expected);
        }
        assert_eq!(*array, [100; 100]);
    }

    #[test]
    fn more_than_there_is_is_an_error() {
        for len in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 8 - HUGE_PAGE, 1 << 56] {
            let used = stock().used;
            let bytes = len.saturating_mul(8);
            assert_eq!(Uninit::<u64>::new(len).map(drop), Err(Error::OutOfMemory { bytes }));
            assert!(stock().used <= used + (1 << 40), "a failed allocation does not count as used");
        }
    }
}
