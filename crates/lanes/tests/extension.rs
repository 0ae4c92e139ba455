//! Compares products and squares in quadratic extensions with big integers at the ends of the ranges that radix 52
//! allows (docs/kernels.md). Elements from outside never reach these values.

mod rounds;

use bucketwheel_lanes::radix52::{Digits52, Eight, Kernels, Radix52};
use bucketwheel_lanes::*;
use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use self::rounds::rounds;

/// Ends of the ranges of vectors and of factors, in tenths of p.
const VECTOR: u32 = 27;
const FACTOR: u32 = 84;

struct Field<const N: usize> {
    p: BigUint,
    beta: u32,
}

impl<const N: usize> Field<N> {
    fn integer(digits: impl DoubleEndedIterator<Item = u64>) -> BigUint {
        digits.rev().fold(BigUint::default(), |sum, digit| (sum << 52) + digit)
    }

    /// Returns a value below `tenths` tenths of p: the ends, multiples of p and their neighbours, digits of ones alone, any.
    fn sample(&self, tenths: u32, rng: &mut StdRng) -> BigUint {
        let end = &self.p * tenths / 10u32;
        let value = match rng.gen_range(0..6) {
            0 => &end - rng.gen_range(0..2u32),
            1 => &self.p * rng.gen_range(0..tenths / 10 + 1),
            2 => &self.p * rng.gen_range(1..tenths / 10 + 1) - 1u32,
            3 => BigUint::from(rng.gen_range(0..2u32)),
            4 => (BigUint::from(1u32) << (52 * rng.gen_range(1..N))) - 1u32,
            _ => Self::integer((0..N).map(|_| rng.gen::<u64>() >> 12)),
        };
        value % (end + 1u32)
    }

    /// Returns one coordinate in all lanes.
    fn vector<E: Eight>(integers: &[BigUint; 8]) -> [E; N] {
        let digit =
            |x: &BigUint, j: usize| (x >> (52 * j)).iter_u64_digits().next().unwrap_or(0) & ((1 << 52) - 1);
        std::array::from_fn(|j| E::from_array(std::array::from_fn(|lane| digit(&integers[lane], j))))
    }

    /// Checks the congruence, the exact digits and the range of one result's coordinates.
    fn check<E: Eight>(
        &self,
        [a0, a1]: [&BigUint; 2],
        [b0, b1]: [&BigUint; 2],
        found: &[[E; N]; 2],
        lane: usize,
    ) {
        let p = &self.p;
        let negative = (a1 * b1 * self.beta) % p;
        for (digits, expected) in found.iter().zip([a0 * b0 + p - negative, a0 * b1 + a1 * b0]) {
            let digits = digits.map(|digit| digit.to_array()[lane]);
            assert!(digits.iter().all(|digit| digit >> 52 == 0), "{}: {digits:x?}", E::BACKEND);
            let value = Self::integer(digits.into_iter());
            assert!(&value * 10u32 < p * VECTOR, "{}: {value:x}", E::BACKEND);
            assert_eq!((value << (52 * N)) % p, expected % p, "{} {a0:x} {a1:x} {b0:x} {b1:x}", E::BACKEND);
        }
    }
}

struct Extremes<'a, L, const N: usize> {
    lanes: L,
    field: &'a Field<N>,
}

impl<E, const W: usize, const N: usize> Task for Extremes<'_, Radix52<E, W, N>, N>
where
    E: Kernels<N>,
    Radix52<E, W, N>: PrimeLanes<Vec = [E; N]>,
{
    type Output = ();

    fn run(self) {
        let Extremes { lanes, field } = self;
        let mut rng = StdRng::seed_from_u64(52);
        for _ in 0..rounds(500) {
            let mut coordinate = |tenths| std::array::from_fn(|_| field.sample(tenths, &mut rng));
            let a: [[BigUint; 8]; 2] = [coordinate(VECTOR), coordinate(VECTOR)];
            let b: [[BigUint; 8]; 2] = [coordinate(FACTOR), coordinate(FACTOR)];
            let (x, y) = (a.each_ref().map(Field::vector::<E>), b.each_ref().map(Field::vector::<E>));
            let (mut product, mut square) = (x, x);
            lanes.mul_quadratic(&x, &y, &mut product);
            lanes.square_quadratic(&x, &mut square);
            for lane in 0..8 {
                let (a, b) = (a.each_ref().map(|a| &a[lane]), b.each_ref().map(|b| &b[lane]));
                field.check(a, b, &product, lane);
                field.check(a, a, &square, lane);
            }
        }
    }
}

macro_rules! extension {
    ($test:ident, $prime:ty, $words:literal, $digits:literal, $beta:literal) => {
        #[test]
        fn $test() {
            let (words, digits) = (<$prime as Words64<$words>>::TABLE, <$prime as Digits52<$digits>>::TABLE);
            let p = words.modulus.iter().rev().fold(BigUint::default(), |sum, &word| (sum << 64) + word);
            let field = &Field::<$digits> { p, beta: $beta };
            let lanes = Model::detect(digits, words).expect("the feature `model`");
            lanes.vectorize(Extremes { lanes, field });
            #[cfg(target_arch = "x86_64")]
            match Avx512Ifma::detect(digits, words) {
                Some(lanes) => lanes.vectorize(Extremes { lanes, field }),
                None => eprintln!("avx512ifma is not supported by this CPU: skipped"),
            }
        }
    };
}

extension!(bls12_381, Bls12_381Fq, 6, 8, 1);
extension!(bls12_377, Bls12_377Fq, 6, 8, 5);
extension!(bn254, Bn254Fq, 4, 5, 1);
