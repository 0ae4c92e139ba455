//! Single elements in 64-bit words: Montgomery products and the inverse.
//!
//! The portable backend is four of these beside each other; all backends use the inverse.

use crate::each;
use crate::prime::Words64;

/// `t + a b + carry` as (low, high).
#[inline(always)]
fn mac(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let wide = t as u128 + a as u128 * b as u128 + carry as u128;
    (wide as u64, (wide >> 64) as u64)
}

/// `a + b` modulo p, for both below p.
#[inline(always)]
pub fn add<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut sum = [0; N];
    let mut carry = false;
    for i in 0..N {
        let (x, c0) = a[i].overflowing_add(b[i]);
        let (x, c1) = x.overflowing_add(carry as u64);
        sum[i] = x;
        carry = c0 | c1;
    }
    // p has a spare bit: no carry out.
    subtract_modulus::<N, P>(&sum)
}

/// `a - b` modulo p, for both below p.
#[inline(always)]
pub fn sub<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (difference, borrow) = sub_borrow(a, b);
    let mask = (borrow as u64).wrapping_neg();
    let mut out = [0; N];
    let mut carry = 0;
    for i in 0..N {
        let wide = difference[i] as u128 + (P::TABLE.modulus[i] & mask) as u128 + carry as u128;
        out[i] = wide as u64;
        carry = (wide >> 64) as u64;
    }
    out
}

#[inline(always)]
fn sub_borrow<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], bool) {
    let mut out = [0; N];
    let mut borrow = false;
    for i in 0..N {
        let (x, b0) = a[i].overflowing_sub(b[i]);
        let (x, b1) = x.overflowing_sub(borrow as u64);
        out[i] = x;
        borrow = b0 | b1;
    }
    (out, borrow)
}

/// `a` or `a - p`, whichever is in `0..p`, for `a < 2p`.
#[inline(always)]
pub fn subtract_modulus<const N: usize, P: Words64<N>>(a: &[u64; N]) -> [u64; N] {
    let (reduced, borrow) = sub_borrow(a, &P::TABLE.modulus);
    let mut out = [0; N];
    for i in 0..N {
        out[i] = if borrow { a[i] } else { reduced[i] };
    }
    out
}

/// The Montgomery product `a b / 2^(64 N)`, below p for factors below p.
///
/// The product without carry words of EdMSM (appendix A, Algorithm 4), whose condition on the top word of p
/// is checked at compile time.
#[inline(always)]
pub fn mul<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    const { assert!(P::TABLE.modulus[N - 1] < u64::MAX / 2, "Algorithm 4 needs a spare bit") };
    let p = &P::TABLE.modulus;
    let mut t = [0; N];
    for &b_i in b {
        let (t0, mut product_carry) = mac(t[0], a[0], b_i, 0);
        let m = t0.wrapping_mul(P::TABLE.n0);
        let (_, mut multiple_carry) = mac(t0, m, p[0], 0);
        for j in 1..N {
            let (t_j, carry) = mac(t[j], a[j], b_i, product_carry);
            product_carry = carry;
            (t[j - 1], multiple_carry) = mac(t_j, m, p[j], multiple_carry);
        }
        t[N - 1] = product_carry + multiple_carry;
    }
    subtract_modulus::<N, P>(&t)
}

/// The Montgomery square, below p for `a` below p.
///
/// EdMSM, appendix A, Algorithm 5, where the top word of p leaves two bits free; else the product.
#[inline(always)]
pub fn square<const N: usize, P: Words64<N>>(a: &[u64; N]) -> [u64; N] {
    if P::TABLE.modulus[N - 1] >= u64::MAX / 4 {
        return mul::<N, P>(a, a);
    }
    let p = &P::TABLE.modulus;
    // 2 a, which fits.
    let doubled: [u64; N] = each!(|j| a[j] << 1 | if j > 0 { a[j - 1] >> 63 } else { 0 });
    let mut t = [0u64; N];
    for i in 0..N {
        let mut product_carry;
        (t[i], product_carry) = mac(t[i], a[i], a[i], 0);
        for j in i + 1..N {
            // Twice the words from i + 1 on: without the bit that comes from word i.
            let twice = if j == i + 1 { a[j] << 1 } else { doubled[j] };
            (t[j], product_carry) = mac(t[j], a[i], twice, product_carry);
        }
        let m = t[0].wrapping_mul(P::TABLE.n0);
        let (_, mut multiple_carry) = mac(t[0], m, p[0], 0);
        for j in 1..N {
            (t[j - 1], multiple_carry) = mac(t[j], m, p[j], multiple_carry);
        }
        t[N - 1] = product_carry + multiple_carry;
    }
    subtract_modulus::<N, P>(&t)
}

