//! The numbers of each prime as Rust source, and the proof, by computation, that no AVX2 column overflows.

use std::fmt::Display;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};

use super::primes::{balanced_digits, digits, recombine, Prime, Radix, PRIMES};

pub fn rust_source() -> String {
    PRIMES.iter().map(prime_source).collect()
}

fn prime_source(prime: &Prime) -> String {
    let name = prime.name;
    let (n64, n_avx2, n_ifma) = (prime.limbs, prime.avx2.digits, prime.ifma.digits);
    format!(
        "impl Words64<{n64}> for {name} {{ const TABLE: &'static WordTable<{n64}> = &{}; }}\n\
         impl SignedDigits<{n_avx2}> for {name} {{ const TABLE: &'static Avx2Table<{n_avx2}> = &{}; }}\n\
         impl Digits52<{n_ifma}> for {name} {{ const TABLE: &'static IfmaTable<{n_ifma}> = &{}; }}\n",
        word_table(prime),
        avx2_table(prime),
        ifma_table(prime)
    )
}

fn word_table(prime: &Prime) -> String {
    let n = prime.limbs;
    let limbs = |x: &BigUint| list(&digits(x, Radix { width: 64, digits: n }));
    format!(
        "WordTable {{ modulus: {}, n0: {}, one: {}, r_squared: {}, r_cubed: {} }}",
        limbs(&prime.modulus()),
        prime.negated_inverse(64),
        limbs(&prime.power_of_two(64 * n)),
        limbs(&prime.power_of_two(128 * n)),
        limbs(&prime.power_of_two(192 * n)),
    )
}

/// Largest digit (in absolute value) of a `Vec` of the AVX2 backend, beyond half a digit of a product.
const AVX2_SLACK: i64 = 1 << 18;

fn avx2_table(prime: &Prime) -> String {
    let radix = prime.avx2;
    let Radix { width, digits: n } = radix;
    let modulus = BigInt::from(prime.modulus());
    let shifted = balanced_digits(&prime.shifted_multiple(width).into(), radix);
    let p = balanced_digits(&modulus, radix);
    assert_eq!(recombine(&p, radix), modulus);
    check_avx2_columns(prime, &shifted, &p);

    let bias = 1u64 << 63;
    let column = bias - (bias >> width);
    let half = 1u64 << (width - 1);
    let splat = |x: u64| list(&[x; 4]);
    let vectors = |digits: &[i64]| list(&digits.iter().map(|&d| list(&[d; 4])).collect::<Vec<_>>());

    // Digit j of (q - 3) p, for a quotient estimate q - 3 in -3..=4.
    let multiples: Vec<Vec<i64>> = (-3..=4).map(|q| balanced_digits(&(&modulus * q), radix)).collect();
    for digit in multiples.iter().flat_map(|digits| &digits[..n - 1]) {
        // A sum of three vectors less such a multiple fits 32 bits.
        assert!(digit.abs() <= half as i64 - 8, "{}: a multiple's digit is too large", prime.name);
    }
    let by_digit: Vec<String> =
        (0..n).map(|j| list(&multiples.iter().map(|digits| digits[j]).collect::<Vec<_>>())).collect();
    // q = round(top / (p / 2^(width (n - 1)))), as the high half of a 64-bit product.
    let reciprocal = (BigInt::one() << (32 + width * (n - 1))) / &modulus;
    let enter = prime.power_of_two(2 * width * n - 64 * prime.limbs);
    let leave = prime.power_of_two(64 * prime.limbs);
    format!(
        "Avx2Table {{ shifted: {}, modulus: {}, n0: {}, mask: {}, bias: {}, column: {}, output_column: {}, \
         top_bias: {}, half: {}, multiples: {}, reciprocal: {reciprocal}, one: {}, enter: {}, leave: {} }}",
        vectors(&shifted),
        vectors(&p),
        splat(prime.negated_inverse(width)),
        splat((1 << width) - 1),
        splat(bias),
        splat(column),
        splat(column + half),
        splat(bias >> width),
        splat(half),
        list(&by_digit),
        list(&balanced_digits(&prime.power_of_two(width * n).into(), radix)),
        list(&balanced_digits(&enter.into(), radix)),
        list(&balanced_digits(&leave.into(), radix)),
    )
}

/// Every column, products and multiples together, stays within the bias of 2^63.
fn check_avx2_columns(prime: &Prime, shifted: &[i64], p: &[i64]) {
    let Radix { width, digits: n } = prime.avx2;
    let top = (prime.modulus() >> (width * (n - 1))).to_i128().expect("a digit") + 1;
    let half = 1i128 << (width - 1);
    // |Vec| <= 2.5 p with digits of half a digit and a little; |Factor| twice as much.
    let bound_a = |i: usize| if i + 1 < n { half + AVX2_SLACK as i128 } else { 3 * top };
    let bound_b = |j: usize| 2 * bound_a(j);
    for column in 0..2 * n - 1 {
        let products: i128 = (0..n)
            .filter(|i| (column + 1).saturating_sub(n) <= *i && *i <= column)
            .map(|i| bound_a(i) * bound_b(column - i))
            .sum();
        // Row i < n - 1 adds m N' from column i + 1 on, row n - 1 adds m p from column n - 1 on.
        let rows = (0..n - 1).filter_map(|i| (column.checked_sub(i + 1)).and_then(|j| shifted.get(j)));
        let last = column.checked_sub(n - 1).and_then(|j| p.get(j));
        let multiples: Vec<i128> =
            rows.chain(last).map(|&digit| digit as i128 * ((1i128 << width) - 1)).collect();
        let positive: i128 = multiples.iter().filter(|x| **x > 0).sum();
        let negative: i128 = -multiples.iter().filter(|x| **x < 0).sum::<i128>();
        let carry = 1i128 << (64 - width);
        assert!(
            products + positive.max(negative) + carry < 1 << 63,
            "{}: AVX2 column {column} can overflow",
            prime.name
        );
    }
}

fn ifma_table(prime: &Prime) -> String {
    let radix = prime.ifma;
    let Radix { width, digits: n } = radix;
    let modulus = prime.modulus();
    let multiples: Vec<Vec<u64>> = (0..16u32).map(|q| digits(&(&modulus * q), radix)).collect();
    let by_digit: Vec<String> =
        (0..n).map(|j| list(&multiples.iter().map(|digits| digits[j]).collect::<Vec<_>>())).collect();
    // The quotient estimate looks at the leading 13 to 17 bits of p.
    let top = &modulus >> (width * (n - 1));
    let top_shift = (top.bits() as usize).saturating_sub(17);
    let reciprocal = (BigUint::one() << 52usize) / ((top >> top_shift) + 1u32);
    let enter = prime.power_of_two(2 * width * n - 64 * prime.limbs);
    let leave = prime.power_of_two(64 * prime.limbs);
    format!(
        "IfmaTable {{ shifted: {}, modulus: {}, n0: {}, mask: {}, multiples: {}, top_shift: {top_shift}, \
         reciprocal: {reciprocal}, one: {}, enter: {}, leave: {} }}",
        list(&digits(&prime.shifted_multiple(width), radix)),
        list(&multiples[1]),
        prime.negated_inverse(width),
        (1u64 << width) - 1,
        list(&by_digit),
        list(&digits(&prime.power_of_two(width * n), radix)),
        list(&digits(&enter, radix)),
        list(&digits(&leave, radix)),
    )
}

fn list<T: Display>(items: &[T]) -> String {
    format!("[{}]", items.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}
