//! Large arrays on huge pages where the system has them: a page fault per 2 MiB instead of per 4 KiB, and fewer misses of
//! the translation cache.

use std::alloc::{alloc, dealloc, handle_alloc_error, Layout};
use std::ptr::NonNull;

/// Huge pages are this large.
const HUGE_PAGE: usize = 2 << 20;

/// An empty vector with room for `len` elements.
pub(crate) fn with_capacity<T>(len: usize) -> Vec<T> {
    let vector: Vec<T> = Vec::with_capacity(len);
    let start = vector.as_ptr().cast::<u8>();
    let (skipped, bytes) = (start.align_offset(HUGE_PAGE), size_of::<T>() * len);
    if bytes >= skipped.saturating_add(HUGE_PAGE) {
        // SAFETY: the huge pages that lie within the vector.
        unsafe { advise(start.wrapping_add(skipped), (bytes - skipped) / HUGE_PAGE * HUGE_PAGE) };
    }
    vector
}

/// Asks for huge pages. Advice: a failure changes nothing.
///
/// # Safety
/// The bytes, from the start of a page, are an allocation's.
unsafe fn advise(start: *const u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    libc::madvise(start.cast_mut().cast(), bytes, libc::MADV_HUGEPAGE);
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}

/// An uninitialised array.
#[derive(Debug)]
pub(crate) struct Uninit<T> {
    pointer: NonNull<T>,
    len: usize,
    layout: Layout,
}

// SAFETY: it owns plain data.
unsafe impl<T: Send> Send for Uninit<T> {}
unsafe impl<T: Sync> Sync for Uninit<T> {}

impl<T: Copy> Uninit<T> {
    /// An array of `len` elements, whatever they are.
    pub fn new(len: usize) -> Self {
        let layout = Layout::array::<T>(len.max(1)).expect("the array fits the address space");
        let large = layout.size() >= HUGE_PAGE;
        let layout = if large { layout.align_to(HUGE_PAGE).expect("a valid alignment") } else { layout };
        // SAFETY: the size is not zero.
        let pointer = unsafe { alloc(layout) };
        let Some(pointer) = NonNull::new(pointer.cast::<T>()) else { handle_alloc_error(layout) };
        if large {
            // SAFETY: the range is this allocation.
            unsafe { advise(pointer.as_ptr().cast(), layout.size()) };
        }
        Uninit { pointer, len, layout }
    }

    pub fn as_mut_ptr(&self) -> *mut T {
        self.pointer.as_ptr()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The elements.
    ///
    /// # Safety
    /// All have been written.
    pub unsafe fn as_slice(&self) -> &[T] {
        self.first(self.len)
    }

    /// The first `len` elements.
    ///
    /// # Safety
    /// There are as many, and they have been written.
    pub unsafe fn first(&self, len: usize) -> &[T] {
        std::slice::from_raw_parts(self.pointer.as_ptr(), len)
    }

    /// The elements, for writing before reading; any bytes are a `T`.
    ///
    /// # Safety
    /// `T` has no invalid values, and the reader does not care about those not written.
    pub unsafe fn as_mut_slice(&mut self) -> &mut [T] {
        std::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.len)
    }
}

impl<T> Drop for Uninit<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.pointer.as_ptr().cast(), self.layout) }
    }
}
