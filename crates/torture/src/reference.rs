//! A second arithmetic of curves, which shares no code with the engine: big integers, textbook formulas, one bit after
//! the other. It is slow, and short enough to verify by reading. Sums are affine; multiples are Jacobian, because
//! inversions would take most of the time of affine multiples.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field, PrimeField};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;

/// `c0 + c1 u` where `u^2` is the field's [`square`](Group::square); over a prime field, `c1` is 0.
pub type Element = [BigUint; 2];

/// A point; `None` is infinity.
pub type Point = Option<(Element, Element)>;

/// A point `(x / z^2, y / z^3)` as x, y and z; `None` is infinity.
type Jacobian = Option<[Element; 3]>;

/// The points of `y^2 = x^3 + a x + b`.
#[derive(Debug)]
pub struct Group {
    modulus: BigUint,
    /// The square of `u`; 0 over a prime field.
    square: BigUint,
    a: Element,
    #[cfg(test)]
    b: Element,
    /// The order of the subgroup.
    pub order: BigUint,
}

impl Group {
    /// Returns the group with the numbers of an arkworks configuration.
    pub fn of<C: SWCurveConfig>() -> Self {
        type Prime<C> = <<C as ark_ec::CurveConfig>::BaseField as Field>::BasePrimeField;
        let u = C::BaseField::from_base_prime_field_elems([Prime::<C>::ZERO, Prime::<C>::ONE]);
        Group {
            modulus: Prime::<C>::MODULUS.into(),
            square: u.map_or(BigUint::ZERO, |u| element(&u.square())[0].clone()),
            a: element(&C::COEFF_A),
            #[cfg(test)]
            b: element(&C::COEFF_B),
            order: C::ScalarField::MODULUS.into(),
        }
    }

    /// Returns true if the curve's equation holds.
    #[cfg(test)]
    fn contains(&self, point: &Point) -> bool {
        let Some((x, y)) = point else { return true };
        let cube = self.mul(x, &self.mul(x, x));
        self.mul(y, y) == self.sum(&self.sum(&cube, &self.mul(&self.a, x)), &self.b)
    }

    /// Returns `left + right`.
    pub fn add(&self, left: &Point, right: &Point) -> Point {
        let (Some((x1, y1)), Some((x2, y2))) = (left, right) else {
            return left.clone().or_else(|| right.clone());
        };
        let slope = if x1 != x2 {
            self.mul(&self.difference(y2, y1), &self.inverse(&self.difference(x2, x1)))
        } else if y1 == y2 && !y1.iter().all(BigUint::is_zero) {
            let square = self.mul(x1, x1);
            let numerator = self.sum(&self.sum(&self.sum(&square, &square), &square), &self.a);
            self.mul(&numerator, &self.inverse(&self.sum(y1, y1)))
        } else {
            return None;
        };
        let x = self.difference(&self.difference(&self.mul(&slope, &slope), x1), x2);
        let y = self.difference(&self.mul(&slope, &self.difference(x1, &x)), y1);
        Some((x, y))
    }

    /// Returns `factor point`, by double-and-add.
    pub fn multiple(&self, point: &Point, factor: &BigInt) -> Point {
        let (x, y) = point.as_ref()?;
        let y = match factor.sign() {
            Sign::Minus => &self.difference(&Element::default(), y),
            _ => y,
        };
        let mut sum = None;
        for bit in (0..factor.bits()).rev() {
            sum = self.twice(sum);
            if factor.magnitude().bit(bit) {
                sum = self.plus(sum, x, y);
            }
        }
        let [x, y, z] = sum?;
        let inverse = self.inverse(&z);
        let square = self.mul(&inverse, &inverse);
        Some((self.mul(&x, &square), self.mul(&y, &self.mul(&square, &inverse))))
    }

