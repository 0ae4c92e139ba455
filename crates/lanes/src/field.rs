//! The one trait of all backends.

use crate::prefetch::prefetch_near;
use crate::Backend;

/// Number of lanes of the widest backend. Arrays over lanes have this length and use the first `LANES` entries.
pub const MAX_LANES: usize = 8;

/// A field in the lanes of one backend: `LANES` elements at a time, one operation on all of them.
///
/// A value of the implementing type knows the prime's numbers, and is a token: it exists only if the CPU has the
/// instructions ([`Backend::visit`]), so that the arithmetic needs no further check. The type itself tells only the
/// number of words: code that is generic over lanes is compiled once for all primes of a length.
///
/// ```
/// use bucketwheel_lanes::{Backend, Bn254Fq, LaneField, PrimeLanes, Task, Visitor};
///
/// /// Computes 1 / (a + a) - 1 in each lane, with vector instructions.
/// struct Example<L: LaneField>(L, L::Vec);
///
/// impl<L: LaneField> Task for Example<L> {
///     type Output = Option<L::Vec>;
///
///     #[inline(always)]
///     fn run(self) -> Option<L::Vec> {
///         let Example(lanes, a) = self;
///         let double = lanes.reduce(&lanes.add(&lanes.lift(&a), &lanes.lift(&a)));
///         let inverse = lanes.invert(&double)?;
///         let mut product = inverse;
///         lanes.mul(&inverse, L::as_factor(&double), &mut product);
///         assert_eq!(lanes.zero_lanes(&product), 0);
///         Some(lanes.reduce(&lanes.sub(&lanes.lift(&inverse), &lanes.lift(&lanes.one()))))
///     }
/// }
///
/// struct Run;
///
/// impl Visitor<[u64; 4]> for Run {
///     type Output = Option<[u64; 4]>;
///
///     fn visit<L: PrimeLanes<Words = [u64; 4]>>(self, lanes: L) -> Self::Output {
///         let a = lanes.splat([1, 2, 3, 4]);
///         let result = lanes.vectorize(Example(lanes, a))?;
///         Some(lanes.decode(&result)[0])
///     }
/// }
///
/// let results = [Backend::detect(), Backend::Portable].map(|backend| backend.visit::<Bn254Fq, _>(Run).ok().flatten());
/// assert!(results[0].is_some() && results[0] == results[1]);
/// ```
///
/// # Elements and ranges
/// An element has four forms:
/// - [`Words`](Self::Words): outside, Montgomery form with R = 2^(64 N), fully reduced, like elements of arkworks;
/// - [`Elem`](Self::Elem): at rest, in the backend's radix, cache-line friendly;
/// - [`Vec`](Self::Vec): `LANES` elements at work, one per lane; the result of every product;
/// - [`Sum`](Self::Sum): an unreduced sum of vectors, digit by digit; also an element on its way from or to rest.
///
/// Values are only determined modulo p. A `Sum` has at most three terms and is less than 5.4p in absolute value, where
/// a reduced vector counts p and any other vector 2.7p; [`reduce`](Self::reduce) makes it a `Vec` again. A product
/// takes a `Vec` and a [`Factor`](Self::Factor): a `Vec`, or the difference of two vectors (cheaper than its
/// reduction). docs/kernels.md derives the guarantees of each backend for its digits.
pub trait LaneField: Copy + Send + Sync + 'static {
    /// Elements per vector; a power of two, at most [`MAX_LANES`].
    const LANES: usize;
    /// True if the lanes have [`factor_as_sum`](Self::factor_as_sum).
    const FACTORS_ARE_SUMS: bool = false;
    /// Groups of lanes whose elements are best fetched at a time by [`prefetch_near`](Self::prefetch_near).
    const FETCHED_AT_A_TIME: usize = 1;

    /// An element outside: Montgomery form, R = 2^(64 N), below p.
    type Words: Copy + PartialEq + Default + core::fmt::Debug + Send + Sync;
    /// An element at rest: integers without padding. Every bit pattern is a valid value, although it may be out of
    /// range. All bytes zero is the element 0.
    type Elem: Copy + Send + Sync;
    /// `LANES` elements at work.
    type Vec: Copy + Send + Sync;
    /// A second factor.
    type Factor: Copy + Send + Sync;
    /// An unreduced sum.
    type Sum: Copy + Send + Sync;

    /// Returns the instruction set. See the [example](Self).
    fn backend(self) -> Backend;

    /// Runs `task` compiled for the instruction set: operations inline only inside of it. The [example](Self) uses it.
    fn vectorize<T: Task>(self, task: T) -> T::Output;

    /// Converts `LANES` elements; `words` has at least `LANES` entries. See the [example](Self).
    fn encode(self, words: &[Self::Words]) -> Self::Vec;

    /// Converts back, fully reduced; entries from `LANES` on are zero. The [example](Self) uses it.
    fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES];

    /// Returns the same element in all lanes. The [example](Self) uses it.
    #[inline(always)]
    fn splat(self, words: Self::Words) -> Self::Vec {
        self.encode(&[words; MAX_LANES])
    }

    /// Returns 1 in all lanes. The [example](Self) uses it.
    fn one(self) -> Self::Vec;

    /// Gathers one element per lane, as a sum of one reduced term. See the [example](Self).
    ///
    /// # Safety
    /// - The first `LANES` pointers are valid for reads of an element, and aligned.
    unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum;

    /// Gathers one element per lane. See the [example](Self).
    ///
    /// # Safety
    /// - The first `LANES` pointers are valid for reads of an element, and aligned.
    #[inline(always)]
    unsafe fn load(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Vec {
        // SAFETY: the caller vouches for `LANES` readable, aligned elements.
        self.vector(&unsafe { self.load_sum(src) })
    }

    /// Gathers `left - right`, lane by lane. See the [example](Self).
    ///
    /// # Safety
    /// - The first `LANES` pointers on both sides are valid for reads of an element, and aligned.
    unsafe fn load_difference(
        self,
        left: &[*const Self::Elem; MAX_LANES],
        right: &[*const Self::Elem; MAX_LANES],
    ) -> Self::Factor;

    /// Gathers one element per lane, negates the lanes of a mask, and subtracts `from`: the difference as a factor, in
    /// `out`. With a mask, the factor is for products alone, not for [`factor_as_sum`](Self::factor_as_sum). See the
    /// [example](Self).
    ///
    /// # Safety
    /// - The first `LANES` pointers are valid for reads of an element, and aligned.
    #[inline(always)]
    unsafe fn load_minus(
        self,
        src: &[*const Self::Elem; MAX_LANES],
        mask: Option<u32>,
        from: &Self::Sum,
        out: &mut Self::Factor,
    ) {
        // SAFETY: the caller vouches for `LANES` readable, aligned elements.
        let mut left = unsafe { self.load_sum(src) };
        if let Some(mask) = mask {
            left = self.negate(&left, mask);
        }
        *out = self.factor(&self.sub(&left, from));
    }

    /// Scatters one element per lane. `sum` is the result of [`reduce_sum`](Self::reduce_sum). See the [example](Self).
    ///
    /// # Safety
    /// - The first `LANES` pointers are valid for writes of an element, and aligned.
    unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]);

    /// Scatters one element per lane. `v` is the result of [`reduce`](Self::reduce) or of
    /// [`encode`](Self::encode). See the [example](Self).
    ///
    /// # Safety
    /// - The first `LANES` pointers are valid for writes of an element, and aligned.
    #[inline(always)]
    unsafe fn store(self, v: &Self::Vec, dst: &[*mut Self::Elem; MAX_LANES]) {
        // SAFETY: the caller vouches for `LANES` writable, aligned elements.
        unsafe { self.store_sum(&self.lift(v), dst) }
    }

    /// Computes `out = a b`. The [example](Self) uses it.
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec);

    /// Computes `out = a^2`. See the [example](Self).
    fn square(self, a: &Self::Vec, out: &mut Self::Vec);

    /// Returns a vector as a factor: free. The [example](Self) uses it.
    fn as_factor(v: &Self::Vec) -> &Self::Factor;

    /// Returns a vector as a sum of one term. The [example](Self) uses it.
    fn lift(self, v: &Self::Vec) -> Self::Sum;

    /// Returns a sum, negated in the lanes of `mask` (bit `i` for lane `i`). See the [example](Self).
    fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum;

    /// Computes `a + b`. The [example](Self) uses it.
    fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum;

    /// Computes `a - b`. The [example](Self) uses it.
    fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum;

    /// Computes `(a + b, a - b)`. See the [example](Self).
    #[inline(always)]
    fn sum_difference(self, a: &mut Self::Sum, b: &mut Self::Sum) {
        (*a, *b) = (self.add(a, b), self.sub(a, b));
    }

    /// Returns a sum or difference of two vectors as a factor. See the [example](Self).
    fn factor(self, sum: &Self::Sum) -> Self::Factor;

    /// Returns a factor that was made of `b - a`, both reduced, as a sum: `b - a`, or 3p more. The expression
    /// `v - (b - a) - a - a` is in range for any vector v. See the [example](Self).
    fn factor_as_sum(self, _: &Self::Factor) -> Self::Sum {
        unreachable!("factors of these lanes are not sums")
    }

    /// Computes the x of a sum of points, `square - (x2 - x1) - 2 x1`, in place of x1, and x1 minus the new x as a factor
    /// for products. `denominator` is x2 - x1, a factor that is a sum. See the [example](Self).
    #[inline(always)]
    fn chord_x(
        self,
        square: &Self::Vec,
        denominator: &Self::Factor,
        x: &mut Self::Sum,
        difference: &mut Self::Factor,
    ) {
        let x1 = *x;
        let rest = self.sub(&self.lift(square), &self.factor_as_sum(denominator));
        *x = self.reduce_sum(&self.sub(&self.sub(&rest, &x1), &x1));
        *difference = self.factor(&self.sub(&x1, x));
    }

    /// Computes the y of a sum of points, `product - y1`, in place of y1. See the [example](Self).
    #[inline(always)]
    fn chord_y(self, product: &Self::Vec, y: &mut Self::Sum) {
        *y = self.reduce_sum(&self.sub(&self.lift(product), y));
    }

    /// Runs [`vectorize`](Self::vectorize) for tasks that take factors as sums. If the factors of these lanes are not
    /// sums, the task is not even compiled. See the [example](Self).
    fn vectorize_with_factors<T: Task>(self, _: T) -> Option<T::Output> {
        None
    }

    /// Returns a sum with its value and its digits reduced to the range at rest. See the [example](Self).
    fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum;

    /// Returns a reduced sum as a vector. See the [example](Self).
    fn vector(self, reduced: &Self::Sum) -> Self::Vec;

    /// Returns a sum as a vector, its value reduced to the range at rest. The [example](Self) uses it.
    #[inline(always)]
    fn reduce(self, sum: &Self::Sum) -> Self::Vec {
        self.vector(&self.reduce_sum(sum))
    }

    /// Returns the lanes (as bits) whose element is 0. `v` is the result of [`reduce`](Self::reduce) or of
    /// [`encode`](Self::encode). The [example](Self) uses it.
    fn zero_lanes(self, v: &Self::Vec) -> u32;

    /// Returns `b` in the lanes of `mask`, and `a` in other lanes. See the [example](Self).
    fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec;

    /// Fetches a cache line. See the [example](Self).
    fn prefetch(address: *const u8);

    /// Fetches a cache line that is needed at once. See the [example](Self).
    ///
    /// # Safety
    /// - The address is valid for a read of a byte.
    #[inline(always)]
    unsafe fn prefetch_near(address: *const u8) {
        prefetch_near(address);
    }

    /// Returns the lanes (as bits) whose number is odd. `numbers` has `LANES` entries. See the [example](Self).
    #[inline(always)]
    fn odd_lanes(self, numbers: &[u32]) -> u32 {
        // Numbers are read one by one: compilers like to read them into vector registers, in units that products keep busy.
        // SAFETY: a reference is valid for reads.
        let number = |lane: usize| unsafe { core::ptr::read_volatile(&numbers[lane]) };
        (0..Self::LANES).fold(0, |lanes, lane| lanes | (number(lane) & 1) << lane)
    }

    /// Returns the inverses of all lanes, or `None` if a lane is 0. The [example](Self) uses it.
    fn invert(self, v: &Self::Vec) -> Option<Self::Vec>;
}

