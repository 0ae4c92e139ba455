//! Writes a prime's numbers in signed digits, for the AVX2 kernels. Proves by computation that no column overflows.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

use super::avx2::{self, Kind};
use super::primes::{balanced_digits, list, recombine, Prime, Radix};

/// Returns the prime's numbers, if it has signed digits.
pub fn numbers(prime: &Prime) -> String {
    let Some(radix) = avx2::radix(prime) else { return String::new() };
    format!(
        "#[cfg(target_arch = \"x86_64\")]\n\
         impl crate::avx2::SignedDigits<{0}> for {1} {{ \
         const TABLE: &'static crate::avx2::Avx2Table<{0}> = &{2}; }}\n",
        radix.digits,
        prime.name,
        avx2_table(prime, radix)
    )
}

/// Returns the code that primes of a radix have in common.
pub fn common_numbers(Radix { width, digits, terms }: Radix) -> String {
    format!(
        "#[cfg(target_arch = \"x86_64\")]\n\
         impl crate::avx2::Radix for [(); {digits}] {{ const WIDTH: u32 = {width}; const TERMS: usize = {terms}; }}\n"
    )
}

/// Largest digit (in absolute value) of a `Vec` of the AVX2 backend, beyond half a digit of a product.
const AVX2_SLACK: i64 = 1 << 18;

fn avx2_table(prime: &Prime, radix: Radix) -> String {
    let Radix { width, digits: n, terms } = radix;
    let modulus = BigInt::from(prime.modulus());
    let shifted = balanced_digits(&prime.signed_shifted_multiple(width), radix);
    assert!(
        !prime.is_one_modulo(width) || shifted[n - 1] == 0,
        "{}: the kernels leave this digit out",
        prime.name
    );
    let p = balanced_digits(&modulus, radix);
    assert_eq!(recombine(&p, radix), modulus);
    check_avx2_columns(prime, radix, &shifted, &p);

    let bias = 1u64 << 63;
    let column = bias - (bias >> width);
    let half = 1u64 << (width - 1);
    let splat = |x: u64| list(&[x; 4]);
    let vectors = |digits: &[i64]| list(&digits.iter().map(|&d| list(&[d; 4])).collect::<Vec<_>>());

    // Digit j of (q - 3) p, for a quotient estimate q - 3 in -3..=4.
    let multiples: Vec<Vec<i64>> = (-3..=4).map(|q| balanced_digits(&(&modulus * q), radix)).collect();
    for digit in multiples.iter().flat_map(|digits| &digits[..n - 1]) {
        // A sum of three vectors less a multiple fits 32 bits.
        let sum = 3 * (half as i64 + 2) + digit.abs();
        assert!(sum < 1 << 31, "{}: a multiple's digit is too large", prime.name);
    }
    let by_digit = |multiples: &[Vec<i64>]| {
        let digit = |j: usize| list(&multiples.iter().map(|digits| digits[j]).collect::<Vec<_>>());
        list(&(0..n).map(digit).collect::<Vec<_>>())
    };
    // Digits of the same multiples of 6 p, for lazy sums.
    let coarse: Vec<Vec<i64>> = (-3..=4).map(|q| balanced_digits(&(&modulus * 6 * q), radix)).collect();
    for digit in coarse.iter().flat_map(|digits| &digits[..n - 1]) {
        let sum = terms as i64 * (half as i64 + 4) + digit.abs();
        assert!(sum < 1 << 31, "{}: a multiple's digit is too large for lazy sums", prime.name);
    }
    // q = round(top / (p / 2^(width (n - 1)))), as the high half of a 64-bit product. For sums below 5.4 p, q is off by
    // less than a hundredth, because of the digits below the last one and the rounding of the reciprocal.
    let top = &modulus >> (width * (n - 1));
    let off_by_a_hundredth = top < BigInt::from(300) || &top * 540 > BigInt::one() << 32usize;
    assert!(!off_by_a_hundredth, "{}: the last digit does not tell the quotient", prime.name);
    let reciprocal = (BigInt::one() << (32 + width * (n - 1))) / &modulus;
    let enter = prime.power_of_two(2 * width * n - 64 * prime.limbs());
    let leave = prime.power_of_two(64 * prime.limbs());
    let kernels = Kind::ALL.map(|kind| format!("{}: {}", kind.name(), kind.symbol(prime))).join(", ");
    format!(
        "crate::avx2::Avx2Table {{ shifted: {}, modulus: {}, n0: {}, mask: {}, bias: {}, column: {}, output_column: {}, \
         top_bias: {}, half: {}, multiples: {}, coarse: {}, reciprocal: {reciprocal}, one: {}, enter: {}, leave: {}, \
         kernels: crate::avx2::kernels!({kernels}) }}",
        vectors(&shifted),
        vectors(&p),
        splat(prime.negated_inverse(width)),
        splat((1 << width) - 1),
        splat(bias),
        splat(column),
        splat(column + half),
        splat(bias >> width),
        splat(half),
        by_digit(&multiples),
        by_digit(&coarse),
        list(&balanced_digits(&prime.power_of_two(width * n).into(), radix)),
        list(&balanced_digits(&enter.into(), radix)),
        list(&balanced_digits(&leave.into(), radix)),
    )
}