/// Words of 62 bits that hold a signed value of 768 bits and a little, of which an inverse uses what its field takes.
const INVERSE_WORDS: usize = 13;
const MASK62: u64 = u64::MAX >> 2;

/// The Montgomery form of the inverse, or `None` for 0. Variable time.
///
/// Bernstein and Yang's division steps, 62 at a time, in the variable-time form that libsecp256k1 documents
/// (doc/safegcd_implementation.md).
pub fn invert<const N: usize, P: Words64<N>>(a: &[u64; N]) -> Option<[u64; N]> {
    if a.iter().all(|&word| word == 0) {
        return None;
    }
    let modulus = to_signed62(&P::TABLE.modulus);
    // p^-1 mod 2^62
    let p_inverse = P::TABLE.n0.wrapping_neg() & MASK62;
    let len = (64 * N + 1) / 62 + 1;
    let (mut f, mut g) = (modulus, to_signed62(a));
    let (mut d, mut e) = ([0i64; INVERSE_WORDS], [0i64; INVERSE_WORDS]);
    e[0] = 1;
    let mut eta = -1;
    while g[..len].iter().any(|&word| word != 0) {
        let (next_eta, step) = division_steps(eta, f[0] as u64, g[0] as u64);
        eta = next_eta;
        update_de(&mut d[..len], &mut e[..len], &step, &modulus[..len], p_inverse);
        update_fg(&mut f[..len], &mut g[..len], &step);
    }
    // f = +-1 and d = +-1/a mod p, in -2p..p.
    let inverse = from_signed62::<N, P>(&d, f[len - 1] < 0, len);
    // The inverse of a R is (1/a) / R; two factors R bring it back.
    Some(mul::<N, P>(&inverse, &P::TABLE.r_cubed))
}

fn to_signed62<const N: usize>(a: &[u64; N]) -> [i64; INVERSE_WORDS] {
    let mut out = [0; INVERSE_WORDS];
    for (i, word) in out.iter_mut().enumerate() {
        let (index, shift) = (62 * i / 64, 62 * i % 64);
        if index < N {
            let high = if index + 1 < N && shift > 0 { a[index + 1] << (64 - shift) } else { 0 };
            *word = ((a[index] >> shift | high) & MASK62) as i64;
        }
    }
    out
}

/// `d` or `-d` reduced to `0..p`, for `d` in `-2p..p`.
fn from_signed62<const N: usize, P: Words64<N>>(
    d: &[i64; INVERSE_WORDS],
    negate: bool,
    len: usize,
) -> [u64; N] {
    let p = to_signed62(&P::TABLE.modulus);
    let mut value = *d;
    let normalise = |value: &mut [i64; INVERSE_WORDS]| {
        for i in 0..len - 1 {
            value[i + 1] += value[i] >> 62;
            value[i] &= MASK62 as i64;
        }
    };
    if value[len - 1] < 0 {
        value.iter_mut().zip(&p).for_each(|(x, p)| *x += p);
    }
    if negate {
        value.iter_mut().for_each(|x| *x = -*x);
    }
    normalise(&mut value);
    if value[len - 1] < 0 {
        value.iter_mut().zip(&p).for_each(|(x, p)| *x += p);
        normalise(&mut value);
    }
    let mut out = [0u64; N];
    for (i, word) in out.iter_mut().enumerate() {
        let (index, shift) = (64 * i / 62, 64 * i % 62);
        *word = (value[index] as u64) >> shift;
        *word |= (value[index + 1] as u64) << (62 - shift);
    }
    out
}

