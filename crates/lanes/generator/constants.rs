//! Writes each prime as Rust source: its type, its numbers in every radix, its backends. Proves by computation that no
//! AVX2 column overflows.

use std::fmt::Display;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};

use super::avx2::Kind;
use super::primes::{balanced_digits, digits, recombine, Prime, Radix, AVX2_RADICES, PRIMES};

pub fn rust_source() -> String {
    PRIMES.iter().map(prime_source).chain(AVX2_RADICES.map(radix_source)).chain([for_each_prime()]).collect()
}

/// Returns the type of a prime and all of its implementations.
fn prime_source(prime: &Prime) -> String {
    prime.check();
    let Prime { name, title, field, avx2, ifma, wasm, .. } = prime;
    let (bits, words) = (prime.bits(), prime.limbs());
    let alone = if avx2.or(*ifma).is_none() { ": words alone" } else { "" };
    let mut source = format!(
        "/// The {field} ({bits} bits){alone}.\n\
         #[derive(Clone, Copy, Debug)]\n\
         pub struct {name};\n\
         impl Prime for {name} {{ const NAME: &'static str = \"{title}\"; }}\n\
         impl Words64<{words}> for {name} {{ const TABLE: &'static WordTable<{words}> = &{}; }}\n",
        word_table(prime)
    );
    if let &Some(radix) = avx2 {
        let (digits, table) = (radix.digits, avx2_table(prime, radix));
        source += &format!(
            "#[cfg(target_arch = \"x86_64\")]\n\
             impl SignedDigits<{digits}> for {name} {{ const TABLE: &'static Avx2Table<{digits}> = &{table}; }}\n"
        );
    }
    if let &Some(radix) = ifma {
        let (digits, table) = (radix.digits, ifma_table(prime, radix));
        source += &format!(
            "impl Digits52<{digits}> for {name} {{ const TABLE: &'static IfmaTable<{digits}> = &{table}; }}\n"
        );
    }
    if let &Some(radix) = wasm {
        let (digits, table) = (radix.digits, super::doubles::table(prime, radix));
        source += &format!(
            "impl DoubleDigits<{digits}> for {name} {{ const TABLE: &'static DoubleTable<{digits}> = &{table}; }}\n"
        );
    }
    let digits = |radix: &Option<Radix>| radix.map(|radix| radix.digits.to_string()).unwrap_or_default();
    let backends = [
        ifma.map_or("", |_| "Avx512Ifma "),
        avx2.map_or("", |_| "Avx2 "),
        "Adx Aarch64 ",
        wasm.map_or("", |_| "Wasm "),
        "Portable",
        ifma.map_or("", |_| " Model"),
    ]
    .concat();
    source
        + &format!(
            "lane_prime!({name}, {words}, avx2 [{}], ifma [{}], wasm [{}], {backends});\n",
            digits(avx2),
            digits(ifma),
            digits(wasm)
        )
}

/// Returns the code that primes of an AVX2 radix have in common.
fn radix_source(Radix { width, digits, terms }: Radix) -> String {
    format!(
        "#[cfg(target_arch = \"x86_64\")]\n\
         impl Radix for [(); {digits}] {{ const WIDTH: u32 = {width}; const TERMS: usize = {terms}; }}\n"
    )
}

/// Returns a macro that passes all primes to another macro, for test suites: a name, the type, the number of words, beta.
fn for_each_prime() -> String {
    let entry = |prime: &Prime| {
        format!("{}: {}, {}, {}; ", prime.name.to_lowercase(), prime.name, prime.limbs(), prime.beta)
    };
    format!(
        "#[doc(hidden)]\n#[macro_export]\nmacro_rules! for_each_prime {{ ($with:ident) => {{ $with! {{ {}}} }} }}\n",
        PRIMES.iter().map(entry).collect::<String>()
    )
}

