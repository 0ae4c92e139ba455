//! The map between a Weierstrass curve and its twisted Edwards form, over any field.
//!
//! A curve `y^2 = x^3 + a x + b` with a point (e, 0) of order 2 is `y^2 = X^3 + 3 e X^2 + s^2 X` in X = x - e, where
//! `s^2 = 3 e^2 + a`. If s is in the field, u = X / s and v = y / s make it the Montgomery curve
//! `v^2 / s = u^3 + (3 e / s) u^2 + u`, and (u / v, (u - 1) / (u + 1)) is on the twisted Edwards curve with
//! a = 3 e + 2 s and d = 3 e - 2 s (Bernstein, Birkner, Joye, Lange and Peters, "Twisted Edwards Curves", AFRICACRYPT
//! 2008, Theorem 3.2). If -a = r^2 is a square, r x for x makes a = -1.

use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::twisted_edwards::MontCurveConfig;
use ark_ec::AffineRepr;
use ark_ff::Field;

use super::EdwardsForm;
use crate::curve::CoordinateField;

/// The curve `-x^2 + y^2 = 1 + d x^2 y^2`, and the map to it.
///
/// Points that the map does not take, beside infinity, which becomes (0, 1), have an even order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwistedEdwards<F> {
    /// The x of the point of order 2 that becomes (0, -1).
    root: F,
    s: F,
    r: F,
    d: F,
}

impl<F: Field> TwistedEdwards<F> {
    /// The form of an inner BLS curve, `y^2 = x^3 + 1` over a field with the root of 3: EdMSM, Lemma 1, whose d is this
    /// one or its inverse, `7 + 4 sqrt(3)` or `7 - 4 sqrt(3)`. `None` if this is no such curve.
    pub fn of_inner_bls<C: SWCurveConfig<BaseField = F>>() -> Option<Self> {
        (C::COEFF_A.is_zero() && C::COEFF_B.is_one()).then(|| Self::new::<C>(-F::one()))?
    }

    /// The form of a curve that arkworks has in Montgomery form `B v^2 = u^3 + A u^2 + u` too: it takes the point (0, 0) of
    /// that to (0, -1). `None` if it has none with a = -1.
    pub fn of_montgomery<C: MontCurveConfig<BaseField = F> + SWCurveConfig>() -> Option<Self> {
        let b = <C as MontCurveConfig>::COEFF_B;
        let root = <C as MontCurveConfig>::COEFF_A * (b.double() + b).inverse()?;
        Self::new::<C>(root)
    }

    /// The form that takes the point (root, 0) of order 2 to (0, -1). `None` if it is not on the curve, or there is no
    /// such form with a = -1.
    pub fn new<C: SWCurveConfig<BaseField = F>>(root: F) -> Option<Self> {
        if !Affine::<C>::new_unchecked(root, F::zero()).is_on_curve() {
            return None;
        }
        let three_root = root.double() + root;
        let s = (three_root * root + C::COEFF_A).sqrt()?;
        let form = |s: F| {
            let (a, d) = (three_root + s.double(), three_root - s.double());
            let (r, inverse) = ((-a).sqrt()?, a.inverse()?);
            Some(TwistedEdwards { root, s, r, d: -d * inverse })
        };
        form(s).or_else(|| form(-s))
    }

    /// The coefficient d.
    pub fn d(&self) -> F {
        self.d
    }

    /// The coordinates of a point of the Weierstrass curve; `None` if the map does not take it.
    pub fn to_edwards<C: SWCurveConfig<BaseField = F>>(&self, point: &Affine<C>) -> Option<[F; 2]> {
        let Some((x, y)) = point.xy() else {
            return Some([F::zero(), F::one()]);
        };
        let x = x - self.root;
        Some([self.r * x * y.inverse()?, (x - self.s) * (x + self.s).inverse()?])
    }

    /// The point of the Weierstrass curve with these coordinates; `None` if the map takes no point there.
    pub fn from_edwards<C: SWCurveConfig<BaseField = F>>(&self, [x, y]: [F; 2]) -> Option<Affine<C>> {
        if x.is_zero() && y.is_one() {
            return Some(Affine::identity());
        }
        let su = self.s * (F::one() + y) * (F::one() - y).inverse()?;
        Some(Affine::new_unchecked(su + self.root, su * self.r * x.inverse()?))
    }
}

