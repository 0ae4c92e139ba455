//! Transforms of vectors in a cache, with the same steps in all lanes.
//!
//! All butterflies are `(a + w b, a - w b)`. Sums stay lazy, because only the factor of a product has to be almost
//! reduced. A step is two layers, four vectors at a time.

use bucketwheel_lanes::{LaneField, OutOfLine, PrimeLanes, Task};

/// Powers of a root of unity for both directions.
///
/// For `size` points and a root w of that order:
/// - [`to_permuted`](Self::to_permuted) computes `X[k] = sum x[j] w^-jk`, with the bits of k reversed, from x in
///   natural order. A layer reduces polynomials modulo `X^2h - z^2` to polynomials modulo `X^h - z` and `X^h + z`.
///   Each block has one twiddle, the same for all layers.
/// - [`to_natural`](Self::to_natural) is the inverse, `x[j] = sum X[k] (g w^j)^k`, at the points of the coset of g. A
///   layer computes the values of `E + y O` at y and -y from the values of E and O at y^2. The coset costs only the
///   trivial twiddles.
pub struct Layers<L: PrimeLanes> {
    lanes: L,
    /// w^-e, with the bits of e reversed
    by_block: Vec<L::Scalar>,
    /// From index h on: (g^(size / 2 h)) (root of order 2 h)^j, for all j below h
    by_point: Vec<L::Scalar>,
    /// True if g is 1.
    trivial: bool,
}

impl<L: PrimeLanes> Layers<L> {
    /// Vectors of a block that stays in the first-level cache, with its twiddles: 16 to 20 KB.
    const BLOCK: usize = if size_of::<L::Sum>() > 320 { 32 } else { 64 };

    /// Returns the tables of transforms of 2^log_size points on the coset of `shift`.
    pub fn new(lanes: L, log_size: u32, root: L::Words, shift: L::Words) -> Self {
        let half = 1usize << log_size >> 1;
        let bits = log_size.saturating_sub(1);
        let one = one(lanes);
        let inverse = lanes.invert_words(&root).expect("a root of unity");
        let powers = powers_from(lanes, one, inverse, half);
        let by_block = (0..half).map(|i| lanes.scalar(&powers[reverse_bits(i, bits)])).collect();
        let trivial = shift == one;
        // The layers with their h, the last layer first.
        let last = (root, shift, half);
        let square = |x: &L::Words| lanes.mul_words(x, x);
        let layers =
            std::iter::successors(Some(last), |(root, shift, h)| Some((square(root), square(shift), h / 2)));
        let layers: Vec<_> = layers.take(log_size as usize).collect();
        let mut by_point = vec![lanes.scalar(&one)];
        for &(root, shift, h) in layers.iter().rev() {
            by_point.extend(powers_from(lanes, shift, root, h).iter().map(|x| lanes.scalar(x)));
        }
        Layers { lanes, by_block, by_point, trivial }
    }

    /// Transforms to the spectrum, in bit-reversed order; see [`Layers`]. Takes elements of one term, and returns the
    /// number of terms of the results.
    pub fn to_permuted(&self, data: &mut [L::Sum]) -> usize {
        let mut size = data.len();
        let mut terms = 1;
        if size >= 4 && L::TERMS >= FIRST_TERMS {
            terms = self.first_step(data, size / 4, SPLIT, &self.by_block[1]);
            size /= 4;
        }
        while size > Self::BLOCK {
            terms = self.split_step(data, 0, size / 4, terms);
            size /= 4;
        }
        let (block_size, block_terms) = (size, terms);
        for (block, data) in data.chunks_exact_mut(block_size).enumerate() {
            let mut first = block;
            (size, terms) = (block_size, block_terms);
            while size >= 4 {
                terms = self.split_step(data, first, size / 4, terms);
                size /= 4;
                first *= 4;
            }
            if size == 2 {
                terms = self.last_step(data, 1, &self.by_block[first..], terms);
            }
        }
        terms
    }

    /// Transforms from the spectrum, in bit-reversed order; see [`Layers`]. Takes elements of `terms` terms, and
    /// returns the number of terms of the results.
    pub fn to_natural(&self, data: &mut [L::Sum], terms: usize) -> usize {
        let size = data.len();
        let block_size = size.min(Self::BLOCK);
        let (mut h, mut terms) = (1, terms);
        let block_terms = terms;
        for data in data.chunks_exact_mut(block_size) {
            (h, terms) = (1, block_terms);
            if self.trivial && block_terms == 1 && block_size >= 4 && L::TERMS >= FIRST_TERMS {
                terms = self.first_step(data, 1, JOIN, &self.by_point[3]);
                h = 4;
            }
            while 4 * h <= block_size {
                terms = self.join_step(data, h, terms);
                h *= 4;
            }
        }
        while 4 * h <= size {
            terms = self.join_step(data, h, terms);
            h *= 4;
        }
        if 2 * h <= size {
            terms = self.last_step(data, h, &self.by_point[h..], terms);
        }
        terms
    }

