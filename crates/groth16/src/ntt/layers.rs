//! Transforms of vectors in a cache, all lanes alike.
//!
//! All butterflies are `(a + w b, a - w b)`: sums stay lazy, since only what is multiplied is as good as reduced. A
//! step is two layers, four vectors at a time.

use bucketwheel_lanes::PrimeLanes;

use super::field::TransformField;

/// Vectors of a block that stays in the first-level cache, with its twiddles: 20 KB.
const BLOCK: usize = 64;

/// The powers of a root of unity for both directions.
///
/// With `size` points and a root w of that order:
/// - [`to_permuted`](Self::to_permuted) makes `X[k] = sum x[j] w^-jk`, k with its bits reversed, from x in natural
///   order. A layer reduces polynomials modulo `X^2h - z^2` to those modulo `X^h - z` and `X^h + z`: one twiddle a
///   block, the same for all layers.
/// - [`to_natural`](Self::to_natural) is the way back, `x[j] = sum X[k] (g w^j)^k`, at the points of the coset of g: a
///   layer makes the values of `E + y O` at y and -y from those of E and O at y^2. The coset costs nothing but the
///   trivial twiddles.
pub struct Layers<L: PrimeLanes> {
    lanes: L,
    /// w^-e, e with its bits reversed
    by_block: Vec<L::Scalar>,
    /// From h on: (g^(size / 2 h)) (root of order 2 h)^j, for all j below h
    by_point: Vec<L::Scalar>,
    /// Whether g is 1.
    trivial: bool,
}

impl<L: PrimeLanes<Words = [u64; 4]>> Layers<L> {
    /// Transforms of 2^log_size points on the coset of `shift`.
    pub fn new<F: TransformField>(lanes: L, log_size: u32, root: F, shift: F) -> Self {
        let half = 1usize << log_size >> 1;
        let inverse = root.inverse().expect("a root of unity");
        let powers = powers(inverse, half);
        let bits = log_size.saturating_sub(1);
        let by_block = (0..half).map(|i| scalar::<L, F>(&powers[reverse_bits(i, bits)])).collect();
        let mut by_point = vec![scalar::<L, F>(&F::ONE)];
        let mut by_layer = Vec::new();
        let (mut root, mut shift, mut h) = (root, shift, half);
        let trivial = shift.is_one();
        while h > 0 {
            by_layer.push((root, shift, h));
            (root, shift, h) = (root.square(), shift.square(), h / 2);
        }
        for (root, shift, h) in by_layer.into_iter().rev() {
            by_point.extend(powers_from(shift, root, h).iter().map(scalar::<L, F>));
        }
        Layers { lanes, by_block, by_point, trivial }
    }

    /// To the spectrum, in bit-reversed order; see [`Layers`]. From one term to as many as it returns.
    #[inline(always)]
    pub fn to_permuted(&self, data: &mut [L::Sum]) -> usize {
        let lanes = self.lanes;
        let mut size = data.len();
        if size == 1 {
            return 1;
        }
        if size == 2 {
            let (a, b) = data.split_at_mut(1);
            add_sub(lanes, &mut a[0], &mut b[0], 1);
            return 2;
        }
        let [x0, x1, x2, x3] = quarters(data);
        for j in 0..size / 4 {
            add_sub(lanes, &mut x0[j], &mut x2[j], 1);
            add_sub(lanes, &mut x1[j], &mut x3[j], 1);
            add_sub(lanes, &mut x0[j], &mut x1[j], 2);
            lanes.butterfly(&mut x2[j], &mut x3[j], &self.by_block[1]);
        }
        size /= 4;
        let mut terms = 4;
        while size > BLOCK {
            terms = self.split_blocks(data, 0, size, terms);
            size /= 4;
        }
        let (block_size, block_terms) = (size, terms);
        for (block, data) in data.chunks_exact_mut(block_size).enumerate() {
            (size, terms) = (block_size, block_terms);
            let mut first = block;
            while size >= 4 {
                terms = self.split_blocks(data, first, size, terms);
                size /= 4;
                first *= 4;
            }
            if size == 2 {
                let shrink = terms + 1 > L::TERMS;
                for (block, pair) in data.chunks_exact_mut(2).enumerate() {
                    let (a, b) = pair.split_at_mut(1);
                    if shrink {
                        a[0] = lanes.shrink(&a[0]);
                    }
                    lanes.butterfly(&mut a[0], &mut b[0], &self.by_block[first + block]);
                }
                terms = 1 + if shrink { 1 } else { terms };
            }
        }
        terms
    }

    /// Two layers of blocks of `size`, of which `first` precede the first one.
    #[inline(always)]
    fn split_blocks(&self, data: &mut [L::Sum], first: usize, size: usize, terms: usize) -> usize {
        let lanes = self.lanes;
        let step = Step::new::<L>(terms);
        for (block, data) in data.chunks_exact_mut(size).enumerate() {
            let block = first + block;
            let w = [self.by_block[block], self.by_block[2 * block], self.by_block[2 * block + 1]];
            let [x0, x1, x2, x3] = quarters(data);
            for j in 0..size / 4 {
                step.shrink(lanes, &mut x0[j], &mut x1[j]);
                lanes.butterfly(&mut x0[j], &mut x2[j], &w[0]);
                lanes.butterfly(&mut x1[j], &mut x3[j], &w[0]);
                lanes.butterfly(&mut x0[j], &mut x1[j], &w[1]);
                lanes.butterfly(&mut x2[j], &mut x3[j], &w[2]);
            }
        }
        step.terms
    }