/// Work for [`LaneField::vectorize`]. Mark `run`, and all functions on lanes that it calls, `#[inline(always)]`.
pub trait Task {
    /// Result of the task.
    type Output;

    /// Does the work. See the [example](crate::LaneField).
    fn run(self) -> Self::Output;
}

/// A prime field in lanes: the operations that [`Quadratic`](crate::Quadratic) and transforms need beyond
/// [`LaneField`].
///
/// ```
/// use bucketwheel_lanes::{Backend, Bn254Fr, LaneField, PrimeLanes, Visitor};
///
/// /// Computes (x + y, x - y) for y = w z by a butterfly, and in steps.
/// struct Butterfly;
///
/// impl Visitor<[u64; 4]> for Butterfly {
///     type Output = bool;
///
///     fn visit<L: PrimeLanes<Words = [u64; 4]>>(self, lanes: L) -> bool {
///         let (x, z, w) = ([[5, 0, 0, 0]; 8], [[7, 0, 0, 0]; 8], lanes.scalar(&[9, 0, 0, 0]));
///         let (x, z) = (lanes.split(&x[..L::LANES]), lanes.split(&z[..L::LANES]));
///         let (mut sum, mut difference) = (x, z);
///         lanes.butterfly(&mut sum, &mut difference, &w);
///         let y = lanes.mul_scalar(&z, &w);
///         let same = [lanes.add_lazy(&x, &y), lanes.sub_lazy(&x, &y, 1)];
///         let [a, b, c, d] = [sum, difference, same[0], same[1]].map(|sum| lanes.decode(&lanes.vector(&lanes.shrink(&sum)))[0]);
///         (a, b) == (c, d)
///     }
/// }
///
/// assert_eq!(Backend::detect().visit::<Bn254Fr, _>(Butterfly).ok(), Some(true));
/// ```
///
/// # Lazy sums
/// Transforms add up to [`TERMS`](Self::TERMS) terms in a `Sum` before they multiply it or [`shrink`](Self::shrink) it.
/// Each operation that makes a sum says how many terms the sum has. A sum or difference of two sums has the terms of
/// both.
///
/// # Words as they are
/// Products divide by the backend's own radix R. [`split`](Self::split) and [`join`](Self::join) ignore R: they take
/// the words' integer for the digits' integer, so products of these sums have a factor 2^(64 N) / R too much. Linear
/// maps do not notice the factor, and one constant at the end removes it.
pub trait PrimeLanes: LaneField {
    /// Most terms of a lazy sum, in all functions that take one.
    const TERMS: usize;

