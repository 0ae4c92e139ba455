//! Jacobian coordinates in lanes, for code that is not hot: the ladder of the subgroup's test, and multiples of
//! points.

use bucketwheel_lanes::LaneField;

/// Coordinates X, Y, Z with `x = X / Z^2` and `y = Y / Z^3`, all reduced in the result of a doubling.
pub(crate) type Jacobian<L> = [<L as LaneField>::Vec; 3];

/// Returns a multiple of finite points on a curve with a = 0. Z is 0 in lanes that met an exception.
pub(crate) fn multiple<L: LaneField>(lanes: L, [x, y]: &[L::Vec; 2], digits: &[i8]) -> Jacobian<L> {
    let negative = lanes.reduce(&lanes.negate(&lanes.lift(y), u32::MAX >> (32 - L::LANES)));
    let mut sum = [*x, *y, lanes.one()];
    for (i, &digit) in digits.iter().enumerate() {
        let signed = if digit < 0 { &negative } else { y };
        if i == 0 {
            sum[1] = *signed;
            continue;
        }
        sum = double(lanes, &sum, None);
        if digit != 0 {
            sum = add(lanes, &sum, [x, signed]);
        }
    }
    sum
}

/// Returns the double, on a curve with this coefficient a, where `None` stands for 0: 3 products, 4 squares. X and Y are reduced.
pub(crate) fn double<L: LaneField>(lanes: L, [x, y, z]: &Jacobian<L>, a: Option<&L::Vec>) -> Jacobian<L> {
    let mut square = *x;
    lanes.square(x, &mut square);
    let mut slope = lanes.reduce(&lanes.add(&lanes.lift(&twice(lanes, &square)), &lanes.lift(&square)));
    if let Some(a) = a {
        let (mut zz, mut zzzz, mut term) = (*z, *z, *z);
        lanes.square(z, &mut zz);
        lanes.square(&zz, &mut zzzz);
        lanes.mul(&zzzz, L::as_factor(a), &mut term);
        slope = lanes.reduce(&lanes.add(&lanes.lift(&slope), &lanes.lift(&term)));
    }
    let mut yy = *y;
    lanes.square(y, &mut yy);
    let yy = twice(lanes, &yy);
    let mut s = *x;
    lanes.mul(x, L::as_factor(&yy), &mut s);
    let s = twice(lanes, &s);
    let mut x3 = *x;
    lanes.square(&slope, &mut x3);
    let s_sum = lanes.lift(&s);
    let x3 = lanes.reduce(&lanes.sub(&lanes.sub(&lanes.lift(&x3), &s_sum), &s_sum));
    let (mut y3, mut yyyy) = (*y, *y);
    lanes.mul(&slope, &lanes.factor(&lanes.sub(&s_sum, &lanes.lift(&x3))), &mut y3);
    lanes.square(&yy, &mut yyyy);
    let y3 = lanes.reduce(&lanes.sub(&lanes.lift(&y3), &lanes.lift(&twice(lanes, &yyyy))));
    let mut yz = *y;
    lanes.mul(y, L::as_factor(z), &mut yz);
    [x3, y3, twice(lanes, &yz)]
}

/// Returns `2 v`, reduced.
fn twice<L: LaneField>(lanes: L, v: &L::Vec) -> L::Vec {
    let sum = lanes.lift(v);
    lanes.reduce(&lanes.add(&sum, &sum))
}

/// Returns the sum with an affine point: 8 products, 3 squares. The caller must know that the two points differ.
pub(crate) fn add<L: LaneField>(lanes: L, [x1, y1, z1]: &Jacobian<L>, [x2, y2]: [&L::Vec; 2]) -> Jacobian<L> {
    add_by_differences(lanes, &[*x1, *y1, *z1], &differences(lanes, [x1, y1, z1], [x2, y2]))
}

/// Returns the sum with an affine point, from the two points' [`differences`]: 5 products, 2 squares. The caller must know that the
/// two points differ.
pub(crate) fn add_by_differences<L: LaneField>(
    lanes: L,
    [x1, y1, z1]: &Jacobian<L>,
    &[h, slope]: &[L::Vec; 2],
) -> Jacobian<L> {
    let (mut hh, mut hhh, mut v) = (h, h, h);
    lanes.square(&h, &mut hh);
    lanes.mul(&h, L::as_factor(&hh), &mut hhh);
    lanes.mul(x1, L::as_factor(&hh), &mut v);
    let mut x3 = slope;
    lanes.square(&slope, &mut x3);
    let less = lanes.reduce(&lanes.add(&lanes.lift(&twice(lanes, &v)), &lanes.lift(&hhh)));
    let x3 = lanes.reduce(&lanes.sub(&lanes.lift(&x3), &lanes.lift(&less)));
    let (mut y3, mut y1_hhh, mut z3) = (h, h, h);
    lanes.mul(&slope, &lanes.factor(&lanes.sub(&lanes.lift(&v), &lanes.lift(&x3))), &mut y3);
    lanes.mul(y1, L::as_factor(&hhh), &mut y1_hhh);
    let y3 = lanes.reduce(&lanes.sub(&lanes.lift(&y3), &lanes.lift(&y1_hhh)));
    lanes.mul(z1, L::as_factor(&h), &mut z3);
    [x3, y3, z3]
}

/// Returns `x2 z1^2 - x1` and `y2 z1^3 - y1`: 0 where the points are the same.
pub(crate) fn differences<L: LaneField>(
    lanes: L,
    [x1, y1, z1]: [&L::Vec; 3],
    [x2, y2]: [&L::Vec; 2],
) -> [L::Vec; 2] {
    let (mut zz, mut zzz, mut x, mut y) = (*z1, *z1, *x1, *y1);
    lanes.square(z1, &mut zz);
    lanes.mul(z1, L::as_factor(&zz), &mut zzz);
    lanes.mul(x2, L::as_factor(&zz), &mut x);
    lanes.mul(y2, L::as_factor(&zzz), &mut y);
    [
        lanes.reduce(&lanes.sub(&lanes.lift(&x), &lanes.lift(x1))),
        lanes.reduce(&lanes.sub(&lanes.lift(&y), &lanes.lift(y1))),
    ]
}