    /// Runs two layers of blocks of `4 quarter`; `first` blocks precede the first one.
    fn split_step(&self, data: &mut [L::Sum], first: usize, quarter: usize, terms: usize) -> usize {
        let twiddles =
            [&self.by_block[first..], &self.by_block[2 * first..], &self.by_block[2 * first + 1..]];
        self.step(data, quarter, SPLIT, Twiddles { by: twiddles, per_block: [1, 2, 2], per_point: 0 }, terms)
    }

    /// Runs two layers, from blocks of h to blocks of 4 h.
    fn join_step(&self, data: &mut [L::Sum], h: usize, terms: usize) -> usize {
        let twiddles = [1, 2, 3].map(|i| &self.by_point[i * h..]);
        self.step(data, h, JOIN, Twiddles { by: twiddles, per_block: [0; 3], per_point: 1 }, terms)
    }

    /// Runs two layers of blocks of `4 quarter`.
    fn step(
        &self,
        data: &mut [L::Sum],
        quarter: usize,
        order: [usize; 4],
        twiddles: Twiddles<L::Scalar>,
        terms: usize,
    ) -> usize {
        let lanes = self.lanes;
        // In each four vectors, the first is never multiplied, and the second after one addition. The butterflies of the second
        // layer add to the first and the third vector, which have one term more than the first vector had.
        let shrink = [terms + 2 > L::TERMS, terms + 1 > L::TERMS, L::TERMS < 3];
        call(lanes, Step { lanes, data, quarter, order, twiddles, shrink });
        match shrink {
            [_, _, true] => 2,
            [true, ..] => 3,
            _ => terms + 2,
        }
    }

    /// Runs the first two layers, in which three of four twiddles are 1, on elements of one term.
    fn first_step(
        &self,
        data: &mut [L::Sum],
        quarter: usize,
        order: [usize; 4],
        twiddle: &L::Scalar,
    ) -> usize {
        call(self.lanes, FirstStep { lanes: self.lanes, data, quarter, order, twiddle });
        FIRST_TERMS
    }

    /// Runs one layer: blocks of `2 half`, with a twiddle for each butterfly.
    fn last_step(&self, data: &mut [L::Sum], half: usize, twiddles: &[L::Scalar], terms: usize) -> usize {
        let shrink = terms + 1 > L::TERMS;
        call(self.lanes, LastStep { lanes: self.lanes, data, half, twiddles, shrink });
        1 + if shrink { 1 } else { terms }
    }
}

/// Terms after a step in which three of four twiddles are 1.
const FIRST_TERMS: usize = 4;

/// The quarters of a block. In this order, the first layer has butterflies of the first and third quarter, and of the
/// second and fourth; the second layer has butterflies of the two quarters of each half.
const SPLIT: [usize; 4] = [0, 1, 2, 3];
const JOIN: [usize; 4] = [0, 2, 1, 3];

/// Runs a step out of line, because the step is long and needs one copy only.
#[inline(never)]
fn call<L: PrimeLanes, T: Task>(lanes: L, task: T) -> T::Output {
    lanes.vectorize(task)
}

/// Twiddles of the first layer and of the two butterflies of the second layer. Block b and point j use index
/// `b per_block + j per_point`.
struct Twiddles<'a, S> {
    by: [&'a [S]; 3],
    per_block: [usize; 3],
    per_point: usize,
}

/// Number of groups of four vectors that finish a layer before the next layer starts. Their butterflies are
/// independent, and a core looks ahead no further than two or three groups.
const GROUP: usize = 4;

/// Runs two layers.
struct Step<'a, L: PrimeLanes> {
    lanes: L,
    data: &'a mut [L::Sum],
    quarter: usize,
    order: [usize; 4],
    twiddles: Twiddles<'a, L::Scalar>,
    /// True if there are too many terms: in the first and the second vector, and in the sums and differences of the first layer.
    shrink: [bool; 3],
}

