//! Quadratic extensions `Fp[u] / (u^2 + beta)` over any backend's lanes.

use crate::field::{LaneField, PrimeLanes, Task, MAX_LANES};
use crate::{each, Backend};

/// Operations of an extension that are operations on its coordinates, which are the lanes `self.0`.
macro_rules! by_coordinate {
    ($degree:literal) => {
        const LANES: usize = L::LANES;
        const FETCHED_AT_A_TIME: usize = L::FETCHED_AT_A_TIME;

        type Words = [L::Words; $degree];
        type Elem = [L::Elem; $degree];
        type Vec = [L::Vec; $degree];
        type Factor = [L::Vec; $degree];
        type Sum = [L::Sum; $degree];

        fn backend(self) -> Backend {
            self.0.backend()
        }

        #[inline(always)]
        fn vectorize<T: Task>(self, task: T) -> T::Output {
            self.0.vectorize(task)
        }

        #[inline(always)]
        fn encode(self, words: &[Self::Words]) -> Self::Vec {
            each!(|i| {
                let coordinate: [L::Words; MAX_LANES] = each!(|lane| words[lane.min(L::LANES - 1)][i]);
                self.0.encode(&coordinate)
            })
        }

        #[inline(always)]
        fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
            let coordinates: [[L::Words; MAX_LANES]; $degree] = each!(|i| self.0.decode(&v[i]));
            each!(|lane| each!(|i| coordinates[i][lane]))
        }

        #[inline(always)]
        fn one(self) -> Self::Vec {
            let one = self.0.one();
            let zero = self.0.reduce(&self.0.sub(&self.0.lift(&one), &self.0.lift(&one)));
            each!(|i| if i == 0 { one } else { zero })
        }

        #[inline(always)]
        unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
            each!(|i| {
                let src = each!(|lane| src[lane].cast::<L::Elem>().wrapping_add(i));
                // SAFETY: the caller vouches for `LANES` readable, aligned elements. Each pointer is to a coefficient of one of them.
                unsafe { self.0.load_sum(&src) }
            })
        }

        #[inline(always)]
        unsafe fn load_difference(
            self,
            left: &[*const Self::Elem; MAX_LANES],
            right: &[*const Self::Elem; MAX_LANES],
        ) -> Self::Factor {
            // SAFETY: the caller vouches for `LANES` readable, aligned elements on either side.
            unsafe { self.factor(&self.sub(&self.load_sum(left), &self.load_sum(right))) }
        }

        #[inline(always)]
        unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
            for i in 0..$degree {
                let dst = each!(|lane| dst[lane].cast::<L::Elem>().wrapping_add(i));
                // SAFETY: the caller vouches for `LANES` writable, aligned elements. Each pointer is to a coefficient of one of them.
                unsafe { self.0.store_sum(&sum[i], &dst) }
            }
        }

        #[inline(always)]
        fn as_factor(v: &Self::Vec) -> &Self::Factor {
            v
        }

        #[inline(always)]
        fn lift(self, v: &Self::Vec) -> Self::Sum {
            each!(|i| self.0.lift(&v[i]))
        }

        #[inline(always)]
        fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum {
            each!(|i| self.0.negate(&sum[i], mask))
        }

        #[inline(always)]
        fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
            each!(|i| self.0.add(&a[i], &b[i]))
        }

        #[inline(always)]
        fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
            each!(|i| self.0.sub(&a[i], &b[i]))
        }

        #[inline(always)]
        fn chord_y(self, product: &Self::Vec, y: &mut Self::Sum) {
            for i in 0..$degree {
                self.0.chord_y(&product[i], &mut y[i]);
            }
        }

        #[inline(always)]
        fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum {
            each!(|i| self.0.reduce_sum(&sum[i]))
        }

        #[inline(always)]
        fn vector(self, reduced: &Self::Sum) -> Self::Vec {
            each!(|i| self.0.vector(&reduced[i]))
        }

        #[inline(always)]
        fn zero_lanes(self, v: &Self::Vec) -> u32 {
            let mut lanes = u32::MAX;
            for coordinate in v {
                lanes &= self.0.zero_lanes(coordinate);
            }
            lanes
        }

        #[inline(always)]
        fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
            each!(|i| self.0.select(mask, &a[i], &b[i]))
        }

        #[inline(always)]
        fn prefetch(address: *const u8) {
            L::prefetch(address);
        }

        #[inline(always)]
        unsafe fn prefetch_near(address: *const u8) {
            // SAFETY: the caller vouches for the address.
            unsafe { L::prefetch_near(address) }
        }

        #[inline(always)]
        fn odd_lanes(self, numbers: &[u32]) -> u32 {
            self.0.odd_lanes(numbers)
        }
    };
}
pub(crate) use by_coordinate;

