//! The extension of degree four of BLS24-315, `Fp[u, v] / (u^2 - 13, v^2 - u)`, over lanes and over single elements.

use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::quadratic::{by_coordinate, call};
use crate::radix64::{Arithmetic, Kernels, Single, Target};
use crate::{each, Backend};

/// `Fp[u, v] / (u^2 - 13, v^2 - u)`. An element is `c0 + c1 u + (c2 + c3 u) v`.
///
/// It is a field over primes with 4 | p - 1 for which 13 is no square.
///
/// ```
/// use bucketwheel_lanes::{Backend, Bls24_315Fq, LaneField, PrimeLanes, Quartic, Visitor};
///
/// /// Squares v twice, which is 13.
/// struct PowerOfV;
///
/// impl Visitor<[u64; 5]> for PowerOfV {
///     type Output = bool;
///
///     fn visit<L: PrimeLanes<Words = [u64; 5]>>(self, lanes: L) -> bool {
///         let one = lanes.decode(&lanes.one())[0];
///         let lanes = Quartic::over(lanes);
///         let v = lanes.splat([[0; 5], [0; 5], one, [0; 5]]);
///         let (mut u, mut thirteen) = (v, v);
///         lanes.square(&v, &mut u);
///         lanes.square(&u, &mut thirteen);
///         let twelve = (0..12).fold(thirteen, |rest, _| lanes.reduce(&lanes.sub(&lanes.lift(&rest), &lanes.lift(&lanes.one()))));
///         lanes.decode(&u)[0] == [[0; 5], one, [0; 5], [0; 5]] && lanes.decode(&twelve)[0] == lanes.decode(&lanes.one())[0]
///     }
/// }
///
/// assert_eq!(Backend::Portable.visit::<Bls24_315Fq, _>(PowerOfV).ok(), Some(true));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quartic<L>(L);

impl<L: PrimeLanes> Quartic<L> {
    /// Returns the extension over these lanes. The [example](Self) uses it.
    pub fn over(lanes: L) -> Self {
        Quartic(lanes)
    }
}

impl<L: PrimeLanes> LaneField for Quartic<L> {
    by_coordinate!(4);

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        *out = call(self.0, Operation::Mul(self.0, a, b));
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        *out = call(self.0, Operation::Square(self.0, a));
    }

    #[inline(always)]
    fn factor(self, sum: &Self::Sum) -> Self::Factor {
        each!(|i| self.0.reduce(&sum[i]))
    }

    /// Inverts the norm over `Fp[u]`, and for that the norm over Fp.
    #[inline(always)]
    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        let (l, ring) = (self.0, Reduced(self.0));
        let one = l.one();
        let zero = ring.sub(&one, &one);
        let [low, high] = halves(v);
        let [n0, n1] =
            sub(ring, &mul_below(ring, &low, &low), &times_u(ring, &mul_below(ring, &high, &high)));
        let norm = ring.sub(&ring.mul(&n0, &n0), &times_13(ring, &ring.mul(&n1, &n1)));
        let inverse = l.invert(&norm)?;
        let inverse = [ring.mul(&n0, &inverse), ring.sub(&zero, &ring.mul(&n1, &inverse))];
        let [c0, c1] = mul_below(ring, &low, &inverse);
        let [c2, c3] = mul_below(ring, &sub(ring, &[zero, zero], &high), &inverse);
        Some([c0, c1, c2, c3])
    }
}

/// A product or a square in lanes.
enum Operation<'a, L: LaneField> {
    Mul(L, &'a [L::Vec; 4], &'a [L::Vec; 4]),
    Square(L, &'a [L::Vec; 4]),
}

impl<L: PrimeLanes> Task for Operation<'_, L> {
    type Output = [L::Vec; 4];

    #[inline(always)]
    fn run(self) -> Self::Output {
        match self {
            Operation::Mul(lanes, a, b) => mul(Reduced(lanes), a, b),
            Operation::Square(lanes, a) => square(Reduced(lanes), a),
        }
    }
}

/// The extension of single elements.
///
/// ```
/// use bucketwheel_lanes::radix64::{Arithmetic, Single};
/// use bucketwheel_lanes::{Backend, Bls24_315Fq, QuarticSingle, Words64};
///
/// let field = QuarticSingle::over(Single::new(Backend::detect(), <Bls24_315Fq as Words64<5>>::TABLE));
/// let a = [[1; 5], [2; 5], [3; 5], [4; 5]];
/// let (sum, difference) = (field.add(&a, &field.one()), field.sub(&a, &field.one()));
/// let zero = field.sub(&field.sub(&field.square(&a), &field.one()), &field.mul(&sum, &difference));
/// assert!(field.is_zero(&zero));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct QuarticSingle<const N: usize>(Single<N>);

impl<const N: usize> QuarticSingle<N> {
    /// Returns the extension over this field. The [example](Self) uses it.
    pub fn over(prime: Single<N>) -> Self {
        QuarticSingle(prime)
    }
}