/// The matrix of 62 division steps, scaled by 2^62.
struct Step {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

fn division_steps(mut eta: i64, f0: u64, g0: u64) -> (i64, Step) {
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    let (mut f, mut g) = (f0, g0);
    let mut left = 62;
    loop {
        let zeros = (g | (u64::MAX << left)).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros as i64;
        left -= zeros;
        if left == 0 {
            break;
        }
        // A multiple of f that clears several low bits of g.
        let w;
        if eta < 0 {
            eta = -eta;
            (f, g) = (g, f.wrapping_neg());
            (u, q) = (q, u.wrapping_neg());
            (v, r) = (r, v.wrapping_neg());
            let limit = (eta + 1).min(left as i64) as u32;
            let mask = (u64::MAX >> (64 - limit)) & 63;
            w = f.wrapping_mul(g).wrapping_mul(f.wrapping_mul(f).wrapping_sub(2)) & mask;
        } else {
            let limit = (eta + 1).min(left as i64) as u32;
            let mask = (u64::MAX >> (64 - limit)) & 15;
            let inverse = f.wrapping_add((f.wrapping_add(1) & 4) << 1);
            w = inverse.wrapping_neg().wrapping_mul(g) & mask;
        }
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
    (eta, Step { u: u as i64, v: v as i64, q: q as i64, r: r as i64 })
}

/// `(d, e) = step (d, e) / 2^62 mod p`.
fn update_de(d: &mut [i64], e: &mut [i64], step: &Step, p: &[i64], p_inverse: u64) {
    let len = d.len();
    let (u, v, q, r) = (step.u as i128, step.v as i128, step.q as i128, step.r as i128);
    let (d_sign, e_sign) = (d[len - 1] >> 63, e[len - 1] >> 63);
    // Multiples of p that keep both in range and clear their low 62 bits.
    let mut md = (step.u & d_sign).wrapping_add(step.v & e_sign);
    let mut me = (step.q & d_sign).wrapping_add(step.r & e_sign);
    let mut cd = u * d[0] as i128 + v * e[0] as i128;
    let mut ce = q * d[0] as i128 + r * e[0] as i128;
    md = md.wrapping_sub((p_inverse.wrapping_mul(cd as u64).wrapping_add(md as u64) & MASK62) as i64);
    me = me.wrapping_sub((p_inverse.wrapping_mul(ce as u64).wrapping_add(me as u64) & MASK62) as i64);
    cd += p[0] as i128 * md as i128;
    ce += p[0] as i128 * me as i128;
    cd >>= 62;
    ce >>= 62;
    for i in 1..len {
        cd += u * d[i] as i128 + v * e[i] as i128 + p[i] as i128 * md as i128;
        ce += q * d[i] as i128 + r * e[i] as i128 + p[i] as i128 * me as i128;
        d[i - 1] = cd as i64 & MASK62 as i64;
        e[i - 1] = ce as i64 & MASK62 as i64;
        cd >>= 62;
        ce >>= 62;
    }
    d[len - 1] = cd as i64;
    e[len - 1] = ce as i64;
}

/// `(f, g) = step (f, g) / 2^62`, exactly.
fn update_fg(f: &mut [i64], g: &mut [i64], step: &Step) {
    let len = f.len();
    let (u, v, q, r) = (step.u as i128, step.v as i128, step.q as i128, step.r as i128);
    let mut cf = (u * f[0] as i128 + v * g[0] as i128) >> 62;
    let mut cg = (q * f[0] as i128 + r * g[0] as i128) >> 62;
    for i in 1..len {
        cf += u * f[i] as i128 + v * g[i] as i128;
        cg += q * f[i] as i128 + r * g[i] as i128;
        f[i - 1] = cf as i64 & MASK62 as i64;
        g[i - 1] = cg as i64 & MASK62 as i64;
        cf >>= 62;
        cg >>= 62;
    }
    f[len - 1] = cf as i64;
    g[len - 1] = cg as i64;
}

/// Whether a product of factors below 2p is below 2p, and 4p fits the words: two bits are free.
pub(crate) const fn is_lazy<const N: usize, P: Words64<N>>() -> bool {
    P::TABLE.modulus[N - 1] < 1 << 62
}

/// What lazy vectors and sums are below: 2p if possible, else p. Twice as much fits the words.
#[inline(always)]
pub(crate) fn bound<const N: usize, P: Words64<N>>() -> [u64; N] {
    let p = &P::TABLE.modulus;
    match is_lazy::<N, P>() {
        true => each!(|i| p[i] << 1 | if i > 0 { p[i - 1] >> 63 } else { 0 }),
        false => *p,
    }
}

#[inline(always)]
fn add_words<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut carry = false;
    each!(|i| {
        let (x, c0) = a[i].overflowing_add(b[i]);
        let (x, c1) = x.overflowing_add(carry as u64);
        carry = c0 | c1;
        x
    })
}

/// `a - b` modulo the bound, for both below it.
#[inline(always)]
pub(crate) fn sub_lazy<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let (difference, borrow) = sub_borrow(a, b);
    let mask = (borrow as u64).wrapping_neg();
    add_words(&difference, &bound::<N, P>().map(|word| word & mask))
}

