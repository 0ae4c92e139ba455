//! Single elements and their extensions at the ends of their ranges, against big integers.

mod rounds;

use bucketwheel_lanes::radix64::{Arithmetic, Kernels, QuadraticSingle, Single, Target};
use bucketwheel_lanes::*;
use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{Rng, RngCore, SeedableRng};

use self::rounds::rounds;

fn integer<const N: usize>(words: &[u64; N]) -> BigUint {
    words.iter().rev().fold(BigUint::default(), |sum, &word| (sum << 64) + word)
}

fn words<const N: usize>(x: &BigUint) -> [u64; N] {
    let digits = x.to_u64_digits();
    std::array::from_fn(|i| digits.get(i).copied().unwrap_or(0))
}

/// Elements: 0, the modulus, the bound, their neighbours, long runs of ones, and any.
fn sample<const N: usize>(prime: &WordTable<N>, rng: &mut StdRng) -> [u64; N] {
    let (p, bound) = (integer(&prime.modulus), integer(&prime.bound));
    let one = BigUint::from(1u32);
    let value = match rng.gen_range(0..8) {
        0 => BigUint::from(rng.gen_range(0..2u32)),
        1 => &bound - rng.gen_range(1..3u32),
        2 => &p - rng.gen_range(0..2u32),
        3 => &p + rng.gen_range(0..2u32),
        4 => (&one << rng.gen_range(1..64 * N)) - 1u32,
        5 => &bound - (&one << (64 * rng.gen_range(0..N))),
        _ => {
            let mut bytes = vec![0; 8 * N];
            rng.fill_bytes(&mut bytes);
            BigUint::from_bytes_le(&bytes)
        }
    };
    words(&(value % &bound))
}

/// Checks an element against the integer that it stands for, times R.
#[track_caller]
fn check<const N: usize>(prime: &WordTable<N>, found: &[u64; N], expected: BigUint) {
    let (p, value) = (integer(&prime.modulus), integer(found));
    assert!(value < integer(&prime.bound), "{value:x}");
    assert_eq!(value % &p, expected % &p);
}