    /// A constant, the same in all lanes: a factor of lazy sums.
    type Scalar: Copy + Send + Sync;

    /// Returns the constant from an element outside. The [example](Self) uses it.
    fn scalar(self, words: &Self::Words) -> Self::Scalar;

    /// Returns a lazy sum times a constant: one term. The [example](Self) uses it.
    fn mul_scalar(self, sum: &Self::Sum, scalar: &Self::Scalar) -> Self::Sum;

    /// Returns a lazy sum times a reduced vector: one term. See the [example](Self).
    fn mul_lazy(self, sum: &Self::Sum, v: &Self::Vec) -> Self::Sum;

    /// Computes `a + b` for lazy sums. The [example](Self) uses it.
    #[inline(always)]
    fn add_lazy(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
        self.add(a, b)
    }

    /// Computes `a - b` for lazy sums, where b has at most `terms` terms, at most 5. The [example](Self) uses it.
    #[inline(always)]
    fn sub_lazy(self, a: &Self::Sum, b: &Self::Sum, _terms: usize) -> Self::Sum {
        self.sub(a, b)
    }

    /// Returns a lazy sum with one term. The [example](Self) uses it.
    fn shrink(self, sum: &Self::Sum) -> Self::Sum;

    /// Computes `(a + w b, a - w b)`, each with one term more than `a`. The [example](Self) uses it.
    #[inline(always)]
    fn butterfly(self, a: &mut Self::Sum, b: &mut Self::Sum, w: &Self::Scalar) {
        let product = self.mul_scalar(b, w);
        *b = self.sub_lazy(a, &product, 1);
        *a = self.add_lazy(a, &product);
    }

