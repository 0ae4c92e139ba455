//! A field, an element at a time: for sums of few points, and for the last steps of large ones.

use super::kernels::{Kernels, Plain, Target};
use crate::prime::WordTable;
use crate::{each, words, Backend};

/// Operations on single elements, which are in Montgomery form and below a bound, p or 2p: words below p are elements.
///
/// ```
/// use bucketwheel_lanes::radix64::{Arithmetic, QuadraticSingle, Single};
/// use bucketwheel_lanes::{Backend, Bn254Fq, Words64};
///
/// /// Returns (2 a + 1)^2 - (a - 1)^2 - 3 a (a + 2), which is 0.
/// fn zero<A: Arithmetic>(field: A, a: A::Element) -> A::Element {
///     let (one, double) = (field.one(), field.double(&a));
///     let squares = field.sub(&field.square(&field.add(&double, &one)), &field.square(&field.sub(&a, &one)));
///     let three_a = field.negate(&field.add(&double, &a));
///     // Two products with one reduction.
///     let product = field.sum_of_products(&[a, three_a], &[field.add(&one, &one), a]);
///     let eight_a = field.double(&field.double(&double));
///     let zero = field.add(&squares, &field.sub(&product, &eight_a));
///     // A product less a square, and a half of twice the element.
///     field.add(&zero, &field.product_less_square(&a, &field.halve(&double), &a))
/// }
///
/// let prime = Single::new(Backend::detect(), <Bn254Fq as Words64<4>>::TABLE);
/// assert!(prime.is_zero(&zero(prime, [5, 0, 0, 0])));
/// assert_eq!(prime.reduced(&prime.zero()), [0; 4]);
/// let extension = QuadraticSingle::over(prime);
/// assert!(extension.is_zero(&zero(extension, [[5, 0, 0, 0], [7, 0, 0, 0]])));
/// assert_eq!(extension.conjugate(&extension.one()), extension.one());
/// ```
pub trait Arithmetic: Copy {
    /// An element.
    type Element: Copy;

    /// Returns 0. The [example](Self) uses it.
    fn zero(self) -> Self::Element;

    /// Returns 1. The [example](Self) uses it.
    fn one(self) -> Self::Element;

    /// Returns `a b`. See the [example](Self).
    fn mul(self, a: &Self::Element, b: &Self::Element) -> Self::Element;

    /// Returns `a^2`. The [example](Self) uses it.
    fn square(self, a: &Self::Element) -> Self::Element;

    /// Returns `a[0] b[0] + a[1] b[1]`. The [example](Self) uses it.
    fn sum_of_products(self, a: &[Self::Element; 2], b: &[Self::Element; 2]) -> Self::Element;

    /// Returns `a + b`. The [example](Self) uses it.
    fn add(self, a: &Self::Element, b: &Self::Element) -> Self::Element;

    /// Returns `a - b`. The [example](Self) uses it.
    fn sub(self, a: &Self::Element, b: &Self::Element) -> Self::Element;

    /// Returns `2 a`. The [example](Self) uses it.
    #[inline(always)]
    fn double(self, a: &Self::Element) -> Self::Element {
        self.add(a, a)
    }

    /// Returns `a / 2`. The [example](Self) uses it.
    fn halve(self, a: &Self::Element) -> Self::Element;

    /// Returns `a b - c^2`. The [example](Self) uses it.
    #[inline(always)]
    fn product_less_square(self, a: &Self::Element, b: &Self::Element, c: &Self::Element) -> Self::Element {
        self.sub(&self.mul(a, b), &self.square(c))
    }

    /// Returns `-a`. The [example](Self) uses it.
    #[inline(always)]
    fn negate(self, a: &Self::Element) -> Self::Element {
        self.sub(&self.zero(), a)
    }

    /// Returns the conjugate over the field below an extension; in a prime field, `a` itself. The [example](Self) uses it.
    fn conjugate(self, a: &Self::Element) -> Self::Element;

