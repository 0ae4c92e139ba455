//! Straus' method: the sum of few points by interleaved windows, without buckets, in Jacobian coordinates.

use ark_ff::Field;

use super::horner::{add, double};
use crate::digits::naf::MULTIPLES;

/// Returns `sum_i sum_position 2^position digits[i][position] points[i]`, on the curve with this coefficient a; Z is 0 for the
/// point at infinity. Digits beyond the points' number belong to the points' images `(beta x, y)`, in the same order.
///
/// Costs a doubling for each position, an addition (7M + 4S) for each digit that is not 0, and some 12 products for each of the
/// odd [`MULTIPLES`]. It takes no inversion: all multiples get one denominator Z, so they are affine on the isomorphic curve with
/// the coordinates `x Z^2` and `y Z^3`, where the sum is made. Compiled for each field once
/// ([`CoordinateField::straus`](super::CoordinateField::straus)).
///
/// Returns `None` if a multiple of a point is infinity: its order is 15 or less.
pub(crate) fn straus<F: Field>(a: F, beta: F, points: &[[F; 2]], digits: &[Vec<i8>]) -> Option<[F; 3]> {
    let multiples: Vec<_> = points.iter().map(|&point| odd_multiples(a, point)).collect();
    let denominators: Vec<F> = multiples.iter().map(|multiples| multiples.steps.iter().product()).collect();
    let denominator: F = denominators.iter().product();
    if denominator.is_zero() {
        return None;
    }
    let mut tables = Vec::with_capacity(digits.len() * MULTIPLES);
    for (multiples, others) in multiples.iter().zip(products_of_others(&denominators)) {
        tables.extend(multiples.with_denominator(others));
    }
    if digits.len() > points.len() {
        let images = tables.len();
        tables.extend_from_within(..);
        tables[images..].iter_mut().for_each(|[x, _]| *x *= beta);
    }
    let a = if a.is_zero() { a } else { a * denominator.square().square() };
    let positions = digits.iter().map(Vec::len).max().unwrap_or(0);
    let mut sum = [F::ONE, F::ONE, F::ZERO];
    for position in (0..positions).rev() {
        sum = double(a, sum);
        for (digits, table) in digits.iter().zip(tables.chunks_exact(MULTIPLES)) {
            let digit = digits.get(position).copied().unwrap_or(0);
            if digit != 0 {
                let [x, y] = table[usize::from(digit.unsigned_abs() >> 1)];
                sum = add(a, sum, [x, if digit < 0 { -y } else { y }]);
            }
        }
    }
    let [x, y, z] = sum;
    Some([x, y, z * denominator])
}

/// The odd multiples P, 3P, 5P and so on of a point, in Jacobian coordinates.
struct OddMultiples<F> {
    points: [[F; 2]; MULTIPLES],
    /// Z coordinate of each multiple, divided by the Z coordinate of the multiple before it. A quotient is 0 if a
    /// multiple is infinity.
    steps: [F; MULTIPLES],
}

/// Computes the multiples, beginning with P and 2P over a common Z. Each addition of 2P gives both its operands and its
/// result a common Z again (Meloni, *New Point Addition Formulae for ECC Applications*: 4M + 2S and no product for Z).
fn odd_multiples<F: Field>(a: F, [x, y]: [F; 2]) -> OddMultiples<F> {
    let (xx, yy) = (x.square(), y.square());
    // P with Z = 2 y: x Z^2 and y Z^3.
    let mut multiple = [(x * yy).double().double(), yy.square().double().double().double()];
    let slope = xx.double() + xx + a;
    let x2 = slope.square() - multiple[0].double();
    let mut twice = [x2, slope * (multiple[0] - x2) - multiple[1]];
    let mut all = OddMultiples { points: [multiple; MULTIPLES], steps: [y.double(); MULTIPLES] };
    for (point, step) in all.points.iter_mut().zip(&mut all.steps).skip(1) {
        let h = twice[0] - multiple[0];
        let hh = h.square();
        let (v, w) = (twice[0] * hh, multiple[0] * hh);
        let slope = twice[1] - multiple[1];
        twice = [v, twice[1] * (v - w)];
        let x3 = slope.square() - v - w;
        multiple = [x3, slope * (v - x3) - twice[1]];
        (*point, *step) = (multiple, h);
    }
    all
}

impl<F: Field> OddMultiples<F> {
    /// Returns the points in affine form over one Z: the Z of the last multiple times `others`.
    fn with_denominator(&self, others: F) -> [[F; 2]; MULTIPLES] {
        let mut ratio = others;
        let mut points = self.points;
        for ([x, y], step) in points.iter_mut().zip(&self.steps).rev() {
            let square = ratio.square();
            *x *= square;
            *y *= square * ratio;
            ratio *= step;
        }
        points
    }
}