    /// Returns the integers of `LANES` elements outside, below p, as digits: one term. The [example](Self) uses it.
    fn split(self, words: &[Self::Words]) -> Self::Sum;

    /// Returns the integers of a sum, below p, as words. The sum has one term, or is the sum or difference of two
    /// products. Entries from `LANES` on are zero. See the [example](Self).
    fn join(self, sum: &Self::Sum) -> [Self::Words; MAX_LANES];

    /// Transposes: lane j of vector i becomes lane i of vector j, for the first `LANES` vectors. Lazy sums keep their
    /// form. See the [example](Self).
    fn transpose(self, vectors: &mut [Self::Sum; MAX_LANES]);

    /// Returns the inverse, or `None` for 0. Variable time. See the [example](Self).
    fn invert_words(self, words: &Self::Words) -> Option<Self::Words>;

    /// Returns the product of two elements outside. See the [example](Self).
    fn mul_words(self, a: &Self::Words, b: &Self::Words) -> Self::Words;

    /// Inverts all lanes as [`LaneField::invert`] does, with one inversion for all lanes. Not inlined, since it is
    /// long and rarely called. See the [example](Self).
    #[inline(never)]
    fn invert_lanes(self, v: &Self::Vec) -> Option<Self::Vec> {
        self.vectorize(InvertLanes { lanes: self, v })
    }