/// `a + b` modulo the bound, for both below it.
#[inline(always)]
pub(crate) fn add_lazy<const N: usize, P: Words64<N>>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let sum = add_words(a, b);
    let (reduced, borrow) = sub_borrow(&sum, &bound::<N, P>());
    each!(|i| if borrow { sum[i] } else { reduced[i] })
}

/// What [`LaneField`](crate::LaneField) asks for of backends whose vectors and sums are arrays of four elements in
/// words, four since independent products give a superscalar core enough to do. Not inlined, here and below, is what
/// is large: plain code needs no instruction set's context.
macro_rules! arrays_of_words {
    () => {
        const LANES: usize = LANES;

        type Words = [u64; N];
        type Elem = [u64; N];
        type Vec = [[u64; N]; LANES];
        type Factor = Self::Vec;
        type Sum = Self::Vec;

        #[inline(always)]
        fn vectorize<T: Task>(self, task: T) -> T::Output {
            task.run()
        }

        #[inline(never)]
        fn encode(self, words: &[Self::Words]) -> Self::Vec {
            each!(|lane| words[lane])
        }

        #[inline(always)]
        fn one(self) -> Self::Vec {
            [P::TABLE.one; LANES]
        }

        #[inline(always)]
        unsafe fn load_sum(self, src: &[*const Self::Elem; MAX_LANES]) -> Self::Sum {
            // SAFETY: the caller's.
            each!(|lane| unsafe { *src[lane] })
        }

        #[inline(always)]
        unsafe fn store_sum(self, sum: &Self::Sum, dst: &[*mut Self::Elem; MAX_LANES]) {
            for lane in 0..LANES {
                // SAFETY: the caller's.
                unsafe { *dst[lane] = sum[lane] };
            }
        }

        #[inline(always)]
        fn as_factor(v: &Self::Vec) -> &Self::Factor {
            v
        }

        #[inline(always)]
        fn lift(self, v: &Self::Vec) -> Self::Sum {
            *v
        }

        #[inline(always)]
        fn factor(self, sum: &Self::Sum) -> Self::Factor {
            *sum
        }

        #[inline(always)]
        fn reduce_sum(self, sum: &Self::Sum) -> Self::Sum {
            *sum
        }

        #[inline(always)]
        fn vector(self, reduced: &Self::Sum) -> Self::Vec {
            *reduced
        }

        #[inline(never)]
        fn select(self, mask: u32, a: &Self::Vec, b: &Self::Vec) -> Self::Vec {
            each!(|lane| if mask >> lane & 1 == 0 { a[lane] } else { b[lane] })
        }

        fn invert(self, v: &Self::Vec) -> Option<Self::Vec> {
            self.invert_lanes(v)
        }
    };
}
pub(crate) use arrays_of_words;