    /// From the spectrum, in bit-reversed order; see [`Layers`]. From `terms` terms, one where g is 1, to as many as
    /// it returns.
    #[inline(always)]
    pub fn to_natural(&self, data: &mut [L::Sum], terms: usize) -> usize {
        let lanes = self.lanes;
        let len = data.len();
        let block_size = len.min(BLOCK);
        let (mut h, mut terms_now) = (1, terms);
        for data in data.chunks_exact_mut(block_size) {
            (h, terms_now) = (1, terms);
            if self.trivial && block_size >= 4 {
                for x in data.chunks_exact_mut(4) {
                    let [x0, x1, x2, x3] = quarters(x);
                    add_sub(lanes, &mut x0[0], &mut x1[0], 1);
                    add_sub(lanes, &mut x2[0], &mut x3[0], 1);
                    add_sub(lanes, &mut x0[0], &mut x2[0], 2);
                    lanes.butterfly(&mut x1[0], &mut x3[0], &self.by_point[3]);
                }
                (h, terms_now) = (4, 4);
            }
            while 4 * h <= block_size {
                terms_now = self.join_blocks(data, h, terms_now);
                h *= 4;
            }
        }
        while 4 * h <= len {
            terms_now = self.join_blocks(data, h, terms_now);
            h *= 4;
        }
        if 2 * h <= len {
            let shrink = terms_now + 1 > L::TERMS;
            let (a, b) = data.split_at_mut(h);
            for j in 0..h {
                if shrink {
                    a[j] = lanes.shrink(&a[j]);
                }
                lanes.butterfly(&mut a[j], &mut b[j], &self.by_point[h + j]);
            }
            terms_now = 1 + if shrink { 1 } else { terms_now };
        }
        terms_now
    }

    /// Two layers, from blocks of `h` to blocks of `4 h`.
    #[inline(always)]
    fn join_blocks(&self, data: &mut [L::Sum], h: usize, terms: usize) -> usize {
        let lanes = self.lanes;
        let step = Step::new::<L>(terms);
        let [inner, low, high] = [1, 2, 3].map(|i| &self.by_point[i * h..][..h]);
        for data in data.chunks_exact_mut(4 * h) {
            let [x0, x1, x2, x3] = quarters(data);
            for j in 0..h {
                step.shrink(lanes, &mut x0[j], &mut x2[j]);
                lanes.butterfly(&mut x0[j], &mut x1[j], &inner[j]);
                lanes.butterfly(&mut x2[j], &mut x3[j], &inner[j]);
                lanes.butterfly(&mut x0[j], &mut x2[j], &low[j]);
                lanes.butterfly(&mut x1[j], &mut x3[j], &high[j]);
            }
        }
        step.terms
    }
}

/// What two layers do to numbers of terms: of four vectors, the first is never multiplied, the second after one
/// addition.
struct Step {
    shrink_first: bool,
    shrink_second: bool,
    /// Terms afterwards.
    terms: usize,
}

impl Step {
    #[inline(always)]
    fn new<L: PrimeLanes>(terms: usize) -> Self {
        let shrink_first = terms + 2 > L::TERMS;
        let shrink_second = terms + 1 > L::TERMS;
        Step { shrink_first, shrink_second, terms: 2 + if shrink_first { 1 } else { terms } }
    }

    #[inline(always)]
    fn shrink<L: PrimeLanes>(&self, lanes: L, first: &mut L::Sum, second: &mut L::Sum) {
        if self.shrink_first {
            *first = lanes.shrink(first);
        }
        if self.shrink_second {
            *second = lanes.shrink(second);
        }
    }
}

/// A butterfly with the twiddle 1, of `terms` terms each.
#[inline(always)]
fn add_sub<L: PrimeLanes>(lanes: L, a: &mut L::Sum, b: &mut L::Sum, terms: usize) {
    let sum = lanes.add_lazy(a, b);
    *b = lanes.sub_lazy(a, b, terms);
    *a = sum;
}

#[inline(always)]
fn quarters<T>(data: &mut [T]) -> [&mut [T]; 4] {
    let quarter = data.len() / 4;
    let (x0, rest) = data.split_at_mut(quarter);
    let (x1, rest) = rest.split_at_mut(quarter);
    let (x2, x3) = rest.split_at_mut(quarter);
    [x0, x1, x2, &mut x3[..quarter]]
}

/// `index` with its lowest `bits` bits reversed.
fn reverse_bits(index: usize, bits: u32) -> usize {
    match bits {
        0 => 0,
        _ => index.reverse_bits() >> (usize::BITS - bits),
    }
}

/// A constant of the lanes.
pub fn scalar<L: PrimeLanes<Words = [u64; 4]>, F: TransformField>(x: &F) -> L::Scalar {
    L::scalar(&x.montgomery_words())
}

fn powers<F: TransformField>(x: F, count: usize) -> Vec<F> {
    powers_from(F::ONE, x, count)
}

/// `count` times `first x^j`.
fn powers_from<F: TransformField>(first: F, x: F, count: usize) -> Vec<F> {
    std::iter::successors(Some(first), |power| Some(*power * x)).take(count).collect()
}
