//! Straus' method: the sum of few points by interleaved windows, without buckets, in Jacobian coordinates.

use bucketwheel_lanes::radix64::Arithmetic;

use super::horner::{add, double, infinity};
use super::Map;
use crate::digits::naf::MULTIPLES;

/// Returns `sum_i sum_position 2^position digits[i][position] points[i]`, on the curve with this coefficient a, where it is not 0;
/// Z is 0 for the point at infinity. Digits beyond the points' number belong to the points' images under `map`, in the same order,
/// digits beyond these to the images of images, and so on.
///
/// Costs a doubling for each position, an addition (7M + 4S) for each digit that is not 0, some 12 products for each of the
/// odd [`MULTIPLES`], and two for each image of one. It takes no inversion: all multiples get one denominator Z, so they are
/// affine on the isomorphic curve with the coordinates `x Z^2` and `y Z^3`, where the sum is made. Compiled once for each length of
/// elements ([`CoordinateField::straus`](crate::CoordinateField::straus)).
///
/// Returns `None` if a multiple of a point is infinity: its order is 15 or less.
///
/// # Panics
/// If there are digits of images and no map.
pub fn straus<A: Arithmetic>(
    field: A,
    a: Option<&A::Element>,
    map: Option<&Map<A::Element>>,
    points: &[[A::Element; 2]],
    digits: &[Vec<i8>],
) -> Option<[A::Element; 3]> {
    let multiples: Vec<_> = points.iter().map(|point| odd_multiples(field, a, point)).collect();
    let product =
        |factors: &[A::Element]| factors.iter().fold(field.one(), |z, factor| field.mul(&z, factor));
    let denominators: Vec<_> = multiples.iter().map(|multiples| product(&multiples.steps)).collect();
    let mut denominator = product(&denominators);
    if field.is_zero(&denominator) {
        return None;
    }
    let mut others = products_of_others(field, &denominators);
    if map.is_some_and(|map| map.conjugates) {
        // Images have the conjugate as their denominator. The norm is its own conjugate.
        let conjugate = field.conjugate(&denominator);
        others.iter_mut().for_each(|other| *other = field.mul(other, &conjugate));
        denominator = field.mul(&denominator, &conjugate);
    }
    let mut tables = Vec::with_capacity(digits.len() * MULTIPLES);
    for (multiples, others) in multiples.iter().zip(others) {
        tables.extend(multiples.with_denominator(field, others));
    }
    for index in tables.len()..digits.len() * MULTIPLES {
        let map = map.expect("a map of the points to their images");
        tables.push(map.image(field, &tables[index - points.len() * MULTIPLES]));
    }
    let a = a.map(|a| field.mul(a, &field.square(&field.square(&denominator))));
    let positions = digits.iter().map(Vec::len).max().unwrap_or(0);
    let mut sum = infinity(field);
    for position in (0..positions).rev() {
        sum = double(field, a.as_ref(), &sum);
        for (digits, table) in digits.iter().zip(tables.chunks_exact(MULTIPLES)) {
            let digit = digits.get(position).copied().unwrap_or(0);
            if digit != 0 {
                let [x, y] = table[usize::from(digit.unsigned_abs() >> 1)];
                let y = if digit < 0 { field.negate(&y) } else { y };
                sum = add(field, a.as_ref(), &sum, &[x, y]);
            }
        }
    }
    let [x, y, z] = sum;
    Some([x, y, field.mul(&z, &denominator)])
}

/// The odd multiples P, 3P, 5P and so on of a point, in Jacobian coordinates.
struct OddMultiples<E> {
    points: [[E; 2]; MULTIPLES],
    /// The Z coordinate of each, divided by the Z coordinate of the one before it; one of them is 0 if a multiple is infinity.
    steps: [E; MULTIPLES],
}

/// Begins with P and 2P that share their Z. Each addition of 2P gives both its operands and its result a common Z again (Meloni,
/// *New Point Addition Formulae for ECC Applications*: 4M + 2S and no product for Z).
fn odd_multiples<A: Arithmetic>(
    field: A,
    a: Option<&A::Element>,
    [x, y]: &[A::Element; 2],
) -> OddMultiples<A::Element> {
    let (xx, yy) = (field.square(x), field.square(y));
    let eight_y4 = field.double(&field.double(&field.double(&field.square(&yy))));
    // P with Z = 2 y: x Z^2 and y Z^3.
    let mut multiple = [field.double(&field.double(&field.mul(x, &yy))), eight_y4];
    let mut slope = field.add(&field.double(&xx), &xx);
    if let Some(a) = a {
        slope = field.add(&slope, a);
    }
    let x2 = field.sub(&field.square(&slope), &field.double(&multiple[0]));
    let y2 = field.sub(&field.mul(&slope, &field.sub(&multiple[0], &x2)), &multiple[1]);
    let mut twice = [x2, y2];
    let mut all = OddMultiples { points: [multiple; MULTIPLES], steps: [field.double(y); MULTIPLES] };
    for (point, step) in all.points.iter_mut().zip(&mut all.steps).skip(1) {
        let h = field.sub(&twice[0], &multiple[0]);
        let hh = field.square(&h);
        let (v, w) = (field.mul(&twice[0], &hh), field.mul(&multiple[0], &hh));
        let slope = field.sub(&twice[1], &multiple[1]);
        twice = [v, field.mul(&twice[1], &field.sub(&v, &w))];
        let x3 = field.sub(&field.sub(&field.square(&slope), &v), &w);
        let y3 = field.sub(&field.mul(&slope, &field.sub(&v, &x3)), &twice[1]);
        multiple = [x3, y3];
        (*point, *step) = (multiple, h);
    }
    all
}

impl<E: Copy> OddMultiples<E> {
    /// Returns the points in affine form over one Z, which is the Z of the last one times `others`.
    fn with_denominator<A: Arithmetic<Element = E>>(&self, field: A, others: E) -> [[E; 2]; MULTIPLES] {
        let mut ratio = others;
        let mut points = self.points;
        for ([x, y], step) in points.iter_mut().zip(&self.steps).rev() {
            let square = field.square(&ratio);
            *x = field.mul(x, &square);
            *y = field.mul(y, &field.mul(&square, &ratio));
            ratio = field.mul(&ratio, step);
        }
        points
    }
}

/// Returns for each factor the product of all other ones.
fn products_of_others<A: Arithmetic>(field: A, factors: &[A::Element]) -> Vec<A::Element> {
    let mut products = vec![field.one(); factors.len()];
    let mut before = field.one();
    for (product, factor) in products.iter_mut().zip(factors) {
        *product = before;
        before = field.mul(&before, factor);
    }
    let mut behind = field.one();
    for (product, factor) in products.iter_mut().zip(factors).rev() {
        *product = field.mul(product, &behind);
        behind = field.mul(&behind, factor);
    }
    products
}
