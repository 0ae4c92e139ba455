//! Inputs: random values and extreme values.

use bucketwheel_lanes::MAX_LANES;

/// A sequence of pseudo-random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }
}

/// The numbers of a prime that inputs derive from.
#[derive(Clone, Copy)]
pub struct Shape {
    /// p
    pub modulus: &'static [u64],
    /// Number of the prime's digits of 52 bits.
    pub digits: usize,
    /// The last of these digits.
    pub top_digit: u64,
}

/// An element outside of the lanes.
pub trait Sample: Copy {
    /// Returns a random element.
    fn random(random: &mut Random, shape: &Shape) -> Self;
    /// Returns a random or an extreme element.
    fn any(random: &mut Random, shape: &Shape) -> Self;
}

impl<const N: usize> Sample for [u64; N] {
    fn random(random: &mut Random, shape: &Shape) -> Self {
        let mut words = [0; N];
        words.fill_with(|| random.word());
        // The element is below p, because its last word is below p's last word.
        words[N - 1] %= shape.modulus[N - 1];
        words
    }

    fn any(random: &mut Random, shape: &Shape) -> Self {
        let mut words: Self = shape.modulus.try_into().expect("the prime has as many words");
        match random.below(8) {
            // 0, 1, 2, 3
            0 => {
                words = [0; N];
                words[0] = random.below(4);
            }
            // p - 1, ..., p - 4
            1 => words[0] -= 1 + random.below(4),
            // p / 2 and neighbours
            2 => {
                let mut carry = 0;
                for word in words.iter_mut().rev() {
                    (*word, carry) = (*word >> 1 | carry << 63, *word & 1);
                }
                words[0] = words[0] - 1 + random.below(4);
            }
            // One bit, or all bits below a position.
            kind @ (3 | 4) => {
                let bits = 64 * N as u64 - u64::from(words[N - 1].leading_zeros()) - 1;
                let bit = random.below(bits) as usize;
                words = [0; N];
                words[bit / 64] = 1 << (bit % 64);
                if kind == 4 {
                    words[bit / 64] -= 1;
                    words[..bit / 64].fill(u64::MAX);
                }
            }
            _ => words = Self::random(random, shape),
        }
        words
    }
}

impl<const N: usize> Sample for [[u64; N]; 2] {
    fn random(random: &mut Random, shape: &Shape) -> Self {
        [Sample::random(random, shape), Sample::random(random, shape)]
    }

    fn any(random: &mut Random, shape: &Shape) -> Self {
        [Sample::any(random, shape), Sample::any(random, shape)]
    }
}

/// Elements of the kernels and of the model in memory. Eight digits take a cache line for each coordinate. With five
/// digits, both coordinates are packed in the first line. With fifteen digits, both lines hold the only coordinate.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct AtRest(pub [[[u64; 8]; 2]; MAX_LANES]);

/// Returns digits as large as products can have them: the values go up to 2p and a little more.
pub fn digits(random: &mut Random, shape: &Shape) -> AtRest {
    let mut lanes = AtRest([[[0; 8]; 2]; MAX_LANES]);
    let coordinate_len = shape.digits.next_multiple_of(8);
    for coordinate in lanes.0.as_flattened_mut().as_flattened_mut().chunks_mut(coordinate_len) {
        for digit in &mut coordinate[..shape.digits - 1] {
            *digit = match random.below(4) {
                0 => 0,
                1 => random.word() >> 12,
                _ => u64::MAX >> 12,
            };
        }
        coordinate[shape.digits - 1] = match random.below(3) {
            0 => random.below(2 * shape.top_digit),
            _ => 2 * shape.top_digit,
        };
    }
    if shape.digits == 5 {
        for [first, second] in &mut lanes.0 {
            let (low, high) = (packed(first), packed(second));
            first[..4].copy_from_slice(&low);
            first[4..].copy_from_slice(&high);
        }
    }
    lanes
}

/// Returns the words of five digits, whose value is below 2^256.
fn packed(digits: &[u64; 8]) -> [u64; 4] {
    core::array::from_fn(|i| digits[i] >> (12 * i) | digits[i + 1] << (52 - 12 * i))
}
