//! Writes a prime's numbers in doubles, for WebAssembly's kernels. Proves by computation that no value leaves its range.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

use super::primes::{balanced_digits, list, recombine, Prime, Radix};

/// Terms of a kernel's columns before the reduction.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Product,
    Square,
    Sum,
}

/// A vector's value in units of p: a product is within half of p and a thirty-second of p, by which the quotient's
/// estimate may be off.
const VECTOR: f64 = 0.54;
/// A reduced value, in units of p.
const REDUCED: f64 = 0.502;
/// Values of factors in units of p: for differences of two vectors, and for vectors alone.
const FACTORS: [f64; 2] = [2.0 * VECTOR, VECTOR];
/// Largest excess of a vector's digit over half a digit.
const SLACK: i64 = 4;

/// Bits of the digits whose products two fused multiply-adds split. Products of narrower digits are exact in columns of doubles.
const SPLIT: usize = 51;

/// Returns the prime's numbers in this radix, if the prime has digits in doubles.
pub fn numbers(prime: &Prime, radix: Option<Radix>) -> String {
    let Some(radix) = radix else { return String::new() };
    format!(
        "impl crate::doubles::DoubleDigits<{0}> for {1} {{ \
         const TABLE: &'static crate::doubles::DoubleTable<{0}> = &{2}; }}\n",
        radix.digits,
        prime.name,
        table(prime, radix)
    )
}

fn table(prime: &Prime, radix: Radix) -> String {
    let Radix { width, digits: n, .. } = radix;
    let modulus = BigInt::from(prime.modulus());
    let half = 1i64 << (width - 1);
    let n0 = balanced(prime.negated_inverse(width), width);
    let shifted = balanced_digits(&((&modulus * n0 + 1) >> width), radix);
    let p = balanced_digits(&modulus, radix);
    assert_eq!(recombine(&p, radix), modulus);
    // p / 2^(w (N - 1)), in 64 bits before it is rounded to a double.
    let bits = width * (n - 1);
    let top = (&modulus >> (bits - 14)).to_f64().expect("a double") / 16384.0;
    // The factors leave room for a vector times a difference, or only for a vector times a vector.
    let reduce_factors =
        FACTORS.into_iter().position(|factor| fits(prime, radix, [&shifted, &p], top, factor));
    let reduce_factors =
        reduce_factors.unwrap_or_else(|| panic!("{}: R / p leaves no room for products", prime.name));
    check(prime, radix, &shifted, &p, top);

    let is_split = width == SPLIT;
    let (high, integer) = (1.5 * 2f64.powi(52 + width as i32), 1.5 * 2f64.powi(52));
    let scale = if is_split { 2f64.powi(SPLIT as i32) } else { 1.0 } / top;
    let splat = |x: u64| list(&[x; 2]);
    // Numbers that only split products need.
    let split = |x: u64| splat(if is_split { x } else { 0 });
    let double = |x: f64| splat(x.to_bits());
    let vectors = |digits: &[i64]| list(&digits.iter().map(|&x| double(x as f64)).collect::<Vec<_>>());
    let columns = |kind: Kind| {
        let columns: Vec<_> = starts(n, width, high.to_bits(), integer.to_bits(), kind);
        list(
            &columns
                .chunks(n)
                .map(|half| list(&half.iter().map(|&x| split(x)).collect::<Vec<_>>()))
                .collect::<Vec<_>>(),
        )
    };
    let number =
        |x: BigInt| list(&balanced_digits(&x, radix).iter().map(|x| format!("{x}.0")).collect::<Vec<_>>());
    let outside = 64 * prime.limbs();
    format!(
        "crate::doubles::DoubleTable {{ high: {}, low: {}, mask: {}, exponent: {}, half: {}, integer: {}, n0: {}, pending: {}, \
         scale: {}, scale_offset: {}, unit: {}, shifted: {}, modulus: {}, product: {}, square: {}, sum: {}, \
         reduce_factors: {}, reciprocal: f64::from_bits({}), one: {}, enter: {}, leave: {} }}",
        double(high),
        split((high + integer).to_bits()),
        split((1 << width) - 1),
        split(2f64.powi(52).to_bits()),
        split((2f64.powi(52) + half as f64).to_bits()),
        double(integer),
        double(n0 as f64),
        // The bits of the high half, and the bias in the carry from below.
        split(high.to_bits() + (1 << (63 - width))),
        double(scale),
        split((-integer * scale).to_bits()),
        double(2f64.powi(-(width as i32))),
        vectors(&shifted),
        vectors(&p),
        columns(Kind::Product),
        columns(Kind::Square),
        columns(Kind::Sum),
        reduce_factors == 1,
        (1.0 / top).to_bits(),
        number(centred(prime, width * n)),
        number(centred(prime, 2 * width * n - outside)),
        number(centred(prime, outside)),
    )
}

/// Returns the representative of x modulo `2^width` that is nearest to 0.
fn balanced(x: u64, width: usize) -> i64 {
    let x = x as i64;
    if x >> (width - 1) == 0 {
        x
    } else {
        x - (1 << width)
    }
}

/// Returns `2^exponent` modulo p, within half of p.
fn centred(prime: &Prime, exponent: usize) -> BigInt {
    let (x, p) = (BigInt::from(prime.power_of_two(exponent)), BigInt::from(prime.modulus()));
    if &x * 2 > p {
        x - p
    } else {
        x
    }
}