    /// Returns true for 0. The [example](Self) uses it.
    fn is_zero(self, a: &Self::Element) -> bool;

    /// Returns the element's words below p. The [example](Self) uses it.
    fn reduced(self, a: &Self::Element) -> Self::Element;
}

/// A prime field.
///
/// See the [example](Arithmetic).
#[derive(Clone, Copy, Debug)]
pub struct Single<const N: usize> {
    prime: &'static WordTable<N>,
    code: Code,
}

/// The code for products.
#[derive(Clone, Copy, Debug)]
enum Code {
    /// Plain code.
    Plain,
    /// The assembly: the CPU has its instructions.
    Assembly,
    /// The assembly, which also sums two products.
    AssemblyOfSums,
}

impl<const N: usize> Single<N>
where
    Target: Kernels<N>,
{
    /// Returns the field of a prime, beside the lanes of `backend`: in plain code beside plain lanes, otherwise in the assembly
    /// for words, if this CPU has its instructions. See the [example](Arithmetic).
    pub fn new(backend: Backend, prime: &'static WordTable<N>) -> Self {
        let is_plain = matches!(backend, Backend::Portable | Backend::Model);
        let code = match !is_plain && Target::has_assembly() {
            true if prime.sums_products() => Code::AssemblyOfSums,
            true => Code::Assembly,
            false => Code::Plain,
        };
        Single { prime, code }
    }
}

impl<const N: usize> Arithmetic for Single<N>
where
    Target: Kernels<N>,
{
    type Element = [u64; N];

    #[inline(always)]
    fn zero(self) -> [u64; N] {
        [0; N]
    }

    #[inline(always)]
    fn one(self) -> [u64; N] {
        self.prime.one
    }

    /// Not inlined: a call of the assembly, another call of plain code and a correction would be in the command a hundred times.
    #[inline(always)]
    fn mul(self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        match self.code {
            // SAFETY: plain code needs no instructions. Elements are below the bound.
            Code::Plain => unsafe { Plain::mul_one(a, b, self.prime) },
            // SAFETY: the CPU has the instructions where `code` is not plain. Elements are below the bound.
            Code::Assembly | Code::AssemblyOfSums => unsafe { Target::mul_one(a, b, self.prime) },
        }
    }

    #[inline(always)]
    fn square(self, a: &[u64; N]) -> [u64; N] {
        match self.code {
            Code::Plain => plain_square(a, self.prime),
            Code::Assembly | Code::AssemblyOfSums => self.mul(a, a),
        }
    }

    #[inline(always)]
    fn sum_of_products(self, a: &[[u64; N]; 2], b: &[[u64; N]; 2]) -> [u64; N] {
        match self.code {
            // SAFETY: the CPU has the instructions, and the prime the room, where `code` says so. Elements are below the bound.
            Code::AssemblyOfSums => unsafe { Target::two_products(a, b, self.prime) },
            Code::Plain | Code::Assembly => self.add(&self.mul(&a[0], &b[0]), &self.mul(&a[1], &b[1])),
        }
    }

    // Not inlined in WebAssembly, which has no carries: sums and differences are long there, and a module is downloaded.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add(self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        words::lazy::add_by_sign(a, b, self.prime)
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sub(self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        words::lazy::sub_by_sign(a, b, self.prime)
    }

    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn halve(self, a: &[u64; N]) -> [u64; N] {
        words::lazy::halve(a, self.prime)
    }

    #[inline(always)]
    fn product_less_square(self, a: &[u64; N], b: &[u64; N], c: &[u64; N]) -> [u64; N] {
        match self.code {
            Code::AssemblyOfSums => self.sum_of_products(&[*a, *c], &[*b, self.negate(c)]),
            Code::Plain | Code::Assembly => self.sub(&self.mul(a, b), &self.square(c)),
        }
    }

    #[inline(always)]
    fn conjugate(self, a: &[u64; N]) -> [u64; N] {
        *a
    }

    #[inline(always)]
    fn is_zero(self, a: &[u64; N]) -> bool {
        *a == [0; N] || *a == self.prime.modulus
    }

    fn reduced(self, a: &[u64; N]) -> [u64; N] {
        words::subtract_modulus(a, self.prime)
    }
}