impl<const N: usize> Arithmetic for QuarticSingle<N>
where
    Target: Kernels<N>,
{
    type Element = [[u64; N]; 4];

    fn zero(self) -> Self::Element {
        [[0; N]; 4]
    }

    fn one(self) -> Self::Element {
        [self.0.one(), [0; N], [0; N], [0; N]]
    }

    #[inline(never)]
    fn mul(self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        mul(self.0, a, b)
    }

    #[inline(never)]
    fn square(self, a: &Self::Element) -> Self::Element {
        square(self.0, a)
    }

    fn sum_of_products(self, a: &[Self::Element; 2], b: &[Self::Element; 2]) -> Self::Element {
        self.add(&self.mul(&a[0], &b[0]), &self.mul(&a[1], &b[1]))
    }

    fn add(self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        each!(|i| Arithmetic::add(self.0, &a[i], &b[i]))
    }

    fn sub(self, a: &Self::Element, b: &Self::Element) -> Self::Element {
        each!(|i| Arithmetic::sub(self.0, &a[i], &b[i]))
    }

    fn halve(self, a: &Self::Element) -> Self::Element {
        each!(|i| self.0.halve(&a[i]))
    }

    fn conjugate(self, a: &Self::Element) -> Self::Element {
        [a[0], a[1], self.0.negate(&a[2]), self.0.negate(&a[3])]
    }

    fn is_zero(self, a: &Self::Element) -> bool {
        a.iter().all(|coordinate| self.0.is_zero(coordinate))
    }

    fn reduced(self, a: &Self::Element) -> Self::Element {
        each!(|i| self.0.reduced(&a[i]))
    }
}

/// Products, sums and differences of coordinates, in range for each other.
trait Ring: Copy {
    type Element: Copy;

    fn mul(self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    fn add(self, a: &Self::Element, b: &Self::Element) -> Self::Element;
    fn sub(self, a: &Self::Element, b: &Self::Element) -> Self::Element;
}

/// Lanes that reduce every sum, whose terms may be products.
#[derive(Clone, Copy)]
struct Reduced<L>(L);

impl<L: LaneField> Ring for Reduced<L> {
    type Element = L::Vec;

    #[inline(always)]
    fn mul(self, a: &L::Vec, b: &L::Vec) -> L::Vec {
        let mut product = *a;
        self.0.mul(a, L::as_factor(b), &mut product);
        product
    }

    #[inline(always)]
    fn add(self, a: &L::Vec, b: &L::Vec) -> L::Vec {
        self.0.reduce(&self.0.add(&self.0.lift(a), &self.0.lift(b)))
    }

    #[inline(always)]
    fn sub(self, a: &L::Vec, b: &L::Vec) -> L::Vec {
        self.0.reduce(&self.0.sub(&self.0.lift(a), &self.0.lift(b)))
    }
}

impl<const N: usize> Ring for Single<N>
where
    Target: Kernels<N>,
{
    type Element = [u64; N];

    #[inline(always)]
    fn mul(self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        Arithmetic::mul(self, a, b)
    }

    #[inline(always)]
    fn add(self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        Arithmetic::add(self, a, b)
    }

    #[inline(always)]
    fn sub(self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        Arithmetic::sub(self, a, b)
    }
}

#[inline(always)]
fn times_13<R: Ring>(ring: R, a: &R::Element) -> R::Element {
    let twice = ring.add(a, a);
    let four = ring.add(&twice, &twice);
    let eight = ring.add(&four, &four);
    ring.add(&ring.add(&eight, &four), a)
}

/// Returns `u a` in `Fp[u]`.
#[inline(always)]
fn times_u<R: Ring>(ring: R, a: &[R::Element; 2]) -> [R::Element; 2] {
    [times_13(ring, &a[1]), a[0]]
}

#[inline(always)]
fn add<R: Ring>(ring: R, a: &[R::Element; 2], b: &[R::Element; 2]) -> [R::Element; 2] {
    each!(|i| ring.add(&a[i], &b[i]))
}

#[inline(always)]
fn sub<R: Ring>(ring: R, a: &[R::Element; 2], b: &[R::Element; 2]) -> [R::Element; 2] {
    each!(|i| ring.sub(&a[i], &b[i]))
}

/// Returns the product in `Fp[u]`, by Karatsuba's three products.
#[inline(always)]
fn mul_below<R: Ring>(ring: R, a: &[R::Element; 2], b: &[R::Element; 2]) -> [R::Element; 2] {
    let (low, high) = (ring.mul(&a[0], &b[0]), ring.mul(&a[1], &b[1]));
    let cross = ring.mul(&ring.add(&a[0], &a[1]), &ring.add(&b[0], &b[1]));
    [ring.add(&low, &times_13(ring, &high)), ring.sub(&ring.sub(&cross, &low), &high)]
}

/// Returns the product, by three products in `Fp[u]`.
#[inline(always)]
fn mul<R: Ring>(ring: R, a: &[R::Element; 4], b: &[R::Element; 4]) -> [R::Element; 4] {
    let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
    let (low, high) = (mul_below(ring, &a0, &b0), mul_below(ring, &a1, &b1));
    let cross = mul_below(ring, &add(ring, &a0, &a1), &add(ring, &b0, &b1));
    let [c0, c1] = add(ring, &low, &times_u(ring, &high));
    let [c2, c3] = sub(ring, &sub(ring, &cross, &low), &high);
    [c0, c1, c2, c3]
}

/// Returns the square: `(a0 + a1)(a0 + u a1) - (1 + u) a0 a1` and `2 a0 a1`.
#[inline(always)]
fn square<R: Ring>(ring: R, a: &[R::Element; 4]) -> [R::Element; 4] {
    let [a0, a1] = halves(a);
    let cross = mul_below(ring, &a0, &a1);
    let sums = [add(ring, &a0, &a1), add(ring, &a0, &times_u(ring, &a1))];
    let product = mul_below(ring, &sums[0], &sums[1]);
    let [c0, c1] = sub(ring, &sub(ring, &product, &cross), &times_u(ring, &cross));
    let [c2, c3] = add(ring, &cross, &cross);
    [c0, c1, c2, c3]
}

#[inline(always)]
fn halves<E: Copy>(a: &[E; 4]) -> [[E; 2]; 2] {
    [[a[0], a[1]], [a[2], a[3]]]
}