fn word_table(prime: &Prime) -> String {
    let n = prime.limbs();
    let limbs = |x: &BigUint| list(&digits(x, Radix { width: 64, digits: n, terms: 1 }));
    let bound = prime.modulus() << usize::from(prime.bits() + 2 <= 64 * n);
    format!(
        "WordTable {{ modulus: {}, n0: {}, bound: {}, one: {}, r_squared: {}, r_cubed: {}, beta: {} }}",
        limbs(&prime.modulus()),
        prime.negated_inverse(64),
        limbs(&bound),
        limbs(&prime.power_of_two(64 * n)),
        limbs(&prime.power_of_two(128 * n)),
        limbs(&prime.power_of_two(192 * n)),
        prime.beta,
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
        "Avx2Table {{ shifted: {}, modulus: {}, n0: {}, mask: {}, bias: {}, column: {}, output_column: {}, \
         top_bias: {}, half: {}, multiples: {}, coarse: {}, reciprocal: {reciprocal}, one: {}, enter: {}, leave: {}, \
         kernels: kernels!({kernels}) }}",
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

fn ifma_table(prime: &Prime, radix: Radix) -> String {
    let Radix { width, digits: n, terms } = radix;
    let modulus = prime.modulus();
    let by_digit = |step: u32| {
        let multiples: Vec<Vec<u64>> = (0..16u32).map(|q| digits(&(&modulus * (step * q)), radix)).collect();
        let digit = |j: usize| list(&multiples.iter().map(|digits| digits[j]).collect::<Vec<_>>());
        list(&(0..n).map(digit).collect::<Vec<_>>())
    };
    // A term is below 3 p. A lazy sum has exact digits below 2^width and is a product's factor. The table of even
    // multiples reduces it to one term (docs/kernels.md).
    assert!(&modulus * (3 * terms + 1) < BigUint::one() << (width * n), "{}: too many terms", prime.name);
    assert!(3 * terms <= 32, "{}: too many terms for the table of even multiples", prime.name);
    // The quotient estimate looks at the leading 13 to 17 bits of p.
    let top = &modulus >> (width * (n - 1));
    assert!(top.bits() >= 13, "{}: the last digit does not tell the quotient", prime.name);
    let top_shift = (top.bits() as usize).saturating_sub(17);
    let reciprocal = (BigUint::one() << 52usize) / ((top >> top_shift) + 1u32);
    let enter = prime.power_of_two(2 * width * n - 64 * prime.limbs());
    let leave = prime.power_of_two(64 * prime.limbs());
    // In an extension, beta times a product of a vector and a factor is below 23 beta p^2. Twice this product,
    // divided by R, is the part of a result beyond 2 p (docs/kernels.md).
    assert!(&modulus * (460 * prime.beta) < BigUint::from(7u32) << (width * n), "{}: no room", prime.name);
    let unit = BigUint::one() << (width * (n - 1));
    let times = &modulus * (23 * prime.beta) / &unit + 1u32;
    let offset = digits(&(&modulus * times), Radix { digits: n + 1, ..radix });
    format!(
        "IfmaTable {{ shifted: {}, modulus: {}, n0: {}, mask: {}, offset: {}, last_offset: {}, \
         multiples: {}, coarse: {}, top_shift: {top_shift}, \
         reciprocal: {reciprocal}, complement: {}, inverse: {}, one: {}, enter: {}, leave: {} }}",
        list(&digits(&prime.shifted_multiple(width), radix)),
        list(&digits(&modulus, radix)),
        prime.negated_inverse(width),
        (1u64 << width) - 1,
        list(&offset[..n]),
        offset[n],
        by_digit(1),
        by_digit(2),
        list(&digits(&((BigUint::one() << (width * n)) - &modulus), radix)),
        list(&digits(&prime.negated_inverse_wide(width * n), radix)),
        list(&digits(&prime.power_of_two(width * n), radix)),
        list(&digits(&enter, radix)),
        list(&digits(&leave, radix)),
    )
}

pub fn list<T: Display>(items: &[T]) -> String {
    format!("[{}]", items.iter().map(T::to_string).collect::<Vec<_>>().join(", "))
}