    /// Returns `2 point`.
    fn twice(&self, point: Jacobian) -> Jacobian {
        let [x, y, z] = point?;
        if y.iter().all(BigUint::is_zero) {
            return None;
        }
        let (xx, yy, zz) = (self.mul(&x, &x), self.mul(&y, &y), self.mul(&z, &z));
        let slope = self.sum(&self.sum(&self.sum(&xx, &xx), &xx), &self.mul(&self.a, &self.mul(&zz, &zz)));
        let double = |value: &Element| self.sum(value, value);
        let s = double(&double(&self.mul(&x, &yy)));
        let x = self.difference(&self.mul(&slope, &slope), &double(&s));
        let yyyy = double(&double(&double(&self.mul(&yy, &yy))));
        let z = double(&self.mul(&y, &z));
        Some([x.clone(), self.difference(&self.mul(&slope, &self.difference(&s, &x)), &yyyy), z])
    }

    /// Returns `point + (x2, y2)`.
    fn plus(&self, point: Jacobian, x2: &Element, y2: &Element) -> Jacobian {
        let Some([x, y, z]) = point else {
            return Some([x2.clone(), y2.clone(), [1u8, 0].map(BigUint::from)]);
        };
        let zz = self.mul(&z, &z);
        let h = self.difference(&self.mul(x2, &zz), &x);
        let r = self.difference(&self.mul(y2, &self.mul(&zz, &z)), &y);
        if h.iter().all(BigUint::is_zero) {
            let equal = r.iter().all(BigUint::is_zero);
            return if equal { self.twice(Some([x, y, z])) } else { None };
        }
        let hh = self.mul(&h, &h);
        let (hhh, v) = (self.mul(&hh, &h), self.mul(&x, &hh));
        let x3 = self.difference(&self.difference(&self.mul(&r, &r), &hhh), &self.sum(&v, &v));
        let y3 = self.difference(&self.mul(&r, &self.difference(&v, &x3)), &self.mul(&y, &hhh));
        Some([x3, y3, self.mul(&h, &z)])
    }

    fn sum(&self, left: &Element, right: &Element) -> Element {
        [0, 1].map(|i| (&left[i] + &right[i]) % &self.modulus)
    }

    fn difference(&self, left: &Element, right: &Element) -> Element {
        [0, 1].map(|i| (&left[i] + &self.modulus - &right[i]) % &self.modulus)
    }

    fn mul(&self, left: &Element, right: &Element) -> Element {
        let constant = &left[0] * &right[0] + &left[1] * &right[1] * &self.square;
        [constant, &left[0] * &right[1] + &left[1] * &right[0]].map(|coefficient| coefficient % &self.modulus)
    }

    /// Returns the inverse `(c0 - c1 u) / (c0^2 - c1^2 u^2)` of an element that is not 0.
    fn inverse(&self, element: &Element) -> Element {
        let conjugate =
            self.difference(&[element[0].clone(), BigUint::ZERO], &[BigUint::ZERO, element[1].clone()]);
        let norm = &self.mul(element, &conjugate)[0];
        let inverse = norm.modinv(&self.modulus).expect("the field has no divisors of zero");
        self.mul(&conjugate, &[inverse, BigUint::ZERO])
    }
}

/// Converts an arkworks point.
pub fn point<C: SWCurveConfig>(point: &Affine<C>) -> Point {
    point.xy().map(|(x, y)| (element(&x), element(&y)))
}

fn element<F: Field>(value: &F) -> Element {
    let mut coefficients = value.to_base_prime_field_elements().map(Into::into);
    [0, 1].map(|_| coefficients.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<C: SWCurveConfig>() {
        let group = Group::of::<C>();
        let generator = point(&C::GENERATOR);
        assert!(group.contains(&generator) && generator.is_some());
        let order = BigInt::from(group.order.clone());
        assert_eq!(group.multiple(&generator, &order), None);
        let less = group.multiple(&generator, &(&order - 1));
        assert_eq!(less, group.multiple(&generator, &BigInt::from(-1)));
        assert_eq!(group.add(&less, &generator), None);
        // Sums and multiples use different formulas.
        let mut sum = None;
        for factor in 1..=20 {
            sum = group.add(&sum, &generator);
            assert_eq!(group.multiple(&generator, &BigInt::from(factor)), sum);
        }
        assert!(group.contains(&group.multiple(&generator, &(order >> 3))));
    }

    #[test]
    fn orders_are_those_of_the_curves() {
        for group in crate::inputs::groups() {
            crate::inputs::with_group!(group, C => check::<C>());
        }
    }
}
