//! The test of the subgroup of prime order r.
//!
//! The test uses an endomorphism sigma that acts on the subgroup as a short eigenvalue: `sigma(P) = [lambda] P`, 127
//! doublings where [r] P takes 254. (Bowe, "Faster subgroup checks for BLS12-381", eprint
//! 2019/814; Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves", 2021/1130;
//! El Housni, Guillevic, Piellard, "Co-factor clearing and subgroup membership testing on pairing-friendly curves",
//! 2022/352.) Why it suffices:
//!
//! - G1 of the BLS curves: sigma is `(x, y) -> (beta x, y)` with `sigma^2 + sigma + 1 = 0`, and the smaller eigenvalue
//!   is `lambda = z^2 - 1` with `lambda^2 + lambda + 1 = r`. So `[r] P = (sigma^2 + sigma + 1) P = 0`.
//! - G2: sigma is the Frobenius map between twist and curve, `sigma^2 - t sigma + p = 0`, and `lambda = t - 1`. So
//!   `[p + 1 - t] P = 0`, where `p + 1 - t` is r for BN254 and h1 r for the BLS curves. The order of P also divides the
//!   order of the curve, h2 r, and h1 and h2 have no common divisor.
//! - G1 of BN254 is the whole curve.
//!
//! The ladder handles no exceptions. A point of order r meets none, since it is added to multiples of itself by 2, 3,
//! ..., 2^128. If any other point meets one, Z becomes 0 and stays 0, because the formulas multiply it.

use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::{Field, PrimeField};
use num_bigint::{BigInt, BigUint, Sign};

use super::endomorphism::Endomorphism;
use crate::engine::single::Map;

/// The endomorphism and its eigenvalue.
#[derive(Debug)]
pub struct Membership<F> {
    pub(super) map: Map<F>,
    /// The eigenvalue in digits -1, 0 and 1, the leading one first.
    pub(super) eigenvalue: Vec<i8>,
}

impl<F: Field> Membership<F> {
    /// Returns the test of the first group, or `None` if that group is the whole curve.
    pub(crate) fn of_g1<C: SWCurveConfig<BaseField = F>>(endomorphism: &Endomorphism<F>) -> Option<Self> {
        let eigenvalue = digits(&endomorphism.split.lambda.clone().into());
        (!C::cofactor_is_one()).then_some(Membership { map: endomorphism.map(), eigenvalue })
    }

    /// Returns the test of the second group, `D`, of the pairing with `C`.
    pub(crate) fn of_g2<C, D>() -> Option<Self>
    where
        C: SWCurveConfig,
        D: SWCurveConfig<BaseField = F, ScalarField = C::ScalarField>,
        C::BaseField: PrimeField,
        F: Field<BasePrimeField = C::BaseField>,
    {
        let (p, r): (BigUint, BigUint) = (C::BaseField::MODULUS.into(), C::ScalarField::MODULUS.into());
        let (p, r) = (BigInt::from(p), BigInt::from(r));
        // t - 1 is p modulo r, and short.
        let remainder = &p % &r;
        let eigenvalue = if &remainder * 2 > r { remainder - &r } else { remainder };
        // With b' = C^6 b, sigma takes x to C^2 (x / C^2)^p, and y to C^3 (y / C^3)^p.
        let quotient = F::from_base_prime_field(C::COEFF_B) / D::COEFF_B;
        let power = |divisor: u32| {
            let exponent: BigInt = (&p - 1) / divisor;
            quotient.pow(exponent.magnitude().to_u64_digits())
        };
        let map = Map { u: power(3), v: Some(power(2)), conjugates: true };
        Some(Membership { map, eigenvalue: digits(&eigenvalue) })
    }

    /// Returns the image of a point.
    pub(super) fn image(&self, x: &F, y: &F) -> [F; 2] {
        let (mut x, mut y) = (*x, *y);
        if self.map.conjugates {
            x.frobenius_map_in_place(1);
            y.frobenius_map_in_place(1);
        }
        [self.map.u * x, self.map.v.map_or(y, |v| v * y)]
    }
}

/// Returns a number's nonadjacent form, the leading digit first.
fn digits(number: &BigInt) -> Vec<i8> {
    let mut rest = number.magnitude().clone();
    let mut digits = Vec::new();
    let sign = if number.sign() == Sign::Minus { -1 } else { 1 };
    while rest.bits() > 0 {
        let low = rest.iter_u64_digits().next().unwrap_or(0) % 4;
        let digit = match low {
            1 => 1,
            3 => -1,
            _ => 0,
        };
        match digit {
            1 => rest -= 1u32,
            -1 => rest += 1u32,
            _ => {}
        }
        digits.push(sign * digit);
        rest >>= 1;
    }
    digits.reverse();
    digits
}