fn single_elements<const N: usize>(field: Single<N>, prime: &'static WordTable<N>, rng: &mut StdRng)
where
    Target: Kernels<N>,
{
    let p = integer(&prime.modulus);
    let inverse = (BigUint::from(1u32) << (64 * N)).modinv(&p).expect("an odd modulus");
    for _ in 0..rounds(2000) {
        let [a, b, c, d]: [[u64; N]; 4] = std::array::from_fn(|_| sample(prime, rng));
        let [x, y, z, w] = [a, b, c, d].map(|words| integer(&words));
        check(prime, &field.mul(&a, &b), &x * &y * &inverse);
        check(prime, &field.square(&a), &x * &x * &inverse);
        check(prime, &field.sum_of_products(&[a, b], &[c, d]), (&x * &z + &y * &w) * &inverse);
        check(prime, &field.add(&a, &b), &x + &y);
        check(prime, &field.sub(&a, &b), &x + &p * 4u32 - &y);
        check(prime, &field.negate(&a), &p * 4u32 - &x);
        assert_eq!(field.conjugate(&a), a);
        assert_eq!(field.is_zero(&a), &x % &p == BigUint::default());
        assert_eq!(integer(&field.reduced(&a)), x % &p);
    }
}

fn extension<const N: usize>(field: Single<N>, prime: &'static WordTable<N>, rng: &mut StdRng)
where
    Target: Kernels<N>,
{
    let (p, beta) = (integer(&prime.modulus), prime.beta);
    let inverse = (BigUint::from(1u32) << (64 * N)).modinv(&p).expect("an odd modulus");
    let lanes = QuadraticSingle::over(field);
    let product = |[x0, x1]: &[BigUint; 2], [y0, y1]: &[BigUint; 2]| {
        [x0 * y0 + &p * &p * (4 * beta) - x1 * y1 * beta, x0 * y1 + x1 * y0].map(|value| value * &inverse)
    };
    let same = |found: [[u64; N]; 2], expected: [BigUint; 2]| {
        found.iter().zip(expected).for_each(|(found, expected)| check(prime, found, expected));
    };
    for _ in 0..rounds(2000) {
        let [a, b]: [[[u64; N]; 2]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| sample(prime, rng)));
        let [x, y] = [a, b].map(|coordinates| coordinates.map(|words| integer(&words)));
        same(lanes.mul(&a, &b), product(&x, &y));
        same(lanes.square(&a), product(&x, &x));
        let [xy, xx] = [product(&x, &y), product(&x, &x)];
        same(lanes.sum_of_products(&[a, a], &[b, a]), std::array::from_fn(|i| &xy[i] + &xx[i]));
        same(lanes.add(&a, &b), std::array::from_fn(|i| &x[i] + &y[i]));
        same(lanes.sub(&a, &b), std::array::from_fn(|i| &x[i] + &p * 4u32 - &y[i]));
        same(lanes.conjugate(&a), [x[0].clone(), &p * 4u32 - &x[1]]);
        assert_eq!(lanes.is_zero(&a), x.iter().all(|x| x % &p == BigUint::default()));
    }
}

/// Elements `c0 + c1 u + (c2 + c3 u) v` with `v^2 = u` and `u^2 = 13`, so that 1, v, u and u v are the powers of v.
#[test]
fn the_extension_of_degree_four() {
    let prime = <Bls24_315Fq as Words64<5>>::TABLE;
    let (p, rng) = (integer(&prime.modulus), &mut StdRng::seed_from_u64(2));
    let inverse = (BigUint::from(1u32) << 320u32).modinv(&p).expect("an odd modulus");
    let power = |i: usize| [0, 2, 1, 3][i];
    let product = |x: &[BigUint; 4], y: &[BigUint; 4]| -> [BigUint; 4] {
        let mut sums = [const { BigUint::ZERO }; 7];
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                sums[power(i) + power(j)] += x * y;
            }
        }
        let wrapped = |n: usize| sums.get(n + 4).map_or(BigUint::ZERO, |sum| sum * 13u32);
        std::array::from_fn(|i| (&sums[power(i)] + wrapped(power(i))) * &inverse)
    };
    let same = |found: [[u64; 5]; 4], expected: [BigUint; 4]| {
        found.iter().zip(expected).for_each(|(found, expected)| check(prime, found, expected));
    };
    for backend in BACKENDS {
        let field = QuarticSingle::over(Single::new(backend, prime));
        for _ in 0..rounds(2000) {
            let [a, b]: [[[u64; 5]; 4]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| sample(prime, rng)));
            let [x, y] = [a, b].map(|coordinates| coordinates.map(|words| integer(&words)));
            let [xy, xx] = [product(&x, &y), product(&x, &x)];
            same(field.mul(&a, &b), xy.clone());
            same(field.square(&a), xx.clone());
            same(field.sum_of_products(&[a, a], &[b, a]), std::array::from_fn(|i| &xy[i] + &xx[i]));
            same(field.add(&a, &b), std::array::from_fn(|i| &x[i] + &y[i]));
            same(field.sub(&a, &b), std::array::from_fn(|i| &x[i] + &p * 4u32 - &y[i]));
            same(field.double(&field.halve(&a)), x.clone());
            same(field.conjugate(&a), [x[0].clone(), x[1].clone(), &p * 4u32 - &x[2], &p * 4u32 - &x[3]]);
            assert_eq!(field.is_zero(&a), x.iter().all(|x| x % &p == BigUint::ZERO));
            assert_eq!(field.reduced(&a).map(|words| integer(&words)), x.map(|x| x % &p));
        }
        assert!(field.is_zero(&field.zero()) && field.mul(&field.one(), &field.one()) == field.one());
    }
}

/// Plain code, and this CPU's assembly for words.
const BACKENDS: [Backend; 3] = [Backend::Portable, Backend::Adx, Backend::Aarch64];

macro_rules! test_primes {
    ($($name:ident: $prime:ty, $words:literal, $beta:tt;)*) => {
        $(
            #[test]
            fn $name() {
                let prime = <$prime as Words64<$words>>::TABLE;
                for backend in BACKENDS {
                    let rng = &mut StdRng::seed_from_u64(1);
                    single_elements(Single::new(backend, prime), prime, rng);
                    if $beta > 0 {
                        extension(Single::new(backend, prime), prime, rng);
                    }
                }
            }
        )*
    };
}

for_each_prime!(test_primes);
