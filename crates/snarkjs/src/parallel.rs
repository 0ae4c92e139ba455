//! Loops on all threads of the current pool, for work that nobody cancels or watches: the engine's thread loop, which is compiled
//! once. An iterator of rayon is compiled for each closure, to some kilobytes.

use std::ops::Range;

use bucketwheel::{Control, Error};

/// The least index below `len` that `find` returns for one of its blocks of `block` indices.
pub fn find_first(
    len: usize,
    block: usize,
    find: impl Fn(Range<usize>) -> Option<usize> + Sync,
) -> Option<usize> {
    Control::new(None, None, None).find_first(len, block, find)
}

/// Results of `task` for each number below `count`, in their order.
pub fn map<T: Send>(count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    Control::new(None, None, None).map(count, task).expect("nobody cancels")
}

/// Calls `task` with the index and the elements of every chunk of `len` elements, of which the last may have fewer.
pub fn chunks<T: Send>(elements: &mut [T], len: usize, task: impl Fn(usize, &mut [T]) + Sync) {
    let task = |index: usize, chunk: &mut [T]| {
        task(index, chunk);
        Ok(())
    };
    Control::new(None, None, None).chunks::<_, Error>(elements, len, task).expect("nobody cancels");
}
