//! Memory of the transforms: vectors of lanes that the caller sees as elements.

use std::marker::PhantomData;
use std::ptr::NonNull;

use ark_ff::{BigInt, PrimeField};
use bucketwheel::{Error, Zeroed};
use bucketwheel_lanes::PrimeLanes;

/// Placement of elements in vectors: 2^log_lanes neighbours share a vector of `bytes` bytes. They are words at its
/// beginning until they become digits.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    pub log_lanes: u32,
    pub bytes: usize,
    /// Bytes of the words of an element.
    pub element: usize,
}

impl Slots {
    pub fn of<L: PrimeLanes>() -> Self {
        let bytes = size_of::<L::Sum>();
        let element = size_of::<L::Words>();
        assert!(align_of::<L::Sum>() <= Zeroed::ALIGN && bytes >= L::LANES * element);
        Slots { log_lanes: L::LANES.trailing_zeros(), bytes, element }
    }

    /// Returns the byte at which an element's words start.
    pub fn offset(self, index: usize) -> usize {
        let lane = index & ((1 << self.log_lanes) - 1);
        (index >> self.log_lanes) * self.bytes + lane * self.element
    }
}

/// Vectors of lanes, zero at first. The backend determines their type (`L::Sum`, plain data).
pub struct Vector {
    bytes: Zeroed,
    slots: Slots,
    len: usize,
    /// Number of values that fit behind the words of the elements.
    more: usize,
}

impl Vector {
    /// Returns room for `len` elements, a power of 2, and for `more` values behind their words.
    pub fn new(slots: Slots, len: usize, more: usize) -> Result<Self, Error> {
        let bytes = len.div_ceil(1 << slots.log_lanes) * slots.bytes;
        let bytes = bytes.saturating_add(more.saturating_mul(slots.element));
        Ok(Vector { bytes: Zeroed::new(bytes)?, slots, len, more })
    }

    /// Returns the vectors of the backend that they were made for.
    pub fn as_mut_ptr<L: PrimeLanes>(&mut self) -> *mut L::Sum {
        debug_assert_eq!(self.slots.bytes, size_of::<L::Sum>());
        self.bytes.start().as_ptr().cast()
    }

    /// Returns the elements, as words of the type that the vector was made for.
    pub fn elements<E>(&mut self) -> Elements<'_, E> {
        assert_eq!(self.slots.element, size_of::<E>());
        Elements {
            start: self.bytes.start(),
            slots: self.slots,
            first: 0,
            len: self.len,
            vector: PhantomData,
        }
    }

    /// Returns the elements as integers without gaps.
    pub fn into_words<F: PrimeField>(self) -> Words<F::BigInt> {
        let lanes = 1usize << self.slots.log_lanes;
        let row = lanes * self.slots.element;
        assert_eq!(self.slots.element, size_of::<F::BigInt>());
        if row != self.slots.bytes {
            let start = self.bytes.start();
            for vector in 1..self.len.div_ceil(lanes) {
                // SAFETY: source and target are within the allocation, since `row` is at most the bytes of a slot. `copy_to` allows them
                // to overlap. Targets are at lower addresses, in ascending order, so that no words are overwritten before they moved.
                unsafe {
                    let from = start.add(vector * self.slots.bytes);
                    from.copy_to(start.add(vector * row), row);
                }
            }
        }
        Words { vector: self, integers: PhantomData }
    }
}

/// A range of elements to write: words in Montgomery form, below the modulus. All are zero at first.
pub struct Elements<'a, E = [u64; 4]> {
    start: NonNull<u8>,
    slots: Slots,
    first: usize,
    len: usize,
    vector: PhantomData<(&'a mut Vector, E)>,
}

// SAFETY: elements are plain words. A range borrows its vector exclusively, and `split_at` makes ranges that do not overlap, so that
// no other thread has the same elements.
unsafe impl<E: Send> Send for Elements<'_, E> {}

impl<'a, E> Elements<'a, E> {
    /// Returns the number of elements. The [example](crate::Domain) uses it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no elements. The [example](crate::Domain) uses it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the words of one element. The [example](crate::Domain) uses it.
    ///
    /// # Panics
    /// If the index is not below [`len`](Self::len).
    pub fn at(&mut self, index: usize) -> &mut E {
        assert!(index < self.len, "element {index} of {}", self.len);
        let offset = self.slots.offset(self.first + index);
        // SAFETY: the index is below `len`, so that the element is one of the vector's, at a multiple of its alignment, and zero or
        // written before. No other range has it, and this one is borrowed exclusively as long as the reference is used.
        unsafe { self.start.add(offset).cast().as_mut() }
    }

    /// Returns the elements before `index` and the elements from `index` on. The [example](crate::Domain) uses it.
    ///
    /// # Panics
    /// If there are fewer elements than `index`.
    pub fn split_at(self, index: usize) -> (Elements<'a, E>, Elements<'a, E>) {
        assert!(index <= self.len, "split at {index} of {}", self.len);
        let Elements { start, slots, first, len, vector } = self;
        (
            Elements { start, slots, first, len: index, vector },
            Elements { start, slots, first: first + index, len: len - index, vector },
        )
    }
}

/// Elements as integers, without gaps.
pub struct Words<B = BigInt<4>> {
    vector: Vector,
    integers: PhantomData<B>,
}

impl<B: Copy> Words<B> {
    /// Appends values. The [example](crate::Domain) uses it.
    ///
    /// # Panics
    /// Panics if the vectors were made with less room ([`Domain::evaluations_and`](super::Domain::evaluations_and)).
    pub fn extend(&mut self, values: &[B]) {
        let Vector { bytes, len, more, .. } = &mut self.vector;
        *more = more.checked_sub(values.len()).expect("room for the values");
        // SAFETY: `more` was at least the number of values, so that there is room for them behind `len` elements, which is aligned as
        // words are. `values` is borrowed elsewhere and does not overlap the vector, which is borrowed exclusively.
        unsafe {
            let end = bytes.start().cast::<B>().add(*len);
            end.as_ptr().copy_from_nonoverlapping(values.as_ptr(), values.len());
        };
        *len += values.len();
    }
}

impl<B> AsRef<[B]> for Words<B> {
    fn as_ref(&self) -> &[B] {
        // SAFETY: `into_words` has moved all elements to the start, which is aligned, and `extend` has appended the rest: `len` integers
        // that are initialised, of the size of B (asserted there). B is the integer of a field: it consists of words, and any
        // bits are a valid word. Nobody writes the integers while the vector is borrowed.
        unsafe { std::slice::from_raw_parts(self.vector.bytes.start().as_ptr().cast(), self.vector.len) }
    }
}

impl<B: std::fmt::Debug> std::fmt::Debug for Words<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.as_ref()).finish()
    }
}