/// What [`LaneField`](crate::LaneField) asks for of such backends that keep vectors and sums below a bound, 2p or p, by
/// conditional corrections.
macro_rules! lazy_words {
    () => {
        #[inline(never)]
        fn decode(self, v: &Self::Vec) -> [Self::Words; MAX_LANES] {
            let mut out = [[0; N]; MAX_LANES];
            for lane in 0..LANES {
                out[lane] = words::subtract_modulus::<N, P>(&v[lane]);
            }
            out
        }

        #[inline(never)]
        unsafe fn load_difference(
            self,
            left: &[*const Self::Elem; MAX_LANES],
            right: &[*const Self::Elem; MAX_LANES],
        ) -> Self::Factor {
            // SAFETY: the caller's.
            each!(|lane| unsafe { words::sub_lazy::<N, P>(&*left[lane], &*right[lane]) })
        }

        #[inline(never)]
        fn negate(self, sum: &Self::Sum, mask: u32) -> Self::Sum {
            each!(|lane| match mask >> lane & 1 {
                0 => sum[lane],
                _ => words::sub_lazy::<N, P>(&[0; N], &sum[lane]),
            })
        }

        #[inline(never)]
        fn add(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
            each!(|lane| words::add_lazy::<N, P>(&a[lane], &b[lane]))
        }

        #[inline(never)]
        fn sub(self, a: &Self::Sum, b: &Self::Sum) -> Self::Sum {
            each!(|lane| words::sub_lazy::<N, P>(&a[lane], &b[lane]))
        }

        #[inline(never)]
        fn zero_lanes(self, v: &Self::Vec) -> u32 {
            let is_zero = |x: &[u64; N]| *x == [0; N] || *x == P::TABLE.modulus;
            (0..LANES).map(|lane| u32::from(is_zero(&v[lane])) << lane).sum()
        }
    };
}
pub(crate) use lazy_words;

/// What [`PrimeLanes`](crate::PrimeLanes) asks for, but for the product by a constant, of backends whose vectors and
/// sums are arrays of elements, reduced at every step.
macro_rules! reduced_sums {
    () => {
        const TERMS: usize = usize::MAX;

        type Scalar = [u64; N];

        fn scalar(words: &Self::Words) -> Self::Scalar {
            *words
        }

        #[inline(always)]
        fn mul_lazy(self, sum: &Self::Sum, v: &Self::Vec) -> Self::Sum {
            let mut out = *v;
            self.mul(v, sum, &mut out);
            out
        }

        #[inline(always)]
        fn shrink(self, sum: &Self::Sum) -> Self::Sum {
            *sum
        }

        #[inline(always)]
        fn split(self, words: &[Self::Words]) -> Self::Sum {
            each!(|lane| words[lane])
        }

        #[inline(always)]
        fn join(self, sum: &Self::Sum) -> [Self::Words; MAX_LANES] {
            self.decode(sum)
        }

        #[inline(always)]
        fn transpose(self, vectors: &mut [Self::Sum; MAX_LANES]) {
            for i in 0..LANES {
                for j in 0..i {
                    let element = vectors[i][j];
                    vectors[i][j] = vectors[j][i];
                    vectors[j][i] = element;
                }
            }
        }

        fn invert_words(words: &Self::Words) -> Option<Self::Words> {
            $crate::words::invert::<N, P>(words)
        }

        fn mul_words(a: &Self::Words, b: &Self::Words) -> Self::Words {
            $crate::words::mul::<N, P>(a, b)
        }

        #[inline(never)]
        fn times<const BETA: u32>(self, v: &Self::Vec) -> Self::Vec {
            let twice = self.add(v, v);
            match BETA {
                1 => *v,
                _ => self.add(&self.add(&twice, &twice), v),
            }
        }
    };
}
pub(crate) use reduced_sums;