    /// Returns beta, 1 or 5: curves are over the extension by a root of -beta. Returns 0 if no curve is over an extension.
    /// See the [example](Self).
    fn beta(self) -> u32;

    /// Computes `beta v`. `v` is the result of [`reduce`](LaneField::reduce) or of
    /// [`quadratic_factor`](Self::quadratic_factor). If `v` was reduced, the result may be one term of a sum of two.
    /// See the [example](Self).
    fn times_beta(self, v: &Self::Vec) -> Self::Vec;

    /// Returns a coordinate of the second factor of [`mul_quadratic`](Self::mul_quadratic), from a sum or difference of
    /// two vectors. See the [example](Self).
    #[inline(always)]
    fn quadratic_factor(self, sum: &Self::Sum) -> Self::Vec {
        self.reduce(sum)
    }

    /// Computes a coordinate of [`load_minus`](LaneField::load_minus) in an extension: the difference is a
    /// [`quadratic_factor`](Self::quadratic_factor). See the [example](Self).
    ///
    /// # Safety
    /// - The first `LANES` pointers are valid for reads of an element, and aligned.
    #[inline(always)]
    unsafe fn load_minus_coordinate(
        self,
        src: &[*const Self::Elem; MAX_LANES],
        mask: Option<u32>,
        from: &Self::Sum,
        out: &mut Self::Vec,
    ) {
        // SAFETY: the caller vouches for `LANES` readable, aligned elements.
        let mut left = unsafe { self.load_sum(src) };
        if let Some(mask) = mask {
            left = self.negate(&left, mask);
        }
        *out = self.quadratic_factor(&self.sub(&left, from));
    }

