//! All results of one backend, in order, for the comparison with another backend's results.

use alloc::vec::Vec;
use core::slice;

use bucketwheel_lanes::Backend;

use crate::lanes::Lanes;

/// Results of operations, as bytes.
#[derive(Default)]
pub struct Trace {
    bytes: Vec<u8>,
    /// The name of each result and the end of its bytes.
    results: Vec<(&'static str, usize)>,
}

/// Number of compared results, and of differing results.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub checks: usize,
    pub bad: usize,
    /// Name of the first result that differed.
    pub first: Option<&'static str>,
}

impl Count {
    pub fn add(&mut self, other: Count) {
        self.checks += other.checks;
        self.bad += other.bad;
        self.first = self.first.or(other.first);
    }
}

/// Returns true if a backend's digits can be compared with another backend's, like the digits of the kernels and of the
/// model.
fn has_common_digits(backend: Backend) -> bool {
    matches!(backend, Backend::Avx512Ifma | Backend::Model)
}

impl Trace {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.results.clear();
    }

    /// Appends a plain value.
    pub fn value(&mut self, name: &'static str, value: u32) {
        self.bytes.extend(value.to_le_bytes());
        self.results.push((name, self.bytes.len()));
    }

    /// Appends an element outside of the lanes.
    pub fn words<W>(&mut self, name: &'static str, words: &W) {
        // SAFETY: elements outside of the lanes are arrays of words, without padding.
        unsafe { self.append(words) };
        self.results.push((name, self.bytes.len()));
    }

    /// Appends the value of a vector, and its digits.
    #[inline(never)]
    pub fn vector<L: Lanes>(&mut self, name: &'static str, lanes: L, v: &L::Vec) {
        self.words(name, &lanes.decode(v));
        self.digits::<L, _>(name, v);
    }

    /// Appends the bytes of a vector, a factor, a sum or an element in memory, if they are comparable.
    pub fn digits<L: Lanes, T>(&mut self, name: &'static str, value: &T) {
        if has_common_digits(L::BACKEND) {
            // SAFETY: all values of these backends are arrays of words, without padding.
            unsafe { self.append(value) };
            self.results.push((name, self.bytes.len()));
        }
    }

    /// # Safety
    /// - The value has no padding.
    unsafe fn append<T>(&mut self, value: &T) {
        // SAFETY: the bytes are the value's own, and all are initialised, because the value has no padding.
        let bytes = unsafe { slice::from_raw_parts((&raw const *value).cast::<u8>(), size_of::<T>()) };
        self.bytes.extend(bytes);
    }

    /// Compares two traces, result by result.
    pub fn compare(&self, other: &Trace) -> Count {
        let mut count = Count::default();
        assert_eq!(self.results.len(), other.results.len(), "both backends do the same");
        let mut start = 0;
        for (&(name, end), &(_, other_end)) in self.results.iter().zip(&other.results) {
            assert_eq!(end, other_end, "both backends do the same");
            let is_bad = self.bytes[start..end] != other.bytes[start..end];
            count.add(Count { checks: 1, bad: usize::from(is_bad), first: is_bad.then_some(name) });
            start = end;
        }
        count
    }
}