/// Returns the start values of columns: minus the bits of the constants that come with the halves of products, half a
/// digit, which makes digits balanced, and a bias of 2^63, which makes columns positive, less the bias that arrives
/// with the carry from below. The bits of the last column's start also turn the column into a double.
fn starts(n: usize, width: usize, high: u64, integer: u64, kind: Kind) -> Vec<u64> {
    let (mut highs, mut lows) = (vec![0u64; 2 * n], vec![0u64; 2 * n]);
    let mut add = |column: usize, times: u64| {
        lows[column] += times;
        highs[column + 1] += times;
    };
    for i in 0..n {
        for j in 0..n {
            match kind {
                Kind::Product => add(i + j, 1),
                Kind::Square => add(i + j, u64::from(j >= i)),
                Kind::Sum => add(i + j, 2),
            }
            add(i + j + usize::from(i + 1 < n), 1);
        }
    }
    let (half, bias) = (1u64 << (width - 1), 1u64 << 63);
    (0..2 * n)
        .map(|column| {
            let constants = highs[column].wrapping_mul(high).wrapping_add(lows[column].wrapping_mul(integer));
            let start = if column + 1 < 2 * n { half.wrapping_add(bias) } else { integer };
            let incoming = if column > 0 { bias >> width } else { 0 };
            start.wrapping_sub(constants).wrapping_sub(incoming)
        })
        .collect()
}

/// Returns true if a product of a vector and a factor of this size is a vector, and a sum of two products in an
/// extension is too.
fn fits(prime: &Prime, radix: Radix, [shifted, p]: [&[i64]; 2], top: f64, factor: f64) -> bool {
    let Radix { width, digits: n, .. } = radix;
    let double = |x: &BigInt| x.to_f64().expect("a double");
    let ratio = double(&(BigInt::one() << (width * n))) / double(&prime.modulus().into());
    let products = if prime.beta == 0 { 1.0 } else { 2.0 };
    // The value before the last row, in units of p: the factors' value, and half a digit times half a digit a row.
    let value = products * VECTOR * factor / ratio + 0.2501;
    let largest = |digits: &[i64]| digits.iter().map(|digit| digit.abs()).max().expect("digits") as f64;
    if width != SPLIT {
        // A column holds N products of digits for each product, a digit of each row, and a carry. Doubles are exact below 2^53.
        let half = 2f64.powi(width as i32 - 1);
        let vector = half + SLACK as f64;
        let quotient = (value + VECTOR) * 2f64.powi(width as i32);
        let rows = n as f64 * half * largest(shifted) + quotient * largest(p);
        let columns = n as f64 * products * vector * vector * (factor / VECTOR) + rows;
        return columns * (1.0 + 2f64.powi(1 - width as i32)) < 2f64.powi(53);
    }
    // The bits of 1.5 * 2^52 turn its last digit into a double.
    let below = 8.0 * n as f64;
    let is_double = top * value + below < 2f64.powi(width as i32);
    // The last quotient digit brings the value to a vector. Times a digit of p, it is below 2^102, as all products are.
    let quotient = (value + VECTOR) * 2f64.powi(width as i32);
    is_double && quotient * largest(p) < 2f64.powi(2 * width as i32)
}

/// Checks that doubles are exact, that columns stay within the bias, and that values stay within the range of a vector.
fn check(prime: &Prime, radix: Radix, shifted: &[i64], p: &[i64], top: f64) {
    let Radix { width, digits: n, terms } = radix;
    let name = prime.name;
    let half = (1i64 << (width - 1)) as f64;
    let vector = half + SLACK as f64;
    let largest = |digits: &[i64]| digits.iter().map(|x| x.abs()).max().expect("digits") as f64;
    if width == SPLIT {
        // A product of digits is below 2^102. Then its upper half is exact as a multiple of 2^51, and so is its lower half.
        let product = 2f64.powi(2 * SPLIT as i32);
        assert!(2.0 * vector * vector < product, "{name}: a vector and a difference are no factors");
        assert!(half * largest(shifted) < product, "{name}: a digit of N' is too large");
        // Columns hold 4 N upper halves of at most 2^51, 3 N lower halves of half a digit, and a carry.
        assert!(7.0 * n as f64 * 2f64.powi(51) < 2f64.powi(62), "{name}: columns overflow");
    }
    // The estimate is off by the value below the last column, and by the rounding of a sum to 53 bits. Columns of doubles are below 2^53,
    // and the sum is below 2^47.
    let (below, rounding) = match width {
        SPLIT => (8.0 * n as f64 / top, 1.0 / 32.0),
        _ => (2f64.powi(53 - 2 * width as i32) / top, 2f64.powi(-20)),
    };
    assert!(0.5 + rounding + below <= VECTOR, "{name}: the last digit does not tell the quotient");
    // A sum of `terms` vectors less a multiple of p is exact in a double, and its last digit tells the multiple.
    let multiple = (terms as f64 * VECTOR + 0.5).floor();
    let digit = terms as f64 * vector + multiple * largest(&p[..n - 1]);
    assert!(digit.max(terms as f64 * VECTOR * top) < 2f64.powi(53), "{name}: too many terms");
    assert!(
        (terms as f64 + 1.0) / top + 0.5 <= REDUCED,
        "{name}: the last digit does not tell a sum's quotient"
    );
    // A carry is at most this number of units.
    assert!(
        terms as f64 / 2.0 + multiple / 2.0 + 0.5 <= SLACK as f64 + 0.5,
        "{name}: digits leave their range"
    );
    assert!(BigInt::from(p[n - 1]).is_positive(), "{name}: the last digit of p");
}