    /// Computes a coordinate of [`chord_x`](LaneField::chord_x) in an extension. See the [example](Self).
    #[inline(always)]
    fn chord_x_coordinate(
        self,
        square: &Self::Vec,
        denominator: &Self::Vec,
        x: &mut Self::Sum,
        difference: &mut Self::Vec,
    ) {
        let x1 = *x;
        let rest = self.sub(&self.lift(square), &self.factor_as_sum(Self::as_factor(denominator)));
        *x = self.reduce_sum(&self.sub(&self.sub(&rest, &x1), &x1));
        *difference = self.quadratic_factor(&self.sub(&x1, x));
    }

    /// Returns the product in `Fp[u] / (u^2 + beta)`. `b` consists of vectors or
    /// [`quadratic_factor`](Self::quadratic_factor)s.
    ///
    /// By default, computes Karatsuba's three products, each reduced. A backend whose columns have room adds products
    /// up before it reduces them. Call it within [`LaneField::vectorize`]. See the [example](Self).
    #[inline(always)]
    fn mul_quadratic(self, a: &[Self::Vec; 2], b: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        let (mut low, mut high, mut cross) = (a[0], a[0], a[0]);
        self.mul(&a[0], Self::as_factor(&b[0]), &mut low);
        self.mul(&a[1], Self::as_factor(&b[1]), &mut high);
        let sum_a = self.reduce(&self.add(&self.lift(&a[0]), &self.lift(&a[1])));
        let sum_b = self.factor(&self.add(&self.lift(&b[0]), &self.lift(&b[1])));
        self.mul(&sum_a, &sum_b, &mut cross);
        let (low, high_sum) = (self.lift(&low), self.lift(&high));
        let high = self.times_beta(&self.reduce(&high_sum));
        out[0] = self.reduce(&self.sub(&low, &self.lift(&high)));
        out[1] = self.reduce(&self.sub(&self.sub(&self.lift(&cross), &low), &high_sum));
    }

    /// Returns the square in `Fp[u] / (u^2 + beta)`. Call it within [`LaneField::vectorize`].
    ///
    /// If beta is 1, it computes `(a0 + a1)(a0 - a1)` and `2 a0 a1`. For other betas, the sums cost as much as they
    /// save against a product in the extension. See the [example](Self).
    #[inline(always)]
    fn square_quadratic(self, a: &[Self::Vec; 2], out: &mut [Self::Vec; 2]) {
        if self.beta() != 1 {
            return self.mul_quadratic(a, a, out);
        }
        let (a0, a1) = (self.lift(&a[0]), self.lift(&a[1]));
        let sum = self.reduce(&self.add(&a0, &a1));
        let difference = self.factor(&self.sub(&a0, &a1));
        let mut cross = a[0];
        self.mul(&sum, &difference, &mut out[0]);
        self.mul(&a[0], Self::as_factor(&a[1]), &mut cross);
        let cross = self.lift(&cross);
        out[1] = self.reduce(&self.add(&cross, &cross));
    }
}

struct InvertLanes<'a, L: LaneField> {
    lanes: L,
    v: &'a L::Vec,
}

impl<L: PrimeLanes> Task for InvertLanes<'_, L> {
    type Output = Option<L::Vec>;

    #[inline(always)]
    fn run(self) -> Option<L::Vec> {
        let elements = self.lanes.decode(self.v);
        // prefix[i] = the product of the elements before i.
        let mut prefix = [L::Words::default(); MAX_LANES];
        let mut product = elements[0];
        for i in 1..L::LANES {
            prefix[i] = product;
            product = self.lanes.mul_words(&product, &elements[i]);
        }
        let mut inverse = self.lanes.invert_words(&product)?;
        let mut inverses = [L::Words::default(); MAX_LANES];
        for i in (1..L::LANES).rev() {
            inverses[i] = self.lanes.mul_words(&inverse, &prefix[i]);
            inverse = self.lanes.mul_words(&inverse, &elements[i]);
        }
        inverses[0] = inverse;
        Some(self.lanes.encode(&inverses))
    }
}