impl<F: CoordinateField> From<TwistedEdwards<F>> for EdwardsForm<F::Words> {
    fn from(form: TwistedEdwards<F>) -> Self {
        EdwardsForm { root: form.root.to_words(), s: form.s.to_words(), r: form.r.to_words() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::short_weierstrass::Projective;
    use ark_ec::CurveGroup;
    use ark_ff::{One, PrimeField, UniformRand, Zero};
    use rand::rngs::StdRng;
    use rand::SeedableRng;

    /// The unified law of `-x^2 + y^2 = 1 + d x^2 y^2`.
    fn add<F: Field>(d: F, [x1, y1]: [F; 2], [x2, y2]: [F; 2]) -> [F; 2] {
        let product = d * x1 * x2 * y1 * y2;
        let divide = |numerator: F, denominator: F| numerator / denominator;
        [divide(x1 * y2 + y1 * x2, F::one() + product), divide(y1 * y2 + x1 * x2, F::one() - product)]
    }

    fn is_homomorphism<C: SWCurveConfig>(form: &TwistedEdwards<C::BaseField>) {
        let rng = &mut StdRng::seed_from_u64(1);
        let d = form.d();
        for _ in 0..50 {
            let (p, q) = (Projective::<C>::rand(rng).into_affine(), Projective::<C>::rand(rng).into_affine());
            let map = |point: Affine<C>| form.to_edwards(&point).expect("of odd order");
            for (p, q) in [(p, q), (p, p), (p, -p), (p, Affine::identity()), (Affine::identity(), q)] {
                let [x, y] = map(p);
                assert_eq!(y.square() - x.square(), C::BaseField::one() + d * (x * y).square());
                assert_eq!(add(d, map(p), map(q)), map((p + q).into_affine()));
                assert_eq!(form.from_edwards(map(p)), Some(p));
            }
        }
    }

    fn lemma_1_holds<C: SWCurveConfig<BaseField: PrimeField>>() {
        let form = TwistedEdwards::of_inner_bls::<C>().expect("an inner curve");
        is_homomorphism::<C>(&form);
        let root = C::BaseField::from(3u32).sqrt().expect("3 is a square");
        let (seven, four) = (C::BaseField::from(7u32), C::BaseField::from(4u32));
        assert!(form.d() == seven + four * root || form.d() == seven - four * root);
        // A square: the law is not complete on the whole curve.
        assert!(form.d().legendre().is_qr());
        // The point of order 2 that becomes (0, -1) is not taken.
        let order_two = Affine::<C>::new_unchecked(-C::BaseField::one(), C::BaseField::zero());
        assert_eq!(form.to_edwards(&order_two), None);
        assert_eq!(form.from_edwards::<C>([C::BaseField::zero(), -C::BaseField::one()]), None);
    }

    #[test]
    fn lemma_1_holds_for_bls12_377() {
        lemma_1_holds::<ark_bls12_377::g1::Config>();
    }

    #[test]
    fn lemma_1_holds_for_bls24_315() {
        lemma_1_holds::<super::super::bls24_315::G1>();
    }

    /// That of Jubjub has a = -1, as ours. That of Bandersnatch has a = -5 and a d that are both no squares, and so have all
    /// of its forms: none has a = -1.
    #[test]
    fn native_forms() {
        use ark_ec::twisted_edwards::TECurveConfig;
        type Jubjub = ark_ed_on_bls12_381::JubjubConfig;
        let form = TwistedEdwards::of_montgomery::<Jubjub>().expect("a native form");
        is_homomorphism::<Jubjub>(&form);
        assert_eq!(form.d(), <Jubjub as TECurveConfig>::COEFF_D);
        type Bandersnatch = ark_ed_on_bls12_381_bandersnatch::BandersnatchConfig;
        assert_eq!(TwistedEdwards::of_montgomery::<Bandersnatch>(), None);
        assert!(<Bandersnatch as TECurveConfig>::COEFF_A.legendre().is_qnr());
        assert!(<Bandersnatch as TECurveConfig>::COEFF_D.legendre().is_qnr());
    }

    #[test]
    fn other_curves_have_no_such_form() {
        assert_eq!(TwistedEdwards::of_inner_bls::<ark_bls12_381::g1::Config>(), None);
        assert_eq!(TwistedEdwards::of_inner_bls::<ark_bn254::g1::Config>(), None);
        assert_eq!(TwistedEdwards::of_inner_bls::<ark_bls12_377::g2::Config>(), None);
        // (1, 0) is not on the curve.
        assert_eq!(TwistedEdwards::new::<ark_bls12_377::g1::Config>(ark_bls12_377::Fq::one()), None);
    }
}