/// Checks that the columns of every kernel stay within the bias of 2^63, row by row, for the largest factors.
fn check_avx2_columns(prime: &Prime, radix: Radix, shifted: &[i64], p: &[i64]) {
    let Radix { width, digits: n, terms } = radix;
    let top = (prime.modulus() >> (width * (n - 1))).to_i128().expect("a digit") + 1;
    let half = 1i128 << (width - 1);
    // A vector is up to 2.5 p, in digits of half a digit and a little. A factor is the difference of two vectors. 5
    // times a difference has larger values, but carried digits.
    let vector: Vec<i128> =
        (0..n).map(|j| if j + 1 < n { half + AVX2_SLACK as i128 } else { 3 * top }).collect();
    let difference: Vec<i128> = vector.iter().map(|digit| 2 * digit).collect();
    // The value of a lazy sum stays below 18 p (docs/kernels.md).
    let lazy: Vec<i128> =
        (0..n).map(|j| if j + 1 < n { terms as i128 * vector[j] } else { 18 * top }).collect();
    let second: Vec<i128> =
        (0..n).map(|j| if j + 1 < n { difference[j] } else { 5 * difference[j] }).collect();
    for kind in Kind::ALL {
        let products: Vec<[&[i128]; 2]> = match kind {
            Kind::Product => vec![[&vector, &lazy]],
            Kind::WideProduct => vec![[&difference, &difference]],
            Kind::Square => vec![[&vector, &vector]],
            Kind::SumOfProducts | Kind::DifferenceOfProducts => {
                vec![[&vector, &difference], [&vector, &second]]
            }
        };
        // The least and the largest value of each column, without the bias.
        let mut columns = vec![(0i128, 0i128); 2 * n];
        let add = |columns: &mut [(i128, i128)], column: usize, low: i128, high: i128| {
            columns[column].0 += low;
            columns[column].1 += high;
        };
        let carry = |columns: &mut [(i128, i128)], column: usize| {
            let (low, high) = columns[column];
            let limit = 1i128 << 63;
            assert!(
                -limit <= low && high < limit,
                "{}: column {column} of the AVX2 kernel {kind:?} can overflow",
                prime.name
            );
            columns[column] = (0, (1 << width) - 1);
            (low >> width, high >> width)
        };
        let add_multiples = |columns: &mut [(i128, i128)], first: usize, digits: &[i64]| {
            for (j, &digit) in digits.iter().enumerate() {
                let multiple = digit as i128 * ((1 << width) - 1);
                add(columns, first + j, multiple.min(0), multiple.max(0));
            }
        };
        for row in 0..n {
            for [a, b] in &products {
                for j in 0..n {
                    let product = a[row] * b[j];
                    add(&mut columns, row + j, -product, product);
                }
            }
            if row > 0 {
                add_multiples(&mut columns, row, shifted);
            }
            if let Some((_, carried)) = kind.carry(radix).filter(|(middle, _)| *middle == row) {
                let carries: Vec<_> = carried.clone().map(|column| carry(&mut columns, column)).collect();
                for (column, (low, high)) in carried.zip(carries) {
                    add(&mut columns, column + 1, low, high);
                }
            }
            if row + 1 == n {
                match prime.is_one_modulo(width) {
                    true => add_multiples(&mut columns, n, shifted),
                    false => add_multiples(&mut columns, row, p),
                }
            }
            let (low, high) = carry(&mut columns, row);
            add(&mut columns, row + 1, low, high);
        }
        for column in n..2 * n - 1 {
            add(&mut columns, column, half, half);
            let (low, high) = carry(&mut columns, column);
            add(&mut columns, column + 1, low, high);
        }
    }
}