impl<L: PrimeLanes> Task for Step<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Step { lanes, data, quarter, order, twiddles, shrink } = self;
        let fours = data.len() / 4;
        let blocks = fours / quarter;
        assert!(quarter.is_power_of_two() && blocks * 4 * quarter == data.len());
        for (by, per_block) in twiddles.by.iter().zip(twiddles.per_block) {
            assert!((blocks - 1) * per_block + (quarter - 1) * twiddles.per_point < by.len());
        }
        let start = data.as_mut_ptr();
        let log_quarter = quarter.trailing_zeros();
        // The vector and the twiddle at this place of a block's order, for this butterfly.
        let place = |four: usize| (four >> log_quarter, four & (quarter - 1));
        let vector = |four: usize, i: usize| {
            let (block, point) = place(four);
            start.wrapping_add((4 * block + order[i]) * quarter + point)
        };
        let twiddle = |four: usize, i: usize| {
            let (block, point) = place(four);
            let index = block * twiddles.per_block[i] + point * twiddles.per_point;
            // SAFETY: `block < blocks` and `point < quarter`, and the index of the last of both is below the length (asserted above).
            unsafe { twiddles.by[i].get_unchecked(index) }
        };
        for first in (0..fours).step_by(GROUP) {
            let group = first..fours.min(first + GROUP);
            for four in group.clone() {
                let [x0, x1, x2, x3] = [0, 1, 2, 3].map(|i| vector(four, i));
                let w = twiddle(four, 0);
                // SAFETY: `block < blocks`, `point < quarter` and `order` is a permutation of 0 to 3, so that the four places are within
                // `data` (asserted above) and differ. `data` is borrowed exclusively, and used here by these references alone.
                let [x0, x1, x2, x3] = unsafe { [&mut *x0, &mut *x1, &mut *x2, &mut *x3] };
                if shrink[0] {
                    *x0 = lanes.shrink(x0);
                }
                if shrink[1] {
                    *x1 = lanes.shrink(x1);
                }
                lanes.butterfly(x0, x2, w);
                lanes.butterfly(x1, x3, w);
            }
            for four in group {
                let [x0, x1, x2, x3] = [0, 1, 2, 3].map(|i| vector(four, i));
                // SAFETY: the four places are within `data` and differ, as in the loop above, whose references have ended.
                let [x0, x1, x2, x3] = unsafe { [&mut *x0, &mut *x1, &mut *x2, &mut *x3] };
                if shrink[2] {
                    *x0 = lanes.shrink(x0);
                    *x2 = lanes.shrink(x2);
                }
                lanes.butterfly(x0, x1, twiddle(four, 1));
                lanes.butterfly(x2, x3, twiddle(four, 2));
            }
        }
    }
}

/// Runs two layers on elements of one term. All twiddles are 1 except the last butterfly's.
struct FirstStep<'a, L: PrimeLanes> {
    lanes: L,
    data: &'a mut [L::Sum],
    quarter: usize,
    order: [usize; 4],
    twiddle: &'a L::Scalar,
}

impl<L: PrimeLanes> Task for FirstStep<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let FirstStep { lanes, data, quarter, order, twiddle } = self;
        for data in data.chunks_exact_mut(4 * quarter) {
            let [x0, x1, x2, x3] = quarters(data, quarter, order);
            for j in 0..quarter {
                add_sub(lanes, &mut x0[j], &mut x2[j], 1);
                add_sub(lanes, &mut x1[j], &mut x3[j], 1);
                add_sub(lanes, &mut x0[j], &mut x1[j], 2);
                lanes.butterfly(&mut x2[j], &mut x3[j], twiddle);
            }
        }
    }
}

/// Runs one layer.
struct LastStep<'a, L: PrimeLanes> {
    lanes: L,
    data: &'a mut [L::Sum],
    half: usize,
    twiddles: &'a [L::Scalar],
    /// True if the first vector has too many terms.
    shrink: bool,
}

impl<L: PrimeLanes> Task for LastStep<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let LastStep { lanes, data, half, twiddles, shrink } = self;
        for (data, twiddles) in data.chunks_exact_mut(2 * half).zip(twiddles.chunks_exact(half)) {
            let (a, b) = data.split_at_mut(half);
            for j in 0..half {
                if shrink {
                    a[j] = lanes.shrink(&a[j]);
                }
                lanes.butterfly(&mut a[j], &mut b[j], &twiddles[j]);
            }
        }
    }
}

/// Runs a butterfly with the twiddle 1 on elements of `terms` terms each.
#[inline(always)]
fn add_sub<L: PrimeLanes>(lanes: L, a: &mut L::Sum, b: &mut L::Sum, terms: usize) {
    let sum = lanes.add_lazy(a, b);
    *b = lanes.sub_lazy(a, b, terms);
    *a = sum;
}

#[inline(always)]
fn quarters<T>(data: &mut [T], quarter: usize, order: [usize; 4]) -> [&mut [T]; 4] {
    let (x0, rest) = data.split_at_mut(quarter);
    let (x1, rest) = rest.split_at_mut(quarter);
    let (x2, x3) = rest.split_at_mut(quarter);
    let x3 = &mut x3[..quarter];
    if order == SPLIT {
        [x0, x1, x2, x3]
    } else {
        [x0, x2, x1, x3]
    }
}

/// Returns `index` with its lowest `bits` bits reversed.
pub fn reverse_bits(index: usize, bits: u32) -> usize {
    match bits {
        0 => 0,
        _ => index.reverse_bits() >> (usize::BITS - bits),
    }
}

/// Returns the element 1.
pub fn one<L: PrimeLanes>(lanes: L) -> L::Words {
    let lanes = OutOfLine::of(lanes);
    lanes.decode(&lanes.one())[0]
}

/// Returns `count` powers `first x^j`.
pub fn powers_from<L: PrimeLanes>(lanes: L, first: L::Words, x: L::Words, count: usize) -> Vec<L::Words> {
    std::iter::successors(Some(first), |power| Some(lanes.mul_words(power, &x))).take(count).collect()
}
