//! Horner's rule over points, in Jacobian coordinates.

use bucketwheel_lanes::radix64::Arithmetic;

/// `sum 2^position point` over the affine points at each position below `bits`, by double-and-add, in Jacobian coordinates, on
/// the curve with this coefficient a, where it is not 0; Z is 0 for the point at infinity. Compiled once for each length of elements
/// ([`CoordinateField::horner`](crate::CoordinateField::horner)).
pub fn horner<A: Arithmetic>(
    field: A,
    a: Option<&A::Element>,
    bits: u32,
    points_at: &dyn Fn(u32) -> Vec<[A::Element; 2]>,
) -> [A::Element; 3] {
    let mut sum = infinity(field);
    for position in (0..bits).rev() {
        sum = double(field, a, &sum);
        for point in points_at(position) {
            sum = add(field, a, &sum, &point);
        }
    }
    sum
}

/// The point at infinity.
pub(super) fn infinity<A: Arithmetic>(field: A) -> [A::Element; 3] {
    [field.one(), field.one(), field.zero()]
}

/// dbl-2007-bl of the Explicit-Formulas Database with half of its Z, so that fewer sums remain; the point at infinity stays it.
#[inline(never)]
pub(super) fn double<A: Arithmetic>(
    field: A,
    a: Option<&A::Element>,
    [x, y, z]: &[A::Element; 3],
) -> [A::Element; 3] {
    if field.is_zero(z) {
        return [*x, *y, *z];
    }
    let (xx, yy) = (field.square(x), field.square(y));
    let v = field.mul(x, &yy);
    let mut twice_slope = field.add(&field.double(&xx), &xx);
    if let Some(a) = a {
        twice_slope = field.add(&twice_slope, &field.mul(a, &field.square(&field.square(z))));
    }
    let slope = field.halve(&twice_slope);
    let x3 = field.sub(&field.square(&slope), &field.double(&v));
    let y3 = field.product_less_square(&slope, &field.sub(&v, &x3), &yy);
    [x3, y3, field.mul(y, z)]
}

/// Returns the sum by madd-2007-bl, and by other formulas for its exceptions: the point at infinity, a doubling, and the sum of
/// a point and its negative.
#[inline(never)]
pub(super) fn add<A: Arithmetic>(
    field: A,
    a: Option<&A::Element>,
    sum @ [x1, y1, z1]: &[A::Element; 3],
    [x2, y2]: &[A::Element; 2],
) -> [A::Element; 3] {
    if field.is_zero(z1) {
        return [*x2, *y2, field.one()];
    }
    let zz = field.square(z1);
    let h = field.sub(&field.mul(x2, &zz), x1);
    let slope = field.sub(&field.mul(&field.mul(y2, &zz), z1), y1);
    if field.is_zero(&h) {
        return match field.is_zero(&slope) {
            true => double(field, a, sum),
            false => infinity(field),
        };
    }
    let hh = field.square(&h);
    let (hhh, v) = (field.mul(&h, &hh), field.mul(x1, &hh));
    let x3 = field.sub(&field.sub(&field.square(&slope), &hhh), &field.double(&v));
    let y3 = field.sum_of_products(&[slope, field.negate(y1)], &[field.sub(&v, &x3), hhh]);
    [x3, y3, field.mul(z1, &h)]
}