/// Returns for each factor the product of all other factors.
fn products_of_others<F: Field>(factors: &[F]) -> Vec<F> {
    let mut products = vec![F::ONE; factors.len()];
    let mut before = F::ONE;
    for (product, factor) in products.iter_mut().zip(factors) {
        *product = before;
        before *= factor;
    }
    let mut behind = F::ONE;
    for (product, factor) in products.iter_mut().zip(factors).rev() {
        *product *= behind;
        behind *= factor;
    }
    products
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
    use ark_ec::{AffineRepr, CurveGroup};
    use ark_ed_on_bls12_381::JubjubConfig;
    use ark_ff::{PrimeField, UniformRand, Zero};
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    fn coordinates<C: SWCurveConfig>(points: &[Affine<C>]) -> Vec<[C::BaseField; 2]> {
        points.iter().map(|point| point.xy().expect("not infinity")).map(|(x, y)| [x, y]).collect()
    }

    /// Covers equal, opposite and different points, and digits from 0 to the largest.
    fn sums_are_those_of_arkworks<C: SWCurveConfig>() {
        let rng = &mut StdRng::seed_from_u64(1);
        for n in 0..6 {
            for positions in [0, 1, 2, 9] {
                let mut points: Vec<Affine<C>> = (0..n).map(|_| Affine::rand(rng)).collect();
                if n > 2 {
                    (points[1], points[2]) = (points[0], -points[0]);
                }
                let digit = |rng: &mut StdRng| [0, 0, 1, -1, 15, -15, 7][rng.gen_range(0..7)];
                let digits: Vec<Vec<i8>> =
                    (0..n).map(|_| (0..positions).map(|_| digit(rng)).collect()).collect();
                let expected = (0..positions).rev().fold(Projective::<C>::zero(), |sum, position| {
                    let multiple = |(point, digits): (&Affine<C>, &Vec<i8>)| {
                        *point * C::ScalarField::from(i64::from(digits[position]))
                    };
                    sum + sum + points.iter().zip(&digits).map(multiple).sum::<Projective<C>>()
                });
                let sum = straus(C::COEFF_A, C::BaseField::zero(), &coordinates(&points), &digits);
                let [x, y, z] = sum.expect("points of large order");
                assert_eq!(Projective::<C>::new_unchecked(x, y, z), expected);
            }
        }
    }

    #[test]
    fn straus_meets_exceptions() {
        sums_are_those_of_arkworks::<ark_bn254::g1::Config>();
        sums_are_those_of_arkworks::<ark_bls12_381::g2::Config>();
        // This curve has a coefficient a that is not 0.
        sums_are_those_of_arkworks::<JubjubConfig>();
    }

    #[test]
    fn images_follow_the_points() {
        let rng = &mut StdRng::seed_from_u64(1);
        let endomorphism = crate::curve::endomorphism::<ark_bn254::g1::Config>().expect("BN254 has one");
        let point = ark_bn254::G1Affine::rand(rng);
        let sum =
            straus(ark_bn254::Fq::zero(), endomorphism.beta, &coordinates(&[point]), &[vec![0], vec![3]]);
        let [x, y, z] = sum.expect("a point of large order");
        let image = ark_bn254::G1Affine::new(point.x * endomorphism.beta, point.y);
        assert_eq!(ark_bn254::G1Projective::new_unchecked(x, y, z), image * ark_bn254::Fr::from(3));
    }

    #[test]
    fn points_of_small_order_are_refused() {
        let jubjub = |point: Affine<JubjubConfig>| {
            straus(JubjubConfig::COEFF_A, Zero::zero(), &coordinates(&[point]), &[vec![1]])
        };
        let rng = &mut StdRng::seed_from_u64(1);
        // A point times the prime order has an order of 1, 2, 4 or 8.
        let torsion = std::iter::repeat_with(|| ark_bls12_381::Fr::rand(rng))
            .filter_map(|x| Affine::<JubjubConfig>::get_point_from_x_unchecked(x, false))
            .map(|point| point.mul_bigint(ark_ed_on_bls12_381::Fr::MODULUS))
            .find(|point| !(*point * ark_ed_on_bls12_381::Fr::from(4)).is_zero())
            .expect("half of the points");
        let of_order_2 = (torsion * ark_ed_on_bls12_381::Fr::from(4)).into_affine();
        assert_eq!(jubjub(of_order_2), None);
        assert!(jubjub(torsion.into_affine()).is_some());
        let of_order_3 = ark_bls12_381::G1Affine::new_unchecked(Zero::zero(), ark_bls12_381::Fq::from(2));
        assert_eq!(straus(Zero::zero(), Zero::zero(), &coordinates(&[of_order_3]), &[vec![1]]), None);
    }
}