/// Not inlined, since it is long.
#[inline(never)]
fn plain_square<const N: usize>(a: &[u64; N], prime: &WordTable<N>) -> [u64; N] {
    words::square(a, prime)
}

/// The extension `Fp[u] / (u^2 + beta)` of a prime field.
///
/// See the [example](Arithmetic).
#[derive(Clone, Copy, Debug)]
pub struct QuadraticSingle<const N: usize>(Single<N>);

impl<const N: usize> QuadraticSingle<N>
where
    Target: Kernels<N>,
{
    /// Returns the extension over this field. See the [example](Arithmetic).
    ///
    /// # Panics
    /// For a prime without one.
    pub fn over(prime: Single<N>) -> Self {
        assert!(matches!(prime.prime.beta, 1 | 5), "no curve is over an extension of this prime field");
        QuadraticSingle(prime)
    }

    /// Returns `-beta a`.
    #[inline(always)]
    fn times_minus_beta(self, a: &[u64; N]) -> [u64; N] {
        let field = self.0;
        match field.prime.beta {
            1 => field.negate(a),
            _ => field.negate(&field.add(&field.double(&field.double(a)), a)),
        }
    }
}

impl<const N: usize> Arithmetic for QuadraticSingle<N>
where
    Target: Kernels<N>,
{
    type Element = [[u64; N]; 2];

    #[inline(always)]
    fn zero(self) -> Self::Element {
        [[0; N]; 2]
    }

    #[inline(always)]
    fn one(self) -> Self::Element {
        [self.0.one(), [0; N]]
    }

    /// Computes four products with two reductions. Karatsuba's three products take the same number of multiplications of words, and
    /// more sums.
    #[inline(never)]
    fn mul(self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        let (field, [b0, b1]) = (self.0, *b);
        [field.sum_of_products(&[a[0], self.times_minus_beta(&a[1])], b), field.sum_of_products(a, &[b1, b0])]
    }

    /// `(a0 + a1)(a0 - a1)` and `2 a0 a1` if beta is 1; otherwise the product.
    #[inline(never)]
    fn square(self, a: &Self::Element) -> Self::Element {
        let field = self.0;
        if field.prime.beta != 1 {
            return self.mul(a, a);
        }
        let [a0, a1] = a;
        [field.mul(&field.add(a0, a1), &field.sub(a0, a1)), field.mul(&field.double(a0), a1)]
    }

    #[inline(always)]
    fn sum_of_products(self, a: &[Self::Element; 2], b: &[Self::Element; 2]) -> Self::Element {
        self.add(&self.mul(&a[0], &b[0]), &self.mul(&a[1], &b[1]))
    }

    #[inline(always)]
    fn add(self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        each!(|i| self.0.add(&a[i], &b[i]))
    }

    #[inline(always)]
    fn sub(self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        each!(|i| self.0.sub(&a[i], &b[i]))
    }

    #[inline(always)]
    fn halve(self, a: &Self::Element) -> Self::Element {
        each!(|i| self.0.halve(&a[i]))
    }

    #[inline(always)]
    fn conjugate(self, a: &Self::Element) -> Self::Element {
        [a[0], self.0.negate(&a[1])]
    }

    #[inline(always)]
    fn is_zero(self, a: &Self::Element) -> bool {
        a.iter().all(|coordinate| self.0.is_zero(coordinate))
    }

    fn reduced(self, a: &Self::Element) -> Self::Element {
        each!(|i| self.0.reduced(&a[i]))
    }
}
