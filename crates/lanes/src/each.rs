//! Arrays made entry by entry, always inlined.
//!
//! A vector instruction inlines only into a function that is compiled for its instruction set. One helper or closure
//! outside of such functions turns every instruction in it into a call. The functions of this crate are
//! `#[inline(always)]`; closures cannot be on stable Rust, hence a macro instead of `core::array::from_fn`.

use core::mem::MaybeUninit;

/// `each!(|i| f(i))` is the array `[f(0), f(1), ...]`, its length inferred.
#[macro_export]
macro_rules! each {
    (|$index:ident| $entry:expr) => {{
        let mut entries = $crate::each::uninit();
        let mut index = 0;
        while index < $crate::each::len(&entries) {
            let $index = index;
            entries[index] = ::core::mem::MaybeUninit::new($entry);
            index += 1;
        }
        // SAFETY: the loop has written every entry.
        #[allow(unused_unsafe)]
        unsafe {
            $crate::each::assume_init(entries)
        }
    }};
}

/// Returns an array to be filled.
#[inline(always)]
pub fn uninit<T: Copy, const N: usize>() -> [MaybeUninit<T>; N] {
    [const { MaybeUninit::uninit() }; N]
}

/// Returns the array's length.
#[inline(always)]
pub fn len<T, const N: usize>(_: &[MaybeUninit<T>; N]) -> usize {
    N
}

/// Returns the filled array.
///
/// # Safety
/// - All entries have been written.
#[inline(always)]
pub unsafe fn assume_init<T: Copy, const N: usize>(entries: [MaybeUninit<T>; N]) -> [T; N] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the caller has written all entries.
    unsafe { core::mem::transmute_copy(&entries) }
}