/// `Fp[u] / (u^2 + beta)`, with beta 1 (BLS12-381, BN254) or 5 (BLS12-377). Products, squares and inverses are computed
/// here. All other operations are operations on the coordinates.
///
/// ```
/// use bucketwheel_lanes::{Backend, Bn254Fq, LaneField, OutOfLine, PrimeLanes, Quadratic, Visitor};
///
/// /// Squares u, which is -1 over BN254: twice, with operations inline and in functions of their own.
/// struct SquareU;
///
/// impl Visitor<[u64; 4]> for SquareU {
///     type Output = [bool; 2];
///
///     fn visit<L: PrimeLanes<Words = [u64; 4]>>(self, lanes: L) -> [bool; 2] {
///         let one = lanes.decode(&lanes.one())[0];
///         [is_minus_one(Quadratic::over(lanes), one), is_minus_one(OutOfLine::of(Quadratic::over(lanes)), one)]
///     }
/// }
///
/// fn is_minus_one<L: LaneField<Words = [[u64; 4]; 2]>>(lanes: L, one: [u64; 4]) -> bool {
///     let u = lanes.splat([[0; 4], one]);
///     let mut square = u;
///     lanes.square(&u, &mut square);
///     let sum = lanes.add(&lanes.lift(&square), &lanes.lift(&lanes.one()));
///     lanes.decode(&lanes.reduce(&sum))[0] == [[0; 4]; 2]
/// }
///
/// assert_eq!(Backend::Portable.visit::<Bn254Fq, _>(SquareU).ok(), Some([true, true]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quadratic<L>(L);

impl<L: PrimeLanes> Quadratic<L> {
    /// Returns the extension over these lanes. The [example](Self) uses it.
    ///
    /// # Panics
    /// If the prime has no extension.
    pub fn over(lanes: L) -> Self {
        assert_ne!(lanes.beta(), 0, "no curve is over an extension of this prime field");
        Quadratic(lanes)
    }

    /// Returns the lanes of the coordinates. See the [example](Self).
    pub fn prime(self) -> L {
        self.0
    }
}

impl<L: PrimeLanes> LaneField for Quadratic<L> {
    const FACTORS_ARE_SUMS: bool = L::FACTORS_ARE_SUMS;

    by_coordinate!(2);

    #[inline(always)]
    unsafe fn load_minus(
        self,
        src: &[*const Self::Elem; MAX_LANES],
        mask: Option<u32>,
        from: &Self::Sum,
        out: &mut Self::Factor,
    ) {
        for i in 0..2 {
            let src = each!(|lane| src[lane].cast::<L::Elem>().wrapping_add(i));
            // SAFETY: the caller vouches for `LANES` readable, aligned elements. Each pointer is to a coefficient of one of them.
            unsafe { self.0.load_minus_coordinate(&src, mask, &from[i], &mut out[i]) }
        }
    }

    #[inline(always)]
    fn mul(self, a: &Self::Vec, b: &Self::Factor, out: &mut Self::Vec) {
        call(self.0, Mul { lanes: self.0, a, b, out });
    }

    #[inline(always)]
    fn square(self, a: &Self::Vec, out: &mut Self::Vec) {
        call(self.0, Square { lanes: self.0, a, out });
    }

    #[inline(always)]
    fn factor(self, sum: &Self::Sum) -> Self::Factor {
        each!(|i| self.0.quadratic_factor(&sum[i]))
    }

    #[inline(always)]
    fn vectorize_with_factors<T: Task>(self, task: T) -> Option<T::Output> {
        self.0.vectorize_with_factors(task)
    }

    #[inline(always)]
    fn chord_x(
        self,
        square: &Self::Vec,
        denominator: &Self::Factor,
        x: &mut Self::Sum,
        difference: &mut Self::Factor,
    ) {
        for i in 0..2 {
            self.0.chord_x_coordinate(&square[i], &denominator[i], &mut x[i], &mut difference[i]);
        }
    }

    #[inline(always)]
    fn factor_as_sum(self, factor: &Self::Factor) -> Self::Sum {
        each!(|i| self.0.factor_as_sum(L::as_factor(&factor[i])))
    }

    /// Computes `(a0 - a1 u) / (a0^2 + beta a1^2)`.
    #[inline(always)]
    fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
        let l = self.0;
        let (mut square0, mut square1) = (v[0], v[0]);
        l.square(&v[0], &mut square0);
        l.square(&v[1], &mut square1);
        let beta_square1 = l.times_beta(&l.reduce(&l.lift(&square1)));
        let norm = l.reduce(&l.add(&l.lift(&square0), &l.lift(&beta_square1)));
        let inverse = l.invert(&norm)?;
        let (mut c0, mut c1) = (inverse, inverse);
        l.mul(&v[0], L::as_factor(&inverse), &mut c0);
        l.mul(&v[1], L::as_factor(&inverse), &mut c1);
        let negative = l.negate(&l.lift(&c1), u32::MAX >> (32 - L::LANES));
        Some([l.reduce(&l.lift(&c0)), l.reduce(&negative)])
    }
}

/// Runs a task out of line: products in the extension are long, and the cost of a call is negligible beside one.
#[inline(never)]
pub(crate) fn call<L: LaneField, T: Task>(lanes: L, task: T) -> T::Output {
    lanes.vectorize(task)
}

struct Mul<'a, L: LaneField> {
    lanes: L,
    a: &'a [L::Vec; 2],
    b: &'a [L::Vec; 2],
    out: &'a mut [L::Vec; 2],
}

impl<L: PrimeLanes> Task for Mul<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.lanes.mul_quadratic(self.a, self.b, self.out);
    }
}

struct Square<'a, L: LaneField> {
    lanes: L,
    a: &'a [L::Vec; 2],
    out: &'a mut [L::Vec; 2],
}

impl<L: PrimeLanes> Task for Square<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.lanes.square_quadratic(self.a, self.out);
    }
}
