//! Writes a prime's numbers in digits of 52 bits, for the IFMA kernels and their model. Checks their ranges.

use num_bigint::BigUint;
use num_traits::One;

use super::avx512ifma;
use super::primes::{digits, list, Prime, Radix};

/// Multiple of p that makes a signed sum positive when added: sums are above -5.4 p.
const SUM_OFFSET: u32 = 6;

/// Returns the prime's numbers, if it has digits of 52 bits.
pub fn numbers(prime: &Prime) -> String {
    let Some(radix) = avx512ifma::radix(prime) else { return String::new() };
    format!(
        "impl crate::radix52::Digits52<{0}> for {1} {{ \
         const TABLE: &'static crate::radix52::IfmaTable<{0}> = &{2}; }}\n",
        radix.digits,
        prime.name,
        ifma_table(prime, radix)
    )
}

fn ifma_table(prime: &Prime, radix: Radix) -> String {
    let Radix { width, digits: n, terms } = radix;
    let modulus = prime.modulus();
    let multiple = |q: u32| digits(&(&modulus * q), radix);
    // Digits of multiples, less the digits of one of them.
    let by_digit = |step: u32, less: u32| {
        let (multiples, less): (Vec<Vec<u64>>, _) =
            ((0..16).map(|q| multiple(step * q)).collect(), multiple(less));
        let digit =
            |j: usize| multiples.iter().map(|digits| digits[j].wrapping_sub(less[j])).collect::<Vec<_>>();
        list(&(0..n).map(|j| list(&digit(j))).collect::<Vec<_>>())
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
        "crate::radix52::IfmaTable {{ shifted: {}, modulus: {}, n0: {}, mask: {}, offset: {}, last_offset: {}, \
         multiples: {}, coarse: {}, factor_offset: {}, signed: {}, top_offset: {}, top_shift: {top_shift}, \
         reciprocal: {reciprocal}, complement: {}, inverse: {}, one: {}, enter: {}, leave: {} }}",
        list(&digits(&prime.shifted_multiple(width), radix)),
        list(&digits(&modulus, radix)),
        prime.negated_inverse(width),
        (1u64 << width) - 1,
        list(&offset[..n]),
        offset[n],
        by_digit(1, 0),
        by_digit(2, 0),
        list(&multiple(3)),
        by_digit(1, SUM_OFFSET),
        multiple(SUM_OFFSET)[n - 1] - 1,
        list(&digits(&((BigUint::one() << (width * n)) - &modulus), radix)),
        list(&digits(&prime.negated_inverse_wide(width * n), radix)),
        list(&digits(&prime.power_of_two(width * n), radix)),
        list(&digits(&enter, radix)),
        list(&digits(&leave, radix)),
    )
}
