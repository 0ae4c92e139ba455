//! Loops on all threads of the current pool, for work without cancellation and progress. They use the engine's thread
//! loop, which is compiled once; each closure would compile a rayon iterator anew, to some kilobytes.

use std::ops::Range;

use bucketwheel::{Control, Error};

/// Returns the least index below `len` that `find` returns for one of its blocks of `block` indices.
pub fn find_first(
    len: usize,
    block: usize,
    find: impl Fn(Range<usize>) -> Option<usize> + Sync,
) -> Option<usize> {
    Control::new(None, None, None).find_first(len, block, find)
}

/// Returns the results of `task` for each number below `count`, in order.
pub fn map<T: Send>(count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    Control::new(None, None, None).map(count, task).expect("nobody cancels")
}

/// Calls `task` with the index and the elements of every chunk of `len` elements; the last chunk may be shorter.
pub fn chunks<T: Send>(elements: &mut [T], len: usize, task: impl Fn(usize, &mut [T]) + Sync) {
    let task = |index: usize, chunk: &mut [T]| {
        task(index, chunk);
        Ok(())
    };
    Control::new(None, None, None).chunks::<_, Error>(elements, len, task).expect("nobody cancels");
}
